"""Errata of Table 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from statistics import fmean

from byline.experiments.paper.errata.evidence import (
    TREATMENTS,
    Entry,
    Erratum,
    Evidence,
    count,
    listed,
    write,
)
from byline.experiments.paper.published import NETWORK, NGRAM, average_of

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
