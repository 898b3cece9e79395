"""Caveats: what a careful examiner would point out about an answer."""

from byline.attribution.caveats.accuracy_by_length import (
    LengthBand,
    accuracy_by_length,
    nearest_band,
)
from byline.attribution.caveats.caveat import GUIDANCE, Caveat
from byline.attribution.caveats.collection import caveats_for
from byline.attribution.caveats.conventions import verification_convention_caveats
from byline.attribution.caveats.copies import verification_copy_caveats
from byline.attribution.caveats.reading import reading_caveats

__all__ = [
    "GUIDANCE",
    "Caveat",
    "LengthBand",
    "accuracy_by_length",
    "caveats_for",
    "nearest_band",
    "reading_caveats",
    "verification_convention_caveats",
    "verification_copy_caveats",
]
