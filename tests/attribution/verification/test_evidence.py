from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
from byline.attribution.verification.evidence import (
    ANOTHER_AUTHOR,
    MASKS,
    VerificationEvidence,
    explain_verification,
)

Problems = tuple[list[VerificationProblem], list[bool], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def verifier(problems: Problems) -> AuthorshipVerifier:
    asked, same, authors = problems
    return AuthorshipVerifier().fit(asked, same, authors=authors)


@pytest.fixture(scope="module")
def problem(write: Callable[[int, int, int], str]) -> VerificationProblem:
    return VerificationProblem((write(0, 900, 120), write(0, 901, 120)), write(1, 950, 120))


@pytest.fixture(scope="module")
def evidence(verifier: AuthorshipVerifier, problem: VerificationProblem) -> VerificationEvidence:
    return explain_verification(verifier, problem, "ada")


def test_the_contributions_sum_to_the_ratio(
    evidence: VerificationEvidence, verifier: AuthorshipVerifier, problem: VerificationProblem
) -> None:
    expected = float(verifier.decision_function([problem])[0])
    assert evidence.log_lr == pytest.approx(expected)
    assert evidence.words.log_lr == pytest.approx(expected)
    similarities = [each.similarity for each in evidence.similarities]
    assert similarities == pytest.approx(verifier.features([problem])[0])
    assert (evidence.words.first, evidence.words.second) == ("ada", ANOTHER_AUTHOR)


def test_the_frequencies_of_an_ngram_are_those_in_the_texts(
    evidence: VerificationEvidence, problem: VerificationProblem
) -> None:
    for each in (*evidence.for_same, *evidence.for_different):
        assert each.unit in ("char", "masked")
        if each.unit == "char":
            texts = (problem.questioned, *problem.known)
            counts = [
                sum(text.startswith(each.ngram, n) for n in range(len(text))) for text in texts
            ]
            assert each.count == counts[0]
            rates = [1000 * n / len(text) for n, text in zip(counts, texts, strict=True)]
            assert each.questioned == pytest.approx(rates[0])
            assert each.known == pytest.approx(np.mean(rates[1:]))


def test_an_ngram_for_the_author_deviates_in_the_same_direction(
    evidence: VerificationEvidence,
) -> None:
    strongest = max(evidence.for_same, key=lambda each: each.log_lr)
    assert (strongest.known > strongest.reference) == (strongest.questioned > strongest.reference)
    strongest = min(evidence.for_different, key=lambda each: each.log_lr)
    assert (strongest.known > strongest.reference) != (strongest.questioned > strongest.reference)


def test_an_ngram_that_only_the_questioned_text_has_is_evidence_for_another_author(
    verifier: AuthorshipVerifier, problem: VerificationProblem
) -> None:
    strange = VerificationProblem(problem.known, f"{problem.questioned} zzyzx zzyzx zzyzx zzyzx")
    found = explain_verification(verifier, strange, "ada")
    only = [each for each in (*found.for_same, *found.for_different) if each.known == 0]
    assert only and all(each.log_lr < 0 for each in only if each.questioned > 2 * each.reference)


def test_an_ngram_that_the_text_does_not_contain_is_listed(
    evidence: VerificationEvidence,
) -> None:
    absent = [each for each in evidence.for_different if each.count == 0]
    assert absent and all(each.questioned == 0 and each.known > 0 for each in absent)


def test_a_masked_word_is_not_shown_as_an_article(evidence: VerificationEvidence) -> None:
    """The texts contain the word ``a``, which is one feature with masked words in lower case."""
    shown = [*evidence.for_same, *evidence.for_different]
    words = {word for each in shown if each.unit == "masked" for word in each.ngram.split()}
    assert "□" in words
    assert not words & set(MASKS)
