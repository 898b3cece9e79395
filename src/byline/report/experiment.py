"""The results of an experiment as one self-contained HTML file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from byline.formatting import join_names, number, percent, quantity, signed
from byline.report import experiment as experiment_wording
from byline.report import experiment_charts
from byline.report.charts import interval_plot
from byline.report.charts.axes import known
from byline.report.html import render
from byline.report.summary import Summary, json_values

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


N_CONFUSIONS = 6
ENDS = ("low", "high")


def experiment_summary(results: Mapping[str, Any]) -> Summary:
    """Copy the results with values that JSON supports: None for numbers that are not finite.

    Parameters
    ----------
    results : mapping
        As returned by `byline.experiments.reproductions.ge_sun_2016.results.experiment_results`.

    See Also
    --------
    experiment_html : The report made from the summary.
    experiment_tables : The tables made from the summary.

    Examples
    --------
    >>> experiment_summary({"costs": [{"left_hours": float("inf")}]})
    {'costs': [{'left_hours': None}]}
    """
    summary: Summary = json_values(results)
    return summary


def experiment_html(summary: Summary, *, tables: str) -> str:
    """Return the report on an experiment as one HTML file.

    Parameters
    ----------
    summary : dict
        As :func:`experiment_summary` returns it.
    tables : str
        Name of the folder next to the report that has the tables as CSV.

    See Also
    --------
    experiment_summary : The summary.
    experiment_tables : The tables.

    Examples
    --------
    >>> lists = "models splits perplexity counting accuracy too_short comparisons confusion "
    >>> lists += "pair_claim search costs search_costs errata"
    >>> results = {name: [] for name in lists.split()}  # as of a run that has just begun
    >>> results |= {"title": "A small run", "quick": True, "authors": ["Ada", "Ben"], "seed": 0}
    >>> results |= {"jobs": {"total": 4, "done": 0, "failed": 0, "failures": []}}
    >>> results |= {"config": {}, "machine": {}, "profile": None}
    >>> page = experiment_html(experiment_summary(results), tables="report-tables")
    >>> "<title>A small run</title>" in page
    True
    """
    values = {
        "results": summary,
        "tables": tables,
        "figures": experiment_charts,
        "wording": experiment_wording,
        "headline": headline(summary),
        "labels": {model["model"]: model["label"] for model in summary["models"]},
        "claims": claims(summary),
        "pair_claims": in_percentage_points(claims_on_pairs(summary)),
        "paper": bool(summary["config"].get("published")),
        "accuracy_groups": experiment_charts.groups(summary, "accuracy"),
        "confusion_groups": experiment_charts.groups(summary, "confusion"),
        "interval_plot": interval_plot,
        "confusions": most_confused,
        "best_trials": best_trials,
        "not_started": not_started(summary),
        "uncompared": uncompared,
        "rows_by_author": rows_by_author,
        "authors_of": authors_of,
        "in_percentage_points": in_percentage_points,
        "as_json": as_json,
    }
    return render("experiment.html.j2", values)


def headline(summary: Summary) -> list[dict[str, str]]:
    """Choose the key figures: "value", "what" and "details" each."""
    cards = [_perplexity(column, table) for column, table in _key_columns(summary)]
    labels = {model["model"]: model["label"] for model in summary["models"]}
    claimed = _first_of_each(claims(summary), "rival")
    differences = [_difference(row, labels) for row in claimed]
    return [*cards, *(differences or _best_accuracy(summary))]


def claims(summary: Summary) -> list[Mapping[str, Any]]:
    """Return the comparisons of accuracy about which the paper makes a claim."""
    return [row for row in summary["comparisons"] if row["claim"] is not None]


def claims_on_pairs(summary: Summary) -> list[Mapping[str, Any]]:
    """Return the comparisons of confusions that match the first claims."""
    found = claims(summary)
    compared = {(row["split"], row["rule"], row["model"], row["rival"]) for row in found}
    rules = [row["rule"] for row in found[:1]]
    return [
        row
        for row in summary["pair_claim"]
        if (row["split"], row["rule"], row["model"], row["rival"]) in compared
        and row["rule"] in rules
    ]


def most_confused(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a model's largest confusions: "author", "predicted" and "share"."""
    labels = entry["labels"]
    pairs = [
        {"author": author, "predicted": predicted, "share": share}
        for author, row in zip(labels, entry["shares"], strict=True)
        for predicted, share in zip(labels, row, strict=True)
        if author != predicted and share
    ]
    return sorted(pairs, key=lambda pair: -pair["share"])[:N_CONFUSIONS]


def best_trials(search: Mapping[str, Any], n: int = 5) -> list[Mapping[str, Any]]:
    """Return the best trials of a search, and the production setting whatever its rank."""
    known = [trial for trial in search["trials"] if trial["cost"] is not None]
    ranked = sorted(known, key=lambda trial: trial["cost"])
    production = [trial for trial in ranked[n:] if trial["trial"] == search["production"]]
    return ranked[:n] + production


