"""The lines of an ARPA file as the nodes of an `NgramTree`.

Lines come in blocks. A block is checked as a whole, column by column; where something is wrong
with it, its lines are checked one by one, so that the message can name the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Ids, Integers
from byline.errors import ModelFileError
from byline.lm.arpa_format.lines import (
    END,
    START,
    UNKNOWN,
    ArpaLineError,
    backoff_weights,
    columns_of,
    declared_sizes,
    probabilities,
    shown,
)
from byline.lm.base import UNK
from byline.lm.ngrams.counts import NOT_FOUND, sentence_start_id
from byline.lm.ngrams.tree import ROOT, NgramTree

_NO_FLOATS = np.empty(0)


@dataclass(frozen=True, slots=True)
class Entries:
    """N-grams of one order n.

    Attributes
    ----------
    words : (n_ngrams, n) int32
    log10_probs : (n_ngrams,) float64
    log10_backoffs : (n_ngrams,) float64
        Zero where none is listed.
    numbers : (n_ngrams,) int64
        Line numbers.
    """

    words: Ids
    log10_probs: Floats
    log10_backoffs: Floats
    numbers: Integers

    def __len__(self) -> int:
        return len(self.words)

    def take(self, chosen: Integers | NDArray[np.bool_]) -> Entries:
        """Keep the chosen ones."""
        return Entries(
            self.words[chosen],
            self.log10_probs[chosen],
            self.log10_backoffs[chosen],
            self.numbers[chosen],
        )


def _join(n: int, blocks: Sequence[Entries]) -> Entries:
    return Entries(
        np.concatenate([np.empty((0, n), np.int32), *(block.words for block in blocks)]),
        np.concatenate([_NO_FLOATS, *(block.log10_probs for block in blocks)]),
        np.concatenate([_NO_FLOATS, *(block.log10_backoffs for block in blocks)]),
        np.concatenate([np.empty(0, np.int64), *(block.numbers for block in blocks)]),
    )


class ArpaParser:
    """Reads one file from top to bottom.

    Parameters
    ----------
    name : str
        What messages call the file.

    Attributes
    ----------
    words : list of str
        By id, ``<unk>`` first; then in the order of the file.
    keys : (n_nodes,) int64
        As in `NgramTree`.
    levels : list of Entries
        One an order, sorted as their keys are.
    sentence_start, sentence_end, lists_unknown : bool
        Whether ``<s>``, ``</s>`` and ``<unk>`` have a 1-gram.
    """

    def __init__(self, name: str) -> None:
        self.words: list[str] = []
        self.keys = np.full(1, -1, dtype=np.int64)
        self.levels: list[Entries] = []
        self.sentence_start = self.sentence_end = self.lists_unknown = False
        self._name = name
        self._declared: list[int] = []
        self._section = -1  # 0 is \data\, then one an order, then \end\
        self._blocks: list[Entries] = []
        self._ids: dict[bytes, int] = {}

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self._declared)

    def parse(self, runs: Iterable[tuple[int, list[bytes]]]) -> None:
        """Read all runs of lines, as `read_runs` yields them.

        Raises
        ------
        ModelFileError
            It is no ARPA file, or a damaged one; the message names the line.
        """
        number = 1
        for number, lines in runs:
            if lines and lines[0].startswith(b"\\"):
                self._enter(number, lines[0].strip())
            else:
                self._take(number, lines)
                number += max(len(lines) - 1, 0)
        if self._section != self.order + 1:
            self._refuse(number, f"the file ends before {self._next_mark()}")

    def _refuse(self, number: int, flaw: str) -> NoReturn:
        raise ModelFileError(f"{self._name}, line {number}: {flaw}")

    def _next_mark(self) -> str:
        if self._section < 0:
            return "\\data\\"
        return f"\\{self._section + 1}-grams:" if self._section < self.order else "\\end\\"

    def _enter(self, number: int, mark: bytes) -> None:
        """Begin a section; the one before it is complete."""
        expected = self._next_mark()
        if self._section == 0 and not self._declared:
            self._refuse(number, "no line above, such as 'ngram 1=9', says how many there are")
        if self._section > self.order:
            self._refuse(number, "something stands after \\end\\")
        if mark != expected.encode():
            self._refuse(number, f"{shown(mark)} stands where {expected} should")
        if self._section > 0:
            self._finish(number)
        self._section += 1

    def _finish(self, number: int) -> None:
        entries = _join(self._section, self._blocks)
        self._blocks = []
        listed, declared = len(entries), self._declared[self._section - 1]
        if listed != declared:
            what = f"{listed} {self._section}-grams stand above, but {declared} are declared"
            self._refuse(number, f"{what} under \\data\\")
        if self._section == 1:
            entries = self._number_words(entries, number)
        self._add(entries)

    def _take(self, number: int, lines: list[bytes]) -> None:
        try:
            self._take_together(number, lines)
        except ArpaLineError:
            for single, line in enumerate(lines, start=number):
                try:
                    self._take_together(single, [line])
                except ArpaLineError as flaw:
                    self._refuse(single, str(flaw))

    def _take_together(self, number: int, lines: list[bytes]) -> None:
        """Add what the lines hold; or raise, and add nothing."""
        if self._section == 0:
            self._declared += declared_sizes(lines, self.order)
        elif 0 < self._section <= self.order:
            self._take_ngrams(number, lines)
        elif self._section > 0 and any(map(bytes.strip, lines)):
            raise ArpaLineError("something stands after \\end\\")

    def _take_ngrams(self, number: int, lines: list[bytes]) -> None:
        n, rows = self._section, list(map(bytes.split, lines))
        numbers = number + np.flatnonzero(np.fromiter(map(bool, rows), np.bool_, len(rows)))
        if not len(numbers):
            return
        has_backoffs = n < self.order
        columns = columns_of([row for row in rows if row], n, has_backoffs)
        words = columns[1 : n + 1]
        log10_probs = probabilities(columns[0], words[0] if n == 1 else ())
        log10_backoffs = backoff_weights(columns[-1]) if has_backoffs else np.zeros(len(numbers))
        ids = self._new_ids(words[0]) if n == 1 else self._known_ids(words)
        self._blocks.append(Entries(ids, log10_probs, log10_backoffs, numbers))

    def _new_ids(self, listed: Sequence[bytes]) -> Ids:
        """Give words numbers in the order of the file, until all are known."""
        try:
            self.words += [word.decode() for word in listed]
        except UnicodeDecodeError as error:
            raise ArpaLineError(f"{shown(error.object)} is not UTF-8") from None
        first = len(self.words) - len(listed)
        return np.arange(first, len(self.words), dtype=np.int32)[:, None]

    def _known_ids(self, words: Sequence[Sequence[bytes]]) -> Ids:
        ids = np.empty((len(words[0]), len(words)), dtype=np.int32)
        for column, listed in enumerate(words):
            found = map(self._ids.get, listed, repeat(NOT_FOUND))
            ids[:, column] = np.fromiter(found, np.int32, len(listed))
        if (ids == NOT_FOUND).any():
            row, column = np.argwhere(ids == NOT_FOUND)[0].tolist()
            raise ArpaLineError(f"{shown(words[column][row])} has no 1-gram")
        if (ids[:, -1] == self._ids.get(START.encode(), NOT_FOUND)).any():
            raise ArpaLineError(f"{START} ends an n-gram; it can only begin one")
        return ids

    def _number_words(self, entries: Entries, number: int) -> Entries:
        """Give words their ids: ``<unk>`` 0, then the file's order, ``</s>`` and ``<s>`` last."""
        listed = self.words
        if not listed:
            self._refuse(number, "there is no 1-gram; a model has one at least")
        self.words = [UNKNOWN, *(w for w in listed if w not in (UNKNOWN, START, END))]
        by_word = {word: i for i, word in enumerate([*self.words, END, START])}
        ids = np.array([by_word[word] for word in listed], dtype=np.int32)
        self.sentence_start, self.sentence_end = START in listed, END in listed
        is_possible = (ids != UNK) | np.isfinite(entries.log10_probs)
        self.lists_unknown = UNKNOWN in listed and bool(is_possible.all())
        self._ids = {word.encode(): by_word[word] for word in listed}
        return replace(entries, words=ids[:, None]).take(is_possible)

    def _add(self, entries: Entries) -> None:
        """Append an order's nodes, sorted."""
        size = len(self.words)
        tree = NgramTree(self.keys, _NO_FLOATS, _NO_FLOATS, size)
        nodes = np.full(len(entries), ROOT, dtype=np.int64)
        for words in entries.words.T[:-1] if len(entries) else ():
            nodes[nodes != NOT_FOUND] = tree.find(
                nodes[nodes != NOT_FOUND], words[nodes != NOT_FOUND]
            )
        if (nodes == NOT_FOUND).any():
            n = entries.words.shape[1]
            self._refuse(
                int(entries.numbers[nodes == NOT_FOUND][0]),
                f"the first {n - 1} words are not listed among the {n - 1}-grams",
            )
        keys = nodes * (sentence_start_id(size) + 1) + entries.words[:, -1]
        order = np.argsort(keys, kind="stable")
        keys, entries = keys[order], entries.take(order)
        repeated = np.flatnonzero(np.diff(keys) == 0)
        if len(repeated):
            self._refuse(int(entries.numbers[repeated + 1].min()), "the n-gram is listed twice")
        self.keys = np.concatenate([self.keys, keys])
        self.levels.append(entries)
