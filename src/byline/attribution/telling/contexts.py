"""Keywords in context: where an n-gram stands in a text, and what stands around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.attribution.classifiers.ngrams import KnownNgrams
from byline.attribution.telling.counts import split_units
from byline.corpus.scripts import is_spaceless
from byline.text import TextEncoder
from byline.text.alignment import place_tokens

AROUND = 29  # characters shown on either side
CUT = "…"


@dataclass(frozen=True, slots=True)
class Context:
    """One place where an n-gram stands, as it is written there.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    before, hit, after : str
        What stands before the n-gram, the n-gram, and what stands behind it; white space is one
        space each. An ellipsis stands for what is left out.
    """

    path: str | None
    before: str
    hit: str
    after: str


def find_contexts(
    encoder: TextEncoder, ngrams: KnownNgrams, text: str, columns: list[int], path: str | None
) -> dict[int, Context]:
    """Find the first place of n-grams in a text that has them.

    Parameters
    ----------
    encoder : TextEncoder
    ngrams : KnownNgrams
    text : str
    columns : list of int
        Of the n-grams that are looked for.
    path : str or None
        Where the text came from.

    Returns
    -------
    dict of column to Context
        Those that were found.
    """
    units = split_units(encoder, text)
    places = place_tokens(encoder, text, encoder.tokenize(text), end_marks=True)
    found, starts, ends = ngrams.occurrences(units)
    contexts = {}
    for column in columns:
        hits = np.flatnonzero(found == column)
        if len(hits):
            first = hits[starts[hits].argmin()]
            start, end = places.starts[starts[first]], places.ends[ends[first] - 1]
            contexts[column] = show(text, int(start), int(end), path)
    return contexts


def show(text: str, start: int, end: int, path: str | None = None) -> Context:
    """Show what stands around a part of a text, in whole words where spaces part them."""
    before = " ".join(text[max(0, start - AROUND) : start].split())
    after = " ".join(text[end : end + AROUND].split())
    if start > AROUND:
        before = CUT + (before if is_spaceless(before) else before.partition(" ")[2])
    if end + AROUND < len(text):
        after = (after if is_spaceless(after) else after.rpartition(" ")[0]) + CUT
    space = " "
    return Context(
        path=path,
        before=before + space * text[start - 1 : start].isspace(),
        hit=" ".join(text[start:end].split()),
        after=space * text[end : end + 1].isspace() + after,
    )
