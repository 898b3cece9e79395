"""A text cut into sentences as an encoder cuts it, no character lost."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from byline.text import TextEncoder
from byline.text.alignment import place_tokens


def cut_into_sentences(encoder: TextEncoder, text: str) -> list[str]:
    """Cut a text before the first token of each of the encoder's sentences but the first.

    Returns
    -------
    list of str
        As many as ``encoder.tokenize(text)`` has, so that numbers of sentences are the same in
        evidence; joined, they are the text. Empty where the text has no token.
    """
    sentences = encoder.tokenize(text)
    if not sentences:
        return []
    places = place_tokens(encoder, text, sentences, end_marks=False)
    firsts = np.cumsum([0, *map(len, sentences[:-1])])
    bounds = [0, *places.starts[firsts[1:]].tolist(), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def cut_evenly(n_sentences: int, n_parts: int) -> list[tuple[int, int]]:
    """Bounds of parts as equal in sentences as can be.

    Parameters
    ----------
    n_sentences : int
    n_parts : int
        At most ``n_sentences``.
    """
    cuts = np.linspace(0, n_sentences, n_parts + 1).round().astype(int).tolist()
    return list(pairwise(cuts))


def slide(n_sentences: int, window: int, step: int) -> list[tuple[int, int]]:
    """Bounds of windows that begin a step behind each other, or a little less to end with the text.

    Parameters
    ----------
    n_sentences : int
        At least ``window``.
    window, step : int
    """
    last = n_sentences - window
    starts = np.linspace(0, last, -(-last // step) + 1).round().astype(int).tolist()
    return [(start, start + window) for start in starts]
