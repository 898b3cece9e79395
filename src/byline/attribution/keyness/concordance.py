"""Concordance lines of words and n-grams, from running text and spread over all texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np

from byline.array_types import Integers
from byline.attribution.keyness.places import Places
from byline.attribution.keyness.prose import Prose
from byline.typography.scripts import is_unspaced

CONTEXT_LENGTH = 60  # characters shown on either side
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Context:
    """A concordance line: one occurrence of a word or n-gram, as it is written in the text.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    before, hit, after : str
        The text before the n-gram, the n-gram, and the text after it. Each run of white space is
        one space. An ellipsis stands for omitted text.

    Examples
    --------
    >>> Context("ada/1.txt", before="the sea ", hit="and", after=" the wind").hit
    'and'
    """

    path: str | None
    before: str
    hit: str
    after: str


class Concordance:
    r"""Find concordance lines in texts.

    Parameters
    ----------
    places : Places
        Where words or n-grams occur.

    Examples
    --------
    >>> from byline.attribution.keyness.places import WordPlaces
    >>> from byline.attribution.keyness.word_table import WordTable
    >>> from byline.corpus import Corpus, Document
    >>> text = "The Sea\n\n" + "The sea was calm. " * 20
    >>> sea = Corpus([Document("Ann", text, "1.txt")], "sea")
    >>> table = WordTable.of(sea, Corpus([Document("Ben", "A field.", "2.txt")], "land"))
    >>> [line] = Concordance(WordPlaces(table.first)).lines(table.words.index("calm"), 1)
    >>> line.hit, line.before[-8:]
    ('calm', 'sea was ')
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._corpus = places.corpus
        self._offsets = np.cumsum([0, *map(len, self._corpus.texts)])
        self._prose = cache(lambda document: Prose.of(self._corpus[document].text))

    def lines(self, item: int, at_most: int) -> tuple[Context, ...]:
        """Return lines with a word or n-gram, in the order of the texts.

        Occurrences in title pages, tables of contents and headings are left out. The lines come
        from as many texts as possible, and from places as far apart as possible.

        Parameters
        ----------
        item : int
            The id of the word or n-gram.
        at_most : int
            Largest number of lines.
        """
        if not at_most:
            return ()
        found = list(islice(self._in_running_text(item, at_most), at_most))
        if len(found) == at_most:
            found = [self._one_of(spans, stretch, at_most) for stretch, spans in enumerate(found)]
        if not found:
            return ()
        starts, ends = np.concatenate(sorted(found, key=lambda spans: spans[0, 0]), axis=1)
        chosen = np.searchsorted(starts, spread(starts, int(self._offsets[-1]), at_most))
        return tuple(map(self._line, starts[chosen].tolist(), ends[chosen].tolist()))

    def _one_of(self, spans: Integers, stretch: int, n_stretches: int) -> Integers:
        """Choose one span: near the beginning of the first text, near the end of the last one."""
        document = self._document_of(int(spans[0, 0]))
        start, end = self._offsets[document : document + 2]
        wanted = start + (stretch + 0.5) / n_stretches * (end - start)
        nearest = int(np.abs(spans[0] - wanted).argmin())
        return spans[:, nearest : nearest + 1]

    def _in_running_text(self, item: int, n_texts: int) -> Iterator[Integers]:
        """Yield the spans of an item in the running text of each text, (2, n_places).

        Offsets count the characters of all texts together. Texts that are far apart come first.
        """
        documents = self._places.documents_with(item)
        first = spread(documents, len(self._corpus), n_texts)
        for document in (*first.tolist(), *np.setdiff1d(documents, first).tolist()):
            spans = np.array(self._places.spans(item, document))
            spans = spans[:, self._prose(document).covers(spans[0])]
            if spans.size:
                yield spans + self._offsets[document]

    def _line(self, start: int, end: int) -> Context:
        document = self._document_of(start)
        offset, known = int(self._offsets[document]), self._corpus[document]
        first, last = self._prose(document).around(start - offset)
        text = known.text[first:last].rstrip()
        origin = offset + first
        return keyword_context(text, start - origin, end - origin, known.path or None)

    def _document_of(self, offset: int) -> int:
        return int(np.searchsorted(self._offsets, offset, side="right")) - 1


def keyword_context(text: str, start: int, end: int, path: str | None = None) -> Context:
    """Return a part of a text with the text around it, cut at spaces if the script has them.

    Parameters
    ----------
    text : str
    start, end : int
        Offsets of the part in the text.
    path : str, optional
        Where the text came from.

    Examples
    --------
    >>> keyword_context("the sea and the wind", 8, 11).before
    'the sea '
    """
    before = " ".join(text[max(0, start - CONTEXT_LENGTH) : start].split())
    after = " ".join(text[end : end + CONTEXT_LENGTH].split())
    if start > CONTEXT_LENGTH:
        before = ELLIPSIS + (before if is_unspaced(before) else before.partition(" ")[2])
    if end + CONTEXT_LENGTH < len(text):
        after = (after if is_unspaced(after) else after.rpartition(" ")[0]) + ELLIPSIS
    space = " "
    return Context(
        path=path,
        before=before + space * text[start - 1 : start].isspace(),
        hit=" ".join(text[start:end].split()),
        after=space * text[end : end + 1].isspace() + after,
    )


def spread(places: Integers, length: int, at_most: int) -> Integers:
    """Choose places that are spread over a length.

    The length is divided into as many equal stretches as places are wanted. For each stretch in
    turn, the place nearest to its middle is chosen, among the places that were not chosen before.

    Parameters
    ----------
    places : (n_places,) int64
        In ascending order.
    length : int
    at_most : int
        The number of places to choose.

    Returns
    -------
    (n_chosen,) int64
        In ascending order.

    Examples
    --------
    >>> import numpy as np
    >>> spread(np.array([0, 1, 2, 40, 45, 90]), 100, 2).tolist()  # the middles are 25 and 75
    [40, 90]
    """
    rest = places
    chosen = []
    for stretch in range(min(at_most, len(places))):
        nearest = int(np.abs(rest - (stretch + 0.5) * length / at_most).argmin())
        chosen.append(rest[nearest])
        rest = np.delete(rest, nearest)
    return np.sort(np.array(chosen, dtype=np.int64))
