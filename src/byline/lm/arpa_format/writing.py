"""`write_arpa`: write an n-gram model to an ARPA file."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Integers
from byline.errors import UsageError
from byline.files import atomic_write
from byline.lm.arpa_format.lines import END, LOG_10, START, UNKNOWN
from byline.lm.ngrams.counts import NOT_FOUND
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import ROOT, NgramTree

_IMPOSSIBLE = -99.0  # in SRILM, the logarithm of zero
_BLOCK = 50_000
_CANNOT_BE_WRITTEN = re.compile(r"[\0\t\n\v\f\r ]|[\ud800-\udfff]|^$")


def write_arpa(path: str | os.PathLike[str], model: NgramLM, words: Sequence[str]) -> None:
    r"""Write a model to a file that SRILM, KenLM and Byline can read.

    Parameters
    ----------
    path : path
        The file is compressed with gzip if its name ends in ``.gz``.
    model : NgramLM
    words : sequence of str
        Words by id; the first one is ``<unk>``.

    Raises
    ------
    OutputError
        The file cannot be written there.
    UsageError
        A word is empty, contains white space, is a sentence boundary symbol, or is repeated; or the
        number of words differs from that of the model.

    See Also
    --------
    read_arpa : Read a model.

    Notes
    -----
    In an ARPA file, a word without a 1-gram has no probability. With an open vocabulary, words that
    were not observed share a part of the uniform distribution. Therefore a 1-gram is written for
    every word of an open vocabulary.

    Logarithms to base 10 are written with nine digits, which is more than the precision of float32.
    After reading, they differ by less than 5e-9 of their size; writing the model again gives an
    identical file. KenLM requires both sentence boundaries and an order of 2 or more.

    Examples
    --------
    >>> import tempfile
    >>> from byline.lm import read_arpa
    >>> text = [np.array([1, 2, 1], dtype=np.int32), np.array([2, 1], dtype=np.int32)]
    >>> model = NgramLM(order=2).fit(text, vocabulary_size=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.arpa.gz")
    ...     write_arpa(path, model, ["<unk>", "river", "bridge"])
    ...     words, restored = read_arpa(path)
    >>> words
    ('<unk>', 'river', 'bridge')
    >>> bool(np.isclose(restored.perplexity([text]), model.perplexity([text])))
    True
    """
    check_is_fitted(model)
    _check_words(words, model.vocabulary_size_)
    tree, names = model.tree_, [*words, END, START]
    unigrams = _unigrams(tree, model.n_events)
    starts = _order_starts(tree, model.order)
    sizes = [len(unigrams[0]), *(end - start for start, end in pairwise(starts))]
    with _opened_for_writing(path) as file:
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
        raise UsageError(
            f"there are {len(words)} words, but the vocabulary of the model has {vocabulary_size}"
        )
    if words[0] != UNKNOWN:
        raise UsageError(f"the first word is {words[0]!r}; it must be {UNKNOWN}, which has id 0")
    for word in words:
        if word in (START, END) or _CANNOT_BE_WRITTEN.search(word):
            raise UsageError(
                f"the word {word!r:.60} cannot be written to an ARPA file, because it is empty, "
                "contains white space, or is a sentence boundary symbol; save the model in the "
                "format of Byline"
            )
    if len(set(words)) < len(words):
        raise UsageError("a word has two ids; every word must be unique")


def _unigrams(tree: NgramTree, n_events: int) -> tuple[Integers, Floats, Floats]:
    """Return all words with a probability of their own or a part of the uniform distribution."""
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
    """Return the first nodes of orders 2, 3, ..., and the end of the highest order."""
    starts = [1]
    for _ in range(order):
        starts.append(int(np.searchsorted(tree.keys, starts[-1] * tree.n_words)))
    return starts[1:]


def _words_of(tree: NgramTree, nodes: Integers, n: int) -> list[Integers]:
    """Return the words of n-grams, one array per position in the n-gram."""
    columns = []
    for _ in range(n):
        nodes, words = np.divmod(tree.keys[nodes], tree.n_words)
        columns.append(words)
    return columns[::-1]


def _lines(
    columns: Sequence[Integers], names: Sequence[str], log_probs: Floats, backoffs: Floats | None
) -> bytes:
    """Format entries: log10 probability, words, and log10 back-off weight, if there is one."""
    words = zip(*(map(names.__getitem__, column.tolist()) for column in columns), strict=True)
    log10_probs = np.where(np.isfinite(log_probs), np.minimum(log_probs, 0) / LOG_10, _IMPOSSIBLE)
    parts: list[Iterable[object]] = [log10_probs.tolist(), map(" ".join, words)]
    form = "%.9g\t%s\n"
    if backoffs is not None:
        parts.append((backoffs / LOG_10).tolist())
        form = "%.9g\t%s\t%.9g\n"
    return "".join(map(form.__mod__, zip(*parts, strict=True))).encode()


@contextlib.contextmanager
def _opened_for_writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` when it is complete, with gzip if the name says so."""
    with atomic_write(path) as file:
        if Path(path).suffix != ".gz":
            yield file
            return
        # Without name and time, the same model gives the same bytes.
        with gzip.GzipFile("", "wb", fileobj=file, compresslevel=6, mtime=0) as packed:
            yield packed  # type: ignore[misc]
