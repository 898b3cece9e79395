"""The report of an authorship verification, as a dictionary and as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from byline.attribution.calibration import verbal_scale
from byline.attribution.caveats import Caveat
from byline.attribution.verification import NO, YES, AuthorVerification
from byline.formatting import (
    bounded_percent,
    isolated,
    isolated_path,
    number,
    quantity,
    signed,
    times_as_much,
)
from byline.report.case_sentences import MIN_LOG10_LR
from byline.report.terminal import plain

SCHEMA = 2
ENOUGH_AUTHORS = 10  # an interval over fewer authors is usually too narrow

Summary = dict[str, Any]


def verification_summary(
    found: Sequence[AuthorVerification],
    reference: str,
    *,
    normalization: str = "edition",
    caveats: Sequence[Sequence[Caveat]] | None = None,
) -> Summary:
    """Summarise the answers about one or more questioned texts and one author.

    Parameters
    ----------
    found : sequence of AuthorVerification
        At least one answer.
    reference : str
        The name of the reference population.
    normalization : str
        The rules that all texts were normalised by.

    Returns
    -------
    dict
        JSON values: "schema", "kind", "author", "n_known", "normalization"; "reference": "name",
        "n_authors" and "n_texts"; "questioned": the attributes of `Verification`, "interval" (see
        `LikelihoodRatioInterval`; None if declined), "verbal" (the verbal equivalent of the
        likelihood ratio) and "calibrated_on" (see `VerificationPerformance`).
    """
    first = found[0]
    return {
        "schema": SCHEMA,
        "kind": "verification",
        "author": first.author,
        "n_known": first.n_known,
        "normalization": normalization,
        "reference": {
            "name": reference,
            "n_authors": first.n_population_authors,
            "n_texts": first.n_population_texts,
        },
        "questioned": [
            {
                **asdict(each.verification),
                "interval": None if each.interval is None else asdict(each.interval),
                "verbal": None
                if each.verification.log10_lr is None
                else verbal_scale(each.verification.log10_lr),
                "calibrated_on": {
                    "questioned_words": each.questioned_words,
                    **asdict(each.performance),
                },
                "caveats": [caveat.to_dict() for caveat in of_text],
            }
            for each, of_text in zip(found, caveats or [()] * len(found), strict=True)
        ],
    }


def print_verification(console: Console, summary: Summary) -> None:
    """Print the answer about each text, with its probability and the accuracy of such answers.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `verification_summary` returns it.
    """
    reference, author = summary["reference"], isolated(summary["author"])
    console.print(
        plain(
            f"Did {author} write the text? It is compared with "
            f"{quantity(summary['n_known'], 'known text')} by {author} and "
            f"{quantity(reference['n_texts'], 'reference text')} by "
            f"{quantity(reference['n_authors'], 'other author')} ({reference['name']})."
        )
    )
    for entry in summary["questioned"]:
        console.print()
        console.print(plain(isolated_path(entry["path"] or "text")), style="bold")
        console.print(plain(f"  {verification_answer(author, entry)}"))
        if entry["interval"] is not None:
            console.print(plain(f"  {interval_basis(entry['interval'])}"))
        console.print(plain(f"  {calibration_basis(entry['calibrated_on'])}"))
        for caveat in entry["caveats"]:
            console.print(plain(f"  Caveat: {caveat['sentence']}"))
    console.print()
    console.print(
        "The probabilities assume that both answers are equally likely beforehand. They hold for "
        "authors and texts like those used for calibration: for another genre, period or language, "
        f"they may be wrong. Only {author} was examined. An author with a similar style would get "
        "the same answer. Name several authors in question to compare them."
    )


def verification_answer(author: str, entry: Summary) -> str:
    """State the answer about a text, the strength of its support in words, and the figures.

    Parameters
    ----------
    author : str
    entry : dict
        An entry of "questioned" of `verification_summary`.

    Examples
    --------
    >>> verification_answer("Ada", {"declined": "the text is empty"})
    'cannot tell: the text is empty'
    """
    if entry["declined"]:
        return f"cannot tell: {entry['declined']}"
    ratio, more_probable = entry["log10_lr"], ""
    support = verbal_scale(abs(ratio))
    words = {
        YES: f"yes, with {support}: written by {author}",
        NO: f"no, with {support}: not written by {author}",
    }
    answer = words.get(entry["answer"])
    verbal = "" if answer else f": {entry['verbal']}"
    if abs(ratio) >= MIN_LOG10_LR:
        whom = author if ratio > 0 else "another author"
        more_probable = f"; {times_as_much(abs(ratio))} as probable if {whom} wrote it"
    return (
        f"{answer or entry['answer']} (probability of authorship "
        f"{bounded_percent(entry['probability'])}, log10 likelihood ratio {signed(ratio)}{verbal}"
        f"{more_probable})"
    )


def interval_basis(interval: Summary) -> str:
    """Return a sentence on the interval of a likelihood ratio.

    Parameters
    ----------
    interval : dict
        The attributes of `LikelihoodRatioInterval`.

    Examples
    --------
    >>> print(interval_basis({"low": -0.5, "high": 0.1, "level": 0.95, "n_resamples": 1000,
    ...                       "n_authors": 12}))
    95 % interval of the log10 likelihood ratio: -0.50 to +0.10 (1,000 samples of 12 authors).
    """
    are_enough = interval["n_authors"] >= ENOUGH_AUTHORS
    warning = "" if are_enough else "; with so few authors, the interval is usually too narrow"
    return (
        f"{number(100 * interval['level'], 0)} % interval of the log10 likelihood ratio: "
        f"{signed(interval['low'])} to {signed(interval['high'])} "
        f"({number(interval['n_resamples'], 0)} samples of {interval['n_authors']} "
        f"authors{warning})."
    )


def calibration_basis(basis: Summary) -> str:
    """Return a sentence on what an answer is calibrated on, and how accurate such answers are.

    Parameters
    ----------
    basis : dict
        "calibrated_on" of `verification_summary`.
    """
    n = basis["n_same"] + basis["n_different"]
    length = basis["questioned_words"]
    texts = "whole texts" if length is None else f"passages of about {number(length, 0)} words"
    return (
        f"Calibrated on {quantity(n, 'problem')} with {texts}, {number(basis['n_same'], 0)} of "
        f"them by the same author. Cross-validated: AUC {number(basis['auc'])}, c@1 "
        f"{number(basis['c_at_1'])}, {quantity(basis['n_withheld'], 'answer')} withheld."
    )
