"""Geometry of a rolling attribution: authors' log-odds along a text, segments and chapters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from byline.formatting import isolated, number, percent, short_number, signed
from byline.report.charts.axes import (
    WIDE,
    Frame,
    Scale,
    Series,
    Tick,
    line_path,
    round_values,
    scale,
    ticks,
)
from byline.report.charts.colours import author_class, author_colours
from byline.report.graphics import shorten

TOP, BOTTOM, LEFT = 40, 268, 46
RIBBON = 18  # height of the strip that names the author of each segment
MAX_LINES = 4
WIDTH_OF_TICK = 85  # units between the numbers of sentences
LETTER, GAP = 7.5, 8.0
LINE = 17.0  # height of a row of names below the chapters

Summary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RollingCurve:
    """The line of one author; the style of the series is the author's number among all."""

    series: Series
    path: str

    @property
    def css(self) -> str:
        """The class that sets the author's colour."""
        return author_class(self.series.style)


@dataclass(frozen=True, slots=True)
class Column:
    """The position of a window, and the text of its tooltip."""

    x: float
    width: float
    title: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The position of a segment or chapter in a ribbon; the name is shortened until it fits.

    The style is the number of the author; -1 for a chapter that is declined.
    """

    x: float
    width: float
    style: int
    name: str
    title: str

    @property
    def css(self) -> str:
        """The class that sets the author's colour."""
        return author_class(self.style) if self.style >= 0 else "declined"


@dataclass(frozen=True, slots=True)
class ChangePointLine:
    """The position of a change point and its interval; no number if it would overlap others."""

    x: float
    left: float
    right: float
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
    chapters: tuple[Strip, ...]
    change_points: tuple[ChangePointLine, ...]
    ribbon: float
    x_label: str
    chapter_ticks: tuple[Tick, ...] = ()
    y_label: str = "nats"

    @property
    def chapter_ribbon(self) -> float:
        """Top of the ribbon of chapters, below that of segments."""
        return self.ribbon + RIBBON + 3

    @property
    def foot(self) -> float:
        """Baseline of the names of chapters, or of the numbers of sentences without chapters."""
        return (self.chapter_ribbon if self.chapters else self.ribbon) + RIBBON + LINE

    @property
    def drawn_curves(self) -> tuple[RollingCurve, ...]:
        """The lines from the lowest: a line with dashes does not hide an equal line below it."""
        solid = author_class(0)
        from_last = self.curves[::-1]
        return tuple(
            curve
            for dashed in (False, True)
            for curve in from_last
            if (curve.css != solid) == dashed
        )

    @property
    def sentence_foot(self) -> float:
        """Baseline of the numbers of sentences."""
        return self.foot + (LINE if self.chapters else 0)

    @property
    def legend(self) -> tuple[Series, ...]:
        """The series in the order of their colours."""
        return tuple(curve.series for curve in self.curves)


def rolling_chart(
    summary: Summary, leading: Sequence[str] = (), width: float = WIDE
) -> RollingChart:
    """Lay out the chart of a rolling attribution that was not declined.

    Parameters
    ----------
    summary : dict
        As `byline.report.rolling.rolling_summary` returns it.
    leading : sequence of str
        Authors who come first in the legend.
    width : float
        Width of the whole figure.

    Examples
    --------
    >>> window = {"start": 1, "end": 20, "log_odds": [1.0, -1.0]}
    >>> segment = {"start": 1, "end": 40, "author": "Ada", "log_odds": [2.0, -2.0]}
    >>> text = {"authors": ["Ada", "Ben"], "n_sentences": 40, "segments": [segment]}
    >>> later = window | {"start": 21, "end": 40}
    >>> summary = text | {"windows": [window, later], "change_points": [], "chapters": []}
    >>> [series.label for series in rolling_chart(summary).legend]
    ['Ada', 'Ben']
    """
    authors, windows = in_order(summary, leading), summary["windows"]
    colours = author_colours(summary["authors"])
    columns = [summary["authors"].index(author) for author in authors]
    values = [[window["log_odds"][column] for window in windows] for column in columns]
    levels = round_values(min(map(min, values)), max(map(max, values)))
    chapters = summary["chapters"]
    below = BOTTOM + 8 + (2 * RIBBON + LINE + 3 if chapters else RIBBON) + 44
    frame = Frame(width, below, LEFT, TOP, width - 8, BOTTOM)
    across = scale(0.5, summary["n_sentences"] + 0.5, frame.left, frame.right)
    down = scale(levels[0], levels[-1], frame.bottom, frame.top)
    middles = [across((window["start"] + window["end"]) / 2) for window in windows]
    return RollingChart(
        frame=frame,
        x_ticks=_sentence_ticks(summary, frame),
        chapter_ticks=_chapter_ticks(chapters, across) if chapters else (),
        y_ticks=ticks(levels, down, short_number),
        zero=down(0),
        curves=tuple(
            RollingCurve(
                Series(shorten(author), colours[author], own, marked=False),
                line_path(zip(middles, map(down, own), strict=True)),
            )
            for author, own in zip(authors, values, strict=True)
        ),
        columns=_columns(windows, middles, frame, authors, columns),
        strips=tuple(_strip(segment, colours, across) for segment in summary["segments"]),
        chapters=tuple(_chapter(chapter, colours, across) for chapter in chapters),
        change_points=_change_points(summary["change_points"], across),
        ribbon=frame.bottom + 8,
        x_label="Chapter, and number of the sentence" if chapters else "Number of the sentence",
    )


