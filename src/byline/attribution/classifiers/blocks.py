"""Blocks of features: how a text is split into units, and which n-grams of units are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Integers
from byline.attribution.classifiers.ngrams import Document, NgramVocabulary
from byline.attribution.classifiers.units import (
    is_word,
    most_frequent,
    paragraph_lengths,
    paragraph_spans,
    sentence_lengths,
    sentence_spans,
    spans_of_tokens,
    split_tokens,
)
from byline.attribution.inputs import check_choice, check_number, check_positive
from byline.attribution.stored_arrays import pack_ascending, take_strings, unpack_ascending
from byline.errors import ModelFileError, UsageError
from byline.lm.model_state import ModelState
from byline.text.sentences import SENTENCE_RULES
from byline.text_memory import TextMemory
from byline.typography.conventions import REMOVABLE
from byline.typography.letter_case import lowercase_function

UNITS = ("word", "char", "masked", "capitals-masked", "sentence-length", "paragraph-length")
# Words, characters and shapes depend on all conventions.
_DEPENDS_ON = {
    "sentence-length": frozenset({"punctuation", "paragraphs"}),
    "paragraph-length": frozenset({"paragraphs"}),
}
Table = TypeVar("Table", sparse.csr_array, sparse.csc_array)
_MOST_FORMS = 1 << 18
VALUES = ("presence", "root-count")
# A capital letter after one of these, or at the start of a text, begins a sentence and not a name.
_SENTENCE_ENDS = frozenset(("", "\n", ".", "?", "!", '"', '."'))


@dataclass(frozen=True, slots=True)
class NgramBlock:
    """One kind of n-grams.

    Parameters
    ----------
    unit : {"word", "char", "masked", "capitals-masked", "sentence-length", "paragraph-length"}
        ``word``: words as they are written, runs of punctuation marks, and line ends. ``char``:
        characters, including white space. ``masked``: like ``word``, but rare words are replaced
        by their shape, so that topics disappear and the frame of a sentence remains.
        ``capitals-masked``: like ``word``, but numbers, and words with a capital letter inside a
        sentence, are replaced by their shape. ``sentence-length`` and ``paragraph-length``: a
        class of length in words; a paragraph is a line.
    ngrams : (int, int)
        Lowest and highest order.
    keep : int
        How many of the most frequent words and punctuation marks ``masked`` does not replace;
        other punctuation marks are not replaced either.
    value : {"presence", "root-count"}
        The value of an n-gram in a text: 1 if it occurs, or the square root of its count. Of many
        n-grams, presence is most informative; of few and frequent ones, their frequency.
    weight : float
        Of the block, relative to other blocks.
    language : str
        ISO 639 code; how ``masked`` lower-cases words to find the frequent ones.
    sentence_rule : {"segmenter", "punctuation"}
        How ``sentence-length`` finds sentences; see `byline.text.split_sentences`. The segmenter's
        rule is approximated.

    See Also
    --------
    NgramRidge : A classifier with such blocks of features.

    Examples
    --------
    >>> from byline.attribution import NgramBlock, NgramRidge
    >>> pairs = NgramBlock("char", (2, 2), value="root-count")
    >>> known = ["abab abab", "abba abba", "cdcd cdcd", "cddc cddc"]
    >>> ridge = NgramRidge((pairs,)).fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> ridge.predict(["ababab", "cdcdcd"]).tolist()
    ['Ann', 'Bob']
    """

    unit: str
    ngrams: tuple[int, int]
    keep: int = 2000
    value: str = "presence"
    weight: float = 1.0
    language: str = "en"
    sentence_rule: str = "segmenter"

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the n-grams depend on (`byline.typography.conventions`)."""
        return _DEPENDS_ON.get(self.unit, REMOVABLE)

    def check(self) -> None:
        """Check that all values can be used (`UsageError`)."""
        check_choice("unit of a block", self.unit, UNITS)
        check_orders("ngrams of a block", self.ngrams)
        check_number("keep of a block", self.keep, 0)
        check_choice("value of a block", self.value, VALUES)
        check_positive("weight of a block", self.weight)
        check_choice("sentence_rule of a block", self.sentence_rule, tuple(SENTENCE_RULES))


