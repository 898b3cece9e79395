"""Open-set attribution: the author of a questioned text may be outside the candidate set."""

from byline.attribution.open_set.decision import (
    EVEN_ODDS,
    Criterion,
    ErrorRate,
    OpenSetDecision,
    check_criterion,
)
from byline.attribution.open_set.held_out_statistics import HeldOutStatistics, open_set_statistics
from byline.attribution.open_set.rejection_rule import RejectionRule

__all__ = [
    "EVEN_ODDS",
    "Criterion",
    "ErrorRate",
    "HeldOutStatistics",
    "OpenSetDecision",
    "RejectionRule",
    "check_criterion",
    "open_set_statistics",
]
