"""Blocks of features: what a text is cut into, and which n-grams of that are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.attribution.classifiers.ngrams import Document, NgramVocabulary
from byline.attribution.classifiers.units import (
    is_word,
    most_frequent,
    paragraph_bounds,
    paragraph_lengths,
    sentence_bounds,
    sentence_lengths,
    split_tokens,
    token_bounds,
)
from byline.attribution.inputs import check_choice, check_number, check_positive
from byline.attribution.stored_arrays import pack_ascending, take_strings, unpack_ascending
from byline.errors import ModelFileError, UsageError
from byline.lm.base import ModelState
from byline.text.normalize import lowercase_function

UNITS = ("word", "char", "masked", "capitals-masked", "sentence-length", "paragraph-length")
VALUES = ("presence", "root-count")
_LENGTHS = {
    "sentence-length": (sentence_lengths, sentence_bounds),
    "paragraph-length": (paragraph_lengths, paragraph_bounds),
}
# A capital after one of these, or at a text's start, is a sentence's and not a name's.
_SENTENCE_ENDS = frozenset(("", "\n", ".", "?", "!", '"', '."'))


@dataclass(frozen=True, slots=True)
class NgramBlock:
    """One kind of n-grams.

    Parameters
    ----------
    unit : {"word", "char", "masked", "capitals-masked", "sentence-length", "paragraph-length"}
        ``word``: words as they are written, runs of punctuation marks, and line ends. ``char``:
        characters, white space among them. ``masked``: as ``word``, but of a rare word only the
        shape is left, so that topics fade and the frame of a sentence stays. ``capitals-masked``:
        as ``word``, but of numbers, and of words with a capital inside a sentence, only the shape.
        ``sentence-length`` and ``paragraph-length``: one of some classes of length in words; a
        paragraph is a line.
    ngrams : (int, int)
        Lowest and highest order.
    keep : int
        How many of the most frequent words and marks ``masked`` leaves as they are; marks that are
        not among them stay too.
    value : {"presence", "root-count"}
        What an n-gram counts in a text that has it: one, however often, or the root of how often.
        Of many n-grams, presence tells most; of few and frequent ones, how often they come.
    weight : float
        Of the block beside the others.
    language : str
        ISO 639 code: how ``masked`` lower-cases words to see which are frequent.
    """

    unit: str
    ngrams: tuple[int, int]
    keep: int = 2000
    value: str = "presence"
    weight: float = 1.0
    language: str = "en"

    def check(self) -> None:
        """Refuse values that cannot be used (`UsageError`)."""
        check_choice("unit of a block", self.unit, UNITS)
        check_orders("ngrams of a block", self.ngrams)
        check_number("keep of a block", self.keep, 0)
        check_choice("value of a block", self.value, VALUES)
        check_positive("weight of a block", self.weight)


@dataclass(frozen=True, slots=True)
class FittedBlock:
    """A block, and what known texts have of it.

    Attributes
    ----------
    block : NgramBlock
    kept : frozenset of str
        Words in lower case that are not masked, and marks; empty where the block masks by no count.
    ngrams : NgramVocabulary
    """

    block: NgramBlock
    kept: frozenset[str]
    ngrams: NgramVocabulary

    @classmethod
    def learn(cls, block: NgramBlock, texts: Sequence[str], min_documents: int) -> Self:
        """Find the n-grams that stand in at least ``min_documents`` texts."""
        kept = unmasked_words(texts, block)
        documents = [cut(text, block, kept) for text in texts]
        return cls(block, kept, NgramVocabulary.learn(documents, block.ngrams, min_documents))

    def features(self, texts: Sequence[str]) -> sparse.csr_array:
        """Values of the n-grams in each text, scaled to rows of length 1 (0 where none stands).

        Returns
        -------
        (n_texts, n_features) sparse float32
        """
        return self.scale(self.counts(texts))

    def counts(self, texts: Sequence[str]) -> sparse.csr_array:
        """Count the n-grams in each text: (n_texts, n_features) sparse float32."""
        return self.ngrams.counts([cut(text, self.block, self.kept) for text in texts])

    def scale(self, table: sparse.csr_array) -> sparse.csr_array:
        """Make features of counts, in place; of presence, any counts will do."""
        sizes = np.diff(table.indptr)
        if self.has_counts:
            rows = np.repeat(np.arange(len(sizes)), sizes)
            lengths = np.bincount(rows, table.data, minlength=len(sizes))  # squared
            table.data = np.sqrt(table.data / lengths[rows]).astype(np.float32)
        else:
            values = np.sqrt(1 / np.maximum(sizes, 1)).astype(np.float32)
            table.data = np.repeat(values, sizes)
        return table

    @property
    def has_counts(self) -> bool:
        """Whether it tells how often an n-gram stands in a text, and not only that it does."""
        return self.block.value == "root-count"

    def get_state(self) -> ModelState:
        """Return what was learnt, apart from the block itself."""
        arrays: dict[str, NDArray[Any]] = {}
        for order, level in enumerate(self.ngrams.levels, 2):
            arrays |= pack_ascending(f"order-{order}", level)
        return ModelState({"kept": sorted(self.kept), "units": list(self.ngrams.units)}, arrays)

    @classmethod
    def from_state(cls, block: NgramBlock, state: ModelState) -> Self:
        """Rebuild from what `get_state` returned.

        Raises
        ------
        ModelFileError
            The state is none of such a block.
        """
        kept = take_strings(state.params.get("kept"), "the kept words")
        if kept and block.unit != "masked":
            raise ModelFileError(f"a block of {block.unit} n-grams keeps words")
        units = take_strings(state.params.get("units"), "the units")
        n_below, levels = len(units), []
        for order in range(2, block.ngrams[1] + 1):
            bound = n_below * len(units)
            levels.append(unpack_ascending(f"order-{order}", state.arrays, bound))
            n_below = len(levels[-1])
        return cls(
            block, frozenset(kept), NgramVocabulary(tuple(units), tuple(levels), block.ngrams[0])
        )


def unmasked_words(texts: Sequence[str], block: NgramBlock) -> frozenset[str]:
    """Words, in lower case, and marks that a block does not mask; none where it masks nothing."""
    if block.unit != "masked":
        return frozenset()
    tokens = chain.from_iterable(map(split_tokens, texts))
    return frozenset(most_frequent(map(lowercase_function(block.language), tokens), block.keep))


def cut(text: str, block: NgramBlock, kept: frozenset[str]) -> Document:
    """Cut a text into the units of a block, of which `unmasked_words` are not masked."""
    if block.unit == "char":
        return text
    if block.unit in _LENGTHS:
        return _LENGTHS[block.unit][0](text)
    tokens = split_tokens(text)
    if block.unit == "word":
        return tokens
    if block.unit == "capitals-masked":
        return list(map(_mask_capital, tokens, ["", *tokens]))
    lower = lowercase_function(block.language)
    forms = {
        token: token if not is_word(token) or lower(token) in kept else shape(token)
        for token in set(tokens)
    }
    return [forms[token] for token in tokens]


def unit_bounds(text: str, unit: str) -> NDArray[np.int64]:
    """Where each of the units of a block begins and ends in the text, (n_units, 2)."""
    if unit == "char":
        starts = np.arange(len(text))
        return np.column_stack([starts, starts + 1])
    if unit in _LENGTHS:
        return _LENGTHS[unit][1](text)
    return token_bounds(text)


def shape(word: str) -> str:
    """Return what is left of a masked word: ``0`` to ``00000``, ``A``, ``Aa`` or ``a``."""
    if word[0].isdigit():
        return "0" * min(len(word), 5)
    if word.isupper():
        return "A"
    return "Aa" if word[0].isupper() else "a"


def check_orders(name: str, orders: object) -> None:
    """Refuse what is no pair of a lowest and a highest order (`UsageError`)."""
    if not isinstance(orders, tuple | list) or len(orders) != 2:
        raise UsageError(f"{name} is {orders!r}; it is a pair such as (1, 3)")
    check_number(f"lowest order of {name}", orders[0], 1)
    check_number(f"highest order of {name}", orders[1], orders[0])


def _mask_capital(token: str, before: str) -> str:
    is_name = token[0].isupper() and before not in _SENTENCE_ENDS
    return shape(token) if is_name or token[0].isdigit() else token
