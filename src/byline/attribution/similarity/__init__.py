"""Similarity of authors: how well each author's language model predicts the others' texts."""

from byline.attribution.similarity.cross_perplexity import CrossPerplexity, cross_perplexity
from byline.attribution.similarity.tree import AuthorTree, Join, author_tree

__all__ = [
    "AuthorTree",
    "CrossPerplexity",
    "Join",
    "author_tree",
    "cross_perplexity",
]
