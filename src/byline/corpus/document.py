"""Documents and the corpus they make up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from byline.corpus.extraction import ExcludedPart


@dataclass(frozen=True, slots=True)
class Document:
    """One text by one author.

    Attributes
    ----------
    author : str
        The candidate author's name: valid Unicode in one line.
    text : str
        The text: a paragraph a line, a blank line between paragraphs.
    path : str
        Where it came from, for messages: ``"smith/03.txt"`` or ``"table.csv, row 7"``.
    work : str
        The group that a split keeps whole; the document's own path where none is given.
    topic : str or None
    metadata : mapping of str to str
        Further columns of a table; ``title`` where the file itself names it.
    excluded : tuple of ExcludedPart
        What its file has and its text has not: notes, page headers.
    """

    author: str
    text: str
    path: str
    work: str = ""
    topic: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    excluded: tuple[ExcludedPart, ...] = ()

    def __post_init__(self) -> None:
        if not self.work:
            object.__setattr__(self, "work", self.path)


class Corpus(Sequence[Document]):
    """Documents in a fixed order.

    Parameters
    ----------
    documents : iterable of Document
    name : str
        What messages and reports call the corpus.
    """

    __slots__ = ("_documents", "_name")

    def __init__(self, documents: Iterable[Document], name: str) -> None:
        self._documents = tuple(documents)
        self._name = name

    @property
    def name(self) -> str:
        """What messages and reports call the corpus."""
        return self._name

    @property
    def texts(self) -> list[str]:
        """The text of each document; ``(n_documents,)``."""
        return [document.text for document in self._documents]

    @property
    def authors(self) -> list[str]:
        """The author of each document; ``(n_documents,)``."""
        return [document.author for document in self._documents]

    @property
    def works(self) -> list[str]:
        """The work of each document: the group a split keeps whole; ``(n_documents,)``."""
        return [document.work for document in self._documents]

    @property
    def paths(self) -> list[str]:
        """Where each document came from; ``(n_documents,)``."""
        return [document.path for document in self._documents]

    @property
    def candidates(self) -> list[str]:
        """The distinct authors, sorted; ``(n_authors,)``."""
        return sorted(set(self.authors))

    def select(self, indices: Iterable[int]) -> Corpus:
        """Return the documents at ``indices``, in that order, as a corpus of the same name."""
        return Corpus((self._documents[int(index)] for index in indices), self._name)

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Corpus: ...
    def __getitem__(self, index: int | slice) -> Document | Corpus:
        if isinstance(index, slice):
            return Corpus(self._documents[index], self._name)
        return self._documents[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return (self._name, self._documents) == (other._name, other._documents)

    def __hash__(self) -> int:
        return hash((self._name, self._documents))

    def __repr__(self) -> str:
        n_authors = len(self.candidates)
        return f"<Corpus {self._name!r}: {len(self)} documents by {n_authors} authors>"
