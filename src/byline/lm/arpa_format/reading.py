"""`read_arpa`: read an n-gram model from an ARPA file.

Lines are read in blocks. A block is checked as a whole, column by column. If it contains an error,
its lines are checked one by one, so that the message can name the line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NoReturn

import numpy as np

from byline.array_types import Booleans, Floats, Ids, Integers
from byline.errors import ModelFileError
from byline.lm.arpa_format.lines import (
    END,
    LOG_10,
    START,
    UNKNOWN,
    ArpaLineError,
    backoff_weights,
    columns_of,
    declared_sizes,
    probabilities,
    quoted,
    read_line_blocks,
)
from byline.lm.base import UNK
from byline.lm.model_state import ModelState
from byline.lm.ngrams.counts import NOT_FOUND, sentence_start_id
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import ROOT, NgramTree

_NO_FLOATS = np.empty(0)


def read_arpa(path: str | os.PathLike[str]) -> tuple[tuple[str, ...], NgramLM]:
    r"""Read a model that was written by SRILM, KenLM, Byline or another program.

    Parameters
    ----------
    path : path
        A plain or gzip file; its content decides which.

    Returns
    -------
    words : tuple of str
        Words by id: first ``<unk>``, whether or not the file lists it, then in the order of the
        file.
    model : NgramLM
        If the file does not list ``<s>`` or ``</s>``, ``sentence_start`` or ``sentence_end`` is
        False. If it does not list ``<unk>``, the vocabulary is closed. The smoothing method is not
        stored in the file.

    Raises
    ------
    ModelFileError
        The file cannot be read or is malformed; the message names the line.

    See Also
    --------
    write_arpa : Write a model.

    Notes
    -----
    ARPA files store logarithms to base 10; Byline uses natural logarithms. A word without a 1-gram
    has the probability zero. An n-gram is rejected if its first words are not listed as an n-gram
    themselves, as in KenLM, because their back-off weight is unknown. An ``<unk>`` with the
    probability zero is treated as not listed. Memory grows with the number of n-grams in the file,
    not with the declared number.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = r'''
    ... \data\
    ... ngram 1=2
    ...
    ... \1-grams:
    ... -0.30103 river
    ... -0.30103 <unk>
    ...
    ... \end\
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "model.arpa")
    ...     _ = path.write_text(text)
    ...     words, model = read_arpa(path)
    >>> words
    ('<unk>', 'river')
    >>> round(model.perplexity([[np.array([1, 0, 1], dtype=np.int32)]]), 3)
    2.0
    """
    parser = ArpaParser(str(path))
    parser.parse(read_line_blocks(path))
    n_events = len(parser.words) + int(parser.sentence_end)
    log10_probs = np.concatenate([[-np.log10(n_events)], *(e.log10_probs for e in parser.levels)])
    log10_probs[parser.keys == len(parser.words) + 1] = -np.inf  # <s> is never predicted
    log10_backoffs = [level.log10_backoffs for level in parser.levels[:-1]]
    arrays = {
        "keys": parser.keys,
        "log_probs": log10_probs * LOG_10,
        "backoffs": np.concatenate([[-np.inf], *log10_backoffs]) * LOG_10,
    }
    params = {
        "order": parser.order,
        "open_vocabulary": parser.lists_unknown,
        "sentence_start": parser.sentence_start,
        "sentence_end": parser.sentence_end,
        "vocabulary_size": len(parser.words),
    }
    return tuple(parser.words), NgramLM.from_state(ModelState(params, arrays))


@dataclass(frozen=True, slots=True)
class NgramEntries:
    """The n-grams of one order n that a file lists.

    Attributes
    ----------
    words : (n_ngrams, n) int32
    log10_probs : (n_ngrams,) float64
    log10_backoffs : (n_ngrams,) float64
        Zero if no back-off weight is listed.
    numbers : (n_ngrams,) int64
        Line numbers.
    """

    words: Ids
    log10_probs: Floats
    log10_backoffs: Floats
    numbers: Integers

    def __len__(self) -> int:
        return len(self.words)

    def select(self, selected: Integers | Booleans) -> NgramEntries:
        """Return the selected n-grams."""
        return NgramEntries(
            self.words[selected],
            self.log10_probs[selected],
            self.log10_backoffs[selected],
            self.numbers[selected],
        )


def _concatenate(n: int, blocks: Sequence[NgramEntries]) -> NgramEntries:
    return NgramEntries(
        np.concatenate([np.empty((0, n), np.int32), *(block.words for block in blocks)]),
        np.concatenate([_NO_FLOATS, *(block.log10_probs for block in blocks)]),
        np.concatenate([_NO_FLOATS, *(block.log10_backoffs for block in blocks)]),
        np.concatenate([np.empty(0, np.int64), *(block.numbers for block in blocks)]),
    )


class ArpaParser:
    """Parses one file from beginning to end.

    Parameters
    ----------
    name : str
        Name of the file in error messages.

    Attributes
    ----------
    words : list of str
        Words by id: first ``<unk>``, then in the order of the file.
    keys : (n_nodes,) int64
        As in `NgramTree`.
    levels : list of NgramEntries
        One per order, sorted by key.
    sentence_start, sentence_end, lists_unknown : bool
        Whether ``<s>``, ``</s>`` and ``<unk>`` have a 1-gram.
    """

    def __init__(self, name: str) -> None:
        self.words: list[str] = []
        self.keys = np.full(1, -1, dtype=np.int64)
        self.levels: list[NgramEntries] = []
        self.sentence_start = self.sentence_end = self.lists_unknown = False
        self._name = name
        self._declared: list[int] = []
        self._section = -1  # 0 is \data\; one section per order and \end\ follow
        self._blocks: list[NgramEntries] = []
        self._ids: dict[bytes, int] = {}

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self._declared)

    def parse(self, blocks: Iterable[tuple[int, list[bytes]]]) -> None:
        """Parse all blocks of lines from `read_line_blocks`.

        Raises
        ------
        ModelFileError
            This is not an ARPA file, or it is damaged; the message names the line.
        """
        number = 1
        for number, lines in blocks:
            if lines and lines[0].startswith(b"\\"):
                self._start_section(number, lines[0].strip())
            else:
                self._parse_block(number, lines)
                number += max(len(lines) - 1, 0)
        if self._section != self.order + 1:
            self._fail(number, f"the file ends before {self._next_header()}")

    def _fail(self, number: int, reason: str) -> NoReturn:
        raise ModelFileError(f"{self._name}, line {number}: {reason}")

    def _next_header(self) -> str:
        if self._section < 0:
            return "\\data\\"
        return f"\\{self._section + 1}-grams:" if self._section < self.order else "\\end\\"

    def _start_section(self, number: int, header: bytes) -> None:
        """Start a section, after the previous one is complete."""
        expected = self._next_header()
        if self._section == 0 and not self._declared:
            self._fail(number, "there is no line such as 'ngram 1=9' above")
        if self._section > self.order:
            self._fail(number, "there is text after \\end\\")
        if header != expected.encode():
            self._fail(number, f"{quoted(header)} was found instead of {expected}")
        if self._section > 0:
            self._finish_section(number)
        self._section += 1

    def _finish_section(self, number: int) -> None:
        entries = _concatenate(self._section, self._blocks)
        self._blocks = []
        n_listed, n_declared = len(entries), self._declared[self._section - 1]
        if n_listed != n_declared:
            self._fail(
                number,
                f"{n_listed} {self._section}-grams are listed above, but \\data\\ declares "
                f"{n_declared}",
            )
        if self._section == 1:
            entries = self._assign_ids(entries, number)
        self._append_level(entries)

    def _parse_block(self, number: int, lines: list[bytes]) -> None:
        try:
            self._parse_lines(number, lines)
        except ArpaLineError:
            for line_number, line in enumerate(lines, start=number):
                try:
                    self._parse_lines(line_number, [line])
                except ArpaLineError as error:
                    self._fail(line_number, str(error))

    def _parse_lines(self, number: int, lines: list[bytes]) -> None:
        """Add the content of all lines, or raise an error and add nothing."""
        if self._section == 0:
            self._declared += declared_sizes(lines, self.order)
        elif 0 < self._section <= self.order:
            self._parse_ngrams(number, lines)
        elif self._section > 0 and any(map(bytes.strip, lines)):
            raise ArpaLineError("there is text after \\end\\")

    def _parse_ngrams(self, number: int, lines: list[bytes]) -> None:
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
        self._blocks.append(NgramEntries(ids, log10_probs, log10_backoffs, numbers))

    def _new_ids(self, words: Sequence[bytes]) -> Ids:
        """Assign preliminary ids in the order of the file, until all words are known."""
        try:
            self.words += [word.decode() for word in words]
        except UnicodeDecodeError as error:
            raise ArpaLineError(f"{quoted(error.object)} is not UTF-8") from None
        first = len(self.words) - len(words)
        return np.arange(first, len(self.words), dtype=np.int32)[:, None]

    def _known_ids(self, words: Sequence[Sequence[bytes]]) -> Ids:
        ids = np.empty((len(words[0]), len(words)), dtype=np.int32)
        for column, listed in enumerate(words):
            found = map(self._ids.get, listed, repeat(NOT_FOUND))
            ids[:, column] = np.fromiter(found, np.int32, len(listed))
        if (ids == NOT_FOUND).any():
            row, column = np.argwhere(ids == NOT_FOUND)[0].tolist()
            raise ArpaLineError(f"{quoted(words[column][row])} has no 1-gram")
        if (ids[:, -1] == self._ids.get(START.encode(), NOT_FOUND)).any():
            raise ArpaLineError(f"an n-gram ends in {START}, which can only be its first word")
        return ids

    def _assign_ids(self, entries: NgramEntries, number: int) -> NgramEntries:
        """Assign ids: 0 to ``<unk>``, then in the order of the file, ``</s>`` and ``<s>`` last."""
        listed = self.words
        if not listed:
            self._fail(number, "there is no 1-gram; a model needs at least one")
        self.words = [UNKNOWN, *(w for w in listed if w not in (UNKNOWN, START, END))]
        by_word = {word: i for i, word in enumerate([*self.words, END, START])}
        ids = np.array([by_word[word] for word in listed], dtype=np.int32)
        self.sentence_start, self.sentence_end = START in listed, END in listed
        is_possible = (ids != UNK) | np.isfinite(entries.log10_probs)
        self.lists_unknown = UNKNOWN in listed and bool(is_possible.all())
        self._ids = {word.encode(): by_word[word] for word in listed}
        return replace(entries, words=ids[:, None]).select(is_possible)

    def _append_level(self, entries: NgramEntries) -> None:
        """Append the nodes of one order, sorted by key."""
        size = len(self.words)
        tree = NgramTree(self.keys, _NO_FLOATS, _NO_FLOATS, size)
        nodes = np.full(len(entries), ROOT, dtype=np.int64)
        for words in entries.words.T[:-1] if len(entries) else ():
            is_found = nodes != NOT_FOUND
            nodes[is_found] = tree.find(nodes[is_found], words[is_found])
        if (nodes == NOT_FOUND).any():
            n = entries.words.shape[1]
            self._fail(
                int(entries.numbers[nodes == NOT_FOUND][0]),
                f"the first {n - 1} words are not listed among the {n - 1}-grams",
            )
        keys = nodes * (sentence_start_id(size) + 1) + entries.words[:, -1]
        order = np.argsort(keys, kind="stable")
        keys, entries = keys[order], entries.select(order)
        repeated = np.flatnonzero(np.diff(keys) == 0)
        if len(repeated):
            self._fail(int(entries.numbers[repeated + 1].min()), "the n-gram is listed twice")
        self.keys = np.concatenate([self.keys, keys])
        self.levels.append(entries)
