"""Errata on Table 1 and on what section 2 states about the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    Entry,
    Erratum,
    RunEvidence,
    make_erratum,
)
from byline.experiments.reproductions.ge_sun_2016.published import course_number
from byline.experiments.reproductions.ge_sun_2016.tables import COLUMNS
from byline.formatting import number, percent, percent_range, quantity, signed

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
