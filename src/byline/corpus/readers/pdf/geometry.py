"""How lines stand to each other on a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median_low

from byline.corpus.readers.pdf.lines import Line

_MAX_SIZE_RATIO = 1.15
_USUAL_PITCH = 1.2


def is_below(before: Line, line: Line) -> bool:
    """Whether a line stands under another in the same column, and near to it."""
    return (
        0 < before.bottom - line.bottom < 6 * max(before.size, line.size)
        and line.left < before.right
        and before.left < line.right
    )


def stands_beside(before: Line, line: Line) -> bool:
    """Whether a line stands to the right of another, at the same height."""
    return line.left > before.right and abs(before.bottom - line.bottom) < line.size / 2


def same_size(a: float, b: float) -> bool:
    """Whether letters of two heights are of one size."""
    return max(a, b) / min(a, b) < _MAX_SIZE_RATIO


def usual_pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of one line to the next, in the line's heights."""
    distances = [
        (a.bottom - b.bottom) / a.size
        for a, b in pairwise(lines)
        if is_below(a, b) and same_size(a.size, b.size)
    ]
    return median_low(distances) if distances else _USUAL_PITCH


def usual_size(lines: Sequence[Line]) -> float:
    """Return the height of letters of the middle line; 1 of none."""
    return median_low(line.size for line in lines) if lines else 1.0
