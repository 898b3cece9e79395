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
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        return StackedAttributor(members, folds=2).fit(*map(list, zip(*pairs, strict=True)))


@pytest.mark.parametrize("author", WORDS)
@pytest.mark.parametrize("seed", range(104, 109))
def test_nothing_is_said_about_an_ordinary_text(
    stack: StackedAttributor, author: str, seed: int
) -> None:
    assert codes(stack, sentences(author, 12, seed)) == []


def test_a_declined_text_has_no_caveats(stack: StackedAttributor) -> None:
    assert codes(stack, "one") == []


def test_a_copied_text_is_told_of_its_source(stack: StackedAttributor) -> None:
    assert codes(stack, sentences("ada", 12, 3)) == ["shared-passages"]


def test_a_signed_text_is_told_of_its_signature(stack: StackedAttributor) -> None:
    assert codes(stack, sentences("ada", 12, 104) + "\n\nAda") == ["names-a-candidate"]


def test_a_text_of_other_words_is_told(stack: StackedAttributor) -> None:
    text = sentences("ada", 12, 100)
    strange = " ".join(word if n % 5 else f"strange{n}" for n, word in enumerate(text.split()))
    assert "unknown-words" not in codes(stack, strange)  # one word in five
    strange = " ".join(word if n % 5 > 1 else f"strange{n}" for n, word in enumerate(text.split()))
    assert "unknown-words" in codes(stack, strange)


def test_a_text_of_words_in_no_order_is_unlike_the_known_ones(stack: StackedAttributor) -> None:
    # Each word of either author, one after the other: known words, that never stood so.
    text = " ".join(
        f"{a} {b} {b} {a}" for a, b in zip(WORDS["ada"] * 2, WORDS["ben"] * 2, strict=False)
    )
    assert "unlike-known-texts" in codes(stack, text)


def test_a_text_ten_times_as_long_is_told(stack: StackedAttributor) -> None:
    assert codes(stack, sentences("ben", 120, 100)) == ["longer-than-measured"]


def test_a_stack_of_few_texts_says_why_it_is_uncalibrated(stack: StackedAttributor) -> None:
    text = sentences("ada", 12, 100)
    [answer] = stack.attribute([text])
    [caveat] = caveats_for(stack, replace(answer, calibration_unavailable_reason="too few"), text)
    assert (caveat.code, caveat.sentence) == (
        "uncalibrated",
        "No probability is stated: too few.",
    )


def test_of_language_models_alone_less_can_be_said() -> None:
    models = AuthorshipAttributor(NgramLM(order=2, smoothing="witten-bell"), balance="none")
    texts = [sentences("ada", 100, 1), sentences("ben", 100, 1), sentences("ben", 8, 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        models.fit(texts, ["ada", "ben", "cyd"])
    found = codes(models, sentences("ada", 100, 1))
    assert found == ["uncalibrated", "little-known-text"]
