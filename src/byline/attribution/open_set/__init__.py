"""Open-set attribution: the author of a questioned text may be outside the candidate set."""

from byline.attribution.open_set.held_out_statistics import HeldOutStatistics, open_set_statistics
from byline.attribution.open_set.rejection_rule import (
    DEFAULT_RATE,
    OpenSetDecision,
    RejectionRule,
    check_false_attribution_rate,
)

__all__ = [
    "DEFAULT_RATE",
    "HeldOutStatistics",
    "OpenSetDecision",
    "RejectionRule",
    "check_false_attribution_rate",
    "open_set_statistics",
]
