"""What is printed about questions of verification, and its plain dict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from byline.attribution.calibration import verbal_scale
from byline.attribution.verification import YES, AuthorVerification
from byline.formatting import isolated, isolated_path, quantity
from byline.report.terminal import plain

SCHEMA = 1

Summary = dict[str, Any]


def verification_summary(found: Sequence[AuthorVerification], reference: str) -> Summary:
    """Make a plain dict of answers, of which there is at least one.

    Parameters
    ----------
    found : sequence of AuthorVerification
        About one author.
    reference : str
        What the population is called.
    """
    first = found[0]
    return {
        "schema": SCHEMA,
        "kind": "verification",
        "author": first.author,
        "n_known": first.n_known,
        "reference": {
            "name": reference,
            "n_authors": first.n_population_authors,
            "n_texts": first.n_population_texts,
        },
        "questioned": [
            {
                **asdict(each.verification),
                "verbal": None
                if each.verification.log10_lr is None
                else verbal_scale(each.verification.log10_lr),
                "calibrated_on": {
                    "questioned_words": each.questioned_words,
                    **asdict(each.performance),
                },
            }
            for each in found
        ],
    }


def print_verification(console: Console, summary: Summary) -> None:
    """Print each text's answer, how sure it is, and what that rests on.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As :func:`verification_summary` returns it.
    """
    reference, author = summary["reference"], isolated(summary["author"])
    console.print(
        plain(
            f"Is it by {author}? Compared with {quantity(summary['n_known'], 'known text')}"
            f", and with {quantity(reference['n_texts'], 'text')} by "
            f"{quantity(reference['n_authors'], 'other author')} ({reference['name']})."
        )
    )
    for entry in summary["questioned"]:
        console.print()
        console.print(plain(isolated_path(entry["path"] or "text")), style="bold")
        console.print(plain(f"  {_answer(author, entry)}"))
        console.print(plain(f"  {_basis(entry['calibrated_on'])}"))
    console.print()
    console.print(
        "Probabilities take both answers as equally likely beforehand. They hold for authors and "
        "texts like those that it was calibrated on: another genre, time or language is another "
        "question. "
        f"Only {author} was asked about: somebody who writes alike would have the same "
        "answer. `byline attribute` compares candidates."
    )


def _answer(author: str, entry: Summary) -> str:
    if entry["declined"]:
        return f"cannot tell: {entry['declined']}"
    words = {YES: f"yes, by {author}", "no": f"no, not by {author}"}
    answer = words.get(entry["answer"], entry["answer"])
    likelier, ratio = "", entry["log10_lr"]
    if abs(ratio) >= 0.005:
        whose = author if ratio > 0 else "somebody else"
        likelier = f"; {10 ** abs(ratio):.3g} times likelier if {whose} wrote it"
    return (
        f"{answer}: probability {entry['probability']:.2f}, log10 likelihood ratio {ratio:+.2f} "
        f"({entry['verbal']}{likelier})"
    )


def _basis(basis: Summary) -> str:
    n = basis["n_same"] + basis["n_different"]
    length = basis["questioned_words"]
    parts = "whole texts" if length is None else f"parts of about {length:,} words"
    return (
        f"calibrated on {quantity(n, 'question')} about {parts}, {basis['n_same']} of them by the "
        f"known author; held out there: AUC {basis['auc']:.2f}, c@1 {basis['c_at_1']:.2f}, "
        f"{quantity(basis['n_withheld'], 'answer')} withheld"
    )
