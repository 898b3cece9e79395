"""Rolling attribution: the candidates' scores along a text, and changes of author."""

from byline.attribution.rolling.analysis import rolling_attribution
from byline.attribution.rolling.result import (
    ChangePoint,
    RollingAttribution,
    RollingChapter,
    Segment,
    Window,
)

__all__ = [
    "ChangePoint",
    "RollingAttribution",
    "RollingChapter",
    "Segment",
    "Window",
    "rolling_attribution",
]
