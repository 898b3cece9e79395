"""The tables of an experiment's report as CSV: one observation per row, in full precision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from byline.report.data_table import DataTable

Results = Mapping[str, Any]
Row = Mapping[str, Any]

PRINTED_SIZES = (
    *("n_sentences", "n_words", "words_per_sentence"),
    *("vocabulary_original", "vocabulary_stemmed", "vocabulary_pruned"),
)
SETTINGS = ("embedding_dim", "hidden_dim", "learning_rate", "momentum", "batch_size")


def experiment_tables(results: Results) -> dict[str, DataTable]:
    """Return all tables of a report, also those that are still empty.

    Parameters
    ----------
    results : dict
        As :func:`byline.report.experiment_summary` returns it.

    Returns
    -------
    dict of str to DataTable
        The tables by their names.

    See Also
    --------
    byline.report.experiment_html : The report itself.

    Examples
    --------
    >>> lists = "splits perplexity counting accuracy comparisons confusion pair_claim search "
    >>> results = {name: [] for name in (lists + "costs search_costs errata").split()}
    >>> failure = {"job": "by-sentence.0.kn4.Ada", "error": "out of memory"}
    >>> results |= {"profile": None, "jobs": {"failures": [failure]}}
    >>> print(experiment_tables(results)["failures"].to_csv())
    job,error
    by-sentence.0.kn4.Ada,out of memory
    <BLANKLINE>
    """
    return {
        name: DataTable(columns, [tuple(map(row.get, columns)) for row in rows(results)])
        for name, (columns, rows) in _TABLES.items()
    }


def _profile(results: Results) -> Iterator[Row]:
    for row in (results["profile"] or {"rows": []})["rows"]:
        printed = row["published"] or {}
        yield row | {f"printed_{size}": printed.get(size) for size in PRINTED_SIZES}


def _coverage(results: Results) -> Iterator[Row]:
    for row in (results["profile"] or {"rows": []})["rows"]:
        for size, share in row["coverage"].items():
            yield {"author": row["author"], "most_frequent": size, "share": share}


def _splits(results: Results) -> Iterator[Row]:
    for split in results["splits"]:
        yield split | {"seeds": _joined(split["seeds"])}


def _perplexity(results: Results) -> Iterator[Row]:
    for column in _columns(results):
        for row in column["rows"]:
            yield column | row | _prefixed(row, "published") | _prefixed(row, "recorded")


def _averages(results: Results) -> Iterator[Row]:
    for column in _columns(results):
        row = column["average"]
        yield column | row | _prefixed(row, "published") | _prefixed(row, "recorded")


def _columns(results: Results) -> Iterator[Row]:
    for table in results["perplexity"]:
        for column in table["columns"]:
            yield column | {"split": table["split"], "seeds": _joined(column["seeds"])}


def _accuracy(results: Results) -> Iterator[Row]:
    for entry in results["accuracy"]:
        highlighted, mean = entry["highlighted"], entry["mean"]
        curves = [("mean", "", mean)]
        if highlighted is not None:
            curves.append(("highlighted", highlighted["author"], highlighted))
        for of, author, curve in curves:
            figures = zip(entry["sentences"], curve["mean"], curve["sd"], strict=True)
            for sentences, value, spread in figures:
                shown = {"sentences": sentences, "mean": value, "sd": spread}
                yield entry | {"of": of, "author": author} | shown


def _stages(results: Results) -> Iterator[Row]:
    for entry in results["accuracy"]:
        for row in entry["stages"]:
            for sentences, share in row["accuracy"].items():
                shown = {"author": row["author"], "sentences": sentences, "accuracy": share}
                yield entry | shown


def _n_best(results: Results) -> Iterator[Row]:
    for entry in results["accuracy"]:
        for stage in entry["n_best"]:
            for best in stage["shares"]:
                yield entry | {"sentences": stage["sentences"]} | best


def _comparisons(results: Results) -> Iterator[Row]:
    for comparison in results["comparisons"]:
        yield comparison | {"seeds": _joined(comparison["seeds"])}


def _confusion(results: Results) -> Iterator[Row]:
    for entry in results["confusion"]:
        for author, n, shares in zip(entry["labels"], entry["n"], entry["shares"], strict=True):
            for predicted, share in zip(entry["labels"], shares, strict=True):
                yield entry | {"author": author, "predicted": predicted, "n": n, "share": share}


def _pairs(results: Results) -> Iterator[Row]:
    for entry in results["confusion"]:
        for pair in entry["pairs"]:
            yield entry | pair


def _search(results: Results) -> Iterator[Row]:
    for search in results["search"]:
        for trial in search["trials"]:
            yield search | trial | trial["settings"] | {"best": trial["trial"] == search["best"]}


def _tuned(results: Results) -> Iterator[Row]:
    for search in results["search"]:
        if search["tuned"] is not None:
            tuned = search["tuned"]
            yield search | tuned | {"seeds": _joined(tuned["seeds"])}


def _errata(results: Results) -> Iterator[Row]:
    for erratum in results["errata"]:
        for figure in erratum["figures"] or [{}]:
            yield erratum | figure


def _unchanged(key: str) -> Callable[[Results], Iterable[Row]]:
    return lambda results: results[key]


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _prefixed(row: Row, source: str) -> Row:
    figures = row[source] or {}
    return {f"{source}_mean": figures.get("mean"), f"{source}_sd": figures.get("sd")}


_ENTRY = ("split", "rule", "model")
_COLUMN = ("split", "model", "part", "unknown", "seeds")
_MEASURED = (
    *("mean", "sd", "n", "n_infinite", "published_mean", "published_sd", "difference"),
    *("recorded_mean", "recorded_sd"),
)
_TABLES: Mapping[str, tuple[tuple[str, ...], Callable[[Results], Iterable[Row]]]] = {
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
        _unchanged("counting"),
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
    "confusion": ((*_ENTRY, "author", "predicted", "n", "share"), _confusion),
    "pairs": (
        (
            *(*_ENTRY, "author", "predicted", "share", "low", "high"),
            *("largest_other_author", "largest_other", "mean_other", "rank"),
        ),
        _pairs,
    ),
    "pair-claim": (
        (*_ENTRY, "rival", "author", "predicted", "difference", "low", "high"),
        _unchanged("pair_claim"),
    ),
    "costs": (
        (
            *("split", "model", "jobs_done", "jobs_failed", "jobs_left"),
            *("mean_cpu_seconds", "spent_hours", "left_hours"),
        ),
        _unchanged("costs"),
    ),
    "search-costs": (("author", "trials", "hours"), _unchanged("search_costs")),
    "failures": (("job", "error"), lambda results: results["jobs"]["failures"]),
    "errata": (("title", "text", "what", "value"), _errata),
}
