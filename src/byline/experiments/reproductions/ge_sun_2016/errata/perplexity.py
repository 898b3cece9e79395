"""Errata on Table 2, on how it was measured, and on what was inferred from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    TREATMENTS,
    Entry,
    Erratum,
    RunEvidence,
    make_erratum,
)
from byline.experiments.reproductions.ge_sun_2016.published import NETWORK, NGRAM, average_of
from byline.formatting import join_names, percent, quantity, signed

ORDERS = (1, 2, 3, 4)
PARTS = ("validation", "test")


def smoothing(evidence: RunEvidence) -> Erratum:
    """Show that the n-grams called Kneser-Ney use Good-Turing discounting."""
    columns = {n: evidence.column(evidence.model(f"srilm_{n}gram")) for n in ORDERS}
    found = {n: column for n, column in columns.items() if column and _printed(column)}
    rivals = [column for name in evidence.kneser_neys if (column := evidence.column(name))]
    return make_erratum(
        "The n-grams do not use Kneser-Ney smoothing",
        "The paper names Kneser-Ney smoothing. The authors' program calls SRILM without a "
        "smoothing option, and SRILM's default is Good-Turing discounting with Katz back-off.",
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
        orders = join_names(list(found))
        yield (
            f"The means of Good-Turing n-grams of order {orders} are {here} here; {printed} are "
            "printed."
        )
    if rivals:
        means = " and ".join(f"{_mean(column)} ({column['label']})" for column in rivals)
        yield f"With Kneser-Ney smoothing they are {means}."


def _printed(column: Entry) -> dict[str, float]:
    return column["average"]["published"] or {}


def _mean(column: Entry) -> str:
    return f"{column['average']['mean']:.1f}"


def _beside(column: Entry) -> str:
    return f"{_mean(column)} / {_printed(column)['mean']:.1f}"


def factor(evidence: RunEvidence) -> Erratum:
    """Show the factor between the recorded and the printed perplexities."""
    published = evidence.published
    printed, recorded = published.perplexity[NETWORK], published.recorded[NETWORK]
    ratios = {course: printed[course].mean / recorded[course].mean for course in printed}
    recorded_mean = fmean(figure.mean for figure in recorded.values())
    ngrams = published.perplexity[NGRAM]
    n_higher = sum(recorded[course].mean > ngrams[course].mean for course in recorded)
    low, high = min(ratios.values()), max(ratios.values())
    return make_erratum(
        f"The printed neural perplexities are the recorded ones times {published.factor}",
        f"The perplexities in the files of the authors' repository average {recorded_mean:.1f}. "
        f"Their plotting program multiplies them by {published.factor} without an explanation, "
        f"which gives the printed column with an average of {published.average[NETWORK].mean}. "
        f"The ratio of printed to recorded perplexity is {low:.3f} to {high:.3f} for every "
        f"course; the differences are due to rounding. As recorded, the network is above the "
        f"printed 4-grams for {n_higher} of {len(recorded)} courses. A reproduction must reach "
        f"the recorded perplexities.",
        _recorded_sentence(evidence),
        [
            (f"course {course}: printed / recorded", _quotient(printed[course].mean, figure.mean))
            for course, figure in recorded.items()
        ],
    )


def _quotient(printed: float, recorded: float) -> str:
    return f"{printed:.1f} / {recorded:.1f} = {printed / recorded:.3f}"


def _recorded_sentence(evidence: RunEvidence) -> Iterator[str]:
    column = evidence.column(evidence.network)
    if column and column["average"]["recorded"]:
        average = column["average"]
        yield (
            f"Counted as in their program, the network of this run has a mean perplexity of "
            f"{average['mean']:.1f} over {quantity(average['n'], 'course')}; "
            f"{average['recorded']['mean']:.1f} is recorded and "
            f"{average['published']['mean']:.1f} is printed."
        )


def average(evidence: RunEvidence) -> Erratum:
    """Compare the averages of the printed cells with the printed averages."""
    published = evidence.published
    cells = {
        column: (average_of(list(figures.values())), published.average[column])
        for column, figures in published.perplexity.items()
    }
    off = [
        f"The cells of {column} average {mean:.2f}, but {printed} is printed"
        for column, figures in cells.items()
        for mean, printed in zip(*map(astuple, figures), strict=True)
        if f"{mean:.1f}" != f"{printed:.1f}"
    ]
    return make_erratum(
        "An average in Table 2 differs from its column",
        "The last row of Table 2 should have the averages of the means and of the standard "
        "deviations above.",
        [f"{one}; rounding of the cells can explain the difference." for one in off],
        [
            (f"{column}: mean of cells / printed", f"{mean.mean:.2f} / {printed.mean}")
            for column, (mean, printed) in cells.items()
        ],
    )


def settings(evidence: RunEvidence) -> Erratum:
    """Check whether every course needs its own settings."""
    tuned = [entry for entry in evidence.results["search"] if _is_known(entry["tuned"])]
    return make_erratum(
        "One setting for all courses",
        "According to the paper, the layer sizes, learning rate, momentum and batch size were "
        "optimised for each course. Here all courses have the one setting of the authors' program.",
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


def _recorded_figures(evidence: RunEvidence) -> Iterator[tuple[str, str]]:
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
        f"For {entry['author']}, the best of {len(entry['trials'])} settings reduces the "
        f"perplexity from {tuned['production_mean']:.1f} to {tuned['tuned_mean']:.1f}."
    )


def unknown_words(evidence: RunEvidence) -> Erratum:
    """Compare the perplexity of one network under all treatments of unknown words."""
    counted = {
        unknown: mean
        for unknown in TREATMENTS
        if (mean := evidence.counted(evidence.network, "test", unknown)) is not None
    }
    return make_erratum(
        "The network and the n-grams count unknown words in different ways",
        "SRILM leaves unknown words out of the sum of log-probabilities and out of the number of "
        "words by which it divides. The authors' program adds their log-probability to the "
        "network's sum but does not count them, so that every unknown word raises the perplexity "
        "twice.",
        (
            f"The same network has a perplexity of {mean:.1f} with {TREATMENTS[unknown]}."
            for unknown, mean in counted.items()
        ),
        [(TREATMENTS[unknown], f"{mean:.1f}") for unknown, mean in counted.items()],
    )


def held_out_part(evidence: RunEvidence) -> Erratum:
    """Compare the validation and test parts of both models."""
    columns = [evidence.column(model) for model in (evidence.ngram, evidence.network)]
    found = [(c, _both_parts(evidence, c)) for c in columns if c]
    both = [(column["label"], means) for column, means in found if len(means) == len(PARTS)]
    return make_erratum(
        "The n-grams are scored on the validation files, the network on the test files",
        "Table 2 compares the two. The validation files decide when the training of the network "
        "ends, so that its perplexity on them would be too low. N-grams do not use them; for "
        "n-grams the two parts differ by chance only.",
        (
            f"{label}: {means['validation']:.1f} on the validation part and {means['test']:.1f} on "
            "the test part."
            for label, means in both
        ),
        [
            (f"{label}, {part} part", f"{mean:.1f}")
            for label, means in both
            for part, mean in means.items()
        ],
    )


def _both_parts(evidence: RunEvidence, column: Entry) -> dict[str, float]:
    means = {part: evidence.counted(column["model"], part, column["unknown"]) for part in PARTS}
    return {part: mean for part, mean in means.items() if mean is not None}


def reduction(evidence: RunEvidence) -> Erratum:
    """Check the reduction that the abstract claims."""
    published = evidence.published
    ngram = published.average[NGRAM].mean
    network = published.average[NETWORK].mean
    recorded = fmean(figure.mean for figure in published.recorded[NETWORK].values())
    changes = dict(_changes(evidence))
    return make_erratum(
        "The reduction in perplexity",
        f"The abstract states a reduction of nearly {percent(published.perplexity_reduction)}, "
        f"from {ngram} to {network}. Without the factor it is an increase, from {ngram} to "
        f"{recorded:.1f}.",
        (f"Here, {what}: {value}." for what, value in changes.items()),
        [
            ("as printed", f"{signed(100 * (network / ngram - 1), 1)} %"),
            ("as recorded", f"{signed(100 * (recorded / ngram - 1), 1)} %"),
            *changes.items(),
        ],
    )


def _changes(evidence: RunEvidence) -> Iterator[tuple[str, str]]:
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
            yield f"{what}, both on the test part, without unknown words", _change(ours, theirs)


def _change(ours: float, theirs: float) -> str:
    return f"{ours:.1f} against {theirs:.1f}, {signed(100 * (ours / theirs - 1), 1)} %"
