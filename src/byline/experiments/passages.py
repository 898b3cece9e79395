"""Questioned texts of a given length: runs of consecutive sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from byline.errors import TrainingError, UsageError
from byline.experiments.splits import Fold, Protocol
from byline.formatting import quantity
from byline.text import TextEncoder
from byline.text.alignment import align_tokens


@dataclass(frozen=True, slots=True)
class Passage:
    """One questioned text: the sentences from ``start`` to before ``stop`` of its fold's."""

    path: str
    author: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class QuestionedTexts:
    """All questioned texts of a fold.

    Attributes
    ----------
    sentences : list of lists of str
        Tokens of the sentences of all held-out texts, end to end.
    pieces : mapping of length to list of Piece
        By length in sentences; under None the texts as they were held out.
    n_dropped : mapping of length to int
        Sentences left over, at the ends of texts, by runs of that length.
    documents : list of str
        The held-out texts as they are written.
    sizes : list of int
        Sentences of each.
    """

    sentences: list[list[str]]
    pieces: Mapping[int | None, list[Passage]]
    n_dropped: Mapping[int | None, int]
    documents: list[str]
    sizes: list[int]


def questioned_texts(
    folds: Sequence[Fold], lengths: Sequence[int], protocol: Protocol, encoder: TextEncoder
) -> list[QuestionedTexts]:
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
    TrainingError
        A length that no questioned text has.
    """
    if any(length < 1 for length in lengths):
        raise UsageError(f"sentences={tuple(lengths)}: a questioned text has one sentence or more")
    asked = [_question(fold, lengths, protocol, encoder) for fold in folds]
    for length in lengths:
        if not any(questions.pieces[length] for questions in asked):
            raise TrainingError(
                f"{folds[0].questioned.name}: no questioned text has "
                f"{quantity(length, 'sentence')}; ask for fewer"
            )
    return asked


def _question(
    fold: Fold, lengths: Sequence[int], protocol: Protocol, encoder: TextEncoder
) -> QuestionedTexts:
    documents = list(fold.questioned)
    if protocol == "sentence":
        documents.sort(key=lambda document: document.author)
    tokenized = [encoder.tokenize(document.text) for document in documents]
    bounds = pairwise(accumulate(map(len, tokenized), initial=0))
    whole = [
        Passage(document.path, document.author, start, stop)
        for document, (start, stop) in zip(documents, bounds, strict=True)
    ]
    sources = _authors_apart(whole) if protocol == "sentence" else list(map(_cut, whole))
    return QuestionedTexts(
        sentences=[sentence for sentences in tokenized for sentence in sentences],
        pieces={None: whole} | {length: _runs(sources, length) for length in lengths},
        n_dropped={None: 0} | {n: sum(len(source) % n for source in sources) for n in lengths},
        documents=[document.text for document in documents],
        sizes=list(map(len, tokenized)),
    )


def passage_texts(questions: QuestionedTexts, encoder: TextEncoder) -> dict[int | None, list[str]]:
    """Give the questioned texts as they are written, for what reads more than tokens.

    A run of sentences of one text is a part of it, from its first to its last token; of several
    texts, the parts are set off by a blank.

    Parameters
    ----------
    questions : Questions
    encoder : TextEncoder
        The one that found their sentences.

    Returns
    -------
    dict of length to list of str
        In the order of the pieces.
    """
    starts = list(accumulate(questions.sizes, initial=0))
    places = [
        _sentence_places(encoder, text, questions.sentences[start:stop])
        for text, (start, stop) in zip(questions.documents, pairwise(starts), strict=True)
    ]
    owner = [number for number, size in enumerate(questions.sizes) for _ in range(size)]
    place = [bounds for own in places for bounds in own]

    def text_of(piece: Passage) -> str:
        parts = []
        for number, run in groupby(range(piece.start, piece.stop), owner.__getitem__):
            sentences = list(run)
            first, last = place[sentences[0]], place[sentences[-1]]
            parts.append(questions.documents[number][first[0] : last[1]])
        return " ".join(parts)

    return {
        length: questions.documents if length is None else list(map(text_of, pieces))
        for length, pieces in questions.pieces.items()
    }


def _sentence_places(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Where each sentence begins and ends in the text."""
    tokens = align_tokens(encoder, text, sentences, end_tokens=False)
    bounds = pairwise(accumulate(map(len, sentences), initial=0))
    return [(int(tokens.starts[first]), int(tokens.ends[behind - 1])) for first, behind in bounds]


def _authors_apart(texts: Sequence[Passage]) -> list[list[Passage]]:
    return [list(own) for _, own in groupby(texts, lambda text: text.author)]


def _cut(text: Passage) -> list[Passage]:
    return [
        Passage(f"{text.path}, sentence {number}", text.author, at, at + 1)
        for number, at in enumerate(range(text.start, text.stop), start=1)
    ]


def _runs(sources: Sequence[Sequence[Passage]], length: int) -> list[Passage]:
    return [
        _join(source[start : start + length])
        for source in sources
        for start in range(0, len(source) - length + 1, length)
    ]


def _join(run: Sequence[Passage]) -> Passage:
    if len(run) == 1:
        return run[0]
    return replace(run[0], path=f"{run[0].path} to {run[-1].path}", stop=run[-1].stop)
