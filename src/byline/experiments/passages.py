"""Questioned texts of a given length: passages of consecutive sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from byline.attribution.inputs import check_number
from byline.errors import TrainingError, UsageError
from byline.experiments.splits import Fold, Protocol
from byline.formatting import quantity
from byline.text import TextEncoder
from byline.text.alignment import align_tokens


@dataclass(frozen=True, slots=True)
class Passage:
    """A questioned text: sentences ``start`` to ``stop`` (exclusive) of its fold."""

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
        Tokens of the sentences of all held-out texts, concatenated.
    passages : mapping of length to list of Passage
        The key is the length in sentences, or None for texts as they were held out.
    n_dropped : mapping of length to int
        Number of sentences at the ends of texts that are in no passage of that length.
    documents : list of str
        The held-out texts.
    sizes : list of int
        Number of sentences of each.
    """

    sentences: list[list[str]]
    passages: Mapping[int | None, list[Passage]]
    n_dropped: Mapping[int | None, int]
    documents: list[str]
    sizes: list[int]


def questioned_texts(
    folds: Sequence[Fold], lengths: Sequence[int], protocol: Protocol, encoder: TextEncoder
) -> list[QuestionedTexts]:
    """Return the questioned texts of each fold, as held out and as passages of each length.

    A passage never crosses the end of a document. If single sentences were held out, a passage
    consists of consecutive held-out sentences of one author.

    Parameters
    ----------
    folds : sequence of Fold
    lengths : sequence of int
        Lengths of passages in sentences.
    protocol : {"document", "work", "sentence"}
        How the folds were made.
    encoder : TextEncoder
        Encoder that finds the sentences.

    Raises
    ------
    UsageError
        A length is below one sentence.
    TrainingError
        No questioned text has one of the lengths.
    """
    if not isinstance(lengths, Sequence) or isinstance(lengths, str):
        raise UsageError(f"sentences is {lengths!r}; give a list of lengths")
    for length in lengths:
        check_number("each length in sentences", length, 1)
    questions_of_folds = [_questioned_texts(fold, lengths, protocol, encoder) for fold in folds]
    for length in lengths:
        if not any(questions.passages[length] for questions in questions_of_folds):
            raise TrainingError(
                f"{folds[0].questioned.name}: no questioned text has "
                f"{quantity(length, 'sentence')}; use a smaller length"
            )
    return questions_of_folds


def _questioned_texts(
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
    sources = _by_author(whole) if protocol == "sentence" else list(map(_single_sentences, whole))
    return QuestionedTexts(
        sentences=[sentence for sentences in tokenized for sentence in sentences],
        passages={None: whole} | {length: _passages(sources, length) for length in lengths},
        n_dropped={None: 0} | {n: sum(len(source) % n for source in sources) for n in lengths},
        documents=[document.text for document in documents],
        sizes=list(map(len, tokenized)),
    )


def passage_texts(questions: QuestionedTexts, encoder: TextEncoder) -> dict[int | None, list[str]]:
    """Return the questioned texts as strings, for classifiers that use more than the tokens.

    A passage from one document is the part of it from its first to its last token. The parts of a
    passage from several documents are joined by a space.

    Parameters
    ----------
    questions : QuestionedTexts
    encoder : TextEncoder
        The encoder that found the sentences.

    Returns
    -------
    dict of length to list of str
        In the order of the passages.
    """
    starts = list(accumulate(questions.sizes, initial=0))
    bounds = [
        _sentence_bounds(encoder, text, questions.sentences[start:stop])
        for text, (start, stop) in zip(questions.documents, pairwise(starts), strict=True)
    ]
    owner = [number for number, size in enumerate(questions.sizes) for _ in range(size)]
    bound = [each for of_text in bounds for each in of_text]

    def text_of(passage: Passage) -> str:
        parts = []
        for number, group in groupby(range(passage.start, passage.stop), owner.__getitem__):
            sentences = list(group)
            first, last = bound[sentences[0]], bound[sentences[-1]]
            parts.append(questions.documents[number][first[0] : last[1]])
        return " ".join(parts)

    return {
        length: questions.documents if length is None else list(map(text_of, passages))
        for length, passages in questions.passages.items()
    }


def _sentence_bounds(
    encoder: TextEncoder, text: str, sentences: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Return the start and end of each sentence in the text."""
    tokens = align_tokens(encoder, text, sentences, end_tokens=False)
    bounds = pairwise(accumulate(map(len, sentences), initial=0))
    return [(int(tokens.starts[start]), int(tokens.ends[stop - 1])) for start, stop in bounds]


def _by_author(texts: Sequence[Passage]) -> list[list[Passage]]:
    return [list(own) for _, own in groupby(texts, lambda text: text.author)]


def _single_sentences(text: Passage) -> list[Passage]:
    return [
        Passage(f"{text.path}, sentence {number}", text.author, at, at + 1)
        for number, at in enumerate(range(text.start, text.stop), start=1)
    ]


def _passages(sources: Sequence[Sequence[Passage]], length: int) -> list[Passage]:
    return [
        _join(source[start : start + length])
        for source in sources
        for start in range(0, len(source) - length + 1, length)
    ]


def _join(sentences: Sequence[Passage]) -> Passage:
    first, last = sentences[0], sentences[-1]
    path = first.path if len(sentences) == 1 else f"{first.path} to {last.path}"
    return replace(first, path=path, stop=last.stop)
