"""Errata on Table 2, on how it was measured, and on what was inferred from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    TREATMENTS,
    Entry,
    Erratum,
    RunEvidence,
    make_erratum,
)
from byline.experiments.reproductions.ge_sun_2016.published import (
    NETWORK,
    NGRAM,
    average_of,
    course_number,
)
from byline.experiments.reproductions.ge_sun_2016.tables import COLUMNS
from byline.formatting import join_names, number, percent, percent_range, quantity, signed

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


NAMES = {
    "n_sentences": "sentences",
    "n_words": "words",
    "words_per_sentence": "words per sentence",
    "vocabulary_original": "vocabulary",
    "vocabulary_stemmed": "stemmed vocabulary",
    "vocabulary_pruned": "pruned vocabulary",
}


def _rows(evidence: RunEvidence) -> list[Entry]:
    profile = evidence.results["profile"]
    rows = [] if profile is None else profile["rows"]
    return sorted(
        (row for row in rows if row["published_row"]), key=lambda row: row["published_row"]
    )


def row_order(evidence: RunEvidence) -> Erratum:
    """Show which course each printed row describes."""
    rows = _rows(evidence)
    return make_erratum(
        "The rows of Table 1 are not in the order of their IDs",
        "Row k of Table 1 does not describe course k of Table 2 and of the text. Each row was "
        "matched with the course whose figures are closest, no course twice. The printed figures "
        "of course 12 include the markup of six lectures that are raw exports of a subtitle "
        "platform; here only the spoken text is counted.",
        _order(rows),
        [
            (f"row {row['published_row']}: {row['author']}", _largest_difference(row))
            for row in rows
        ],
    )


def _order(rows: Sequence[Entry]) -> Iterator[str]:
    if rows:
        moved = sum(course_number(row["author"]) != row["published_row"] for row in rows)
        verb = "describes" if moved == 1 else "describe"
        yield f"Of {quantity(len(rows), 'row')}, {moved} {verb} another course than their ID names."


def _largest_difference(row: Entry) -> str:
    """Format the largest relative difference of a row's figures, with its column."""
    differences = {name: row[name] / row["published"][name] - 1 for name in COLUMNS}
    name = max(differences, key=lambda name: abs(differences[name]))
    return f"at most {signed(100 * differences[name])} % ({NAMES[name]})"


def misprint(evidence: RunEvidence) -> Erratum:
    """Show the misprinted number of sentences."""
    published = evidence.published
    ((row, printed),) = published.misprinted_sentences.items()
    right = published.profile[row - 1]
    implied = right.n_words / right.words_per_sentence
    found = [entry for entry in _rows(evidence) if entry["published_row"] == row]
    return make_erratum(
        f"{printed:,} sentences is a misprint of {right.n_sentences:,}",
        f"Row {row} of Table 1 has {printed:,} sentences, but {right.n_words:,} words at "
        f"{right.words_per_sentence} words per sentence are {implied:,.0f} sentences.",
        (f"{entry['author']} has {entry['n_sentences']:,} sentences here." for entry in found),
        [
            ("printed", f"{printed:,}"),
            ("words / words per sentence, as printed", f"{implied:,.0f}"),
            *((f"{entry['author']}, here", f"{entry['n_sentences']:,}") for entry in found),
        ],
    )


def statements(evidence: RunEvidence) -> Erratum:
    """Check what section 2 states in words."""
    profile = evidence.results["profile"]
    rows = [] if profile is None else profile["rows"]
    known = [row for row in rows if row["unknown_share"] is not None]
    shares = sorted(row["unknown_share"] for row in known)
    covered = sorted(row["coverage"]["500"] for row in known if "500" in row["coverage"])
    sizes = [row["vocabulary_pruned"] for row in known]
    figures = []
    if shares and covered:
        figures = [
            ("words mapped to <unk>", percent_range(shares[0], shares[-1])),
            ("covered by the 500 most frequent words, at least", percent(covered[0])),
            ("pruned vocabulary, mean", number(fmean(sizes), 0)),
        ]
    return make_erratum(
        "What section 2 states about the texts in words",
        "Section 2 states that 0.5 to 1.5 % of the words are mapped to <unk>, that the 500 most "
        "frequent words cover at least 85 %, and that vocabularies have 2,000 words on average.",
        (f"Here: {'; '.join(f'{what}: {value}' for what, value in figures)}." for _ in figures[:1]),
        figures,
    )
