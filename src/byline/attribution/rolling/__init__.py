"""The course of a long text: all candidates' scores from its start to its end."""

from byline.attribution.rolling.analysis import rolling_attribution
from byline.attribution.rolling.result import ChangePoint, RollingAttribution, Segment, Window

__all__ = ["ChangePoint", "RollingAttribution", "Segment", "Window", "rolling_attribution"]
