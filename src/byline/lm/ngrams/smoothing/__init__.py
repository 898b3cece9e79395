"""From counts to probabilities (Chen & Goodman 1998).

A smoothing method is two choices: how much is taken from each count (``methods``, with the
discounts of ``discounts``), and how the order below shares what was taken (``combination``). The
result is ``Smoothed``: a probability for every n-gram and a back-off weight for every context. The
empty context has one too, towards the uniform distribution over the events, so that unigrams are
smoothed as every other order is.
"""

from byline.array_types import Floats
from byline.lm.ngrams.smoothing.discounts import FALLBACKS
from byline.lm.ngrams.smoothing.methods import SMOOTHINGS, SmoothedProbabilities, Smoothing

__all__ = ["FALLBACKS", "SMOOTHINGS", "Floats", "SmoothedProbabilities", "Smoothing"]