def shown_authors(summary: Summary) -> list[str]:
    """Choose the authors with a line: at most `MAX_LINES`, but all authors of segments.

    Parameters
    ----------
    summary : dict
        As `byline.report.rolling.rolling_summary` returns it.
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


def in_order(summary: Summary, leading: Sequence[str]) -> list[str]:
    """Return the authors with a line, those of ``leading`` first."""
    shown = shown_authors(summary)
    return sorted(shown, key=[*leading, *shown].index)


def _sentence_ticks(summary: Summary, frame: Frame) -> tuple[Tick, ...]:
    n_sentences = summary["n_sentences"]
    across = scale(0.5, n_sentences + 0.5, frame.left, frame.right)
    n_ticks = max(2, round((frame.right - frame.left) / WIDTH_OF_TICK))
    inner = [value for value in round_values(1, n_sentences, n_ticks) if value >= 1]
    kept = [value for value in inner if value <= n_sentences]
    return ticks(kept if kept[0] == 1 else [1, *kept], across, short_number)


def _chapter_ticks(chapters: Sequence[Summary], across: Scale) -> tuple[Tick, ...]:
    """Name every n-th chapter, with the smallest n for which the short names do not overlap."""
    middles = [across((each["start"] + each["end"]) / 2) for each in chapters]
    placed = [
        Tick(at, short_chapter_name(each["name"]))
        for at, each in zip(middles, chapters, strict=True)
    ]
    for step in (1, 2, 5, 10, 20, 50, 100):
        some = [tick for tick in placed[::step] if tick.text]
        if all(_are_apart(*pair) for pair in pairwise(some)):
            return tuple(some)
    return tuple(placed[:1])


def _are_apart(left: Tick, right: Tick) -> bool:
    return right.at - left.at > LETTER * (len(left.text) + len(right.text)) / 2 + GAP


def chapter_name(chapter: Summary) -> str:
    """Return the name and the title of a chapter."""
    return " ".join(filter(None, (chapter["name"] or "Before the first heading", chapter["title"])))


def short_chapter_name(name: str) -> str:
    """Return the number of a chapter, or the beginning of another name.

    Examples
    --------
    >>> short_chapter_name("VOLUME II, CHAPTER XIV"), short_chapter_name("EPILOGUE")
    ('XIV', 'EPILOGUE')
    """
    last = name.rpartition(", ")[2].split()
    return shorten(last[-1])[:10] if last else ""


def _columns(
    windows: Sequence[Summary],
    middles: Sequence[float],
    frame: Frame,
    authors: Sequence[str],
    columns: Sequence[int],
) -> tuple[Column, ...]:
    """Give every window the range up to halfway to its neighbours."""
    cuts = [(left + right) / 2 for left, right in pairwise(middles)]
    bounds = [frame.left, *cuts, frame.right]
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


def _strip(segment: Summary, colours: dict[str, int], across: Scale) -> Strip:
    left, right = across(segment["start"] - 0.5), across(segment["end"] + 0.5)
    return Strip(
        x=left,
        width=right - left,
        style=colours[segment["author"]],
        name=fitting_name(segment["author"], right - left),
        title=f"Sentences {segment['start']} to {segment['end']}: {isolated(segment['author'])}",
    )


def fitting_name(name: str, width: float) -> str:
    """Return the longest form of a name that fits: the name, its last word, or its initials.

    Examples
    --------
    >>> [fitting_name("George Washington", width) for width in (150, 90, 30, 10)]
    ['George Washington', 'Washington', 'GW', '']
    """
    words = name.split() or [""]
    forms = (shorten(name), shorten(words[-1]), "".join(word[0] for word in words if word))
    return next((each for each in forms if LETTER * len(each) + GAP <= width), "")


def _chapter(chapter: Summary, colours: dict[str, int], across: Scale) -> Strip:
    left, right = across(chapter["start"] - 0.5), across(chapter["end"] + 0.5)
    author = chapter["author"]
    said = f"declined: {chapter['declined']}" if author is None else isolated(author)
    if chapter["probability"] is not None:
        said += f" {percent(chapter['probability'])}"
    style = -1 if author is None else colours[author]
    name = fitting_name(author or "", right - left)
    return Strip(left, right - left, style, name, f"{chapter_name(chapter)}: {said}")


def _change_points(points: Iterable[Summary], across: Scale) -> tuple[ChangePointLine, ...]:
    lines: list[ChangePointLine] = []
    free = 0.0  # the end of the last number
    for point in points:
        text = number(point["sentence"], 0)
        x, half = across(point["sentence"] - 0.5), LETTER * len(text) / 2
        has_number = x - half > free
        free = x + half + GAP if has_number else free
        title = (
            f"Sentence {text} ({number(point['earliest'], 0)} to {number(point['latest'], 0)}): "
            f"from {isolated(point['before'])} to {isolated(point['after'])}, "
            f"{signed(point['log_lr'], 1)} nats"
        )
        left, right = across(point["earliest"] - 1), across(point["latest"])
        lines.append(ChangePointLine(x, left, right, text if has_number else "", title))
    return tuple(lines)
