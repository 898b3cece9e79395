"""Trees of texts: a cluster tree with its leaves at the right, and an unrooted tree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import percent, quantity, short_number
from byline.report.charts.axes import WIDE, Tick, label_width, round_values, scale, ticks
from byline.report.charts.text_points import (
    PlacedLabel,
    TextPoint,
    TextStyle,
    place_labels_apart,
    text_labels,
    text_points,
    unlabelled,
)

_ROW = 19.0
_TOP = 8.0
_ARC = 15.0  # distance of two leaves on a large circle
_MOST_ON_CIRCLE = {True: 60, False: 14}  # leaves, of wide and of narrow figures
_POLE = 60.0  # height of the labels above and below the circle
_MIXED = "mixed"  # the CSS class of branches with texts by several authors


@dataclass(frozen=True, slots=True)
class Node:
    """A group of texts, or a single text.

    Attributes
    ----------
    texts : tuple of int
        The indices of its texts.
    height : float
        0 for a text.
    children : tuple of Node
    share : float or None
        In a consensus tree, the share of the trees that contain the group.
    """

    texts: tuple[int, ...]
    height: float = 0.0
    children: tuple[Node, ...] = ()
    share: float | None = None


@dataclass(frozen=True, slots=True)
class TextBranch:
    """A branch: its path, the CSS class of its colour, the width of its line, and its title."""

    path: str
    colour: str
    width: float
    title: str


@dataclass(frozen=True, slots=True)
class TextTreeChart:
    """A tree of texts with all positions.

    Attributes
    ----------
    width, height : float
    branches : tuple of TextBranch
    points : tuple of TextPoint
        The leaves.
    labels : tuple of PlacedLabel
    x_ticks : tuple of Tick
        Heights; empty for a consensus.
    x_label : str
    """

    width: float
    height: float
    branches: tuple[TextBranch, ...]
    points: tuple[TextPoint, ...]
    labels: tuple[PlacedLabel, ...]
    x_ticks: tuple[Tick, ...] = ()
    x_label: str = ""

    @property
    def unlabelled(self) -> str:
        """A sentence with the names of texts without a label; empty if all have one."""
        return unlabelled(self.points, self.labels)


def cluster_node(n_texts: int, joins: Sequence[Mapping[str, Any]]) -> Node:
    """Return the root of a cluster tree from its "joins"."""
    nodes = [Node((text,)) for text in range(n_texts)]
    for join in joins:
        pair = (nodes[join["first"]], nodes[join["second"]])
        nodes.append(Node(pair[0].texts + pair[1].texts, join["height"], pair))
    return nodes[-1]


def consensus_node(n_texts: int, groups: Sequence[tuple[Sequence[int], float]]) -> Node:
    """Return the root of a consensus tree from its groups and their shares.

    The height of a group is the number of levels in it.
    """
    nodes = {text: Node((text,)) for text in range(n_texts)}
    for texts, share in sorted(groups, key=lambda group: len(group[0])):
        inside = tuple(dict.fromkeys(nodes[text] for text in texts))
        joined = Node(_texts(inside), _levels(inside), inside, share)
        nodes.update(dict.fromkeys(texts, joined))
    inside = tuple(dict.fromkeys(nodes.values()))
    return Node(_texts(inside), _levels(inside), inside)


def _texts(nodes: Sequence[Node]) -> tuple[int, ...]:
    return tuple(text for node in nodes for text in node.texts)


def _levels(nodes: Sequence[Node]) -> float:
    return 1 + max(node.height for node in nodes)


def text_tree_chart(
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
    root: Node,
    width: float,
    x_label: str = "",
) -> TextTreeChart:
    """Lay out a tree with the root at the left and the leaves at the right.

    Parameters
    ----------
    texts : sequence of mapping
        "name" and "author" of each text.
    styles : mapping
        As `text_styles` returns it.
    root : Node
    width : float
    x_label : str
        What the heights mean; without it, there is no axis.
    """
    names = text_labels([text["name"] for text in texts], width)
    levels = round_values(0.0, root.height or 1.0, 5 if width >= WIDE else 3)
    right = width - label_width(names) - 24
    across = scale(0.0, levels[-1], right, 14.0)
    rows = {text: _TOP + _ROW * (place + 0.5) for place, text in enumerate(root.texts)}
    bottom = _TOP + _ROW * len(texts)
    branches = list(_right_angled(root, rows, across, texts, styles))
    leaves = [(right, rows[text]) for text in range(len(texts))]
    return TextTreeChart(
        width=width,
        height=bottom + (40 if x_label else 8),
        branches=tuple(branches),
        points=tuple(text_points(texts, leaves, styles)),
        labels=tuple(
            PlacedLabel(right + 12, rows[text] + 4, name, "start", point=text)
            for text, name in enumerate(names)
        ),
        x_ticks=ticks(levels, across, short_number) if x_label else (),
        x_label=x_label,
    )


def _right_angled(
    root: Node,
    rows: Mapping[int, float],
    across: Any,
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
) -> Iterator[TextBranch]:
    def middle(node: Node) -> float:
        if not node.children:
            return rows[node.texts[0]]
        inner = [middle(child) for child in node.children]
        return (min(inner) + max(inner)) / 2

    for node in _inner(root):
        x = across(node.height)
        for child in node.children:
            path = f"M{x:.1f} {middle(node):.1f}V{middle(child):.1f}H{across(child.height):.1f}"
            titled = node if child.share is None else child
            yield _branch(path, child, texts, styles, _title(titled, texts))


def unrooted_tree_chart(
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
    root: Node,
    width: float,
) -> TextTreeChart:
    """Lay out an unrooted tree, with its middle in the centre and its leaves on a circle.

    If the circle has no space for the labels of all leaves, the tree has its middle at the left, as
    in `text_tree_chart`.

    Parameters
    ----------
    texts, styles, root, width
        As for `text_tree_chart`.
    """
    if len(texts) > _MOST_ON_CIRCLE[width >= WIDE]:
        return text_tree_chart(texts, styles, root, width)
    names = text_labels([text["name"] for text in texts], width)
    most = width / 2 - label_width(names) - 24
    radius = min(max(most, 60.0), max(230.0, _ARC * len(texts) / (2 * math.pi)))
    centre = radius + _POLE
    angles = {
        text: 2 * math.pi * (place + 0.5) / len(texts) for place, text in enumerate(root.texts)
    }

    def place(node: Node) -> tuple[float, float]:
        angle = (angles[node.texts[0]] + angles[node.texts[-1]]) / 2
        far = 0.0 if node is root else radius * (1 - node.height / root.height)
        return width / 2 + far * math.cos(angle), centre + far * math.sin(angle)

    branches = []
    for node in _inner(root):
        x, y = place(node)
        for child in node.children:
            end = place(child)
            path = f"M{x:.1f} {y:.1f}L{end[0]:.1f} {end[1]:.1f}"
            branches.append(_branch(path, child, texts, styles, _title(child, texts)))
    points = text_points(texts, [place(Node((text,))) for text in range(len(texts))], styles)
    return TextTreeChart(
        width=width,
        height=2 * centre,
        branches=tuple(branches),
        points=tuple(points),
        labels=place_labels_apart(points, names, width, 2 * centre, middle=width / 2),
    )


def _inner(node: Node) -> Iterator[Node]:
    if node.children:
        yield node
        for child in node.children:
            yield from _inner(child)


def _branch(
    path: str,
    node: Node,
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
    title: str,
) -> TextBranch:
    authors = {texts[text]["author"] or "" for text in node.texts}
    colour = styles[authors.pop()].colour if len(authors) == 1 else _MIXED
    width = 1.6 if node.share is None else round(0.8 + 2.2 * node.share, 2)
    return TextBranch(path, colour, width, title)


def _title(node: Node, texts: Sequence[Mapping[str, Any]]) -> str:
    names = ", ".join(texts[text]["name"] for text in node.texts[:8])
    more = len(node.texts) - 8
    listed = names + (f" and {quantity(more, 'more text')}" if more > 0 else "")
    if node.share is not None:
        return f"{listed}: in {percent(node.share, 0)} of the trees"
    return f"{listed}: {node.height:.3g}" if len(node.texts) > 1 else listed
