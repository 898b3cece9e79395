"""Answers about verified texts, about one author or several, as dictionaries, text and HTML."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from byline.answering import VerificationAnswer
from byline.attribution.verification import AuthorVerification, JointVerification
from byline.report.joint_verification import joint_verification_summary, print_joint_verification
from byline.report.joint_verification_case import (
    joint_verification_case_html,
    joint_verification_case_summary,
)
from byline.report.summary import Summary
from byline.report.verification import print_verification, verification_summary
from byline.report.verification_case import (
    VerificationOrigin,
    verification_case_html,
    verification_case_summary,
)


def verification_answers_summary(answers: Sequence[VerificationAnswer]) -> Summary:
    """Summarise answers, with the dictionaries of one author or of several.

    Parameters
    ----------
    answers : sequence of VerificationAnswer
        At least one answer, all with the same authors and material.

    Returns
    -------
    dict
        See `verification_summary`, and `joint_verification_summary` for several authors.
    """
    material, caveats = answers[0].material, [answer.caveats for answer in answers]
    joint, alone = _divided(answers)
    if joint:
        n_authors = len({each.author for each in material.population})
        return joint_verification_summary(
            joint,
            material.reference,
            n_population=(n_authors, len(material.population)),
            normalization=material.normalization,
            caveats=caveats,
        )
    return verification_summary(
        alone, material.reference, normalization=material.normalization, caveats=caveats
    )


def verification_answers_case(
    answers: Sequence[VerificationAnswer], origin: VerificationOrigin
) -> Summary:
    """Summarise answers with what a forensic report contains.

    Parameters
    ----------
    answers : sequence of VerificationAnswer
        As in `verification_answers_summary`.
    origin : VerificationOrigin
        The command and the texts.
    """
    summary = verification_answers_summary(answers)
    joint, alone = _divided(answers)
    if joint:
        return joint_verification_case_summary(summary, joint, origin)
    return verification_case_summary(summary, alone, origin)


def verification_answers_html(case: Summary) -> str:
    """Return the forensic report as one HTML file.

    Parameters
    ----------
    case : dict
        As `verification_answers_case` returns it.
    """
    is_joint = "authors" in case
    return joint_verification_case_html(case) if is_joint else verification_case_html(case)


def print_verification_answers(console: Console, summary: Summary) -> None:
    """Print answers.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `verification_answers_summary` returns it.
    """
    (print_joint_verification if "authors" in summary else print_verification)(console, summary)


def _divided(
    answers: Sequence[VerificationAnswer],
) -> tuple[list[JointVerification], list[AuthorVerification]]:
    """Return the joint answers, and those about one author; one of the lists is empty."""
    found = [answer.found for answer in answers]
    joint = [each for each in found if isinstance(each, JointVerification)]
    return joint, [each for each in found if isinstance(each, AuthorVerification)]
