"""An experiment's outcome as one self-contained HTML file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from byline.formatting import number, percent, signed
from byline.report import experiment_charts as figures
from byline.report import experiment_wording as words
from byline.report.charts import interval_plot
from byline.report.html import render
from byline.report.summary import Summary, json_values

N_CONFUSIONS = 6
ENDS = ("low", "high")


def experiment_summary(outcome: Mapping[str, Any]) -> Summary:
    """Copy an outcome as JSON has it: None for what is not a finite number.

    Parameters
    ----------
    outcome : mapping
        As `byline.experiments.reproductions.ge_sun_2016.results` returns it.
    """
    summary: Summary = json_values(outcome)
    return summary


def experiment_html(summary: Summary, *, tables: str) -> str:
    """Return the report on an experiment as one HTML file.

    Parameters
    ----------
    summary : dict
        As :func:`experiment_summary` returns it.
    tables : str
        Name of the folder beside the report that holds its tables as CSV.
    """
    values = {
        "outcome": summary,
        "tables": tables,
        "figures": figures,
        "words": words,
        "headline": headline(summary),
        "labels": {model["model"]: model["label"] for model in summary["models"]},
        "claims": claims(summary),
        "pair_claims": in_points(claims_on_pairs(summary)),
        "paper": bool(summary["config"].get("published")),
        "accuracy_groups": figures.groups(summary, "accuracy"),
        "confusion_groups": figures.groups(summary, "confusion"),
        "interval_plot": interval_plot,
        "confusions": most_confused,
        "best_trials": best_trials,
        "not_started": not_started(summary),
        "uncompared": uncompared,
        "by_author": by_author,
        "authors_of": authors_of,
        "in_points": in_points,
        "as_json": as_json,
    }
    return render("experiment.html.j2", values)


def headline(summary: Summary) -> list[dict[str, str]]:
    """Choose the few figures that a reader wants first: "value", "what" and "beside" each."""
    cards = [_perplexity(column, table) for column, table in _telling_columns(summary)]
    labels = {model["model"]: model["label"] for model in summary["models"]}
    claimed = _first_of_each(claims(summary), "rival")
    differences = [_difference(row, labels) for row in claimed]
    return [*cards, *(differences or _best_accuracy(summary))]


def claims(summary: Summary) -> list[Mapping[str, Any]]:
    """Give the comparisons of accuracy of which the paper claims something."""
    return [row for row in summary["comparisons"] if row["claim"] is not None]


def claims_on_pairs(summary: Summary) -> list[Mapping[str, Any]]:
    """Give the claims on pairs of one person for the models, split and rule of the first claims."""
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
    """Give a model's largest shares off the diagonal: "author", "named" and "share"."""
    labels = entry["labels"]
    pairs = [
        {"author": author, "named": named, "share": share}
        for author, row in zip(labels, entry["shares"], strict=True)
        for named, share in zip(labels, row, strict=True)
        if author != named and share
    ]
    return sorted(pairs, key=lambda pair: -pair["share"])[:N_CONFUSIONS]


def best_trials(search: Mapping[str, Any], n: int = 5) -> list[Mapping[str, Any]]:
    """Give the best trials of a search, and the production setting wherever it came out."""
    known = [trial for trial in search["trials"] if trial["cost"] is not None]
    ranked = sorted(known, key=lambda trial: trial["cost"])
    production = [trial for trial in ranked[n:] if trial["trial"] == search["production"]]
    return ranked[:n] + production


def not_started(summary: Mapping[str, Any]) -> list[str]:
    """List authors for whom a setting is to be searched, and no trial is done."""
    begun = {search["author"] for search in summary["search"] if search["trials"]}
    wanted = (summary["config"].get("search") or {"authors": ()})["authors"]
    return [author for author in wanted if author not in begun]


def uncompared(summary: Mapping[str, Any], split: str, rule: str) -> list[dict[str, str]]:
    """List the comparisons that the configuration has and that a split and rule lack."""
    found = {
        (row["model"], row["rival"])
        for row in summary["comparisons"]
        if (row["split"], row["rule"]) == (split, rule)
    }
    wanted = summary["config"]["evaluation"].get("comparisons", ())
    return [{"model": m, "rival": r} for m, r in wanted if (m, r) not in found]


def by_author(
    table: Mapping[str, Any], authors: Sequence[str]
) -> list[tuple[str, list[Mapping[str, Any] | None]]]:
    """Turn a table of perplexities round: each author's row of every column, where it has one."""
    columns = [{row["author"]: row for row in column["rows"]} for column in table["columns"]]
    return [(author, [column.get(author) for column in columns]) for author in authors]


def authors_of(table: Mapping[str, Any]) -> set[str]:
    """Gather the authors whom any column of a table of perplexities has."""
    return {row["author"] for column in table["columns"] for row in column["rows"]}


def in_points(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Turn differences of shares, and their intervals, into percentage points."""
    return [
        {**row, **{k: None if row[k] is None else 100 * row[k] for k in ("difference", *ENDS)}}
        for row in rows
    ]


def as_json(value: Any) -> str:
    """Write a configuration so that people can read it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _telling_columns(summary: Summary) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Columns of the first table: the network's, and the n-grams' with the lowest mean."""
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
    beside = [f"{n} of {of} authors"] if n < of else []
    beside += [f"standard deviation {number(average['sd'], 1)}"] if average["sd"] else []
    for source, name in (("published", "printed"), ("recorded", "recorded by its authors")):
        if average[source]:
            beside.append(f"{name} {number(average[source]['mean'], 1)}")
    return {
        "value": number(average["mean"], 1),
        "what": f"mean perplexity, {column['label']}, {table['split']}",
        "beside": "; ".join(beside),
    }


def _difference(comparison: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, str]:
    low, high = (signed(comparison[end], 1) for end in ENDS)
    model, rival = labels[comparison["model"]], labels[comparison["rival"]]
    return {
        "value": signed(comparison["difference"], 2),
        "what": f"points of accuracy at {comparison['sentences']} sentences, "
        f"{model} against {rival}",
        "beside": f"95 % interval {low} to {high}; claimed {signed(comparison['claim'])}. "
        + words.verdict(comparison),
    }


def _best_accuracy(summary: Summary) -> list[dict[str, str]]:
    """Show the most accurate model of the first split and rule, at a length in the middle."""
    for group in figures.groups(summary, "accuracy")[:1]:
        lengths = group.key_lengths
        sentences = lengths[(len(lengths) - 1) // 2]
        shares = {entry["label"]: group.at(entry, sentences) for entry in group.entries}
        known = {label: share for label, share in shares.items() if share is not None}
        if known:
            best = max(known, key=lambda label: known[label])
            return [_accuracy(known[best], best, sentences, group)]
    return []


def _accuracy(share: float, label: str, sentences: int, group: figures.Group) -> dict[str, str]:
    return {
        "value": percent(share),
        "what": f"of texts of {sentences} sentences given to their author, {label}",
        "beside": f"{group.split}, named by the {words.RULES.get(group.rule, group.rule)}",
    }


def _first_of_each(rows: Iterable[Mapping[str, Any]], key: str) -> Sequence[Mapping[str, Any]]:
    first: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        first.setdefault(row[key], row)
    return list(first.values())
