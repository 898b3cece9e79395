"""Smoothing: from n-gram counts to probabilities (Chen & Goodman 1998).

A smoothing method makes two choices: how much probability it discounts from each count (module
``methods``, with the discounts in ``discounts``), and how the discounted probability is distributed
by the order below (module ``combination``). The result is `SmoothedProbabilities`: a probability
for every n-gram and a back-off weight for every context. The empty context has a back-off weight
too, towards the uniform distribution of all events. So unigrams are smoothed like all other orders.
"""

from byline.lm.ngrams.smoothing.combination import FALLBACKS
from byline.lm.ngrams.smoothing.methods import SMOOTHINGS, SmoothedProbabilities, Smoothing

__all__ = ["FALLBACKS", "SMOOTHINGS", "SmoothedProbabilities", "Smoothing"]
