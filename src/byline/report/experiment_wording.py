"""Sentences of an experiment's report: what things are called, and what came out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from byline.formatting import signed
from byline.report.charts.axes import known

UNITS = {"sentence": "single sentences", "document": "whole documents"}
PRUNING = {
    "author": "in an author’s whole text, before it is split",
    "training": "in the training part alone",
}
UNKNOWN = {
    "skip": "left out",
    "score": "scored",
    "ge-sun-2016": "in the sum, not in the count",
}
PARTS = {"validation": "validation part", "test": "test part"}
RULES = {
    "sum-of-perplexities": "lowest sum of the sentences’ perplexities",
    "log-likelihood": "highest summed log-likelihood",
    "log-likelihood-shared": "highest summed log-likelihood, one vocabulary for all",
}
SHORT_RULES = {
    "sum-of-perplexities": "perplex.",
    "log-likelihood": "log\u2011lik.",
    "log-likelihood-shared": "shared",
}
RULE_NOTES = {
    "sum-of-perplexities": "one odd sentence can outweigh many good ones",
    "log-likelihood": "summed over all words of the text",
    "log-likelihood-shared": "the same, and each author’s share for unknown words is spread over "
    "the words that author lacks, so that all are asked about the same words",
}
OF_THE_PAPER = {
    "sum-of-perplexities": "the rule of the authors’ program",
    "log-likelihood": "Eq. 7 of the paper",
}
FEW_AUTHORS = 10  # with fewer, the bootstrap's intervals are rough, and too narrow as a rule
STOPPED = {None: "ran to its end", "hopeless": "stopped as hopeless", "failed": "failed"}


def rule_note(rule: str, *, paper: bool) -> str:
    """Say what there is to know about a rule; where it comes from, beside the paper's figures."""
    notes = [OF_THE_PAPER.get(rule) if paper else None, RULE_NOTES.get(rule)]
    return "; ".join(note for note in notes if note)


def how_divided(split: Mapping[str, Any]) -> str:
    """Say in words what a split keeps whole and how often it is drawn."""
    n = len(split["seeds"])
    unit = UNITS.get(split["unit"], split["unit"])
    return f"{n} random split{'s' * (n != 1)} by {unit}"


def how_many(some: Collection[str], authors: Collection[str]) -> str:
    """Count authors, and of how many they are where that is more."""
    of = f" of {len(authors)}" if len(some) < len(authors) else ""
    return f"{len(some)}{of} author{'s' * (max(len(some), len(authors)) != 1)}"


def candidates_only(averaged: Collection[str], authors: Iterable[str]) -> str:
    """Name authors whose own texts are not in a mean, as a sentence after another; or ""."""
    aside = [f"\u2068{author}\u2069" for author in authors if author not in averaged]
    if not aside:
        return ""
    if len(aside) == 1:
        return f" {aside[0]} is a candidate only."
    return f" {', '.join(aside[:-1])} and {aside[-1]} are candidates only."


def how_intervals_are_made(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Say how intervals of differences come about, and that those of few authors are rough."""
    least = min(row["n_authors"] for row in comparisons)
    rough = f"; of {least} author{'s' * (least != 1)} it is rough" if least < FEW_AUTHORS else ""
    return f"The interval is made by the bootstrap: authors are drawn anew with replacement{rough}."


def verdict(comparison: Mapping[str, Any]) -> str:
    """Say what a difference in accuracy and its interval allow to be said of what was claimed."""
    low, high, claim = comparison["low"], comparison["high"], comparison["claim"]
    if low is None or high is None:
        return "The interval is not known: nothing can be said."
    if low <= claim <= high:
        found = "The claim holds" if low > 0 else "The claim is possible, and so is no difference"
    elif low > claim:
        found = "The difference is larger than claimed"
    elif low > 0:
        found = "There is a difference, but smaller than claimed"
    elif high < 0:
        found = "The claim does not hold: the rival is ahead"
    else:
        found = "The claim does not hold: no difference can be told from chance"
    return f"{found}."


def pair_verdict(claim: Mapping[str, Any]) -> str:
    """Say which of two models takes one person's texts for the same person's more often."""
    low, high = claim["low"], claim["high"]
    if low is None or high is None:
        return "not known"
    if low > 0:
        return "more often"
    return "less often" if high < 0 else "no difference that can be told from chance"


def change(difference: float | None, digits: int = 1) -> str:
    """Write a difference with its sign; one that rounds to nothing is ``+0.0``."""
    return signed(None if difference is None else round(difference, digits) + 0.0, digits)


def in_words(facts: Mapping[str, Any] | str) -> str:
    """Write facts one after the other: ``cores 2, system Linux``; what is None is left out."""
    if isinstance(facts, str):
        return facts
    told = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    return ", ".join(f"{name} {value}" for name, value in told.items())


def total(rows: Iterable[Mapping[str, Any]], key: str) -> float:
    """Add up what is known."""
    return sum(known(row[key] for row in rows))
