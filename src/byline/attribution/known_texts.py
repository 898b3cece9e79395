"""What a model learnt from: a record that names every known text and holds none of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.fingerprints import (
    PASSAGE,
    WINDOW,
    Hashes,
    Integers,
    WordHasher,
    choose_fingerprints,
    hash_passages,
    word_bounds,
)
from byline.errors import ModelFileError, UsageError

_NONE, _SEVERAL = -1, -2  # owners of a fingerprint
_HEX = frozenset("0123456789abcdef")
_ARRAYS = {"fingerprints": np.uint64, "fingerprint_counts": np.int64}


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
class SharedPassage:
    """A passage of a questioned text that stands in one author's known texts, and in no other's.

    Attributes
    ----------
    author : str
    start, end : int
        Where it stands in the questioned text, in characters.
    n_words : int
    """

    author: str
    start: int
    end: int
    n_words: int


@dataclass(frozen=True, slots=True)
class SharedPassages:
    """What of a questioned text stands in one author's known texts.

    Attributes
    ----------
    n_words : int
        Of the questioned text.
    passages : tuple of SharedPassage
        Longest first.
    """

    n_words: int
    passages: tuple[SharedPassage, ...]

    def of(self, author: str) -> tuple[SharedPassage, ...]:
        """Return those that an author's known texts have, longest first."""
        return tuple(passage for passage in self.passages if passage.author == author)

    def share(self, author: str) -> float:
        """Share of the questioned text's words that stand in passages an author's texts have."""
        return sum(passage.n_words for passage in self.of(author)) / max(self.n_words, 1)


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """The known texts a model learnt from.

    Attributes
    ----------
    documents : tuple of KnownDocument
        In order, whatever order the texts came in.
    fingerprints : mapping of author to (n_fingerprints,) uint64
        Of passages in each author's texts, ascending, each once.
    """

    documents: tuple[KnownDocument, ...]
    fingerprints: Mapping[str, Hashes]

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
        return cls(tuple(sorted(documents)), distinct)

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

    def passages_shared_with(self, text: str) -> SharedPassages:
        """Find passages of a questioned text that one author's known texts have, and no other's.

        A passage of `SURELY_FOUND` words is found, one of fewer than `PASSAGE` is not. What several
        authors' texts have, such as a greeting or a law that all of them quote, is left out.

        Parameters
        ----------
        text : str
        """
        hasher = WordHasher()
        words = hasher.hash_words(text)
        owners = self._owners(hash_passages(words))
        bounds = word_bounds(text)
        passages = [
            SharedPassage(
                author=self.authors[owner],
                start=int(bounds[first, 0]),
                end=int(bounds[last - 1, 1]),
                n_words=last - first,
            )
            for owner, first, last in _runs(owners)
        ]
        passages.sort(key=lambda passage: (-passage.n_words, passage.start))
        return SharedPassages(len(words), tuple(passages))

    def _owners(self, hashes: Hashes) -> Integers:
        """Return the column of the one author who has each fingerprint, (n_passages,)."""
        owners = np.full(len(hashes), _NONE)
        for column, known in enumerate(self.fingerprints.values()):
            has = _contains(known, hashes)
            owners[has] = np.where(owners[has] == _NONE, column, _SEVERAL)
        return owners

    def to_dict(self) -> dict[str, Any]:
        """Return all but the fingerprints as JSON values."""
        return {
            "passage": PASSAGE,
            "window": WINDOW,
            "authors": self.authors,
            "documents": [asdict(document) for document in self.documents],
        }

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the fingerprints of all authors behind each other, and how many each has."""
        counts = [len(known) for known in self.fingerprints.values()]
        none = np.zeros(0, dtype=np.uint64)
        return {
            "fingerprints": np.concatenate([none, *self.fingerprints.values()]),
            "fingerprint_counts": np.array(counts, dtype=np.int64),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild from what `to_dict` and `to_arrays` returned.

        Raises
        ------
        ModelFileError
            They are not such.
        """
        if (data.get("passage"), data.get("window")) != (PASSAGE, WINDOW):
            raise ModelFileError("its fingerprints are of other passages than this Byline's")
        authors = data.get("authors")
        if not isinstance(authors, list) or not all(isinstance(each, str) for each in authors):
            raise ModelFileError("the known texts' authors are no list of names")
        documents = data.get("documents")
        if not isinstance(documents, list):
            raise ModelFileError("the known texts are no list")
        read = tuple(map(_read_document, documents))
        if list(read) != sorted(read):
            raise ModelFileError("the known texts are not in order")
        if authors != sorted({document.author for document in read}):
            raise ModelFileError("the known texts are not those of the authors named")
        return cls(read, dict(zip(authors, _read_fingerprints(arrays, len(authors)), strict=True)))


def text_sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _contains(known: Hashes, hashes: Hashes) -> NDArray[np.bool_]:
    """Whether each hash is among the known ones, which ascend."""
    places = np.searchsorted(known, hashes)
    inside = places < len(known)
    found = np.zeros(len(hashes), dtype=bool)
    found[inside] = known[places[inside]] == hashes[inside]
    return found


def _runs(owners: Integers) -> Iterator[tuple[int, int, int]]:
    """Join an author's fingerprints: owner, first word, and the word after the last.

    In what is shared, fingerprints are at most `WINDOW` words apart. A word that is not shared
    parts them further, as it is in `PASSAGE` runs of words.
    """
    for owner in np.unique(owners[owners >= 0]).tolist():
        places = np.flatnonzero(owners == owner)
        parts = np.split(places, np.flatnonzero(np.diff(places) > WINDOW) + 1)
        yield from ((owner, int(part[0]), int(part[-1]) + PASSAGE) for part in parts)


def _read_document(data: object) -> KnownDocument:
    names = {field.name for field in fields(KnownDocument)}
    if not isinstance(data, dict) or set(data) != names:
        raise ModelFileError("a known text is not described by its author, work, hash and length")
    document = KnownDocument(**data)
    texts: Iterable[object] = (document.author, document.work, document.sha256)
    if not all(isinstance(value, str) for value in texts):
        raise ModelFileError("a known text's author, work or hash is no string")
    if len(document.sha256) != 64 or not _HEX.issuperset(document.sha256):
        raise ModelFileError(f"{document.sha256!r:.70} is no SHA-256")
    sizes = (document.n_characters, document.n_words)
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise ModelFileError("a known text's length is no number of characters or words")
    return document


def _read_fingerprints(arrays: Mapping[str, NDArray[Any]], n_authors: int) -> list[Hashes]:
    for name, kind in _ARRAYS.items():
        if name not in arrays or arrays[name].dtype != kind or arrays[name].ndim != 1:
            raise ModelFileError(f"the array {name} is missing, or not what it should be")
    hashes, counts = arrays["fingerprints"], arrays["fingerprint_counts"]
    largest = len(hashes)
    if len(counts) != n_authors or not ((counts >= 0) & (counts <= largest)).all():
        raise ModelFileError("fingerprint_counts are not one number an author")
    if int(counts.sum()) != largest:
        raise ModelFileError(f"fingerprint_counts do not add up to the {largest:,} fingerprints")
    each: list[Hashes] = np.split(hashes, np.cumsum(counts)[:-1]) if n_authors else []
    if not all((known[1:] > known[:-1]).all() for known in each):
        raise ModelFileError("an author's fingerprints do not ascend")
    return each