@dataclass(frozen=True, slots=True)
class FittedBlock:
    """A block, and the n-grams that it counts.

    Attributes
    ----------
    block : NgramBlock
    unmasked : frozenset of str
        Lower-case words and punctuation marks that are not masked; empty if the block does not
        mask by frequency.
    ngrams : NgramVocabulary
    """

    block: NgramBlock
    unmasked: frozenset[str]
    ngrams: NgramVocabulary

    @classmethod
    def fit(cls, block: NgramBlock, texts: Sequence[str], min_documents: int) -> Self:
        """Find the n-grams that occur in at least ``min_documents`` texts."""
        unmasked = unmasked_words(texts, block)
        documents = [split_units(text, block, unmasked) for text in texts]
        return cls(block, unmasked, NgramVocabulary.fit(documents, block.ngrams, min_documents))

    def features(self, texts: Sequence[str]) -> sparse.csr_array:
        """Return the values of the n-grams in each text, scaled to rows of length 1.

        Returns
        -------
        (n_texts, n_features) sparse float32
            A text without any of the n-grams has a row of zeros.
        """
        return self.scale(self.counts(texts))

    def counts(self, texts: Sequence[str]) -> sparse.csr_array:
        """Count the n-grams in each text: (n_texts, n_features) sparse float32."""
        return self.ngrams.counts([split_units(text, self.block, self.unmasked) for text in texts])

    def scale(self, table: Table) -> Table:
        """Convert counts to features in place; for presence, the counts do not matter."""
        rows, n_rows = rows_of(table), table.shape[0]
        if self.has_counts:
            lengths = np.bincount(rows, table.data, minlength=n_rows)  # squared
            table.data = np.sqrt(table.data / lengths[rows]).astype(np.float32)
        else:
            sizes = np.bincount(rows, minlength=n_rows)
            table.data = self.presence_values(sizes)[rows]
        return table

    def presence_values(self, sizes: Integers) -> NDArray[np.float32]:
        """Return the value of each feature of texts with given numbers of features, (n_texts,)."""
        return np.sqrt(1 / np.maximum(sizes, 1)).astype(np.float32)

    @property
    def has_counts(self) -> bool:
        """Whether a value depends on how often an n-gram occurs."""
        return self.block.value == "root-count"

    def names(self, number: int) -> list[str]:
        """Return the name of each n-gram: the unit, the block's ``number``, and its units."""
        between = "" if self.block.unit == "char" else " "
        ngrams = map(self.ngrams.ngram, range(len(self.ngrams)))
        return [f"{self.block.unit}-{number}:{between.join(ngram)}" for ngram in ngrams]

    def get_state(self) -> ModelState:
        """Return the fitted state, without the block itself."""
        arrays: dict[str, NDArray[Any]] = {}
        for order, level in enumerate(self.ngrams.levels, 2):
            arrays |= pack_ascending(f"order-{order}", level)
        params = {"unmasked": sorted(self.unmasked), "units": list(self.ngrams.units)}
        return ModelState(params, arrays)

    @classmethod
    def from_state(cls, block: NgramBlock, state: ModelState) -> Self:
        """Rebuild a fitted block from what `get_state` returned.

        Raises
        ------
        ModelFileError
            If the state does not belong to such a block.
        """
        unmasked = take_strings(state.params.get("unmasked"), "the unmasked words")
        if unmasked and block.unit != "masked":
            raise ModelFileError(f"a block of {block.unit} n-grams has unmasked words")
        units = take_strings(state.params.get("units"), "the units")
        n_below, levels = len(units), []
        for order in range(2, block.ngrams[1] + 1):
            bound = n_below * len(units)
            levels.append(unpack_ascending(f"order-{order}", state.arrays, bound))
            n_below = len(levels[-1])
        vocabulary = NgramVocabulary(tuple(units), tuple(levels), block.ngrams[0])
        return cls(block, frozenset(unmasked), vocabulary)


