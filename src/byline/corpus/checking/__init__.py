"""A close look at known texts: what to mend in them before anything is learnt."""

from byline.corpus.checking.edits import Edit, Kind, apply_edits
from byline.corpus.checking.examination import (
    FINDERS,
    AuthorSize,
    Examination,
    examine,
    find_edits,
)
from byline.corpus.checking.lines import with_line_breaks
from byline.corpus.checking.survey import survey

__all__ = [
    "FINDERS",
    "AuthorSize",
    "Edit",
    "Examination",
    "Kind",
    "apply_edits",
    "examine",
    "find_edits",
    "survey",
    "with_line_breaks",
]
