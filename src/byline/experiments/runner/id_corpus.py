"""A corpus as jobs take it: numbers in arrays, which are sent and stored quickly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        All sentences end to end; 0 is a literal ``<unk>``, others are numbered as they come.
    offsets : (n_sentences + 1,) int64
        Where each sentence begins, and the last one ends.
    author_of, document_of : (n_sentences,) int32
        Numbers of each sentence's author and document; both rise.
    n_types : int
        Ids lie in ``[0, n_types)``.
    """

    authors: tuple[str, ...]
    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    author_of: NDArray[np.int32]
    document_of: NDArray[np.int32]
    n_types: int

    @property
    def n_sentences(self) -> int:
        """Number of sentences of all authors."""
        return len(self.author_of)

    def sentences_of(self, author: int) -> NDArray[np.int32]:
        """Numbers of one author's sentences, in their order."""
        return np.flatnonzero(self.author_of == author).astype(np.int32)

    def cut(self, numbers: ArrayLike, ids: NDArray[np.int32]) -> list[Sentence]:
        """Cut sentences out of ``ids``, which stand for `tokens` one by one: (n_tokens,) int32."""
        chosen = np.asarray(numbers, dtype=np.int64)
        starts, ends = self.offsets[chosen].tolist(), self.offsets[chosen + 1].tolist()
        return [ids[start:end] for start, end in zip(starts, ends, strict=True)]


def id_corpus(corpus: Corpus, form: str, authors: Sequence[str] | None = None) -> IdCorpus:
    """Cut a corpus into sentences of ids.

    Parameters
    ----------
    corpus : Corpus
    form : {"text", "tokenised"}
        Running text is cut, stemmed and marked as in the paper; or it is tokenised already, one
        sentence a line.
    authors : sequence of str, optional
        Those to take, in this order; by default all.

    Raises
    ------
    CorpusError
        One of ``authors`` is not in the corpus, or has no sentence.
    """
    chosen = tuple(corpus.candidates if authors is None else authors)
    strangers = sorted(set(chosen) - set(corpus.candidates))
    if strangers:
        raise CorpusError(
            f"{corpus.name} has no author {', '.join(strangers)}; "
            f"its authors are {', '.join(corpus.candidates)}"
        )
    ids = {UNK_TOKEN: 0}
    tokens: list[int] = []
    lengths: list[int] = []
    owners: list[int] = []
    documents: list[int] = []
    for author, document, sentence in _sentences(corpus, form, chosen):
        tokens += [ids.setdefault(token, len(ids)) for token in sentence]
        lengths.append(len(sentence))
        owners.append(author)
        documents.append(document)
    bare = [name for number, name in enumerate(chosen) if number not in set(owners)]
    if bare:
        raise CorpusError(f"{corpus.name}: {', '.join(bare)} has no sentence; add text")
    return IdCorpus(
        authors=chosen,
        tokens=np.array(tokens, dtype=np.int32),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        author_of=np.array(owners, dtype=np.int32),
        document_of=np.array(documents, dtype=np.int32),
        n_types=len(ids),
    )


def _sentences(
    corpus: Corpus, form: str, authors: Sequence[str]
) -> Iterator[tuple[int, int, list[str]]]:
    """Give each sentence with the numbers of its author and document."""
    encoder = TextEncoder.like_ge_sun_2016() if form == "text" else PretokenizedEncoder()
    number = 0
    for place, author in enumerate(authors):
        for document in corpus:
            if document.author == author:
                for sentence in encoder.tokenize(document.text):
                    yield place, number, sentence
                number += 1


def digest(corpus: Corpus) -> str:
    """SHA-256 of all that a corpus holds: authors, works, paths and texts, in order."""
    state = hashlib.sha256()
    for document in corpus:
        fields = [document.author, document.work, document.path, document.text]
        state.update(json.dumps(fields).encode())
        state.update(b"\n")
    return state.hexdigest()
