"""Byline's default attributor: several classifiers, combined with weights from held-out texts."""

from byline.attribution.stacking.base_classifiers import (
    COSINE_DELTA,
    LANGUAGE_MODELS,
    default_base_classifiers,
)
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.delta import delta_attributor
from byline.attribution.stacking.many_authors import profile_attributor
from byline.attribution.stacking.parameters import MANY_AUTHORS
from byline.attribution.stacking.reference import ReferencePopulation, ReferenceValidation
from byline.attribution.stacking.stacked import StackedAttributor

__all__ = [
    "COSINE_DELTA",
    "LANGUAGE_MODELS",
    "MANY_AUTHORS",
    "Combination",
    "ReferencePopulation",
    "ReferenceValidation",
    "StackedAttributor",
    "default_base_classifiers",
    "delta_attributor",
    "profile_attributor",
]