def rows_of(table: Table) -> NDArray[np.integer]:
    """Return the row of each value in a sparse table, (n_values,)."""
    if table.format == "csc":
        return np.asarray(table.indices)
    return np.repeat(np.arange(table.shape[0], dtype=np.int32), np.diff(table.indptr))


def unmasked_words(texts: Sequence[str], block: NgramBlock) -> frozenset[str]:
    """Return the frequent words, in lower case, and punctuation that a block does not mask."""
    if block.unit != "masked":
        return frozenset()
    tokens = chain.from_iterable(map(_tokens_of, texts))
    lowercase = lowercase_function(block.language)
    return frozenset(most_frequent(map(lowercase, tokens), block.keep))


def split_units(text: str, block: NgramBlock, unmasked: frozenset[str]) -> Document:
    """Split a text into the units of a block, masking all but the `unmasked_words`."""
    if block.unit == "char":
        return text
    if block.unit == "sentence-length":
        return _sentence_lengths_of(text, block.sentence_rule)
    if block.unit == "paragraph-length":
        return _paragraph_lengths_of(text)
    tokens = _tokens_of(text)
    if block.unit == "word":
        return tokens
    if block.unit == "capitals-masked":
        return _masked_capitals_of(text)
    return list(map(_masked_forms(block.language, unmasked).__getitem__, tokens))


def unit_spans(text: str, block: NgramBlock) -> Integers:
    """Return the start and end of each unit of a block in the text, (n_units, 2)."""
    if block.unit == "char":
        starts = np.arange(len(text))
        return np.column_stack([starts, starts + 1])
    if block.unit == "sentence-length":
        return sentence_spans(text, block.sentence_rule)
    return paragraph_spans(text) if block.unit == "paragraph-length" else spans_of_tokens(text)


def word_shape(word: str) -> str:
    """Return the shape that masks a word: ``0`` to ``00000``, ``A``, ``Aa`` or ``a``."""
    if word[0].isdigit():
        return "0" * min(len(word), 5)
    if word.isupper():
        return "A"
    return "Aa" if word[0].isupper() else "a"


class _MaskedForms(dict[str, str]):
    """The form of each token in a block that masks rare words; computed once."""

    def __init__(self, language: str, unmasked: frozenset[str]) -> None:
        super().__init__()
        self._lower = lowercase_function(language)
        self._unmasked = unmasked

    def __missing__(self, token: str) -> str:
        is_masked = is_word(token) and self._lower(token) not in self._unmasked
        form = word_shape(token) if is_masked else token
        if len(self) >= _MOST_FORMS:
            self.clear()
        self[token] = form
        return form


_masked_forms = lru_cache(maxsize=4)(_MaskedForms)


def check_orders(name: str, orders: object) -> None:
    """Check that a parameter is a pair of a lowest and a highest order (`UsageError`)."""
    if not isinstance(orders, tuple | list) or len(orders) != 2:
        raise UsageError(f"{name} is {orders!r}; it must be a pair such as (1, 3)")
    check_number(f"lowest order of {name}", orders[0], 1)
    check_number(f"highest order of {name}", orders[1], orders[0])


def _mask_capital(token: str, before: str) -> str:
    is_name = token[0].isupper() and before not in _SENTENCE_ENDS
    return word_shape(token) if is_name or token[0].isdigit() else token


def _mask_capitals(text: str) -> list[str]:
    tokens = _tokens_of(text)
    return list(map(_mask_capital, tokens, ["", *tokens]))


_tokens_of = TextMemory(split_tokens)
_sentence_lengths_of = TextMemory(sentence_lengths)
_paragraph_lengths_of = TextMemory(paragraph_lengths)
_masked_capitals_of = TextMemory(_mask_capitals)
