"""The forensic report of a verification: likelihood ratio, evidence, cases like it and material."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from scipy.special import expit

from byline.answering.provenance import versions
from byline.array_types import Booleans
from byline.attribution.calibration import (
    cllr,
    cllr_min,
    reliability_of_confidences,
    tippett,
)
from byline.attribution.training_record.record import text_sha256
from byline.attribution.verification import (
    AuthorshipVerifier,
    AuthorVerification,
    VerificationProblem,
)
from byline.attribution.verification.author_verification import MAX_LOG10_LR
from byline.attribution.verification.calibration import HeldOutAnswers
from byline.attribution.verification.evidence import (
    VerificationEvidence,
    explain_verification,
    word_encoder,
)
from byline.attribution.verification.uncertainty import leave_one_out_log10_lrs
from byline.corpus import Document
from byline.errors import UsageError
from byline.formatting import printable
from byline.report.case_details import LABELS, CaseDetails
from byline.report.evidence import evidence_part
from byline.report.figures.cases import simulated_figures
from byline.report.html import render
from byline.report.propositions import (
    findings_sentence,
    interval_sentence,
    probability_sentence,
    support,
    verbal_scale_table,
    verification_propositions,
)
from byline.report.summary import Summary, json_values
from byline.typography.scripts import count_words

_LN10 = float(np.log(10))


@dataclass(frozen=True, slots=True)
class MaterialText:
    """A text that was examined.

    Attributes
    ----------
    role : str
        "questioned text", "known text" or "reference text".
    author : str or None
        None for a questioned text.
    name : str
        The file, or the place in a table or an archive.
    n_words : int
        Words of the text that was read from it.
    sha256 : str
        64 hexadecimal digits.
    hashed : str
        What was hashed: the "file", or the "text" that was read, in UTF-8.

    Examples
    --------
    >>> MaterialText("known text", "Ada", "ada/1.txt", 250, "0" * 64, "file").role
    'known text'
    """

    role: str
    author: str | None
    name: str
    n_words: int
    sha256: str
    hashed: str

    @classmethod
    def of(cls, role: str, document: Document) -> MaterialText:
        """Describe a text as it was read.

        Examples
        --------
        >>> MaterialText.of("known text", Document("Ada", "The sea.", "ada/1.txt")).n_words
        2
        """
        n_words, digest = count_words(document.text), text_sha256(document.text)
        name = printable(document.path)
        return cls(role, document.author or None, name, n_words, digest, "text")


@dataclass(frozen=True, slots=True)
class VerificationOrigin:
    """What another examiner needs to repeat a verification.

    Attributes
    ----------
    command : str or None
        The command line, quoted for a shell; None if the answer comes from a Python program.
    seed : int
        Of all random samples.
    material : tuple of MaterialText
        All texts that were examined.
    details : CaseDetails
        What the examiner states about the case.

    Examples
    --------
    >>> VerificationOrigin("byline verify known note.txt --author Ada").seed
    0
    """

    command: str | None
    seed: int = 0
    material: tuple[MaterialText, ...] = ()
    details: CaseDetails = field(default_factory=CaseDetails)


def verification_case_summary(
    summary: Summary, found: Sequence[AuthorVerification], origin: VerificationOrigin
) -> Summary:
    """Add to a summary of answers what the report of a case contains.

    Parameters
    ----------
    summary : dict
        As `byline.report.verification.verification_summary` returns it.
    found : sequence of AuthorVerification
        The answers, with their verifiers.
    origin : VerificationOrigin
        The command and the texts.

    Returns
    -------
    dict
        JSON values: the keys of ``summary``; "case": see `CaseDetails`; "propositions": "H1" and
        "H2"; "material": the attributes of each `MaterialText`; "done": "command", "seed" and
        "versions". Each entry of "questioned" also has what `describe_verification` returns, and
        "support", "sentences" (both None if the answer was declined) and "verbal_scale" (see
        `verbal_scale_table`).
    """
    added: Summary = {
        "propositions": verification_propositions(summary["author"], summary["reference"]["name"]),
        "questioned": [
            entry | describe_verification(answer) | _stated(entry)
            for entry, answer in zip(summary["questioned"], found, strict=True)
        ],
    }
    added |= describe_origin(origin)
    return summary | {key: json_values(value) for key, value in added.items()}


def describe_origin(origin: VerificationOrigin) -> Summary:
    """Return "case", "material" and "done" of `verification_case_summary`."""
    return {
        "case": origin.details.to_dict(),
        "material": [asdict(each) for each in origin.material],
        "done": {"command": origin.command, "seed": origin.seed, "versions": versions()},
    }


def verification_case_html(summary: Summary) -> str:
    """Return the forensic report of a verification as one HTML file.

    Parameters
    ----------
    summary : dict
        As `verification_case_summary` returns it.
    """
    return render("verification.html.j2", verification_case_values(summary))


def verification_case_values(summary: Summary) -> Summary:
    """Return what the templates of the report need.

    Parameters
    ----------
    summary : dict
        As `verification_case_summary` returns it.
    """
    figures = [
        simulated_figures(entry, prefix=f"text-{number}-")
        for number, entry in enumerate(summary["questioned"], 1)
    ]
    return summary | {"labels": LABELS, "figures": figures}


def simulated_problems(answer: AuthorVerification) -> Summary:
    """Summarise the cross-validated answers about the calibration problems.

    Returns
    -------
    dict
        "n_same", "n_different", "n_authors"; "words" (of questioned texts), "known_texts" and
        "known_words" (per problem): each the lowest value, the median and the highest; "outcomes":
        for problems by the "same" author and by "different" authors "n", "right", "wrong" and
        "withheld"; "alike": "n_same" and "n_different" of the problems whose likelihood ratio has
        the same verbal equivalent as that of the questioned text (None if declined); "cllr" and
        "cllr_min" in bits; "ece", "reliability" and "tippett"; "bounds": the lowest and the highest
        log10 likelihood ratio that is stated.
    """
    verifier, _ = _basis(answer)
    held_out, problems = verifier.held_out_, verifier.problems_
    same, log_lrs = held_out.same, held_out.log_lrs
    # The probability of H1 if its prior probability is the share of such problems.
    found = reliability_of_confidences(expit(log_lrs + np.log(same.sum() / (~same).sum())), same)
    bounds = verifier.calibrator_.bounds
    return {
        "n_same": int(same.sum()),
        "n_different": int((~same).sum()),
        "n_authors": len(np.unique(held_out.known_authors)),
        "words": _range([count_words(each.questioned) for each in problems]),
        "known_texts": _range([len(each.known) for each in problems]),
        "known_words": _range([sum(map(count_words, each.known)) for each in problems]),
        "outcomes": {
            "same": _outcomes(held_out, same),
            "different": _outcomes(held_out, ~same),
        },
        "alike": _alike(held_out, answer.verification.log10_lr),
        "cllr": cllr(log_lrs[same], log_lrs[~same]),
        "cllr_min": cllr_min(log_lrs[same], log_lrs[~same]),
        "ece": found.ece,
        "reliability": [asdict(each) for each in found.bins],
        "tippett": asdict(tippett(log_lrs[same], log_lrs[~same])),
        "bounds": [bounds.lower / _LN10, bounds.upper / _LN10],
    }


def verification_evidence(evidence: VerificationEvidence, language: str) -> Summary:
    """Summarise the evidence in a text for and against the author.

    Returns
    -------
    dict
        "log10_lr" (not bounded), "intercept" (nats), "similarities": the attributes of each
        `SimilarityEvidence`; "for_same" and "for_different": the attributes of each
        `NgramContribution`; and "words": see `byline.report.evidence.evidence_part`.
    """
    return {
        "log10_lr": evidence.log_lr / _LN10,
        "intercept": evidence.intercept,
        "similarities": [asdict(each) for each in evidence.similarities],
        "for_same": [asdict(each) for each in evidence.for_same],
        "for_different": [asdict(each) for each in evidence.for_different],
        "words": evidence_part(evidence.words, evidence.text, word_encoder(language)),
    }


def describe_verification(answer: AuthorVerification) -> Summary:
    """Summarise what the answer about one author is based on.

    Parameters
    ----------
    answer : AuthorVerification
        An answer, with its verifier.

    Returns
    -------
    dict
        "n_words"; "without_known_texts": the number "n" of known texts that were left out in turn,
        and the "low"est and "high"est log10 likelihood ratio (None with one known text);
        "simulated" (see `simulated_problems`); "evidence" (see `verification_evidence`). The second
        and the last are None if the answer was declined.
    """
    verifier, problem = _basis(answer)
    is_given = answer.verification.log10_lr is not None
    evidence = explain_verification(verifier, problem, answer.author) if is_given else None
    return {
        "n_words": count_words(problem.questioned),
        "without_known_texts": _without_known_texts(answer) if is_given else None,
        "simulated": simulated_problems(answer),
        "evidence": evidence and verification_evidence(evidence, verifier.language),
    }


def _stated(entry: Summary) -> Summary:
    ratio, interval = entry["log10_lr"], entry["interval"]
    stated = ratio is not None and {
        "findings": findings_sentence(ratio),
        "interval": interval_sentence(interval),
        "probability": probability_sentence(ratio),
    }
    return {
        "support": None if ratio is None else support(ratio),
        "sentences": stated or None,
        "verbal_scale": verbal_scale_table(ratio, interval),
    }


def _without_known_texts(answer: AuthorVerification) -> Summary | None:
    """Return the range of the likelihood ratios without each of the known texts in turn."""
    log10_lrs = leave_one_out_log10_lrs(*_basis(answer))
    if not log10_lrs.size:
        return None
    if answer.is_limited:
        log10_lrs = np.clip(log10_lrs, -MAX_LOG10_LR, MAX_LOG10_LR)
    return {
        "n": log10_lrs.size,
        "low": float(log10_lrs.min()),
        "high": float(log10_lrs.max()),
    }


def _basis(answer: AuthorVerification) -> tuple[AuthorshipVerifier, VerificationProblem]:
    if answer.verifier is None or answer.problem is None:
        raise UsageError("an answer has no verifier; give answers by `verify_author`")
    return answer.verifier, answer.problem


def _range(values: Sequence[int]) -> list[float]:
    return [float(min(values)), float(np.median(values)), float(max(values))]


def _outcomes(held_out: HeldOutAnswers, chosen: Booleans) -> Summary:
    log_lrs, is_same = held_out.log_lrs[chosen], held_out.same[chosen]
    withheld = held_out.withheld[chosen]
    right = ~withheld & ((log_lrs > 0) == is_same)
    return {
        "n": int(chosen.sum()),
        "right": int(right.sum()),
        "wrong": int((~withheld & ~right).sum()),
        "withheld": int(withheld.sum()),
    }


def _alike(held_out: HeldOutAnswers, log10_lr: float | None) -> Summary | None:
    if log10_lr is None:
        return None
    wanted = support(log10_lr)
    alike = np.array([support(each) == wanted for each in (held_out.log_lrs / _LN10).tolist()])
    return {
        "n_same": int(np.count_nonzero(alike & held_out.same)),
        "n_different": int(np.count_nonzero(alike & ~held_out.same)),
    }
