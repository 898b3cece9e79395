"""Known texts, mended where that needs no human's judgement, and written to a folder."""

from byline.corpus.cleaning.cleaner import Change, CleanedCorpus, mend
from byline.corpus.cleaning.folder import check_folder, write_folder

__all__ = ["Change", "CleanedCorpus", "check_folder", "mend", "write_folder"]
