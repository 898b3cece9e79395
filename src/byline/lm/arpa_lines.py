"""Lines of an ARPA file as columns of numbers and words, and what may be wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np

from byline.lm.ngram import MAX_ORDER
from byline.lm.smoothing import Floats

UNKNOWN, START, END = "<unk>", "<s>", "</s>"
_MAY_BE_IMPOSSIBLE = (UNKNOWN.encode(), START.encode())
_LONGEST_SHOWN = 100
_DECLARED = re.compile(rb"\s*ngram\s+(\d{1,9})\s*=\s*(\d{1,18})\s*")


class LineFlaw(Exception):  # noqa: N818
    """What is wrong with the lines at hand."""


def declared_sizes(lines: list[bytes], order: int) -> list[int]:
    """Numbers of n-grams of the orders that follow ``order``."""
    matches = [_DECLARED.fullmatch(line) for line in lines if line.strip()]
    found = [(int(match[1]), int(match[2])) for match in matches if match]
    if len(found) < len(matches):
        raise LineFlaw("the line should be like 'ngram 1=9'")
    if [n for n, _ in found] != list(range(order + 1, order + 1 + len(found))):
        raise LineFlaw(f"the number of {order + 1}-grams should be declared here")
    if order + len(found) > MAX_ORDER:
        raise LineFlaw(f"n-grams of more than {MAX_ORDER} words are declared; no model has those")
    return [size for _, size in found]


def columns_of(rows: list[list[bytes]], n: int, has_backoffs: bool) -> list[list[bytes]]:
    """Turn rows into columns; where a back-off weight is missing, it is 0."""
    if has_backoffs:
        rows = [[*row, b"0"] if len(row) == n + 1 else row for row in rows]
    lengths = set(map(len, rows)) - {n + 1 + has_backoffs}
    if lengths:
        found = min(lengths) - has_backoffs
        raise LineFlaw(
            f"a line of {n}-grams holds a log10 probability, {n} word{'s' * (n > 1)}"
            f"{' and perhaps a back-off weight' * has_backoffs}; this one has "
            f"{'more' if found > n else 'fewer'} parts"
        )
    flat = list(chain.from_iterable(rows))
    return [flat[column :: len(rows[0])] for column in range(len(rows[0]))]


def probabilities(listed: Sequence[bytes], words: Sequence[bytes]) -> Floats:
    """Check probabilities; those of ``<s>`` and ``<unk>`` may be zero."""
    log10_probs = _floats(listed)
    if not (log10_probs <= 0).all():
        raise LineFlaw("a log10 probability is above zero, or no number")
    impossible = np.flatnonzero(np.isinf(log10_probs))
    if any(i >= len(words) or words[i] not in _MAY_BE_IMPOSSIBLE for i in impossible.tolist()):
        raise LineFlaw("a log10 probability is minus infinity; write -99 for next to none")
    return log10_probs


def backoff_weights(listed: Sequence[bytes]) -> Floats:
    """Check back-off weights."""
    backoffs = _floats(listed)
    if not np.isfinite(backoffs).all():
        raise LineFlaw("a back-off weight is infinite or no number; write -99 for next to none")
    return backoffs


def _floats(listed: Sequence[bytes]) -> Floats:
    try:
        return np.fromiter(map(float, listed), np.float64, len(listed))
    except ValueError as error:
        raise LineFlaw(f"a number is needed ({str(error)[:_LONGEST_SHOWN]})") from None


def shown(text: bytes) -> str:
    """Return ``text`` as messages show it."""
    return repr(text[:60].decode("utf-8", "backslashreplace"))
