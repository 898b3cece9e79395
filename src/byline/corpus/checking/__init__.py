"""A close look at known texts: what to mend in them before anything is learnt."""

from byline.corpus.checking.edits import CleaningStep
from byline.corpus.checking.examination import AuthorSize, Examination, examine
from byline.corpus.checking.line_breaks import restore_line_breaks, survey

__all__ = [
    "AuthorSize",
    "CleaningStep",
    "Examination",
    "examine",
    "restore_line_breaks",
    "survey",
]
