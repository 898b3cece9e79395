"""Open-set attribution: the author of a questioned text may be none of the candidates."""

from byline.attribution.open_set.held_out_statistics import HeldOutStatistics, statistics
from byline.attribution.open_set.rejection_rule import DEFAULT_RATE, RejectionRule, check_rate
from byline.attribution.open_set.result import OpenSetDecision

__all__ = [
    "DEFAULT_RATE",
    "HeldOutStatistics",
    "OpenSetDecision",
    "RejectionRule",
    "check_rate",
    "statistics",
]
