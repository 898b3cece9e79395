"""A close look at known texts: what to mend in them before anything is learnt."""

from byline.corpus.checking.edits import Kind
from byline.corpus.checking.examination import AuthorSize, Examination, examine
from byline.corpus.checking.lines import with_line_breaks
from byline.corpus.checking.survey import survey

__all__ = [
    "AuthorSize",
    "Examination",
    "Kind",
    "examine",
    "survey",
    "with_line_breaks",
]
