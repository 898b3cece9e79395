"""Errata of what the paper says about who is taken for whom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    THEIR_RULE,
    Entry,
    Erratum,
    Evidence,
    listed,
    percent,
    points,
    write,
)
from byline.experiments.reproductions.ge_sun_2016.published import course_number


def _matrices(evidence: Evidence) -> list[Entry]:
    return [
        entry
        for entry in evidence.find("confusion", split=evidence.split, rule=THEIR_RULE)
        if entry["model"] in (evidence.ngram, evidence.network)
    ]


def one_instructor(evidence: Evidence) -> Erratum:
    """Check what is said of the courses of one instructor."""
    matrices = [entry for entry in _matrices(evidence) if entry["pairs"]]
    claims = evidence.find(
        "pair_claim",
        split=evidence.split,
        rule=THEIR_RULE,
        model=evidence.network,
        rival=evidence.ngram,
    )
    return write(
        "Courses 7 and 16, of one instructor",
        "Section 4 has (7, 16) and (16, 7) larger than all else in their rows, and larger for the "
        "network than for the n-grams, from which it infers that the network is more biased "
        "towards the author than the content. The program that drew the figures exchanges the two "
        "models' confusions where the network's accuracy is lower.",
        [*map(_places, matrices), *map(_claim, claims)],
        [
            *(
                (f"{entry['label']}: {pair['author']} given to {pair['named']}", _pair(pair))
                for entry in matrices
                for pair in entry["pairs"]
            ),
            *(
                (f"{c['author']} given to {c['named']}, network less n-grams", points(c, 100))
                for c in claims
            ),
        ],
    )


def _places(entry: Entry) -> str:
    places = listed([f"place {pair['rank']} of {pair['author']}'s" for pair in entry["pairs"]])
    return f"Here, for {entry['label']}, the pair has {places} confusions."


def _claim(claim: Entry) -> str:
    low, high = claim["low"], claim["high"]
    found = (
        "more" if low > 0 else "less" if high < 0 else "neither more nor less, as far as is seen"
    )
    return f"The network gives {claim['author']} to {claim['named']} {found}: {points(claim, 100)}."


def _pair(pair: Entry) -> str:
    other = pair["largest_other_author"]
    beside = f"; most of all others to {other}, {percent(pair['largest_other'])}" if other else ""
    low, high = percent(pair["low"]), percent(pair["high"])
    return f"{percent(pair['share'])} ({low} to {high}), place {pair['rank']} in the row{beside}"


def one_field(evidence: Evidence) -> Erratum:
    """Check whether courses of one field are confused more than others."""
    found = [
        (entry["label"], means)
        for entry in _matrices(evidence)
        if (means := _means(evidence, entry))
    ]
    return write(
        "Courses of one field",
        "Section 4 has instructors of one field confused more often than others: courses 1 and 2, "
        "and 11, 12 and 13.",
        (
            f"{label}: of a course's single sentences {percent(same, 2)} go to another of its "
            f"field, and {percent(other, 2)} to any other course, in the mean of pairs."
            for label, (same, other) in found
        ),
        [
            (f"{label}: one field / other pairs", f"{percent(same, 2)} / {percent(other, 2)}")
            for label, (same, other) in found
        ],
    )


def _means(evidence: Evidence, entry: Entry) -> tuple[float, float] | None:
    """Mean share of a pair of courses, of one field and of others; none has one instructor."""
    same_person = {(pair["author"], pair["named"]) for pair in entry["pairs"]}
    same: list[float] = []
    other: list[float] = []
    for author, named, share in _confusions(entry):
        if (author, named) not in same_person:
            (same if _is_one_field(evidence, author, named) else other).append(share)
    return (fmean(same), fmean(other)) if same and other else None


def _confusions(entry: Entry) -> Iterator[tuple[str, str, float]]:
    for (row, author), (column, named) in permutations(enumerate(entry["labels"]), 2):
        yield author, named, entry["shares"][row][column]


def _is_one_field(evidence: Evidence, author: str, named: str) -> bool:
    courses = {course_number(author), course_number(named)}
    return any(courses <= set(field) for field in evidence.published.fields)
