"""Open-set attribution: the author of a questioned text may be none of the candidates."""

from byline.attribution.open_set.answer import OpenSetAnswer
from byline.attribution.open_set.rejection import DEFAULT_RATE, Rejection, check_rate
from byline.attribution.open_set.statistic import statistics
from byline.attribution.open_set.tried import TriedTexts

__all__ = ["DEFAULT_RATE", "OpenSetAnswer", "Rejection", "TriedTexts", "check_rate", "statistics"]
