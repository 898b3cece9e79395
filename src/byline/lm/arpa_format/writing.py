r"""ARPA files: n-gram models as SRILM and KenLM exchange them.

Logarithms there are of base 10, here natural; they meet in this module alone. In an ARPA file a
word without a 1-gram has no probability. So a vocabulary that is open here, where words never seen
share the uniform distribution, is written with a 1-gram for every one of its words; and a model
that was read gives a word without a 1-gram the probability zero.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Integers
from byline.errors import UsageError
from byline.lm.arpa_format.lines import END, START, UNKNOWN, read_runs, writing
from byline.lm.arpa_format.reading import ArpaParser
from byline.lm.base import ModelState
from byline.lm.ngrams.counts import NOT_FOUND
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import ROOT, NgramTree

LOG_10 = np.log(10.0)
_IMPOSSIBLE = -99.0  # SRILM's logarithm of zero
_BLOCK = 50_000
_CANNOT_BE_WRITTEN = re.compile(r"[\0\t\n\v\f\r ]|[\ud800-\udfff]|^$")


def read_arpa(path: str | os.PathLike[str]) -> tuple[tuple[str, ...], NgramLM]:
    r"""Read a model that SRILM, KenLM, Byline or another program wrote.

    Parameters
    ----------
    path : path
        Plain or gzip, which the content tells.

    Returns
    -------
    words : tuple of str
        By id: ``<unk>`` first, whether the file lists it or not, then in the order of the file.
    model : NgramLM
        Without ``<s>`` or ``</s>`` in the file its ``sentence_start`` or ``sentence_end`` is False;
        without ``<unk>`` its vocabulary is closed. Its smoothing is not known from a file.

    Raises
    ------
    ModelFileError
        The file cannot be read, or is no well-formed ARPA file; the message names the line.

    Notes
    -----
    An n-gram whose first words are not listed as an n-gram themselves is refused, as by KenLM: its
    back-off weight is not known. An ``<unk>`` of probability zero counts as not listed. Memory
    grows with the n-grams read, never with the number declared.
    """
    parser = ArpaParser(str(path))
    parser.parse(read_runs(path))
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


def write_arpa(path: str | os.PathLike[str], model: NgramLM, words: Sequence[str]) -> None:
    r"""Write a model so that SRILM, KenLM and Byline read it.

    Parameters
    ----------
    path : path
        Packed with gzip where it ends in ``.gz``.
    model : NgramLM
    words : sequence of str
        By id, ``<unk>`` first.

    Raises
    ------
    OutputError
        The file cannot be written there.
    UsageError
        A word is empty, holds white space, is twice among the words or a sentence mark; or there
        are not as many words as the model has.

    Notes
    -----
    Nine digits, more than a float32 has: read in again, logarithms differ by less than 5e-9 of
    their size, and written out again, by nothing. KenLM needs both sentence marks and an order of
    2 or more.
    """
    check_is_fitted(model)
    _check_words(words, model.vocabulary_size_)
    tree, names = model.tree_, [*words, END, START]
    unigrams = _unigrams(tree, model.n_events)
    starts = _order_starts(tree, model.order)
    sizes = [len(unigrams[0]), *(end - start for start, end in pairwise(starts))]
    with writing(path) as file:
        declared = "\n".join(f"ngram {n}={size}" for n, size in enumerate(sizes, start=1))
        file.write(f"\\data\\\n{declared}\n\n\\1-grams:\n".encode())
        ids, log_probs, backoffs = unigrams
        file.write(_lines([ids], names, log_probs, backoffs if model.order > 1 else None))
        for n, (start, end) in enumerate(pairwise(starts), start=2):
            file.write(f"\n\\{n}-grams:\n".encode())
            for first in range(start, end, _BLOCK):
                nodes = np.arange(first, min(first + _BLOCK, end))
                below = tree.backoffs[nodes] if n < model.order else None
                columns = _words_of(tree, nodes, n)
                file.write(_lines(columns, names, tree.log_probs[nodes], below))
        file.write(b"\n\\end\\\n")


def _check_words(words: Sequence[str], vocabulary_size: int) -> None:
    if len(words) != vocabulary_size:
        raise UsageError(f"{len(words)} words were given for a model of {vocabulary_size}")
    if words[0] != UNKNOWN:
        raise UsageError(f"the first word is {words[0]!r}; {UNKNOWN} has id 0")
    marks = {START, END}
    for word in words:
        if word in marks or _CANNOT_BE_WRITTEN.search(word):
            raise UsageError(
                f"the word {word!r:.60} cannot stand in an ARPA file, as it is empty, a sentence "
                "mark, or holds white space; save the model in Byline's own form"
            )
    if len(set(words)) < len(words):
        raise UsageError("a word has two ids; every word may be given once")


def _unigrams(tree: NgramTree, n_events: int) -> tuple[Integers, Floats, Floats]:
    """Return all words that have a probability of their own or share the uniform one."""
    ids = np.arange(tree.n_words)
    nodes = tree.find(np.full(len(ids), ROOT), ids.astype(np.int32))
    shared = tree.log_probs[ROOT] + tree.backoffs[ROOT]
    is_listed = (nodes != NOT_FOUND) | ((ids < n_events) & np.isfinite(shared))
    log_probs = np.where(nodes == NOT_FOUND, shared, tree.log_probs[nodes])
    backoffs = np.zeros(len(ids))
    is_context = (nodes != NOT_FOUND) & (nodes < len(tree.backoffs))
    backoffs[is_context] = tree.backoffs[nodes[is_context]]
    return ids[is_listed], log_probs[is_listed], backoffs[is_listed]


def _order_starts(tree: NgramTree, order: int) -> list[int]:
    """Return the nodes with which orders 2, 3, ... begin, and where the highest ends."""
    starts = [1]
    for _ in range(order):
        starts.append(int(np.searchsorted(tree.keys, starts[-1] * tree.n_words)))
    return starts[1:]


def _words_of(tree: NgramTree, nodes: Integers, n: int) -> list[Integers]:
    """Return the words of n-grams, one array a place."""
    columns = []
    for _ in range(n):
        nodes, words = np.divmod(tree.keys[nodes], tree.n_words)
        columns.append(words)
    return columns[::-1]


def _lines(
    columns: Sequence[Integers], names: Sequence[str], log_probs: Floats, backoffs: Floats | None
) -> bytes:
    """Format entries: log10 probability, words, and log10 back-off weight where there are any."""
    words = zip(*(map(names.__getitem__, column.tolist()) for column in columns), strict=True)
    log10_probs = np.where(np.isfinite(log_probs), np.minimum(log_probs, 0) / LOG_10, _IMPOSSIBLE)
    parts: list[Iterable[object]] = [log10_probs.tolist(), map(" ".join, words)]
    form = "%.9g\t%s\n"
    if backoffs is not None:
        parts.append((backoffs / LOG_10).tolist())
        form = "%.9g\t%s\t%.9g\n"
    return "".join(map(form.__mod__, zip(*parts, strict=True))).encode()
