"""Phrases of the report on an experiment: names of settings, and conclusions from results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from byline.formatting import join_names, quantity
from byline.report.charts.axes import known

UNITS = {"sentence": "single sentences", "document": "whole documents"}
PRUNING = {
    "author": "in an author’s whole text, before the split",
    "training": "in the training part only",
}
UNKNOWN = {
    "skip": "left out",
    "score": "scored",
    "ge-sun-2016": "in the sum but not in the count",
}
PARTS = {"validation": "validation part", "test": "test part"}
RULES = {
    "sum-of-perplexities": "lowest sum of the sentences’ perplexities",
    "log-likelihood": "highest summed log-likelihood",
    "log-likelihood-shared": "highest summed log-likelihood over one vocabulary for all authors",
}
SHORT_RULES = {
    "sum-of-perplexities": "perplex.",
    "log-likelihood": "log\u2011lik.",
    "log-likelihood-shared": "shared",
}
RULE_NOTES = {
    "sum-of-perplexities": "one unusual sentence can outweigh many ordinary ones",
    "log-likelihood": "summed over all words of the text",
    "log-likelihood-shared": "each author’s share for unknown words is divided among the "
    "words that the author lacks, so that all models predict the same words",
}
OF_THE_PAPER = {
    "sum-of-perplexities": "the rule of the authors’ program",
    "log-likelihood": "Eq. 7 of the paper",
}
FEW_AUTHORS = 10  # with fewer, bootstrap intervals are approximate, and usually too narrow
STOPPED = {None: "ran to its end", "unpromising": "stopped as unpromising", "failed": "failed"}


def rule_note(rule: str, *, paper: bool) -> str:
    """Describe a rule; with the paper's figures, also its source."""
    notes = [OF_THE_PAPER.get(rule) if paper else None, RULE_NOTES.get(rule)]
    return "; ".join(note for note in notes if note)


def split_description(split: Mapping[str, Any]) -> str:
    """Describe what a split keeps whole and how many random splits there are."""
    n = len(split["seeds"])
    unit = UNITS.get(split["unit"], split["unit"])
    return f"{n} random split{'s' * (n != 1)} by {unit}"


def count_authors(some: Collection[str], authors: Collection[str]) -> str:
    """Count authors, with the total if it is larger."""
    of = f" of {len(authors)}" if len(some) < len(authors) else ""
    return f"{len(some)}{of} author{'s' * (max(len(some), len(authors)) != 1)}"


def excluded_authors(averaged: Collection[str], authors: Iterable[str]) -> str:
    """Return a sentence that names the authors who are excluded from a mean, or ""."""
    excluded = [f"\u2068{author}\u2069" for author in authors if author not in averaged]
    if not excluded:
        return ""
    if len(excluded) == 1:
        return f" {excluded[0]} is a candidate but not part of the mean."
    return f" {join_names(excluded, None)} are candidates but not part of the mean."


def intervals_explained(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Explain how intervals of differences are computed; those of few authors are approximate."""
    least = min(row["n_authors"] for row in comparisons)
    note = f" With {quantity(least, 'author')} it is approximate." if least < FEW_AUTHORS else ""
    return f"The interval is computed by the bootstrap, which resamples authors.{note}"


def verdict(comparison: Mapping[str, Any]) -> str:
    """State what a difference in accuracy and its interval mean for the claim."""
    low, high, claim = comparison["low"], comparison["high"], comparison["claim"]
    if low is None or high is None:
        return "The interval is unknown, so that no conclusion is possible."
    if low <= claim <= high:
        return (
            "The result supports the claim."
            if low > 0
            else "The result is compatible with the claim, and also with no difference."
        )
    if low > claim:
        return "The difference is larger than claimed."
    if low > 0:
        return "There is a difference, but it is smaller than claimed."
    if high < 0:
        return "The result contradicts the claim: the rival is more accurate."
    return "The result contradicts the claim: there is no significant difference."


def pair_verdict(claim: Mapping[str, Any]) -> str:
    """State which of two models confuses two candidates who are one person more often."""
    low, high = claim["low"], claim["high"]
    if low is None or high is None:
        return "unknown"
    if low > 0:
        return "more often"
    return "less often" if high < 0 else "no significant difference"


def list_facts(facts: Mapping[str, Any] | str) -> str:
    """List facts as ``cores 2, system Linux``, without those that are None."""
    if isinstance(facts, str):
        return facts
    shown = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def total(rows: Iterable[Mapping[str, Any]], key: str) -> float:
    """Sum the values that are known."""
    return sum(known(row[key] for row in rows))
