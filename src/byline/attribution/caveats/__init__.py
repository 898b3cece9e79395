"""What a careful examiner would say beside an answer; nothing where there is nothing to say."""

from byline.attribution.caveats.accuracy_by_length import LengthBand, accuracy_by_length, band_of
from byline.attribution.caveats.caveat import Caveat
from byline.attribution.caveats.collection import caveats_for

__all__ = ["Caveat", "LengthBand", "accuracy_by_length", "band_of", "caveats_for"]
