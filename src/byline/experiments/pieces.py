"""Questioned texts of a given length: runs of consecutive sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from byline.corpus.findings import count
from byline.errors import LearningError, UsageError
from byline.experiments.splits import Fold
from byline.experiments.units import Protocol
from byline.text import TextEncoder


@dataclass(frozen=True, slots=True)
class Piece:
    """One questioned text: the sentences from ``start`` to before ``stop`` of its fold's."""

    path: str
    author: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Questions:
    """All questioned texts of a fold.

    Attributes
    ----------
    sentences : list of lists of str
        Tokens of the sentences of all held-out texts, end to end.
    pieces : mapping of length to list of Piece
        By length in sentences; under None the texts as they were held out.
    n_dropped : mapping of length to int
        Sentences left over, at the ends of texts, by runs of that length.
    """

    sentences: list[list[str]]
    pieces: Mapping[int | None, list[Piece]]
    n_dropped: Mapping[int | None, int]


def question(
    folds: Sequence[Fold], lengths: Sequence[int], protocol: Protocol, encoder: TextEncoder
) -> list[Questions]:
    """Give each fold's questioned texts, as they were held out and in runs of each length.

    A run never crosses the end of a document. Where single sentences were held out, it is of the
    held-out sentences of one author, in their order.

    Parameters
    ----------
    folds : sequence of Fold
    lengths : sequence of int
        Sentences in a run.
    protocol : {"document", "work", "sentence"}
        How the folds were made.
    encoder : TextEncoder
        Finds the sentences.

    Raises
    ------
    UsageError
        A length is below one sentence.
    LearningError
        A length that no questioned text has.
    """
    if any(length < 1 for length in lengths):
        raise UsageError(f"sentences={tuple(lengths)}: a questioned text has one sentence or more")
    asked = [_question(fold, lengths, protocol, encoder) for fold in folds]
    for length in lengths:
        if not any(questions.pieces[length] for questions in asked):
            raise LearningError(
                f"{folds[0].questioned.name}: no questioned text has "
                f"{count(length, 'sentence')}; ask for fewer"
            )
    return asked


def _question(
    fold: Fold, lengths: Sequence[int], protocol: Protocol, encoder: TextEncoder
) -> Questions:
    documents = list(fold.questioned)
    if protocol == "sentence":
        documents.sort(key=lambda document: document.author)
    tokenized = [encoder.tokenize(document.text) for document in documents]
    bounds = pairwise(accumulate(map(len, tokenized), initial=0))
    whole = [
        Piece(document.path, document.author, start, stop)
        for document, (start, stop) in zip(documents, bounds, strict=True)
    ]
    sources = _authors_apart(whole) if protocol == "sentence" else list(map(_cut, whole))
    return Questions(
        sentences=[sentence for sentences in tokenized for sentence in sentences],
        pieces={None: whole} | {length: _runs(sources, length) for length in lengths},
        n_dropped={None: 0} | {n: sum(len(source) % n for source in sources) for n in lengths},
    )


def _authors_apart(texts: Sequence[Piece]) -> list[list[Piece]]:
    return [list(own) for _, own in groupby(texts, lambda text: text.author)]


def _cut(text: Piece) -> list[Piece]:
    return [
        Piece(f"{text.path}, sentence {number}", text.author, at, at + 1)
        for number, at in enumerate(range(text.start, text.stop), start=1)
    ]


def _runs(sources: Sequence[Sequence[Piece]], length: int) -> list[Piece]:
    return [
        _join(source[start : start + length])
        for source in sources
        for start in range(0, len(source) - length + 1, length)
    ]


def _join(run: Sequence[Piece]) -> Piece:
    if len(run) == 1:
        return run[0]
    return replace(run[0], path=f"{run[0].path} to {run[-1].path}", stop=run[-1].stop)
