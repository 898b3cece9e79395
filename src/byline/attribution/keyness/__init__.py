"""Keyness: the words and n-grams that distinguish one author from others."""

from byline.attribution.keyness.counts import NgramCounts, log_odds_ratios
from byline.attribution.keyness.keywords import keywords_in_text, keywords_of_authors
from byline.attribution.keyness.result import AuthorKeywords, Context, Keyword

__all__ = [
    "AuthorKeywords",
    "Context",
    "Keyword",
    "NgramCounts",
    "keywords_in_text",
    "keywords_of_authors",
    "log_odds_ratios",
]
