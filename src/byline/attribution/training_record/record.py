"""What a model learnt from: a record that names every known text and holds none of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.frequency_profile import FrequencyProfile
from byline.attribution.stored_arrays import take_array
from byline.attribution.training_record.shared_passages import SharedPassages, shared_passages
from byline.corpus.fingerprints import (
    PASSAGE_WORDS,
    WINDOW_HASHES,
    Hashes,
    WordHasher,
    select_fingerprints,
)
from byline.errors import ModelFileError, UsageError

_HEX = frozenset("0123456789abcdef")
_WORDS = ("author", "work", "sha256")
_SIZES = ("n_characters", "n_words")
HABITS = ("means", "variances", "distances")  # arrays of habits
_ARRAYS = {"fingerprints": np.uint64, "fingerprint_counts": np.int64}


def check_passages(data: Mapping[str, Any]) -> None:
    """Refuse fingerprints of passages of another length (`ModelFileError`)."""
    if (data.get("passage"), data.get("window")) != (PASSAGE_WORDS, WINDOW_HASHES):
        raise ModelFileError("its fingerprints are of other passages than this Byline's")


def read_documents(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what describes each known text.

    Raises
    ------
    ModelFileError
        It does not.
    """
    documents = data.get("documents")
    if not isinstance(documents, list):
        raise ModelFileError("the known texts are no list")
    for document in documents:
        _check_document(document)
    return documents


def _check_document(data: object) -> None:
    if not isinstance(data, dict) or set(data) != {*_WORDS, *_SIZES}:
        raise ModelFileError("a known text is not described by its author, work, hash and length")
    if not all(isinstance(data[name], str) for name in _WORDS):
        raise ModelFileError("a known text's author, work or hash is no string")
    if len(data["sha256"]) != 64 or not _HEX.issuperset(data["sha256"]):
        raise ModelFileError(f"{data['sha256']!r:.70} is no SHA-256")
    if not all(type(data[name]) is int and data[name] >= 0 for name in _SIZES):
        raise ModelFileError("a known text's length is no number of characters or words")


def read_fingerprints(arrays: Mapping[str, NDArray[Any]], n_authors: int) -> list[Hashes]:
    """Return each author's fingerprints.

    Raises
    ------
    ModelFileError
        An array is missing or of another kind, or there are not as many numbers as it takes.
    """
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


def read_habits(
    data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the words, means and variances of `FrequencyProfile`, and the texts' distances.

    Raises
    ------
    ModelFileError
        They are not such.
    """
    words = data.get("habits")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ModelFileError("the known texts' commonest words are no list of words")
    n_words = (len(words),)
    means = take_array(arrays, "habit_means", np.float64, n_words)
    variances = take_array(arrays, "habit_variances", np.float64, n_words)
    distances = take_array(arrays, "habit_distances", np.float64, (None,))
    for array in (means, variances, distances):
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise ModelFileError("the known texts' habits are no shares, variances or distances")
    return tuple(words), means, variances, distances


@dataclass(frozen=True, slots=True, order=True)
class TrainingDocument:
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
class RecordDifferences:
    """How known texts differ from those of a record.

    Attributes
    ----------
    missing : tuple of TrainingDocument
        In the record alone.
    added : tuple of TrainingDocument
        Not in the record.
    """

    missing: tuple[TrainingDocument, ...]
    added: tuple[TrainingDocument, ...]


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """The known texts a model learnt from.

    Attributes
    ----------
    documents : tuple of TrainingDocument
        In order, whatever order the texts came in.
    fingerprints : mapping of author to (n_fingerprints,) uint64
        Of passages in each author's texts, ascending, each once.
    habits : Habits
        How often all of them use their commonest words and marks.
    """

    documents: tuple[TrainingDocument, ...]
    fingerprints: Mapping[str, Hashes]
    habits: FrequencyProfile

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
        documents: list[TrainingDocument] = []
        found: dict[str, list[Hashes]] = {str(author): [] for author in authors}
        for text, author, work in zip(texts, map(str, authors), works, strict=True):
            words = hasher.hash_words(text)
            documents.append(
                TrainingDocument(author, work, text_sha256(text), len(text), len(words))
            )
            found[author].append(select_fingerprints(words))
        distinct = {author: np.unique(np.concatenate(found[author])) for author in sorted(found)}
        return cls(tuple(sorted(documents)), distinct, FrequencyProfile.of(sorted(texts)))

    @property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return list(self.fingerprints)

    def by(self, author: str) -> list[TrainingDocument]:
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

    def differences(self, others: Self) -> RecordDifferences:
        """Compare other known texts with these: an author's text is the same if its hash is."""
        own, theirs = Counter(map(_key, self.documents)), Counter(map(_key, others.documents))
        return RecordDifferences(
            missing=_more_in(self.documents, theirs), added=_more_in(others.documents, own)
        )

    def _hashed(self) -> list[TrainingDocument]:
        return sorted(self.documents, key=_key)

    def passages_shared_with(self, text: str) -> SharedPassages:
        """Find passages of a questioned text that one author's known texts have, and no other's."""
        return shared_passages(text, self.fingerprints)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the fingerprints as JSON values."""
        return {
            "passage": PASSAGE_WORDS,
            "window": WINDOW_HASHES,
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
        documents = tuple(TrainingDocument(**each) for each in read_documents(data))
        if list(documents) != sorted(documents):
            raise ModelFileError("the known texts are not in order")
        authors = sorted({document.author for document in documents})
        if data.get("authors") != authors:
            raise ModelFileError("the known texts are not those of the authors named")
        fingerprints = dict(zip(authors, read_fingerprints(arrays, len(authors)), strict=True))
        return cls(documents, fingerprints, FrequencyProfile(*read_habits(data, arrays)))


def text_sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _key(document: TrainingDocument) -> tuple[str, str]:
    return document.author, document.sha256


def _more_in(
    documents: Iterable[TrainingDocument], others: Counter[tuple[str, str]]
) -> tuple[TrainingDocument, ...]:
    """Return the documents that the others have not, or fewer times."""
    left = Counter(others)
    more = []
    for document in documents:
        if left[_key(document)]:
            left[_key(document)] -= 1
        else:
            more.append(document)
    return tuple(more)
