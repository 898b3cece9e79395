"""Errata on what the paper states about confusions of authors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    AUTHORS_RULE,
    Entry,
    Erratum,
    RunEvidence,
    make_erratum,
    points,
)
from byline.experiments.reproductions.ge_sun_2016.published import course_number
from byline.formatting import join_names, percent, percent_range


def _matrices(evidence: RunEvidence) -> list[Entry]:
    return [
        entry
        for entry in evidence.find("confusion", split=evidence.split, rule=AUTHORS_RULE)
        if entry["model"] in (evidence.ngram, evidence.network)
    ]


def one_instructor(evidence: RunEvidence) -> Erratum:
    """Check the statements about the two courses of one instructor."""
    matrices = [entry for entry in _matrices(evidence) if entry["pairs"]]
    claims = evidence.find(
        "pair_claim",
        split=evidence.split,
        rule=AUTHORS_RULE,
        model=evidence.network,
        rival=evidence.ngram,
    )
    return make_erratum(
        "Courses 7 and 16, of one instructor",
        "Section 4 states that the confusions (7, 16) and (16, 7) are the largest in their rows, "
        "and larger for the network than for the n-grams. It infers that the network is more "
        "biased towards the author than towards the content. The program that drew the figures "
        "exchanges the confusions of the two models where the network's accuracy is lower.",
        [*map(_ranks, matrices), *map(_claim, claims)],
        [
            *(
                (f"{entry['label']}: {pair['author']} as {pair['predicted']}", _pair(pair))
                for entry in matrices
                for pair in entry["pairs"]
            ),
            *(
                (f"{c['author']} as {c['predicted']}, network minus n-grams", points(c, 100))
                for c in claims
            ),
        ],
    )


def _ranks(entry: Entry) -> str:
    ranks = [f"rank {pair['rank']} in the row of {pair['author']}" for pair in entry["pairs"]]
    return f"Here, for {entry['label']}, the confusions of the pair have {join_names(ranks)}."


def _claim(claim: Entry) -> str:
    low, high = claim["low"], claim["high"]
    if low > 0:
        found = "more often than the n-grams"
    elif high < 0:
        found = "less often than the n-grams"
    else:
        found = "about as often as the n-grams; the difference is not significant"
    return (
        f"The network attributes sentences of {claim['author']} to {claim['predicted']} {found}: "
        f"{points(claim, 100)}."
    )


def _pair(pair: Entry) -> str:
    other = pair["largest_other_author"]
    largest = f"; largest other: {other}, {percent(pair['largest_other'])}" if other else ""
    interval = f"95 % interval {percent_range(pair['low'], pair['high'])}"
    return f"{percent(pair['share'])} ({interval}), rank {pair['rank']} in the row{largest}"


def one_field(evidence: RunEvidence) -> Erratum:
    """Check whether courses of one field are confused more often than others."""
    found = [
        (entry["label"], means)
        for entry in _matrices(evidence)
        if (means := _means(evidence, entry))
    ]
    return make_erratum(
        "Courses of one field",
        "Section 4 states that instructors of one field are confused more often than others: "
        "courses 1 and 2, and courses 11, 12 and 13.",
        (
            f"{label}: on average over pairs, {percent(same, 2)} of a course's single sentences "
            f"are attributed to another course of its field, and {percent(other, 2)} to another "
            "course of another field."
            for label, (same, other) in found
        ),
        [
            (f"{label}: same field / other pairs", f"{percent(same, 2)} / {percent(other, 2)}")
            for label, (same, other) in found
        ],
    )


def _means(evidence: RunEvidence, entry: Entry) -> tuple[float, float] | None:
    """Return the mean confusion of pairs of one field, and of other pairs of two instructors."""
    same_person = {(pair["author"], pair["predicted"]) for pair in entry["pairs"]}
    same: list[float] = []
    other: list[float] = []
    for author, predicted, share in _confusions(entry):
        if (author, predicted) not in same_person:
            (same if _is_one_field(evidence, author, predicted) else other).append(share)
    return (fmean(same), fmean(other)) if same and other else None


def _confusions(entry: Entry) -> Iterator[tuple[str, str, float]]:
    for (row, author), (column, predicted) in permutations(enumerate(entry["labels"]), 2):
        yield author, predicted, entry["shares"][row][column]


def _is_one_field(evidence: RunEvidence, author: str, predicted: str) -> bool:
    courses = {course_number(author), course_number(predicted)}
    return any(courses <= set(field) for field in evidence.published.fields)
