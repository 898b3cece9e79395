"""Texts of one author joined to longer ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from byline.corpus import Corpus


def joined_runs(texts: Corpus, length: int) -> Corpus:
    """Join runs of ``length`` consecutive texts of one author; a rest that is shorter is left out.

    A text is a line of the joined one, so that language models score it by the sum of its
    sentences' log-probabilities.
    """
    runs = (texts[start : start + length] for start in _starts(texts.authors, length))
    return Corpus((replace(run[0], text="\n".join(run.texts)) for run in runs), texts.name)


def _starts(authors: Sequence[str], length: int) -> Iterator[int]:
    """Give the places where runs of so many texts of one author begin."""
    for _, places in groupby(range(len(authors)), key=authors.__getitem__):
        own = list(places)
        yield from range(own[0], own[-1] + 2 - length, length)
