"""What a model learnt from: a record that names every known text and holds none of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.habits import Habits
from byline.attribution.shared_passages import SharedPassages, shared_passages
from byline.attribution.stored_known_texts import (
    HABITS,
    check_passages,
    read_documents,
    read_fingerprints,
    read_habits,
)
from byline.corpus.fingerprints import PASSAGE, WINDOW, Hashes, WordHasher, choose_fingerprints
from byline.errors import ModelFileError, UsageError


@dataclass(frozen=True, slots=True, order=True)
class KnownDocument:
    """A known text.

    Attributes
    ----------
    author : str
    work : str
        The work it is a part of, in a corpus its path where none is given; empty where not told.
    sha256 : str
        Of the text as the model learnt it, in UTF-8: 64 hexadecimal digits.
    n_characters, n_words : int
    """

    author: str
    work: str
    sha256: str
    n_characters: int
    n_words: int


@dataclass(frozen=True, slots=True)
class Differences:
    """How known texts differ from those of a record.

    Attributes
    ----------
    missing : tuple of KnownDocument
        In the record alone.
    added : tuple of KnownDocument
        Not in the record.
    """

    missing: tuple[KnownDocument, ...]
    added: tuple[KnownDocument, ...]


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """The known texts a model learnt from.

    Attributes
    ----------
    documents : tuple of KnownDocument
        In order, whatever order the texts came in.
    fingerprints : mapping of author to (n_fingerprints,) uint64
        Of passages in each author's texts, ascending, each once.
    habits : Habits
        How often all of them use their commonest words and marks.
    """

    documents: tuple[KnownDocument, ...]
    fingerprints: Mapping[str, Hashes]
    habits: Habits

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        authors: Sequence[Any],
        works: Sequence[str] | None = None,
    ) -> Self:
        """Make a record of known texts; the order they come in changes nothing.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        authors : sequence of str or int, (n_documents,)
        works : sequence of str, (n_documents,), optional

        Raises
        ------
        UsageError
            There are not as many authors or works as texts.
        """
        works = [""] * len(texts) if works is None else works
        if not len(texts) == len(authors) == len(works):
            raise UsageError(
                f"{len(texts)} texts need as many authors and works, but {len(authors)} and "
                f"{len(works)} came"
            )
        hasher = WordHasher()
        documents: list[KnownDocument] = []
        found: dict[str, list[Hashes]] = {str(author): [] for author in authors}
        for text, author, work in zip(texts, map(str, authors), works, strict=True):
            words = hasher.hash_words(text)
            documents.append(KnownDocument(author, work, text_sha256(text), len(text), len(words)))
            found[author].append(choose_fingerprints(words))
        distinct = {author: np.unique(np.concatenate(found[author])) for author in sorted(found)}
        return cls(tuple(sorted(documents)), distinct, Habits.of(sorted(texts)))

    @property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return list(self.fingerprints)

    def by(self, author: str) -> list[KnownDocument]:
        """Return an author's documents, in order."""
        return [document for document in self.documents if document.author == author]

    def n_works(self, author: str) -> int:
        """Count an author's works; a document whose work is not told is one of its own."""
        works = [document.work for document in self.by(author)]
        return len(set(works) - {""}) + works.count("")

    @property
    def sha256(self) -> str:
        """One hash for all: that of the sorted lines ``author``, tab, ``sha256`` of a text."""
        return text_sha256("".join(f"{each.author}\t{each.sha256}\n" for each in self._hashed()))

    def differences(self, others: Self) -> Differences:
        """Compare other known texts with these: an author's text is the same if its hash is."""
        own, theirs = Counter(map(_key, self.documents)), Counter(map(_key, others.documents))
        return Differences(
            missing=_more_in(self.documents, theirs), added=_more_in(others.documents, own)
        )

    def _hashed(self) -> list[KnownDocument]:
        return sorted(self.documents, key=_key)

    def passages_shared_with(self, text: str) -> SharedPassages:
        """Find passages of a questioned text that one author's known texts have, and no other's."""
        return shared_passages(text, self.fingerprints)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the fingerprints as JSON values."""
        return {
            "passage": PASSAGE,
            "window": WINDOW,
            "authors": self.authors,
            "documents": [asdict(document) for document in self.documents],
            "habits": list(self.habits.words),
        }

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the authors' fingerprints behind each other, how many each has, and habits."""
        counts = [len(known) for known in self.fingerprints.values()]
        none = np.zeros(0, dtype=np.uint64)
        return {
            "fingerprints": np.concatenate([none, *self.fingerprints.values()]),
            "fingerprint_counts": np.array(counts, dtype=np.int64),
            **{f"habit_{name}": getattr(self.habits, name) for name in HABITS},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild from what `to_dict` and `to_arrays` returned.

        Raises
        ------
        ModelFileError
            They are not such.
        """
        check_passages(data)
        documents = tuple(KnownDocument(**each) for each in read_documents(data))
        if list(documents) != sorted(documents):
            raise ModelFileError("the known texts are not in order")
        authors = sorted({document.author for document in documents})
        if data.get("authors") != authors:
            raise ModelFileError("the known texts are not those of the authors named")
        fingerprints = dict(zip(authors, read_fingerprints(arrays, len(authors)), strict=True))
        return cls(documents, fingerprints, Habits(*read_habits(data, arrays)))


def text_sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _key(document: KnownDocument) -> tuple[str, str]:
    return document.author, document.sha256


def _more_in(
    documents: Iterable[KnownDocument], others: Counter[tuple[str, str]]
) -> tuple[KnownDocument, ...]:
    """Return the documents that the others have not, or fewer times."""
    left = Counter(others)
    more = []
    for document in documents:
        if left[_key(document)]:
            left[_key(document)] -= 1
        else:
            more.append(document)
    return tuple(more)
