"""Authors beside authors: how surprised each one's language model is by the others' texts."""

from byline.attribution.beside.crossing import cross_perplexity
from byline.attribution.beside.matrix import CrossPerplexity
from byline.attribution.beside.tree import AuthorTree, Join, author_tree

__all__ = [
    "AuthorTree",
    "CrossPerplexity",
    "Join",
    "author_tree",
    "cross_perplexity",
]
