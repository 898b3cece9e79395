"""The report of a joint verification of several authors, as a dictionary and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from byline.attribution.caveats import Caveat
from byline.attribution.verification import SOMEBODY_ELSE, JointVerification
from byline.formatting import (
    bounded_percent,
    isolated,
    isolated_path,
    join_names,
    number,
    quantity,
    signed,
)
from byline.report.terminal import plain
from byline.report.verification import (
    ENOUGH_AUTHORS,
    calibration_basis,
    verification_summary,
)

SCHEMA = 1

Summary = dict[str, Any]


def joint_verification_summary(
    found: Sequence[JointVerification],
    reference: str,
    *,
    n_population: tuple[int, int],
    normalization: str = "edition",
    caveats: Sequence[Sequence[Caveat]] | None = None,
) -> Summary:
    """Summarise the answers about one or more questioned texts and several authors.

    Parameters
    ----------
    found : sequence of JointVerification
        At least one answer.
    reference : str
        The name of the reference population.
    n_population : (int, int)
        Number of authors and of texts in it, without the authors in question.
    normalization : str
        The rules that all texts were normalised by.

    Returns
    -------
    dict
        JSON values: "schema", "kind", "authors", "prior" (the probability of each hypothesis
        beforehand), "n_known" by author, "normalization"; "reference": "name", "n_authors" and
        "n_texts"; "questioned": the attributes of `JointVerification`, with "separate" as in
        `verification_summary` by author, "comparisons" (the attributes of each `AuthorComparison`)
        and "caveats".
    """
    authors = [each.author for each in found[0].separate]
    separate = [
        verification_summary([each.separate[number] for each in found], reference)
        for number in range(len(authors))
    ]
    hypotheses = [*authors, SOMEBODY_ELSE]
    entries = zip(found, caveats or [()] * len(found), strict=True)
    return {
        "schema": SCHEMA,
        "kind": "joint verification",
        "authors": authors,
        "prior": dict.fromkeys(hypotheses, 1 / len(hypotheses)),
        "n_known": {each.author: each.n_known for each in found[0].separate},
        "normalization": normalization,
        "reference": {
            "name": reference,
            "n_authors": n_population[0],
            "n_texts": n_population[1],
        },
        "questioned": [
            {
                "path": each.path,
                "answer": each.answer,
                "probabilities": dict(each.probabilities),
                "declined": each.declined,
                "separate": {
                    author: of_author["questioned"][place]
                    for author, of_author in zip(authors, separate, strict=True)
                },
                "comparisons": [asdict(comparison) for comparison in each.comparisons()],
                "caveats": [caveat.to_dict() for caveat in of_text],
            }
            for place, (each, of_text) in enumerate(entries)
        ],
    }


def print_joint_verification(console: Console, summary: Summary) -> None:
    """Print the answer about each text, with the probability of each author.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `joint_verification_summary` returns it.
    """
    reference, authors = summary["reference"], list(map(isolated, summary["authors"]))
    known = join_names(
        [
            f"{quantity(n, 'known text')} by {isolated(author)}"
            for author, n in summary["n_known"].items()
        ]
    )
    console.print(
        plain(
            f"Who wrote the text: {', '.join(authors)} or {SOMEBODY_ELSE}? It is compared with "
            f"{known}{_population(reference)}"
        )
    )
    for entry in summary["questioned"]:
        console.print()
        console.print(plain(isolated_path(entry["path"] or "text")), style="bold")
        for line in _lines(entry):
            console.print(plain(f"  {line}"))
    console.print()
    console.print(
        f"The probabilities assume that the {len(authors)} authors and {SOMEBODY_ELSE} are equally "
        "likely beforehand. A likelihood ratio compares an author with other authors, and does not "
        f"depend on this assumption. {_intervals(summary)}The "
        "probabilities hold for authors and texts like those used for calibration: for another "
        "genre, period or language, they may be wrong."
    )


def _population(reference: Summary) -> str:
    if not reference["n_texts"]:
        return (
            ". There are no reference texts by other authors, so that these few authors represent "
            "all others. Give reference texts by other people."
        )
    return (
        f", and with {quantity(reference['n_texts'], 'reference text')} by "
        f"{quantity(reference['n_authors'], 'other author')} ({reference['name']})."
    )


def _lines(entry: Summary) -> list[str]:
    if entry["declined"]:
        return [f"cannot tell: {entry['declined']}"]
    ratios = [
        f"{isolated(author)}: {bounded_percent(entry['probabilities'][author])} (log10 likelihood "
        f"ratio {signed(own['log10_lr'])}, {_interval(own['interval'])}: {own['verbal']})"
        for author, own in entry["separate"].items()
    ]
    return [
        isolated(entry["answer"]),
        *ratios,
        f"{SOMEBODY_ELSE}: {bounded_percent(entry['probabilities'][SOMEBODY_ELSE])}",
        *(
            f"{isolated(author)}: {calibration_basis(own['calibrated_on'])}"
            for author, own in entry["separate"].items()
        ),
        *(f"Caveat: {caveat['sentence']}" for caveat in entry["caveats"]),
    ]


def _interval(interval: Summary) -> str:
    level = number(100 * interval["level"], 0)
    return f"{level} % interval {signed(interval['low'])} to {signed(interval['high'])}"


def _intervals(summary: Summary) -> str:
    """Return a sentence on what the intervals show; empty if there are none."""
    numbers = [
        own["interval"]["n_authors"]
        for entry in summary["questioned"]
        for own in entry["separate"].values()
        if own["interval"] is not None
    ]
    if not numbers:
        return ""
    warning = " With so few, it is usually too narrow." if numbers[0] < ENOUGH_AUTHORS else ""
    return (
        f"An interval shows how far it depends on the {numbers[0]} authors of the "
        f"calibration.{warning} "
    )
