"""Rolling attribution as a JSON-serialisable dictionary and as a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from byline.attribution.rolling import RollingAttribution
from byline.formatting import isolated, number, short_number, signed
from byline.report.charts.axes import Frame, Scale, Series, Tick, round_values, scale, ticks
from byline.report.graphics import shorten

FRAME = Frame(width=500, height=340, left=46, top=40, right=492, bottom=268)
RIBBON = 18  # height of the strip that names the author of each segment
MAX_LINES = 4
N_X_TICKS = 6
OPENING = 90  # characters of a sentence that are quoted

Summary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RollingCurve:
    """The line of one author."""

    series: Series
    path: str


@dataclass(frozen=True, slots=True)
class Column:
    """The position of a window, and the text of its tooltip."""

    x: float
    width: float
    title: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The position of a segment in the ribbon; the name is empty if it does not fit."""

    x: float
    width: float
    style: int
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class ChangePointLine:
    """The position of a change point."""

    x: float
    number: str
    title: str


@dataclass(frozen=True, slots=True)
class RollingChart:
    """The geometry of a chart: authors' log-odds along a text, change points and segments."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    zero: float
    curves: tuple[RollingCurve, ...]
    columns: tuple[Column, ...]
    strips: tuple[Strip, ...]
    change_points: tuple[ChangePointLine, ...]
    ribbon: float
    y_label: str = "nats"

    @property
    def legend(self) -> tuple[Series, ...]:
        """The series in the order of their colours."""
        return tuple(curve.series for curve in self.curves)


def rolling_summary(rolling: RollingAttribution) -> Summary:
    """Summarise a rolling attribution.

    Parameters
    ----------
    rolling : RollingAttribution
        The result for one text.

    Returns
    -------
    dict
        JSON values. Sentences are numbered from 1, and "end" is the last sentence of a range.
        "declined" (None or the reason), "authors", "n_sentences", "window", "step"; "windows":
        "start", "end", "log_odds" and "probabilities" (or None), one value per author; "segments":
        "start", "end", "author", "log_odds"; "change_points": "sentence" (the first one after the
        change), "before", "after", "log_lr" (nats), "opening" (the beginning of that sentence).

    See Also
    --------
    rolling_part : Add the geometry of the chart.

    Examples
    --------
    >>> from byline.attribution.rolling import RollingAttribution
    >>> result = RollingAttribution(("Ada", "Ben"), ("One.",), 5, 2, declined="too short")
    >>> rolling_summary(result)["declined"]
    'too short'
    """
    return {
        "declined": rolling.declined,
        "authors": list(rolling.authors),
        "n_sentences": len(rolling.sentences),
        "window": rolling.window,
        "step": rolling.step,
        "windows": [
            {
                "start": window.start + 1,
                "end": window.end,
                "log_odds": list(window.log_odds),
                "probabilities": window.probabilities and list(window.probabilities),
            }
            for window in rolling.windows
        ],
        "segments": [
            {
                "start": segment.start + 1,
                "end": segment.end,
                "author": segment.author,
                "log_odds": list(segment.log_odds),
            }
            for segment in rolling.segments
        ],
        "change_points": [
            {
                "sentence": point.sentence + 1,
                "before": point.before,
                "after": point.after,
                "log_lr": point.log_lr,
                "opening": _opening(rolling.sentences[point.sentence]),
            }
            for point in rolling.change_points
        ],
    }


def rolling_part(summary: Summary, leading: Sequence[str] = ()) -> Summary:
    """Add the geometry of the chart to a summary.

    The keys are "chart", None if declined, and "columns", the indices in "authors" of those who
    have a line.

    Parameters
    ----------
    summary : dict
        As `rolling_summary` returns it.
    leading : sequence of str
        Authors who have the first colours, as they have in the text next to the chart.

    Examples
    --------
    >>> rolling_part({"declined": "too short"})["chart"] is None
    True
    """
    if summary["declined"]:
        return summary | {"chart": None, "columns": []}
    columns = [summary["authors"].index(author) for author in _in_order(summary, leading)]
    return summary | {"chart": rolling_chart(summary, leading), "columns": columns}


def rolling_chart(summary: Summary, leading: Sequence[str] = ()) -> RollingChart:
    """Lay out the chart of a rolling attribution that was not declined.

    The authors of segments have a line, then those who are first in most windows. The parameters
    are those of `rolling_part`.
    """
    authors, windows = _in_order(summary, leading), summary["windows"]
    columns = [summary["authors"].index(author) for author in authors]
    values = [[window["log_odds"][column] for window in windows] for column in columns]
    levels = round_values(min(map(min, values)), max(map(max, values)))
    across = scale(0.5, summary["n_sentences"] + 0.5, FRAME.left, FRAME.right)
    down = scale(levels[0], levels[-1], FRAME.bottom, FRAME.top)
    middles = [across((window["start"] + window["end"]) / 2) for window in windows]
    return RollingChart(
        frame=FRAME,
        x_ticks=ticks(_sentence_numbers(summary["n_sentences"]), across, short_number),
        y_ticks=ticks(levels, down, short_number),
        zero=down(0),
        curves=tuple(
            RollingCurve(
                Series(shorten(author), place, own, marked=False),
                _path(middles, map(down, own)),
            )
            for place, (author, own) in enumerate(zip(authors, values, strict=True))
        ),
        columns=_columns(windows, middles, authors, columns),
        strips=tuple(_strip(segment, authors, across) for segment in summary["segments"]),
        change_points=tuple(_change_point(point, across) for point in summary["change_points"]),
        ribbon=FRAME.bottom + 8,
    )


def shown_authors(summary: Summary) -> list[str]:
    """Choose the authors with a line: at most `MAX_LINES`, but all authors of segments.

    Parameters
    ----------
    summary : dict
        As `rolling_summary` returns it.
    """
    named = dict.fromkeys(segment["author"] for segment in summary["segments"])
    firsts = Counter(
        max(range(len(w["log_odds"])), key=w["log_odds"].__getitem__) for w in summary["windows"]
    )
    means = [
        sum(values) for values in zip(*(w["log_odds"] for w in summary["windows"]), strict=True)
    ]
    order = sorted(range(len(means)), key=lambda column: (-firsts[column], -means[column]))
    others = [summary["authors"][c] for c in order if summary["authors"][c] not in named]
    return [*named, *others[: max(0, MAX_LINES - len(named))]]


def _in_order(summary: Summary, leading: Sequence[str]) -> list[str]:
    """Return the authors with a line, those of ``leading`` first."""
    shown = shown_authors(summary)
    return sorted(shown, key=[*leading, *shown].index)


def _opening(sentence: str) -> str:
    words = " ".join(sentence.split())
    return words if len(words) <= OPENING else words[: OPENING - 1].rstrip() + "…"


def _path(xs: Sequence[float], ys: Any) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(xs, ys, strict=True))


def _sentence_numbers(n_sentences: int) -> list[float]:
    inner = [value for value in round_values(1, n_sentences, N_X_TICKS) if value >= 1]
    kept = [value for value in inner if value <= n_sentences]
    return kept if kept[0] == 1 else [1, *kept]


def _columns(
    windows: Sequence[Summary],
    middles: Sequence[float],
    authors: Sequence[str],
    columns: Sequence[int],
) -> tuple[Column, ...]:
    """Give every window the range up to halfway to its neighbours."""
    cuts = [(left + right) / 2 for left, right in pairwise(middles)]
    bounds = [FRAME.left, *cuts, FRAME.right]
    return tuple(
        Column(bounds[i], bounds[i + 1] - bounds[i], _window_title(window, authors, columns))
        for i, window in enumerate(windows)
    )


def _window_title(window: Summary, authors: Sequence[str], columns: Sequence[int]) -> str:
    values = ", ".join(
        f"{isolated(author)} {signed(window['log_odds'][column])}"
        for author, column in zip(authors, columns, strict=True)
    )
    return f"Sentences {window['start']} to {window['end']}: {values}"


def _strip(segment: Summary, authors: Sequence[str], across: Scale) -> Strip:
    left, right = across(segment["start"] - 0.5), across(segment["end"] + 0.5)
    name = shorten(segment["author"])
    fits = right - left > 7.5 * len(name) + 8
    return Strip(
        x=left,
        width=right - left,
        style=authors.index(segment["author"]),
        name=name if fits else "",
        title=f"Sentences {segment['start']} to {segment['end']}: {isolated(segment['author'])}",
    )


def _change_point(point: Summary, across: Scale) -> ChangePointLine:
    title = (
        f"Sentence {number(point['sentence'], 0)}: from {isolated(point['before'])} to "
        f"{isolated(point['after'])}, {signed(point['log_lr'], 1)} nats"
    )
    return ChangePointLine(across(point["sentence"] - 0.5), number(point["sentence"], 0), title)
