"""Errata of Table 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    TREATMENTS,
    Entry,
    Erratum,
    Evidence,
    count,
    listed,
    signed,
    write,
)
from byline.experiments.reproductions.ge_sun_2016.published import NETWORK, NGRAM, average_of

ORDERS = (1, 2, 3, 4)


def smoothing(evidence: Evidence) -> Erratum:
    """Show that the n-grams called Kneser-Ney are Good-Turing's."""
    columns = {n: evidence.column(evidence.model(f"srilm_{n}gram")) for n in ORDERS}
    found = {n: column for n, column in columns.items() if column and _printed(column)}
    rivals = [column for name in evidence.kneser_neys if (column := evidence.column(name))]
    return write(
        "The n-grams are not Kneser-Ney's",
        "The paper names Kneser-Ney smoothing. The authors' program calls SRILM without a flag for "
        "smoothing, and SRILM's default is Good-Turing's with Katz's back-off.",
        _smoothing_sentences(found, rivals),
        [
            *((f"{c['label']}, here / printed", _beside(c)) for c in found.values()),
            *(
                (f"{c['label']} ({c['part']} part, {TREATMENTS[c['unknown']]})", _mean(c))
                for c in rivals
            ),
        ],
    )


def _smoothing_sentences(found: dict[int, Entry], rivals: list[Entry]) -> Iterator[str]:
    if found:
        here = ", ".join(_mean(column) for column in found.values())
        printed = ", ".join(f"{_printed(column)['mean']:.1f}" for column in found.values())
        orders = listed(list(found))
        yield (
            f"Of order {orders} Good-Turing's means are {here} here, where {printed} are printed."
        )
    if rivals:
        means = " and ".join(f"{_mean(column)} ({column['label']})" for column in rivals)
        yield f"Kneser-Ney smoothing comes to {means}."


def _printed(column: Entry) -> dict[str, float]:
    return column["average"]["published"] or {}


def _mean(column: Entry) -> str:
    return f"{column['average']['mean']:.1f}"


def _beside(column: Entry) -> str:
    return f"{_mean(column)} / {_printed(column)['mean']:.1f}"


def factor(evidence: Evidence) -> Erratum:
    """Show the factor between what the authors' program recorded and what was printed."""
    published = evidence.published
    printed, recorded = published.perplexity[NETWORK], published.recorded[NETWORK]
    ratios = {course: printed[course].mean / recorded[course].mean for course in printed}
    recorded_mean = fmean(figure.mean for figure in recorded.values())
    ngrams = published.perplexity[NGRAM]
    n_higher = sum(recorded[course].mean > ngrams[course].mean for course in recorded)
    low, high = min(ratios.values()), max(ratios.values())
    return write(
        f"The printed neural perplexities are the recorded ones times {published.factor}",
        f"The perplexities in the files of the authors' repository average {recorded_mean:.1f}; "
        f"multiplied by {published.factor}, a factor in their plotting program that nothing "
        f"explains, they are the printed column, which averages "
        f"{published.average[NETWORK].mean}: printed over recorded is {low:.3f} to {high:.3f} for "
        f"every course, which is rounding. As recorded, the network is above the printed 4-grams "
        f"in {n_higher} of {len(recorded)} courses. What a reproduction must reach are the "
        f"recorded perplexities.",
        _recorded_sentence(evidence),
        [
            (f"course {course}: printed / recorded", _quotient(printed[course].mean, figure.mean))
            for course, figure in recorded.items()
        ],
    )


def _quotient(printed: float, recorded: float) -> str:
    return f"{printed:.1f} / {recorded:.1f} = {printed / recorded:.3f}"


def _recorded_sentence(evidence: Evidence) -> Iterator[str]:
    column = evidence.column(evidence.network)
    if column and column["average"]["recorded"]:
        average = column["average"]
        yield (
            f"The network here, counted as their program counts, has {average['mean']:.1f} in the "
            f"mean of {count(average['n'], 'course')}, where "
            f"{average['recorded']['mean']:.1f} is recorded and "
            f"{average['published']['mean']:.1f} printed."
        )


def average(evidence: Evidence) -> Erratum:
    """Average the printed cells, beside the printed averages."""
    published = evidence.published
    cells = {
        column: (average_of(list(figures.values())), published.average[column])
        for column, figures in published.perplexity.items()
    }
    off = [
        f"the cells of {column} average {mean:.2f}, and {printed} is printed"
        for column, figures in cells.items()
        for mean, printed in zip(*map(astuple, figures), strict=True)
        if f"{mean:.1f}" != f"{printed:.1f}"
    ]
    return write(
        "An average in Table 2 is rounded otherwise than its column",
        "The last row of Table 2 should be the averages of what stands above, of means and of "
        "standard deviations.",
        [f"Not so: {one}; cells that are rounded themselves can just do that." for one in off],
        [
            (f"{column}: mean of cells / printed", f"{mean.mean:.2f} / {printed.mean}")
            for column, (mean, printed) in cells.items()
        ],
    )


def settings(evidence: Evidence) -> Erratum:
    """Check that every course needs settings of its own."""
    tuned = [entry for entry in evidence.outcome["search"] if _is_known(entry["tuned"])]
    return write(
        "One setting for all courses",
        "The paper has the sizes of the network, learning rate, momentum and batch size optimised "
        "for each course. Here all courses have the one setting of the authors' program.",
        [*_recorded_sentence(evidence), *map(_tuned_sentence, tuned)],
        [
            *_recorded_figures(evidence),
            *(
                (f"{entry['author']}: one setting for all / its own", _tuned_figures(entry))
                for entry in tuned
            ),
        ],
    )


def _is_known(tuned: Entry | None) -> bool:
    return tuned is not None and None not in (tuned["production_mean"], tuned["tuned_mean"])


def _recorded_figures(evidence: Evidence) -> Iterator[tuple[str, str]]:
    column = evidence.column(evidence.network)
    if column and column["average"]["recorded"]:
        average = column["average"]
        yield (
            "one setting for all, mean here / recorded",
            f"{average['mean']:.1f} / {average['recorded']['mean']:.1f}",
        )


def _tuned_figures(entry: Entry) -> str:
    tuned = entry["tuned"]
    return f"{tuned['production_mean']:.1f} / {tuned['tuned_mean']:.1f}"


def _tuned_sentence(entry: Entry) -> str:
    tuned = entry["tuned"]
    return (
        f"The best of {len(entry['trials'])} settings brings {entry['author']} from "
        f"{tuned['production_mean']:.1f} to {tuned['tuned_mean']:.1f}."
    )


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
