"""From counts to probabilities (Chen & Goodman 1998).

A smoothing method is two choices: how much is taken from each count (``methods``, with the
discounts of ``discounts``), and how the order below shares what was taken (``combination``). The
result is ``Smoothed``: a probability for every n-gram and a back-off weight for every context. The
empty context has one too, towards the uniform distribution over the events, so that unigrams are
smoothed as every other order is.
"""

from byline.lm.smoothing.discounts import FALLBACKS, Floats
from byline.lm.smoothing.methods import SMOOTHINGS, Smoothed, Smoothing

__all__ = ["FALLBACKS", "SMOOTHINGS", "Floats", "Smoothed", "Smoothing"]
