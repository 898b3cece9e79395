"""`TrainingRecord`: identifies every known text of a model without containing any of them."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.frequency_profile import FrequencyProfile
from byline.attribution.stored_arrays import take_array
from byline.attribution.training_record.shared_passages import (
    FingerprintTable,
    SharedPassages,
    shared_passages,
)
from byline.corpus.fingerprints import (
    PASSAGE_WORDS,
    WINDOW_HASHES,
    Hashes,
    WordHasher,
    select_fingerprints,
)
from byline.errors import ModelFileError, UsageError

_HEX = frozenset("0123456789abcdef")
_STRINGS = ("author", "work", "sha256")
_COUNTS = ("n_characters", "n_words")
_PROFILE_ARRAYS = ("means", "variances", "distances")


@dataclass(frozen=True, slots=True, order=True)
class TrainingDocument:
    """A known text.

    Attributes
    ----------
    author : str
    work : str
        The work it belongs to; for a corpus without works, its path; empty if unknown.
    sha256 : str
        The digest of the text as the model was trained on it, in UTF-8: 64 hexadecimal digits.
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
        Only in the record.
    added : tuple of TrainingDocument
        Not in the record.
    """

    missing: tuple[TrainingDocument, ...]
    added: tuple[TrainingDocument, ...]


@dataclass(frozen=True)
class TrainingRecord:
    """The known texts that a model was trained on.

    Attributes
    ----------
    documents : tuple of TrainingDocument
        Sorted, whatever the order of the texts was.
    fingerprints : mapping of author to (n_fingerprints,) uint64
        Hashes of passages in each author's texts, ascending and distinct.
    frequency_profile : FrequencyProfile
        Of all texts.
    """

    documents: tuple[TrainingDocument, ...]
    fingerprints: Mapping[str, Hashes]
    frequency_profile: FrequencyProfile

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        authors: Sequence[Any],
        works: Sequence[str] | None = None,
    ) -> Self:
        """Make the record of known texts, whatever their order is.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        authors : sequence of str or int, (n_documents,)
        works : sequence of str, (n_documents,), optional

        Raises
        ------
        UsageError
            If there are not as many authors or works as texts.
        """
        works = [""] * len(texts) if works is None else works
        if not len(texts) == len(authors) == len(works):
            raise UsageError(
                f"there are {len(texts)} texts, {len(authors)} authors and {len(works)} works; "
                "give one author and one work per text"
            )
        hasher = WordHasher()
        documents: list[TrainingDocument] = []
        found: dict[str, list[Hashes]] = {str(author): [] for author in authors}
        for text, author, work in zip(texts, map(str, authors), works, strict=True):
            words = hasher.hash_words(text)
            digest = text_sha256(text)
            documents.append(TrainingDocument(author, work, digest, len(text), len(words)))
            found[author].append(select_fingerprints(words))
        distinct = {author: np.unique(np.concatenate(found[author])) for author in sorted(found)}
        return cls(tuple(sorted(documents)), distinct, FrequencyProfile.of(sorted(texts)))

    @property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return list(self.fingerprints)

    def by(self, author: str) -> list[TrainingDocument]:
        """Return the documents of an author, sorted."""
        first, end = (
            find(self.documents, author, key=attrgetter("author"))
            for find in (bisect_left, bisect_right)
        )
        return list(self.documents[first:end])

    def n_works(self, author: str) -> int:
        """Return the number of an author's works; a document without a work counts as one."""
        works = [document.work for document in self.by(author)]
        return len(set(works) - {""}) + works.count("")

    @property
    def sha256(self) -> str:
        """One digest for all texts: of the sorted lines ``author``, tab, ``sha256`` of a text."""
        documents = sorted(self.documents, key=_key)
        return text_sha256("".join(f"{each.author}\t{each.sha256}\n" for each in documents))

    def differences(self, others: Self) -> RecordDifferences:
        """Compare with another record: texts of one author are equal if their digests are."""
        own, theirs = Counter(map(_key, self.documents)), Counter(map(_key, others.documents))
        return RecordDifferences(
            missing=_not_in(self.documents, theirs), added=_not_in(others.documents, own)
        )

    @cached_property
    def fingerprint_table(self) -> FingerprintTable:
        """The fingerprints of all authors, sorted together."""
        return FingerprintTable.of(self.fingerprints)

    def passages_shared_with(self, text: str) -> SharedPassages:
        """Find passages of a questioned text that occur in exactly one author's known texts."""
        return shared_passages(text, self.fingerprint_table)

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the arrays as JSON values."""
        return {
            "passage": PASSAGE_WORDS,
            "window": WINDOW_HASHES,
            "authors": self.authors,
            "documents": [asdict(document) for document in self.documents],
            "frequency_profile": list(self.frequency_profile.words),
        }

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fingerprints, their numbers per author, and the frequency profile."""
        counts = [len(own) for own in self.fingerprints.values()]
        none = np.zeros(0, dtype=np.uint64)
        return {
            "fingerprints": np.concatenate([none, *self.fingerprints.values()]),
            "fingerprint_counts": np.array(counts, dtype=np.int64),
            **{
                f"profile_{name}": getattr(self.frequency_profile, name) for name in _PROFILE_ARRAYS
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild a record from what `to_dict` and `to_arrays` returned.

        Raises
        ------
        ModelFileError
            If the data are invalid.
        """
        if (data.get("passage"), data.get("window")) != (PASSAGE_WORDS, WINDOW_HASHES):
            raise ModelFileError("its fingerprints are of other passages than this Byline's")
        documents = _read_documents(data)
        authors = sorted({document.author for document in documents})
        if data.get("authors") != authors:
            raise ModelFileError("the known texts are not by the named authors")
        fingerprints = dict(zip(authors, _read_fingerprints(arrays, len(authors)), strict=True))
        return cls(documents, fingerprints, _read_profile(data, arrays))


def text_sha256(text: str) -> str:
    """Return the SHA-256 digest of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _key(document: TrainingDocument) -> tuple[str, str]:
    return document.author, document.sha256


def _not_in(
    documents: Iterable[TrainingDocument], others: Counter[tuple[str, str]]
) -> tuple[TrainingDocument, ...]:
    """Return the documents that the others do not contain, or contain fewer times."""
    left = Counter(others)
    found = []
    for document in documents:
        if left[_key(document)]:
            left[_key(document)] -= 1
        else:
            found.append(document)
    return tuple(found)


def _read_documents(data: Mapping[str, Any]) -> tuple[TrainingDocument, ...]:
    described = data.get("documents")
    if not isinstance(described, list):
        raise ModelFileError("the known texts are not a list")
    for each in described:
        _check_document(each)
    documents = tuple(TrainingDocument(**each) for each in described)
    if list(documents) != sorted(documents):
        raise ModelFileError("the known texts are not sorted")
    return documents


def _check_document(data: object) -> None:
    if not isinstance(data, dict) or set(data) != {*_STRINGS, *_COUNTS}:
        raise ModelFileError("a known text is not described by its author, work, digest and length")
    if not all(isinstance(data[name], str) for name in _STRINGS):
        raise ModelFileError("a known text's author, work or digest is not a string")
    if len(data["sha256"]) != 64 or not _HEX.issuperset(data["sha256"]):
        raise ModelFileError(f"{data['sha256']!r:.70} is not a SHA-256 digest")
    if not all(type(data[name]) is int and data[name] >= 0 for name in _COUNTS):
        raise ModelFileError("a known text's length is not a number of characters or words")


def _read_fingerprints(arrays: Mapping[str, NDArray[Any]], n_authors: int) -> list[Hashes]:
    """Return each author's fingerprints."""
    hashes = take_array(arrays, "fingerprints", np.uint64, (None,))
    counts = take_array(arrays, "fingerprint_counts", np.int64, (n_authors,))
    total = len(hashes)
    if not ((counts >= 0) & (counts <= total)).all() or int(counts.sum()) != total:
        raise ModelFileError(f"fingerprint_counts do not add up to the {total:,} fingerprints")
    each: list[Hashes] = np.split(hashes, np.cumsum(counts)[:-1]) if n_authors else []
    if not all((own[1:] > own[:-1]).all() for own in each):
        raise ModelFileError("an author's fingerprints are not ascending")
    return each


def _read_profile(data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> FrequencyProfile:
    words = data.get("frequency_profile")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ModelFileError("the words of the frequency profile are not a list of words")
    means, variances, distances = (
        take_array(arrays, f"profile_{name}", np.float64, (length,))
        for name, length in zip(_PROFILE_ARRAYS, (len(words), len(words), None), strict=True)
    )
    if not all((array >= 0).all() for array in (means, variances, distances)):
        raise ModelFileError("the frequency profile has a negative value")
    return FrequencyProfile(tuple(words), means, variances, distances)
