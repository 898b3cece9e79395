"""Similarity of authors: how well each author's language model predicts the others' texts."""

from byline.attribution.clusters import Join
from byline.attribution.similarity.cross_perplexity import (
    AuthorTree,
    CrossPerplexity,
    author_tree,
    cross_perplexity,
)

__all__ = [
    "AuthorTree",
    "CrossPerplexity",
    "Join",
    "author_tree",
    "cross_perplexity",
]
