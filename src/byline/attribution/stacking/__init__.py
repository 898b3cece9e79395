"""Byline's default attributor: several classifiers, combined with weights from held-out texts."""

from byline.attribution.stacking.base_classifiers import LANGUAGE_MODELS, default_base_classifiers
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.stacked import StackedAttributor

__all__ = ["LANGUAGE_MODELS", "Combination", "StackedAttributor", "default_base_classifiers"]
