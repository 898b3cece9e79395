"""Figures of a learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from byline.formatting import number, percent_range, short_number, short_percent
from byline.report.charts.axes import round_values
from byline.report.charts.words import FittedValues, WordPoint, WordSeries, word_chart
from byline.report.figures.figure import Figure

Summary = Mapping[str, Any]
Axis = Literal["known_words", "text_words"]

MOST_SERIES = 4  # that can be distinguished where they are close to each other
LEVELS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
OTHER: Mapping[Axis, Axis] = {"known_words": "text_words", "text_words": "known_words"}
X_LABELS: Mapping[Axis, str] = {
    "known_words": "known words per author",
    "text_words": "words of the questioned text",
}
SERIES: Mapping[Axis, str] = {
    "known_words": "questioned texts of {} words",
    "text_words": "{} known words per author",
}
POINTS = (
    "Points are measured, with 95 % intervals by resampling held-out works and samples of known "
    "texts."
)
FITTED = "Lines are fitted curves, and bands are their 95 % intervals."
CALIBRATION = {True: "calibrated", False: "uncalibrated", None: ""}


def learning_curve_figures(summary: Summary) -> list[Figure]:
    """List the figures of a learning curve: accuracy by both numbers of words, and calibration.

    Parameters
    ----------
    summary : mapping
        As `byline.report.learning_curve_summary` returns it.
    """
    figures = [
        Figure(
            "accuracy-by-known-words",
            "Accuracy by the amount of known text",
            _caption(summary, "known_words", "length of the questioned text"),
            _accuracies(summary, "known_words"),
            "share of texts, by known words per author",
        ),
        Figure(
            "accuracy-by-text-words",
            "Accuracy by the length of the questioned text",
            _caption(summary, "text_words", "amount of known text"),
            _accuracies(summary, "text_words"),
            "share of texts, by words of the questioned text",
        ),
    ]
    if any(point["log_loss"] is not None for point in summary["points"]):
        figures += _calibration(summary)
    return figures


def _calibration(summary: Summary) -> list[Figure]:
    kind = CALIBRATION[summary["is_calibrated"]]
    stated = f"{kind} probabilities".strip()
    return [
        Figure(
            "log-loss",
            "Log loss of the probabilities",
            f"The mean negative log-probability of the true author ({stated}). Lower is better; "
            f"random guessing has {number(summary['log_loss_of_guessing'], 2)}.",
            _by_known_words(summary, "log_loss"),
            "nats, by known words per author",
        ),
        Figure(
            "calibration-error",
            "Expected calibration error",
            f"The mean difference between the stated probability and the accuracy ({stated}). "
            "With few texts, it is above 0 by chance even if the probabilities are right.",
            _by_known_words(summary, "ece"),
            "share of texts, by known words per author",
        ),
    ]


def _caption(summary: Summary, axis: Axis, of_line: str) -> str:
    is_fitted = any(curve["axis"] == axis for curve in summary["curves"])
    sentences = [f"Each line is one {of_line}.", POINTS, *([FITTED] if is_fitted else [])]
    return " ".join(sentences)


def _accuracies(summary: Summary, axis: Axis) -> Any:
    curves = {
        curve["fixed"]: FittedValues(curve["words"], curve["fitted"], curve["low"], curve["high"])
        for curve in summary["curves"]
        if curve["axis"] == axis
    }
    series = [
        WordSeries(
            SERIES[axis].format(short_number(fixed)),
            [_accuracy_point(point, axis) for point in _points(summary, axis, fixed)],
            curves.get(fixed),
        )
        for fixed in _spread(summary, OTHER[axis])
    ]
    return word_chart(
        series,
        x_label=X_LABELS[axis],
        y_label="accuracy",
        levels=LEVELS,
        form=short_percent,
        target=(f"{short_percent(summary['target'])} accuracy", summary["target"]),
    )


def _accuracy_point(point: Summary, axis: Axis) -> WordPoint:
    low, high = point["accuracy_interval"]
    title = f"{short_number(point[axis])} words: {short_percent(point['accuracy'])}"
    return WordPoint(
        point[axis], point["accuracy"], (low, high), f"{title} ({percent_range(low, high)})"
    )


def _by_known_words(summary: Summary, key: str) -> Any:
    """Lay out a metric of the probabilities, for a few lengths of the questioned text."""
    series = [
        WordSeries(
            SERIES["known_words"].format(short_number(fixed)),
            [
                WordPoint(
                    point["known_words"],
                    point[key],
                    point.get(f"{key}_interval"),
                    f"{short_number(point['known_words'])} words: {number(point[key], 3)}",
                )
                for point in _points(summary, "known_words", fixed)
                if point[key] is not None
            ],
        )
        for fixed in _spread(summary, "text_words")
    ]
    drawn = [each for each in series if each.points]
    ends = [
        end for each in drawn for point in each.points for end in point.interval or (point.value,)
    ]
    name = {"log_loss": "log loss (nats)", "ece": "calibration error"}[key]
    return word_chart(
        drawn,
        x_label=X_LABELS["known_words"],
        y_label=name,
        levels=round_values(0.0, max(ends, default=1.0) or 1.0),
    )


def _points(summary: Summary, axis: Axis, fixed: int) -> list[Summary]:
    return [point for point in summary["points"] if point[OTHER[axis]] == fixed]


def _spread(summary: Summary, key: Axis) -> Sequence[int]:
    """Choose at most four of the measured numbers of words, the smallest and the largest too."""
    values = sorted({point[key] for point in summary["points"]})
    if len(values) <= MOST_SERIES:
        return values
    step = (len(values) - 1) / (MOST_SERIES - 1)
    return [values[round(step * place)] for place in range(MOST_SERIES)]
