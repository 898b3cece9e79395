"""Two columns that a PDF draws line by line, across both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import mean, median

from byline.corpus.readers.pdf.geometry import stands_beside
from byline.corpus.readers.pdf.lines import Line, Page

# Fewer or shorter lines side by side are a table, which is read row by row.
_MIN_PAIRS = 5
_MIN_LETTERS = 25


def column_by_column(page: Page) -> Page:
    """Return the page with its right column after its left one, if it draws both at once."""
    pairs = [i for i, (a, b) in enumerate(pairwise(page.lines)) if stands_beside(a, b)]
    if len(pairs) < _MIN_PAIRS:
        return page
    lefts, rights = ([page.lines[i + side] for i in pairs] for side in (0, 1))
    gutter = max(line.right for line in lefts), min(line.left for line in rights)
    first, last = pairs[0], pairs[-1] + 2
    both = page.lines[first:last]
    if gutter[0] >= gutter[1] or _cross(both, mean(gutter)) or _are_short([*lefts, *rights]):
        return page
    left = [line for line in both if line.left < gutter[0]]
    right = [line for line in both if line.left >= gutter[0]]
    return replace(page, lines=(*page.lines[:first], *left, *right, *page.lines[last:]))


def _cross(lines: Sequence[Line], gutter: float) -> bool:
    return any(line.left < gutter < line.right for line in lines)


def _are_short(lines: Sequence[Line]) -> bool:
    return median(len(line.text) for line in lines) < _MIN_LETTERS
