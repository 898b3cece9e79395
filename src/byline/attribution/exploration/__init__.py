"""Explore texts: distances, maps, cluster trees and networks."""

from byline.attribution.exploration.analysis import (
    CROSS_PERPLEXITY,
    TextExploration,
    explore_features,
)
from byline.attribution.exploration.distances import DISTANCES, text_distances
from byline.attribution.exploration.frequencies import (
    TextMatrix,
    count_features,
    frequent_features,
    relative_frequencies,
)

__all__ = [
    "CROSS_PERPLEXITY",
    "DISTANCES",
    "TextExploration",
    "TextMatrix",
    "count_features",
    "explore_features",
    "frequent_features",
    "relative_frequencies",
    "text_distances",
]
