"""Errata of how the perplexities of Table 2 were measured, and of what was inferred from them."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from byline.experiments.paper.errata.evidence import (
    TREATMENTS,
    Entry,
    Erratum,
    Evidence,
    signed,
    write,
)
from byline.experiments.paper.published import NETWORK, NGRAM

PARTS = ("validation", "test")


def unknown_words(evidence: Evidence) -> Erratum:
    """Count the same network's perplexity in every way that was measured."""
    counted = {
        unknown: mean
        for unknown in TREATMENTS
        if (mean := evidence.counted(evidence.network, "test", unknown)) is not None
    }
    return write(
        "The network and the n-grams count unknown words in different ways",
        "SRILM leaves unknown words out of the sum of log-probabilities and out of the number that "
        "it divides by. The authors' program has their log-probability in the network's sum, but "
        "does not count them, so that every unknown word raises the perplexity twice.",
        (
            f"The same network, counted so: {mean:.1f} with {TREATMENTS[unknown]}."
            for unknown, mean in counted.items()
        ),
        [(TREATMENTS[unknown], f"{mean:.1f}") for unknown, mean in counted.items()],
    )


def held_out_part(evidence: Evidence) -> Erratum:
    """Set validation and test part of both models side by side."""
    columns = [evidence.column(model) for model in (evidence.ngram, evidence.network)]
    found = [(c, _both_parts(evidence, c)) for c in columns if c]
    both = [(column["label"], means) for column, means in found if len(means) == len(PARTS)]
    return write(
        "The n-grams are scored on the validation files, the network on the test files",
        "Table 2 sets the two side by side. The network's training ends by the validation files, "
        "so that these would flatter it; n-grams learn nothing from them, and differ by chance "
        "alone.",
        (
            f"{label}: {means['validation']:.1f} on validation and {means['test']:.1f} on test."
            for label, means in both
        ),
        [
            (f"{label}, {part} part", f"{mean:.1f}")
            for label, means in both
            for part, mean in means.items()
        ],
    )


def _both_parts(evidence: Evidence, column: Entry) -> dict[str, float]:
    means = {part: evidence.counted(column["model"], part, column["unknown"]) for part in PARTS}
    return {part: mean for part, mean in means.items() if mean is not None}


def reduction(evidence: Evidence) -> Erratum:
    """Check the reduction that the abstract claims."""
    published = evidence.published
    ngram = published.average[NGRAM].mean
    network = published.average[NETWORK].mean
    recorded = fmean(figure.mean for figure in published.recorded[NETWORK].values())
    changes = dict(_changes(evidence))
    return write(
        "The reduction in perplexity",
        f"The abstract has a reduction of nearly {100 * published.perplexity_reduction:.1f} %, "
        f"which is {ngram} against {network}. Without the factor it is an increase: {ngram} "
        f"against {recorded:.1f}.",
        (f"Here, {what}: {value}." for what, value in changes.items()),
        [
            ("as printed", f"{signed(100 * (network / ngram - 1))} %"),
            ("as recorded", f"{signed(100 * (recorded / ngram - 1))} %"),
            *changes.items(),
        ],
    )


def _changes(evidence: Evidence) -> Iterator[tuple[str, str]]:
    network, ngram = evidence.column(evidence.network), evidence.column(evidence.ngram)
    if network and ngram:
        yield (
            f"{network['label']} against {ngram['label']}, each as the authors measured it",
            _change(network["average"]["mean"], ngram["average"]["mean"]),
        )
    for rival in (evidence.ngram, *evidence.kneser_neys):
        ours = evidence.counted(evidence.network, "test", "skip")
        theirs = evidence.counted(rival, "test", "skip")
        if ours and theirs:
            what = f"{evidence.label(evidence.network)} against {evidence.label(rival)}"
            yield f"{what}, both on the test part without unknown words", _change(ours, theirs)


def _change(ours: float, theirs: float) -> str:
    return f"{ours:.1f} against {theirs:.1f}, {signed(100 * (ours / theirs - 1))} %"
