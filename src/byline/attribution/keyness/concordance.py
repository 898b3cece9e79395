"""Concordance lines of words, from running text and spread over all texts of a group."""

from __future__ import annotations

from functools import cache

import numpy as np

from byline.array_types import Integers
from byline.attribution.keyness.prose import Prose
from byline.attribution.keyness.result import Context, keyword_context
from byline.attribution.keyness.word_table import WordGroup
from byline.text.letters import letter_word_pattern

CONTEXT_LENGTH = 60  # characters shown on either side


class Concordance:
    r"""Find concordance lines in a group of texts.

    Parameters
    ----------
    group : WordGroup

    Examples
    --------
    >>> from byline.attribution.keyness.word_table import WordTable
    >>> from byline.corpus import Corpus, Document
    >>> text = "The Sea\n\n" + "The sea was calm. " * 20
    >>> sea = Corpus([Document("Ann", text, "1.txt")], "sea")
    >>> table = WordTable.of(sea, Corpus([Document("Ben", "A field.", "2.txt")], "land"))
    >>> [line] = Concordance(table.first).lines(table.words.index("calm"), 1)
    >>> line.hit, line.before[-8:]
    ('calm', 'sea was ')
    """

    def __init__(self, group: WordGroup) -> None:
        self._group = group
        self._offsets = np.cumsum([0, *group.lengths])
        self._located = cache(self._locate)

    def lines(self, word: int, at_most: int) -> tuple[Context, ...]:
        """Return lines with a word from places as far apart as possible, in the order of the texts.

        Occurrences in title pages, tables of contents and headings are left out.

        Parameters
        ----------
        word : int
            The id of the word.
        at_most : int
            Number of lines, if the word occurs so often.
        """
        if not at_most:
            return ()
        places = [self._occurrences(word, document) for document in range(len(self._group.texts))]
        occurrences = np.concatenate(places)
        return tuple(
            self._line(int(place))
            for place in spread(occurrences, int(self._offsets[-1]), at_most).tolist()
        )

    def _occurrences(self, word: int, document: int) -> Integers:
        """Find a word in the running text of one text, as positions among all words."""
        found = np.flatnonzero(self._group.texts[document] == word)
        if len(found):
            starts, _, prose = self._located(document)
            found = found[prose.covers(starts[found])]
        positions: Integers = found + self._offsets[document]
        return positions

    def _line(self, place: int) -> Context:
        document = int(np.searchsorted(self._offsets, place, side="right")) - 1
        starts, ends, prose = self._located(document)
        known, token = self._group.corpus[document], place - int(self._offsets[document])
        start, end = int(starts[token]), int(ends[token])
        first, last = prose.around(start)
        text = known.text[first:last].rstrip()
        return keyword_context(text, start - first, end - first, known.path, CONTEXT_LENGTH)

    def _locate(self, document: int) -> tuple[Integers, Integers, Prose]:
        """Return where each word of a text begins and ends, and where its running text is."""
        text = self._group.corpus[document].text
        spans = [match.span() for match in letter_word_pattern(text).finditer(text)]
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        return starts, ends, Prose.of(text)


def spread(places: Integers, length: int, at_most: int) -> Integers:
    """Choose places that are spread over a length.

    The length is divided into as many equal stretches as places are wanted. For each stretch in
    turn, the place nearest to its middle is chosen that has not been chosen before.

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
