"""The course of a long text: all candidates' scores from its start to its end."""

from byline.attribution.course.following import follow
from byline.attribution.course.result import Mark, Segment, TextCourse, Window

__all__ = ["Mark", "Segment", "TextCourse", "Window", "follow"]
