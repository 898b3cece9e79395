"""Random samples of known texts, and passages of held-out texts, of so many words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from byline.corpus import Document
from byline.experiments.word_passages import WordText

PASSAGE_WORDS = 500  # by which known texts are sampled


@dataclass(frozen=True, slots=True)
class Text:
    """A document, and its words.

    Attributes
    ----------
    document : Document
    words : WordText
    """

    document: Document
    words: WordText

    @classmethod
    def of(cls, document: Document) -> Text:
        """Count the words of a document."""
        return cls(document, WordText(document.text))


@dataclass(frozen=True, slots=True)
class QuestionedPassage:
    """A passage of a held-out text.

    Attributes
    ----------
    author, work : str
    n_words : int
    text : str
    """

    author: str
    work: str
    n_words: int
    text: str


def take_sample(texts: Sequence[Text], n_words: int, *seed: int | str) -> list[Document]:
    """Take a random sample of exactly ``n_words`` words from the known texts of one author.

    The texts are divided into passages of about 500 words, and as many random passages are taken as
    are needed; the last one is cut. What is taken from one text remains one text. With the same
    seed, a smaller sample is part of a larger one.

    Parameters
    ----------
    texts : sequence of Text
        All by one author, with ``n_words`` words or more.
    n_words : int
    *seed : int or str

    Returns
    -------
    list of Document
        In the order of ``texts``.
    """
    passages = [
        (place, start, stop - start)
        for place, text in enumerate(texts)
        for start, stop in _divide(text.words.n_words)
    ]
    taken: dict[int, list[tuple[int, int]]] = {}
    missing = n_words
    for chosen in seeded_generator(*seed).permutation(len(passages)).tolist():
        place, start, size = passages[chosen]
        taken.setdefault(place, []).append((start, min(size, missing)))
        missing -= size
        if missing <= 0:
            break
    return [
        replace(texts[place].document, text=_join(texts[place].words, sorted(taken[place])))
        for place in sorted(taken)
    ]


def take_passages(
    texts: Sequence[Text], n_words: int, at_most: int, *seed: int | str
) -> list[QuestionedPassage]:
    """Take passages of ``n_words`` words from the held-out texts of one author.

    Parameters
    ----------
    texts : sequence of Text
        All by one author. Each is divided into passages; what is left at its end is not used.
    n_words : int
    at_most : int
        Of more passages, so many are chosen at random.
    *seed : int or str
    """
    starts = [
        (text, number * n_words)
        for text in texts
        for number in range(text.words.n_words // n_words)
    ]
    order = seeded_generator(*seed).permutation(len(starts))[:at_most]
    return [
        QuestionedPassage(
            text.document.author, text.document.work, n_words, text.words.passage(start, n_words)
        )
        for text, start in (starts[place] for place in sorted(order.tolist()))
    ]


def seeded_generator(*seed: int | str) -> np.random.Generator:
    """Return a generator of random numbers, whose seed is derived from numbers and names."""
    digest = hashlib.sha256(json.dumps(seed).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _divide(n_words: int) -> Iterator[tuple[int, int]]:
    """Yield the starts and ends of passages of nearly equal numbers of words."""
    if not n_words:
        return
    n_passages = max(1, round(n_words / PASSAGE_WORDS))
    ends = [n_words * number // n_passages for number in range(n_passages + 1)]
    yield from pairwise(ends)


def _join(words: WordText, passages: Sequence[tuple[int, int]]) -> str:
    """Join passages in their order; there is a paragraph break where something is missing."""
    runs: list[list[int]] = []
    for start, size in passages:
        if runs and sum(runs[-1]) == start:
            runs[-1][1] += size
        else:
            runs.append([start, size])
    return "\n\n".join(words.passage(start, size) for start, size in runs)
