"""Keyness: the words and n-grams that distinguish one author from others."""

from byline.attribution.keyness.concordance import Context
from byline.attribution.keyness.counts import NgramCounts, log_odds_ratios
from byline.attribution.keyness.dispersion import (
    count_in_parts,
    deviation_of_proportions,
    juilland_d,
)
from byline.attribution.keyness.group_result import (
    GroupKeyword,
    GroupKeywords,
    GroupSize,
    Measure,
    WordUse,
)
from byline.attribution.keyness.groups import compare_groups
from byline.attribution.keyness.keywords import keywords_in_text, keywords_of_authors
from byline.attribution.keyness.log_likelihood import log_likelihood_ratios, log_ratios
from byline.attribution.keyness.names import name_words
from byline.attribution.keyness.result import AuthorKeywords, Keyword
from byline.attribution.keyness.zeta import choose_slice_size, craig_zeta, eder_zeta, slice_shares

__all__ = [
    "AuthorKeywords",
    "Context",
    "GroupKeyword",
    "GroupKeywords",
    "GroupSize",
    "Keyword",
    "Measure",
    "NgramCounts",
    "WordUse",
    "choose_slice_size",
    "compare_groups",
    "count_in_parts",
    "craig_zeta",
    "deviation_of_proportions",
    "eder_zeta",
    "juilland_d",
    "keywords_in_text",
    "keywords_of_authors",
    "log_likelihood_ratios",
    "log_odds_ratios",
    "log_ratios",
    "name_words",
    "slice_shares",
]
