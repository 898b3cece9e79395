"""Rolling attribution: the candidates' scores along a text, and changes of author."""

from byline.attribution.rolling.analysis import rolling_attribution
from byline.attribution.rolling.segmentation import ChangePoint, RollingAttribution, Segment, Window

__all__ = ["ChangePoint", "RollingAttribution", "Segment", "Window", "rolling_attribution"]
