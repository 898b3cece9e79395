"""Each table of an experiment's report for other programs: one fact a row, in full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Outcome = Mapping[str, Any]
Row = Mapping[str, Any]

PRINTED_SIZES = (
    *("n_sentences", "n_words", "words_per_sentence"),
    *("vocabulary_original", "vocabulary_stemmed", "vocabulary_pruned"),
)
OF_A_FORMULA = ("=", "+", "-", "@", "\t")
SETTINGS = ("embedding_dim", "hidden_dim", "learning_rate", "momentum", "batch_size")


@dataclass(frozen=True, slots=True)
class Table:
    """A table by name; a row has a value for each column, None where there is none."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def to_csv(self) -> str:
        """Write it as CSV with a heading; what is None is left empty.

        A text that a spreadsheet would take for a formula has an apostrophe before it, by which
        spreadsheets know that it is none.
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(map(_inert, row) for row in self.rows)
        return stream.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def experiment_tables(outcome: Outcome) -> tuple[Table, ...]:
    """Return all tables of a report; always the same ones, empty where nothing was measured yet.

    Parameters
    ----------
    outcome : dict
        As :func:`byline.report.experiment_summary` returns it.

    Returns
    -------
    tuple of Table
    """
    return tuple(
        Table(name, columns, tuple(tuple(map(row.get, columns)) for row in rows(outcome)))
        for name, (columns, rows) in _TABLES.items()
    )


def _profile(outcome: Outcome) -> Iterator[Row]:
    for row in (outcome["profile"] or {"rows": []})["rows"]:
        printed = row["published"] or {}
        yield row | {f"printed_{size}": printed.get(size) for size in PRINTED_SIZES}


def _coverage(outcome: Outcome) -> Iterator[Row]:
    for row in (outcome["profile"] or {"rows": []})["rows"]:
        for size, share in row["coverage"].items():
            yield {"author": row["author"], "most_frequent": size, "share": share}


def _splits(outcome: Outcome) -> Iterator[Row]:
    for split in outcome["splits"]:
        yield split | {"seeds": _listed(split["seeds"])}


def _perplexity(outcome: Outcome) -> Iterator[Row]:
    for column in _columns(outcome):
        for row in column["rows"]:
            yield column | row | _apart(row, "published") | _apart(row, "recorded")


def _averages(outcome: Outcome) -> Iterator[Row]:
    for column in _columns(outcome):
        row = column["average"]
        yield column | row | _apart(row, "published") | _apart(row, "recorded")


def _columns(outcome: Outcome) -> Iterator[Row]:
    for table in outcome["perplexity"]:
        for column in table["columns"]:
            yield column | {"split": table["split"], "seeds": _listed(column["seeds"])}


def _accuracy(outcome: Outcome) -> Iterator[Row]:
    for entry in outcome["accuracy"]:
        alone, mean = entry["alone"], entry["mean"]
        curves = [("mean", "", mean)]
        if alone is not None:
            curves.append(("alone", alone["author"], alone))
        for of, author, curve in curves:
            figures = zip(entry["sentences"], curve["mean"], curve["sd"], strict=True)
            for sentences, value, spread in figures:
                shown = {"sentences": sentences, "mean": value, "sd": spread}
                yield entry | {"of": of, "author": author} | shown


def _stages(outcome: Outcome) -> Iterator[Row]:
    for entry in outcome["accuracy"]:
        for row in entry["stages"]:
            for sentences, share in row["accuracy"].items():
                shown = {"author": row["author"], "sentences": sentences, "accuracy": share}
                yield entry | shown


def _n_best(outcome: Outcome) -> Iterator[Row]:
    for entry in outcome["accuracy"]:
        for stage in entry["n_best"]:
            for best in stage["shares"]:
                yield entry | {"sentences": stage["sentences"]} | best


def _comparisons(outcome: Outcome) -> Iterator[Row]:
    for comparison in outcome["comparisons"]:
        yield comparison | {"seeds": _listed(comparison["seeds"])}


def _confusion(outcome: Outcome) -> Iterator[Row]:
    for entry in outcome["confusion"]:
        for author, n, shares in zip(entry["labels"], entry["n"], entry["shares"], strict=True):
            for named, share in zip(entry["labels"], shares, strict=True):
                yield entry | {"author": author, "named": named, "n": n, "share": share}


def _pairs(outcome: Outcome) -> Iterator[Row]:
    for entry in outcome["confusion"]:
        for pair in entry["pairs"]:
            yield entry | pair


def _search(outcome: Outcome) -> Iterator[Row]:
    for search in outcome["search"]:
        for trial in search["trials"]:
            yield search | trial | trial["settings"] | {"best": trial["trial"] == search["best"]}


def _tuned(outcome: Outcome) -> Iterator[Row]:
    for search in outcome["search"]:
        if search["tuned"] is not None:
            tuned = search["tuned"]
            yield search | tuned | {"seeds": _listed(tuned["seeds"])}


def _errata(outcome: Outcome) -> Iterator[Row]:
    for erratum in outcome["errata"]:
        for figure in erratum["figures"] or [{}]:
            yield erratum | figure


def _inert(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(OF_A_FORMULA) else value


def _as_it_is(key: str) -> Callable[[Outcome], Iterable[Row]]:
    return lambda outcome: outcome[key]


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _apart(row: Row, source: str) -> Row:
    figures = row[source] or {}
    return {f"{source}_mean": figures.get("mean"), f"{source}_sd": figures.get("sd")}


_ENTRY = ("split", "rule", "model")
_COLUMN = ("split", "model", "part", "unknown", "seeds")
_MEASURED = (
    *("mean", "sd", "n", "n_infinite", "published_mean", "published_sd", "difference"),
    *("recorded_mean", "recorded_sd"),
)
_TABLES: Mapping[str, tuple[tuple[str, ...], Callable[[Outcome], Iterable[Row]]]] = {
    "profile": (
        (
            *("author", "published_row", *PRINTED_SIZES, "unknown_share"),
            *(f"printed_{size}" for size in PRINTED_SIZES),
        ),
        _profile,
    ),
    "coverage": (("author", "most_frequent", "share"), _coverage),
    "splits": (("split", "unit", "corpus", "prune", "seeds"), _splits),
    "search": (
        ("author", "trial", "round", *SETTINGS, "cost", "perplexity", "epochs", "stopped", "best"),
        _search,
    ),
    "search-tuned": (("author", "seeds", "production_mean", "tuned_mean"), _tuned),
    "perplexity": ((*_COLUMN, "author", *_MEASURED), _perplexity),
    "perplexity-average": ((*_COLUMN, *_MEASURED), _averages),
    "counting": (
        ("split", "model", "part", "unknown", "mean", "n_infinite", "n_seeds"),
        _as_it_is("counting"),
    ),
    "accuracy": ((*_ENTRY, "of", "author", "sentences", "mean", "sd"), _accuracy),
    "stages": ((*_ENTRY, "author", "sentences", "accuracy"), _stages),
    "n-best": ((*_ENTRY, "sentences", "n", "share"), _n_best),
    "comparisons": (
        (
            *(*_ENTRY, "rival", "sentences", "seeds", "accuracy", "rival_accuracy"),
            *("difference", "low", "high", "n_authors", "wins", "losses", "claim"),
        ),
        _comparisons,
    ),
    "confusion": ((*_ENTRY, "author", "named", "n", "share"), _confusion),
    "pairs": (
        (
            *(*_ENTRY, "author", "named", "share", "low", "high"),
            *("largest_other_author", "largest_other", "mean_other", "rank"),
        ),
        _pairs,
    ),
    "pair-claim": (
        (*_ENTRY, "rival", "author", "named", "difference", "low", "high"),
        _as_it_is("pair_claim"),
    ),
    "costs": (
        (
            *("split", "model", "jobs_done", "jobs_failed", "jobs_left"),
            *("mean_cpu_seconds", "spent_hours", "left_hours"),
        ),
        _as_it_is("costs"),
    ),
    "search-costs": (("author", "trials", "hours"), _as_it_is("search_costs")),
    "failures": (("job", "error"), lambda outcome: outcome["jobs"]["failures"]),
    "errata": (("title", "text", "what", "value"), _errata),
}