def not_started(summary: Mapping[str, Any]) -> list[str]:
    """List the authors whose search has no finished trial."""
    started = {search["author"] for search in summary["search"] if search["trials"]}
    wanted = (summary["config"].get("search") or {"authors": ()})["authors"]
    return [author for author in wanted if author not in started]


def uncompared(summary: Mapping[str, Any], split: str, rule: str) -> list[dict[str, str]]:
    """List the comparisons of the configuration that are missing for a split and rule."""
    found = {
        (row["model"], row["rival"])
        for row in summary["comparisons"]
        if (row["split"], row["rule"]) == (split, rule)
    }
    wanted = summary["config"]["evaluation"].get("comparisons", ())
    return [{"model": m, "rival": r} for m, r in wanted if (m, r) not in found]


def rows_by_author(
    table: Mapping[str, Any], authors: Sequence[str]
) -> list[tuple[str, list[Mapping[str, Any] | None]]]:
    """Return, for each author, the row of every column of a table of perplexities, or None."""
    columns = [{row["author"]: row for row in column["rows"]} for column in table["columns"]]
    return [(author, [column.get(author) for column in columns]) for author in authors]


def authors_of(table: Mapping[str, Any]) -> set[str]:
    """Return the authors who are in any column of a table of perplexities."""
    return {row["author"] for column in table["columns"] for row in column["rows"]}


def in_percentage_points(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Convert differences of shares, and their intervals, to percentage points."""
    return [
        {**row, **{k: None if row[k] is None else 100 * row[k] for k in ("difference", *ENDS)}}
        for row in rows
    ]


def as_json(value: Any) -> str:
    """Format a configuration for readers."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _key_columns(summary: Summary) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return two columns of the first table: a network, and the n-grams with the lowest mean."""
    kinds = {model["model"]: model["kind"] for model in summary["models"]}
    for table in summary["perplexity"][:1]:
        known = [column for column in table["columns"] if column["average"]["mean"] is not None]
        printed = [column for column in known if column["average"]["published"]] or known
        networks = [column for column in printed if kinds[column["model"]] != "ngram"]
        ngrams = [column for column in printed if kinds[column["model"]] == "ngram"]
        ngrams.sort(key=lambda column: column["average"]["mean"])
        return [(column, table) for column in [*networks[:1], *ngrams[:1]]]
    return []


def _perplexity(column: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, str]:
    average, n, of = column["average"], len(column["rows"]), len(authors_of(table))
    details = [f"{n} of {of} authors"] if n < of else []
    details += [f"standard deviation {number(average['sd'], 1)}"] if average["sd"] else []
    for source, name in (("published", "printed"), ("recorded", "recorded by the authors")):
        if average[source]:
            details.append(f"{name} {number(average[source]['mean'], 1)}")
    return {
        "value": number(average["mean"], 1),
        "what": f"mean perplexity, {column['label']}, {table['split']}",
        "details": "; ".join(details),
    }


def _difference(comparison: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, str]:
    low, high = (signed(comparison[end], 1) for end in ENDS)
    model, rival = labels[comparison["model"]], labels[comparison["rival"]]
    return {
        "value": signed(comparison["difference"], 2),
        "what": f"percentage points of accuracy at {comparison['sentences']} sentences, "
        f"{model} against {rival}",
        "details": f"95 % interval {low} to {high}; claimed {signed(comparison['claim'])}. "
        + experiment_wording.verdict(comparison),
    }


def _best_accuracy(summary: Summary) -> list[dict[str, str]]:
    """Return the most accurate model of the first split and rule, at a medium length."""
    for group in experiment_charts.groups(summary, "accuracy")[:1]:
        lengths = group.key_lengths
        sentences = lengths[(len(lengths) - 1) // 2]
        shares = {entry["label"]: group.at(entry, sentences) for entry in group.entries}
        known = {label: share for label, share in shares.items() if share is not None}
        if known:
            best = max(known, key=lambda label: known[label])
            return [_accuracy(known[best], best, sentences, group)]
    return []


def _accuracy(
    share: float, label: str, sentences: int, group: experiment_charts.Group
) -> dict[str, str]:
    rule = experiment_wording.RULES.get(group.rule, group.rule)
    return {
        "value": percent(share),
        "what": f"of texts of {sentences} sentences correctly attributed, {label}",
        "details": f"{group.split}, attributed to the author with the {rule}",
    }


def _first_of_each(rows: Iterable[Mapping[str, Any]], key: str) -> Sequence[Mapping[str, Any]]:
    first: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        first.setdefault(row[key], row)
    return list(first.values())
