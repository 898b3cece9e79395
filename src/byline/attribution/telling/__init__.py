"""Words and n-grams that tell one author from others, with their counts and contexts."""

from byline.attribution.telling.choosing import telling_in_text, telling_of_authors
from byline.attribution.telling.contexts import Context
from byline.attribution.telling.counts import KnownCounts
from byline.attribution.telling.log_odds import log_odds_ratios
from byline.attribution.telling.result import AuthorTelling, TellingNgram

__all__ = [
    "AuthorTelling",
    "Context",
    "KnownCounts",
    "TellingNgram",
    "log_odds_ratios",
    "telling_in_text",
    "telling_of_authors",
]
