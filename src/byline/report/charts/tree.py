"""Trees of authors (dendrograms): leaves at the left; larger distances join farther right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import isolated, short_number
from byline.report.charts.axes import Frame, Scale, Tick, label_width, round_values, scale, ticks
from byline.report.graphics import Label, place_labels

TOP, ROW, WIDTH = 10, 21, 236
N_TICKS = 4
MAX_NAMES = 8  # authors who are named in the text of a join


@dataclass(frozen=True, slots=True)
class Branch:
    """The join of two groups: a path from the first to the second.

    Attributes
    ----------
    path : str
        The path of the line.
    x, y : float
        The middle of its vertical part, where the next join starts.
    title : str
        The authors who are joined, and their distance.
    """

    path: str
    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class TreeChart:
    """A tree with all positions."""

    frame: Frame
    width: float
    height: float
    labels: tuple[Label, ...]
    branches: tuple[Branch, ...]
    x_ticks: tuple[Tick, ...]
    x_label: str


def tree_chart(
    names: Sequence[str],
    order: Sequence[int],
    joins: Sequence[Mapping[str, Any]],
    *,
    x_label: str,
) -> TreeChart:
    """Lay out a tree.

    Parameters
    ----------
    names : sequence of str, (n_leaves,)
        At least two.
    order : sequence of int, (n_leaves,)
        The indices of the leaves from top to bottom.
    joins : sequence of mapping, (n_leaves - 1,)
        "first" and "second", the groups, numbered as by `byline.attribution.similarity.Join`, and
        "height", from 0.
    x_label : str
        What the heights mean.
    """
    levels = round_values(0.0, max(join["height"] for join in joins) or 1.0, N_TICKS)
    left = label_width(names) + 12
    right, bottom = left + WIDTH, TOP + ROW * len(names)
    across = scale(levels[0], levels[-1], left, right)
    frame = Frame(right + 18, bottom + 44, left, TOP, right, bottom)
    return TreeChart(
        frame=frame,
        width=frame.width,
        height=frame.height,
        labels=place_labels(names, order, lambda place: (left - 6, TOP + ROW * (place + 0.5) + 4)),
        branches=tuple(_branches(names, order, joins, across)),
        x_ticks=ticks(levels, across, short_number),
        x_label=x_label,
    )


def _branches(
    names: Sequence[str],
    order: Sequence[int],
    joins: Sequence[Mapping[str, Any]],
    across: Scale,
) -> Iterator[Branch]:
    """Lay out each join from the ends of its two groups."""
    heights = {leaf: TOP + ROW * (place + 0.5) for place, leaf in enumerate(order)}
    ends = [(across(0.0), heights[leaf]) for leaf in range(len(names))]
    groups = [[leaf] for leaf in range(len(names))]
    for join in joins:
        first, second, x = join["first"], join["second"], across(join["height"])
        (x1, y1), (x2, y2) = ends[first], ends[second]
        ends.append((x, (y1 + y2) / 2))
        groups.append(groups[first] + groups[second])
        pair = (_named(names, groups[first]), _named(names, groups[second]))
        yield Branch(
            path=f"M{x1:.1f} {y1:.1f}H{x:.1f}V{y2:.1f}H{x2:.1f}",
            x=x,
            y=ends[-1][1],
            title=f"{pair[0]} and {pair[1]}: {join['height']:.3f}",
        )


def _named(names: Sequence[str], group: Sequence[int]) -> str:
    shown = [isolated(names[leaf]) for leaf in group[:MAX_NAMES]]
    more = len(group) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
