"""Several classifiers made one, with weights learnt from held-out known texts."""

from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.members import usual_members
from byline.attribution.stacking.stacked import StackedAttributor

__all__ = ["Combination", "StackedAttributor", "usual_members"]
