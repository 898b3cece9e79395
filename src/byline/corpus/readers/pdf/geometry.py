"""Compare the positions of lines on a page, and put columns into reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import mean, median, median_low

from byline.corpus.readers.pdf.lines import PdfLine, PdfPage

_MAX_SIZE_RATIO = 1.15
_DEFAULT_LINE_SPACING = 1.2
# Fewer or shorter lines side by side are a table, which is read row by row.
_MIN_PAIRS = 5
_MIN_CHARACTERS = 25


def is_below(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is below another one in the same column, and near to it."""
    return (
        0 < before.bottom - line.bottom < 6 * max(before.size, line.size)
        and line.left < before.right
        and before.left < line.right
    )


def is_right_of(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is to the right of another one, at the same height."""
    return line.left > before.right and abs(before.bottom - line.bottom) < line.size / 2


def same_size(a: float, b: float) -> bool:
    """Return whether two heights of letters belong to the same font size."""
    return max(a, b) / min(a, b) < _MAX_SIZE_RATIO


def usual_line_spacing(lines: Sequence[PdfLine]) -> float:
    """Return the usual distance from one line to the next, in heights of the line."""
    distances = [
        (a.bottom - b.bottom) / a.size
        for a, b in pairwise(lines)
        if is_below(a, b) and same_size(a.size, b.size)
    ]
    return median_low(distances) if distances else _DEFAULT_LINE_SPACING


def usual_size(lines: Sequence[PdfLine]) -> float:
    """Return the median height of the lines; 1 if there are none."""
    return median_low(line.size for line in lines) if lines else 1.0


def order_columns(page: PdfPage) -> PdfPage:
    """Put the right column after the left one, if the file draws both line by line."""
    pairs = [i for i, (a, b) in enumerate(pairwise(page.lines)) if is_right_of(a, b)]
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


def _cross(lines: Sequence[PdfLine], gutter: float) -> bool:
    return any(line.left < gutter < line.right for line in lines)


def _are_short(lines: Sequence[PdfLine]) -> bool:
    return median(len(line.text) for line in lines) < _MIN_CHARACTERS
