"""Remove from a text what an editor, a publisher or a file format decides, not the author."""

from byline.typography.normalization import Normalization, RuleChange
from byline.typography.rules import PRESETS, RULES, Rule

__all__ = ["PRESETS", "RULES", "Normalization", "Rule", "RuleChange"]
