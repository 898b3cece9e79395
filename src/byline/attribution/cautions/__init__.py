"""What a careful examiner would say beside an answer; nothing where there is nothing to say."""

from byline.attribution.cautions.caution import Caution
from byline.attribution.cautions.examining import cautions_about
from byline.attribution.cautions.lengths import LengthBand, accuracy_by_length, band_of

__all__ = ["Caution", "LengthBand", "accuracy_by_length", "band_of", "cautions_about"]
