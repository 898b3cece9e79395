"""A corpus as arrays of token ids, which are quick to send to other processes and to store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from byline.array_types import Ids, Integers
from byline.corpus import Corpus
from byline.errors import CorpusError
from byline.lm.base import Sentence
from byline.text import PretokenizedEncoder, TextEncoder
from byline.text.vocabulary import UNK_TOKEN


@dataclass(frozen=True, slots=True, eq=False)
class IdCorpus:
    """Sentences of token ids, by author and document.

    Attributes
    ----------
    authors : tuple of str
    tokens : (n_tokens,) int32
        All sentences, concatenated. 0 is a literal ``<unk>``; other tokens are numbered in order of
        their first occurrence.
    offsets : (n_sentences + 1,) int64
        Start of each sentence, and end of the last one.
    author_of, document_of : (n_sentences,) int32
        Number of each sentence's author and document, in ascending order.
    n_types : int
        Ids lie in ``[0, n_types)``.
    """

    authors: tuple[str, ...]
    tokens: Ids
    offsets: Integers
    author_of: Ids
    document_of: Ids
    n_types: int

    @property
    def n_sentences(self) -> int:
        """Number of sentences by all authors."""
        return len(self.author_of)

    def sentence_numbers(self, author: int) -> Ids:
        """Return the numbers of one author's sentences, in ascending order."""
        return np.flatnonzero(self.author_of == author).astype(np.int32)

    def sentences(self, numbers: ArrayLike, ids: Ids) -> list[Sentence]:
        """Return sentences by their numbers, as slices of ``ids``.

        Parameters
        ----------
        numbers : (n,) int
        ids : (n_tokens,) int32
            Ids that replace `tokens` one by one, such as the ids of an author's own vocabulary.
        """
        chosen = np.asarray(numbers, dtype=np.int64)
        starts, ends = self.offsets[chosen].tolist(), self.offsets[chosen + 1].tolist()
        return [ids[start:end] for start, end in zip(starts, ends, strict=True)]


def id_corpus(
    corpus: Corpus,
    encoder: TextEncoder | PretokenizedEncoder,
    authors: Sequence[str] | None = None,
) -> IdCorpus:
    """Convert a corpus to token ids.

    Parameters
    ----------
    corpus : Corpus
    encoder : TextEncoder or PretokenizedEncoder
        Divides the texts into sentences and tokens.
    authors : sequence of str, optional
        The authors to include, in this order; by default all.

    Raises
    ------
    CorpusError
        One of ``authors`` is not in the corpus, or has no sentence.
    """
    chosen = tuple(corpus.candidates if authors is None else authors)
    unknown = sorted(set(chosen) - set(corpus.candidates))
    if unknown:
        raise CorpusError(
            f"{corpus.name} has no author {', '.join(unknown)}. "
            f"Its authors are {', '.join(corpus.candidates)}"
        )
    ids = {UNK_TOKEN: 0}
    tokens: list[int] = []
    lengths: list[int] = []
    owners: list[int] = []
    documents: list[int] = []
    for author, document, sentence in _sentences(corpus, encoder, chosen):
        tokens += [ids.setdefault(token, len(ids)) for token in sentence]
        lengths.append(len(sentence))
        owners.append(author)
        documents.append(document)
    empty = [name for number, name in enumerate(chosen) if number not in set(owners)]
    if empty:
        raise CorpusError(f"{corpus.name}: {', '.join(empty)} has no sentence; add text")
    return IdCorpus(
        authors=chosen,
        tokens=np.array(tokens, dtype=np.int32),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        author_of=np.array(owners, dtype=np.int32),
        document_of=np.array(documents, dtype=np.int32),
        n_types=len(ids),
    )


def _sentences(
    corpus: Corpus, encoder: TextEncoder | PretokenizedEncoder, authors: Sequence[str]
) -> Iterator[tuple[int, int, list[str]]]:
    """Yield each sentence with the numbers of its author and document."""
    number = 0
    for place, author in enumerate(authors):
        for document in corpus:
            if document.author == author:
                for sentence in encoder.tokenize(document.text):
                    yield place, number, sentence
                number += 1


def corpus_digest(corpus: Corpus) -> str:
    """Return the SHA-256 of the authors, works, paths and texts of a corpus, in order."""
    state = hashlib.sha256()
    for document in corpus:
        fields = [document.author, document.work, document.path, document.text]
        state.update(json.dumps(fields).encode())
        state.update(b"\n")
    return state.hexdigest()
