"""Errata of Table 1 and of what section 2 says about the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from byline.experiments.reproductions.ge_sun_2016.errata.evidence import (
    Entry,
    Erratum,
    Evidence,
    count,
    percent,
    signed,
    write,
)
from byline.experiments.reproductions.ge_sun_2016.published import course_number
from byline.experiments.reproductions.ge_sun_2016.tables import COLUMNS

NAMES = {
    "n_sentences": "sentences",
    "n_words": "words",
    "words_per_sentence": "words a sentence",
    "vocabulary_original": "vocabulary",
    "vocabulary_stemmed": "stemmed vocabulary",
    "vocabulary_pruned": "pruned vocabulary",
}


def _rows(evidence: Evidence) -> list[Entry]:
    profile = evidence.outcome["profile"]
    rows = [] if profile is None else profile["rows"]
    return sorted(
        (row for row in rows if row["published_row"]), key=lambda row: row["published_row"]
    )


def row_order(evidence: Evidence) -> Erratum:
    """Say which course each printed row describes."""
    rows = _rows(evidence)
    return write(
        "The rows of Table 1 stand in another order than their IDs",
        "Row k of Table 1 does not describe course k of Table 2 and of the text. Each row was "
        "matched with the course whose figures it is nearest to, no course twice. The printed "
        "figures of course 12 include the markup of six lectures that are raw exports of a "
        "subtitle platform; here only what is said in them is counted.",
        _order(rows),
        [(f"row {row['published_row']}: {row['author']}", _farthest(row)) for row in rows],
    )


def _order(rows: Sequence[Entry]) -> Iterator[str]:
    if rows:
        moved = sum(course_number(row["author"]) != row["published_row"] for row in rows)
        yield f"Of {count(len(rows), 'row')} {moved} describe another course than they name."


def _farthest(row: Entry) -> str:
    """Write the largest relative difference of a row's figures, and in which column it is."""
    differences = {name: row[name] / row["published"][name] - 1 for name in COLUMNS}
    name = max(differences, key=lambda name: abs(differences[name]))
    return f"at most {signed(100 * differences[name], 2)} % ({NAMES[name]})"


def misprint(evidence: Evidence) -> Erratum:
    """Show the misprinted number of sentences."""
    published = evidence.published
    ((row, printed),) = published.misprinted_sentences.items()
    right = published.profile[row - 1]
    implied = right.n_words / right.words_per_sentence
    found = [entry for entry in _rows(evidence) if entry["published_row"] == row]
    return write(
        f"{printed:,} sentences are a slip for {right.n_sentences:,}",
        f"Row {row} of Table 1 has {printed:,} sentences, but its {right.n_words:,} words at "
        f"{right.words_per_sentence} a sentence make {implied:,.0f}.",
        (f"{entry['author']} has {entry['n_sentences']:,} sentences here." for entry in found),
        [
            ("printed", f"{printed:,}"),
            ("words / words a sentence, as printed", f"{implied:,.0f}"),
            *((f"{entry['author']}, here", f"{entry['n_sentences']:,}") for entry in found),
        ],
    )


def claims(evidence: Evidence) -> Erratum:
    """Check what section 2 says in words."""
    profile = evidence.outcome["profile"]
    rows = [] if profile is None else profile["rows"]
    known = [row for row in rows if row["unknown_share"] is not None]
    shares = sorted(row["unknown_share"] for row in known)
    covered = sorted(row["coverage"]["500"] for row in known if "500" in row["coverage"])
    sizes = [row["vocabulary_pruned"] for row in known]
    figures = []
    if shares and covered:
        figures = [
            ("words made unknown", f"{percent(shares[0])} to {percent(shares[-1])}"),
            ("covered by the 500 most frequent words, at least", percent(covered[0])),
            ("pruned vocabulary, mean", f"{fmean(sizes):,.0f}"),
        ]
    return write(
        "What section 2 says of the texts in words",
        "It has 0.5 to 1.5 % of the words mapped to <unk>, at least 85 % covered by the 500 most "
        "frequent words, and vocabularies of 2,000 words on average.",
        (f"Here: {'; '.join(f'{what}: {value}' for what, value in figures)}." for _ in figures[:1]),
        figures,
    )
