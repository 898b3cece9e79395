from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
from byline.attribution.verification.evidence import (
    ANOTHER_AUTHOR,
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


def test_an_ngram_counts_for_the_author_whose_frequencies_it_has(
    evidence: VerificationEvidence, problem: VerificationProblem
) -> None:
    assert evidence.for_same and evidence.for_different
    for each in (*evidence.for_same, *evidence.for_different):
        # Both above, or both below the frequency in the other texts: for the same author. The two
        # texts are part of the mean, so the direction is only certain if one side is clear.
        sides = np.sign([each.known - each.reference, each.questioned - each.reference])
        if 0 not in sides:
            assert (sides[0] == sides[1]) == (each.log_lr > 0)
        assert each.unit in ("char", "masked")
        if each.unit == "char":
            assert each.count == sum(
                problem.questioned.startswith(each.ngram, n) for n in range(len(problem.questioned))
            )


def test_an_ngram_that_the_text_does_not_contain_is_listed(
    evidence: VerificationEvidence,
) -> None:
    absent = [each for each in evidence.for_different if each.count == 0]
    assert absent and all(each.questioned == 0 and each.known > 0 for each in absent)
