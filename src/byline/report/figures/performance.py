"""Figures on accuracy and calibration: of cases, evaluations and open-set evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from byline.formatting import isolated, percent
from byline.report.charts.calibration import (
    cross_entropy_chart,
    reliability_chart,
    tippett_chart,
)
from byline.report.charts.lines import length_chart
from byline.report.charts.marks import mark_chart
from byline.report.figures.figure import Figure, named_for, point_series
from byline.report.graphics import heat_map

Summary = Mapping[str, Any]

AFTER, BEFORE = "probabilities", "language models alone"
INTERVALS = "Vertical lines are 95 % intervals (Wilson), which assume independent texts."
LOWER = "Where the points are below the dashed line, the stated probabilities are too high."
LR_UNITS = "share of likelihood ratios, by their decimal logarithm"
PROBABILITY_UNITS = "share of texts, by stated probability"
MATRIX = (
    "A row is a true author and a column is the author to whom texts were attributed. A cell shows "
    "the number of texts; a darker colour is a larger share of the row. Correct attributions are "
    "on the diagonal and blue. Misattributions are orange (in grey: hatched). Authors without "
    "texts in the row and in the column are left out."
)


def performance_figures(
    performance: Summary | None, size: int | None = None, prefix: str = ""
) -> dict[str, Figure]:
    """Return the accuracy by length, the reliability diagram and the Tippett plot.

    Parameters
    ----------
    performance : mapping or None
        "performance" or "simulated" of `byline.report.case_summary`.
    size : int, optional
        The length of the questioned text.
    prefix : str
        The beginning of the names.
    """
    if performance is None:
        return {}
    of_what = "questioned texts of simulated cases" if prefix else "held-out known texts"
    by_length = length_chart(performance["by_length"], size)
    here = by_length and by_length.here is not None
    tippett = performance["tippett"]
    return {
        "lengths": Figure(
            f"{prefix}lengths",
            "Accuracy by text length",
            f"Accuracy for {of_what}; vertical lines are 95 % intervals"
            + (", and the dashed line is the length of the questioned text." if here else "."),
            by_length,
            "share of texts, by number of characters",
        ),
        "reliability": Figure(
            f"{prefix}reliability",
            "Are the stated probabilities correct?",
            "Accuracy of the answers, by their stated probability. Each point is a tenth of the "
            f"texts. {INTERVALS} {LOWER}",
            reliability_chart({AFTER: performance["reliability"]}),
            PROBABILITY_UNITS,
        ),
        "tippett": Figure(
            f"{prefix}tippett",
            "Do likelihood ratios discriminate between true authors and others?",
            "Share of likelihood ratios at or above a value (Tippett plot). The farther apart the "
            f"lines are, the better. Misleading evidence: {_misleading(tippett)}",
            tippett_chart(tippett),
            LR_UNITS,
        ),
    }


def calibration_figures(
    calibration: Summary, prefix: str = "", *, explained: bool = True
) -> dict[str, Figure]:
    """Return the reliability diagram, the Tippett plot and the empirical cross-entropy.

    Parameters
    ----------
    calibration : mapping
        "calibration" of a row of `byline.report.evaluation_summary`.
    prefix : str
        The beginning of the names.
    explained : bool
        Whether the captions explain how to read the figures.
    """
    by_stage = {AFTER: calibration["after"], BEFORE: calibration["before"]}
    bins = {label: each["reliability"] if each else [] for label, each in by_stage.items()}
    tippett, entropy = calibration["tippett"], calibration["cross_entropy"]

    def caption(explanation: str, found: str = "") -> str:
        return f"{explanation} {found}".strip() if explained else found

    return {
        "reliability": Figure(
            f"{prefix}reliability",
            "Reliability",
            caption(
                "Accuracy of the attributions, by their stated probability. Each point is a "
                f"tenth of the texts. {INTERVALS} {LOWER}"
            ),
            reliability_chart(bins) if any(bins.values()) else None,
            PROBABILITY_UNITS,
        ),
        "tippett": Figure(
            f"{prefix}tippett",
            "Tippett plot",
            caption(
                "Share of likelihood ratios at or above a value.", tippett and _misleading(tippett)
            ),
            tippett and tippett_chart(tippett),
            LR_UNITS,
        ),
        "entropy": Figure(
            f"{prefix}entropy",
            "Empirical cross-entropy",
            caption(
                "Remaining uncertainty about the author, for all prior odds. Where the line of the "
                "likelihood ratios is above that of no evidence, they are misleading."
            ),
            entropy and cross_entropy_chart(entropy),
            "bits, by the decimal logarithm of the prior odds",
        ),
    }


def evaluation_figures(summary: Summary) -> list[Figure]:
    """List the figures of an evaluation.

    Parameters
    ----------
    summary : mapping
        As `byline.report.evaluation_summary` returns it.
    """
    rows = [summary, *summary["by_length"]]
    found = [accuracy_figure(summary), author_figure(summary)]
    for row in rows:
        length = length_name(row)
        suffix = "" if row["sentences"] is None else f"-{row['sentences']}-sentences"
        found.append(confusion_figure(row["confusion"], f"confusions{suffix}", length))
        if row["calibration"]:
            of_length = calibration_figures(row["calibration"])
            found += named_for(of_length.values(), suffix, length)
    return found


def accuracy_figure(summary: Summary) -> Figure:
    """Return the accuracy of each length of text, and that of the most frequent author."""
    rows = [summary, *summary["by_length"], summary["baselines"]["most_frequent_author"]]
    names = [*map(length_name, rows[:-1]), "most frequent author"]
    values = [row["accuracy"] for row in rows]
    intervals = [tuple(row["accuracy_interval"]) for row in rows]
    return Figure(
        "accuracy",
        "Accuracy",
        "Share of texts whose highest-ranked candidate is the true author, including texts that "
        "Byline would decline to attribute. Lines are 95 % intervals (Wilson), which "
        "assume independent texts. Most frequent author: the accuracy if all texts were attributed "
        "to the author with the most known documents.",
        mark_chart(names, [point_series("accuracy", values, intervals)], x_label="accuracy"),
        "share of texts",
    )


def author_figure(summary: Summary) -> Figure:
    """Return the recall and the precision of each author."""
    rows = summary["per_author"]
    keys = ("recall", "precision")
    series = [
        point_series(key, [row[key] for row in rows], style=style) for style, key in enumerate(keys)
    ]
    return Figure(
        "authors",
        "Recall and precision by author",
        "Recall: the share of the author’s texts that were attributed to the author. Precision: "
        "the share of the texts attributed to the author that the author wrote.",
        mark_chart([row["author"] for row in rows], series, x_label="share of texts"),
        "share of texts",
    )


def confusion_figure(confusion: Summary, name: str, of_what: str = "") -> Figure:
    """Return the confusion matrix of texts of one length."""
    return Figure(
        name,
        f"Confusion matrix, {of_what}" if of_what else "Confusion matrix",
        MATRIX,
        heat_map(confusion) if any(map(any, confusion["matrix"])) else None,
        "number of texts",
    )


def length_name(row: Summary) -> str:
    """Return the length of the texts of a row of an evaluation, in words.

    Examples
    --------
    >>> length_name({"sentences": None}), length_name({"sentences": 1})
    ('whole texts', '1 sentence')
    """
    n = row["sentences"]
    return "whole texts" if n is None else "1 sentence" if n == 1 else f"{n} sentences"


def open_set_figures(summary: Summary, names: Sequence[str]) -> list[Figure]:
    """List the figures of an open-set evaluation.

    Parameters
    ----------
    summary : mapping
        As `byline.report.open_set_summary` returns it.
    names : sequence of str
        The requested rates in words.
    """
    rows = summary["by_rate"]
    sides = (("false_attribution", "false attributions"), ("missed", "missed"))
    series = [
        point_series(
            label,
            [row[f"{key}_rate"] for row in rows],
            [tuple(row[f"{key}_interval"]) for row in rows],
            style=style,
        )
        for style, (key, label) in enumerate(sides)
    ]
    return [
        Figure(
            "open-set-errors",
            "False and missed attributions by requested rate",
            "False attributions: texts by unknown authors that were attributed to a candidate. "
            "Missed: texts by candidates that were not attributed to their author. Lines are 95 % "
            "confidence intervals, which allow for the dependence of texts by the same author.",
            mark_chart(names, series, x_label="share of texts"),
            "share of texts",
        )
    ]


def candidates_figure(entry: Summary) -> Figure:
    """Return the probabilities of the candidates of a questioned text."""
    ranking: Iterable[Summary] = entry["ranking"] or ()
    stated = [place for place in ranking if place["probability"] is not None]
    return Figure(
        "candidates",
        "Probability of each candidate",
        "Calibrated probabilities that compare the named candidates only.",
        mark_chart(
            [isolated(place["author"]) for place in stated],
            [point_series("probability", [place["probability"] for place in stated])],
            x_label="probability",
        )
        if stated
        else None,
        "probability",
    )


def _misleading(tippett: Summary) -> str:
    return (
        f"{percent(tippett['misleading_targets'])} of the ratios of true authors are below 1, and "
        f"{percent(tippett['misleading_nontargets'])} of those of other candidates are above 1."
    )
