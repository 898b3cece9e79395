"""Several classifiers made one, with weights learnt from held-out known texts."""

from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.members import LANGUAGE_MODELS, usual_members
from byline.attribution.stacking.stacked import StackedAttributor

__all__ = ["LANGUAGE_MODELS", "Combination", "StackedAttributor", "usual_members"]
