"""Clean known texts where no person's decision is needed, and write them to a folder."""

from byline.corpus.cleaning.cleaner import Change, CleanedCorpus, clean_corpus
from byline.corpus.cleaning.folder import check_folder, write_folder

__all__ = ["Change", "CleanedCorpus", "check_folder", "clean_corpus", "write_folder"]
