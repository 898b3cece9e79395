from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor, NgramSVM, StackedAttributor
from byline.attribution.caveats import caveats_for
from byline.errors import BylineWarning
from byline.lm import NgramLM

ADA = "the engine weaves numbers like any loom weaves leaves and then will compose"
BEN = "our ship sails north when winds turn cold and every sailor counts his rope"
WORDS = {author: text.split() for author, text in (("ada", ADA), ("ben", BEN))}


def sentences(author: str, n: int, seed: int) -> str:
    rng = np.random.default_rng([seed, len(author)])
    chosen = [rng.choice(WORDS[author], size=8) for _ in range(n)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


def codes(attributor: AuthorshipAttributor | StackedAttributor, text: str) -> list[str]:
    [answer] = attributor.attribute([text])
    return [caveat.code for caveat in caveats_for(attributor, answer, text)]


@pytest.fixture(scope="module")
def stack() -> StackedAttributor:
    members: list[tuple[str, Any]] = [
        ("language-models", AuthorshipAttributor(NgramLM(order=2))),
        ("words", NgramSVM("word-without-punctuation", (1, 1))),
    ]
    pairs = [(sentences(author, 12, n), author) for author in WORDS for n in range(24)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # there is little text
        return StackedAttributor(members, folds=2).fit(*map(list, zip(*pairs, strict=True)))


@pytest.mark.parametrize("author", WORDS)
@pytest.mark.parametrize("seed", range(104, 109))
def test_an_ordinary_text_has_no_caveats(stack: StackedAttributor, author: str, seed: int) -> None:
    assert codes(stack, sentences(author, 12, seed)) == []


def test_a_declined_text_has_no_caveats(stack: StackedAttributor) -> None:
    assert codes(stack, "one") == []


def test_a_copied_text_has_a_caveat_about_its_source(stack: StackedAttributor) -> None:
    text = sentences("ada", 12, 3) + " " + sentences("ada", 12, 100)
    assert codes(stack, text)[0] == "shared-passages"


def test_a_signed_text_has_a_caveat_about_its_signature(stack: StackedAttributor) -> None:
    assert codes(stack, sentences("ada", 12, 104) + "\n\nAda") == ["names-a-candidate"]


def test_a_text_with_many_unknown_words_has_a_caveat(stack: StackedAttributor) -> None:
    text = sentences("ada", 12, 100)
    strange = " ".join(word if n % 5 else f"strange{n}" for n, word in enumerate(text.split()))
    assert "unknown-words" not in codes(stack, strange)  # one word in five
    strange = " ".join(word if n % 5 > 1 else f"strange{n}" for n, word in enumerate(text.split()))
    assert "unknown-words" in codes(stack, strange)


def test_a_text_of_known_words_in_an_unknown_order_has_a_caveat(stack: StackedAttributor) -> None:
    # Words of both authors in turn: known words, but never in this order.
    text = " ".join(
        f"{a} {b} {b} {a}" for a, b in zip(WORDS["ada"] * 2, WORDS["ben"] * 2, strict=False)
    )
    assert "unlike-known-texts" in codes(stack, text)


def test_a_text_ten_times_as_long_has_a_caveat(stack: StackedAttributor) -> None:
    assert codes(stack, sentences("ben", 120, 100)) == ["longer-than-measured"]


def test_an_uncalibrated_answer_has_a_caveat_with_the_reason(stack: StackedAttributor) -> None:
    text = sentences("ada", 12, 100)
    [answer] = stack.attribute([text])
    [caveat] = caveats_for(stack, replace(answer, calibration_unavailable_reason="too few"), text)
    assert (caveat.code, caveat.sentence) == (
        "uncalibrated",
        "No probability is stated: too few.",
    )


def test_language_models_alone_have_fewer_caveats() -> None:
    models = AuthorshipAttributor(NgramLM(order=2, smoothing="witten-bell"), balance="none")
    texts = [sentences("ada", 100, 1), sentences("ben", 100, 1), sentences("ben", 8, 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        models.fit(texts, ["ada", "ben", "cyd"])
    found = codes(models, sentences("ada", 100, 1))
    assert found == ["uncalibrated", "few-known-words"]
