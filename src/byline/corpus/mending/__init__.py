"""Known texts, mended where that needs no human's judgement, and written to a folder."""

from byline.corpus.mending.mend import Change, Mended, mend
from byline.corpus.mending.writing import check_folder, write_folder

__all__ = ["Change", "Mended", "check_folder", "mend", "write_folder"]
