"""Labels of a published figure that collide."""

from __future__ import annotations

from itertools import combinations

from byline.report.figures.canvas import Canvas


def colliding_labels(canvas: Canvas) -> list[tuple[str, str]]:
    """Return the pairs of texts on a canvas that overlap by more than a little."""
    [axes] = canvas.figure.axes
    boxes = [(each.get_text(), each.get_window_extent()) for each in axes.texts]
    return [
        (first, second)
        for (first, a), (second, b) in combinations(boxes, 2)
        if a.shrunk(0.9, 0.7).overlaps(b.shrunk(0.9, 0.7))
    ]
