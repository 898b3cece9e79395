"""Sample texts for those who have none: addresses of the demo corpus, if it is installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from byline.corpus import Corpus, Document
from byline.corpus.demo import CANDIDATES, has_demo, read_demo
from byline.errors import UsageError
from byline.formatting import join_names

CORPUS_NAME = "sample texts"
BOOK_NAME = "Sample book"
NUMERALS = ("I", "II", "III", "IV")  # of the chapters of the sample book


@dataclass(frozen=True, slots=True)
class SampleText:
    """A sample text, whose author the model of the sample texts does not learn.

    Attributes
    ----------
    id : str
    title : str
        Does not name the author.
    path : str
        In the demo corpus.
    """

    id: str
    title: str
    path: str


SAMPLE_TEXTS = tuple(
    SampleText(path[:4], f"Address to Congress of {path[:4]}", path)
    for path in (
        "1814-Madison-1.txt",
        "1794-Washington-1.txt",
        "1804-Jefferson-1.txt",
        "1822-Monroe-1.txt",
    )
)


def offered_samples() -> tuple[SampleText, ...]:
    """Return the sample texts; none if the demo corpus is not installed."""
    return SAMPLE_TEXTS if has_demo() else ()


def choose_samples(chosen: str) -> tuple[SampleText, ...]:
    """Return the sample text with an id, or all of them for an empty id.

    Raises
    ------
    UsageError
        There is no such sample text.
    """
    found = tuple(each for each in offered_samples() if chosen in ("", each.id))
    if not found:
        raise UsageError("there is no such sample text; choose one of the list")
    return found


def sample_book(questioned: Mapping[str, Document]) -> tuple[str, str]:
    """Return a book with one sample text per chapter, and a sentence on who wrote each chapter.

    Parameters
    ----------
    questioned : mapping
        The sample texts by their ids, as `read_samples` returns them.
    """
    chapters = [questioned[each.id] for each in SAMPLE_TEXTS]
    numbered = list(zip(NUMERALS, chapters, strict=True))
    text = "\n\n".join(f"CHAPTER {number}\n\n{each.text}" for number, each in numbered)
    authors = join_names([f"{number} by {each.author}" for number, each in numbered], None)
    return text, f"This book consists of {len(chapters)} sample texts: chapter {authors}."


def read_samples() -> tuple[Corpus, dict[str, Document]]:
    """Read the known texts of the samples, and the sample texts by their ids.

    Raises
    ------
    MissingExtraError, CorpusError
        The demo corpus is not installed, or incomplete.
    """
    corpus = read_demo(CANDIDATES)
    questioned = {each.path: each for each in SAMPLE_TEXTS}
    known = corpus.select(i for i, text in enumerate(corpus) if text.path not in questioned)
    named = Corpus(known, CORPUS_NAME)
    return named, {questioned[text.path].id: text for text in corpus if text.path in questioned}
