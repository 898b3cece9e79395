"""Examine known texts thoroughly, as ``byline corpus check`` does."""

from byline.corpus.checking.edits import CleaningStep
from byline.corpus.checking.examination import AuthorSize, Examination, examine
from byline.corpus.checking.line_breaks import read_for_checking

__all__ = [
    "AuthorSize",
    "CleaningStep",
    "Examination",
    "examine",
    "read_for_checking",
]
