from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from byline.attribution import CANNOT_TELL
from byline.attribution.verification import (
    SOMEBODY_ELSE,
    AuthorVerification,
    JointVerification,
    Verification,
    VerificationPerformance,
    verify_authors,
)
from byline.attribution.verification.joint_verification import join
from byline.corpus import Document
from byline.errors import UsageError

Write = Callable[[int, int, int], str]
PERFORMANCE = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)


@pytest.fixture(scope="module")
def documents(write: Write) -> dict[str, list[Document]]:
    return {
        f"author {author}": [
            Document(f"author {author}", write(author, seed, 120), f"{author}/{seed}.txt")
            for seed in range(4)
        ]
        for author in range(6)
    }


def _answer(author: str, log10_lr: float | None) -> AuthorVerification:
    declined = None if log10_lr is not None else "the text has 3 words; at least 50 are needed"
    verification = Verification("note.txt", "yes", 0.5, log10_lr, declined)
    return AuthorVerification(author, verification, 4, 3, 12, None, PERFORMANCE)


def _joint(*log10_lrs: float | None) -> JointVerification:
    return join(tuple(map(_answer, ("Ada", "Ben", "Cleo"), log10_lrs)))


def test_probabilities_have_known_values() -> None:
    # Likelihood ratios of 10 and 0.1, and 1 for somebody else: 10 / 11.1, 0.1 / 11.1 and 1 / 11.1
    found = _joint(1.0, -1.0)
    assert found.answer == "Ada"
    expected = {"Ada": 10 / 11.1, "Ben": 0.1 / 11.1, SOMEBODY_ELSE: 1 / 11.1}
    assert found.probabilities == pytest.approx(expected)


def test_two_authors_are_never_named() -> None:
    found = _joint(1.5, 1.4)  # each alone would be named
    assert found.answer == CANNOT_TELL
    assert sum(found.probabilities.values()) == pytest.approx(1)


def test_somebody_else_is_an_answer() -> None:
    assert _joint(-1.0, -0.8, -1.2).answer == SOMEBODY_ELSE
    assert _joint(-0.1, -0.2).answer == CANNOT_TELL  # none is twice as probable as the next


def test_a_declined_text_has_no_probabilities() -> None:
    found = _joint(None, None)
    assert found.answer == CANNOT_TELL and found.probabilities == {}
    assert found.declined == "the text has 3 words; at least 50 are needed"


def test_one_of_the_authors_or_somebody_else_is_named(
    documents: dict[str, list[Document]], write: Write
) -> None:
    known = {name: documents[name] for name in ("author 0", "author 1")}
    population = [each for name in sorted(documents)[2:] for each in documents[name]]
    texts = [write(author, 90, 120) for author in (0, 1, 3)]
    found = verify_authors(known, population, texts, ["a", "b", "c"])
    assert [each.answer for each in found] == ["author 0", "author 1", SOMEBODY_ELSE]
    assert [each.path for each in found] == ["a", "b", "c"]
    for each in found:
        assert sum(each.probabilities.values()) == pytest.approx(1)
        assert [own.author for own in each.separate] == ["author 0", "author 1"]
        assert {own.n_population_authors for own in each.separate} == {5}


def test_the_order_of_the_authors_does_not_matter(
    documents: dict[str, list[Document]], write: Write
) -> None:
    names = sorted(documents)
    population = [each for name in names[2:] for each in documents[name]]
    first, again = (
        verify_authors(
            {name: documents[name] for name in order}, population, [write(0, 91, 120)], ["a"]
        )
        for order in (names[:2], names[1::-1])
    )
    assert replace(first[0], separate=()) == replace(again[0], separate=())


def test_ratios_of_two_authors_come_from_the_same_samples(
    documents: dict[str, list[Document]], write: Write
) -> None:
    known = {"author 0": documents["author 0"], "author 1": documents["author 1"][:2]}
    population = [each for name in sorted(documents)[2:] for each in documents[name]]
    [found] = verify_authors(known, population, [write(0, 92, 120)], ["a"])
    first, second = found.separate
    assert first.verifier is not None and second.verifier is not None
    one, other = (
        sorted(zip(held_out.known_authors, held_out.questioned_authors, strict=True))
        for held_out in (first.verifier.held_out_, second.verifier.held_out_)
    )
    assert one == other  # so the same samples of authors have problems of both kinds
    assert first.resampled_log10_lrs is not None and second.resampled_log10_lrs is not None
    differences = first.resampled_log10_lrs - second.resampled_log10_lrs
    *_, both = found.comparisons()
    assert both.interval is not None
    assert both.interval.low == pytest.approx(np.quantile(differences, 0.025))
    assert _joint(None, 1.0).comparisons() == []


def test_one_author_is_not_enough(documents: dict[str, list[Document]]) -> None:
    with pytest.raises(UsageError, match="there are 1; name at least two"):
        verify_authors({"author 0": documents["author 0"]}, documents["author 1"], ["x"], ["a"])


@pytest.mark.parametrize("name", [SOMEBODY_ELSE, CANNOT_TELL])
def test_an_author_cannot_be_called_like_an_answer(
    documents: dict[str, list[Document]], name: str
) -> None:
    known = {name: documents["author 0"], "author 1": documents["author 1"]}
    with pytest.raises(UsageError, match="which is also an answer; give the author another name"):
        verify_authors(known, documents["author 2"], ["x"], ["a"])
