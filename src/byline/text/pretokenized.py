"""Text that is tokenised already: one sentence a line, tokens between spaces."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from byline.errors import CorpusError, ModelFileError, TrainingError, UsageError
from byline.text.vocabulary import Vocabulary

KIND = "tokenised"
_BLANK_LINES = ("skip", "sentence")
_MARKS = frozenset({"<s>", "</s>"})
# Other spaces, the no-break space for one, are as good as letters to SRILM and KenLM.
_TOKENS = re.compile(r"[^ \t\v\f\r]+")


class PretokenizedEncoder(BaseEstimator):  # type: ignore[misc]
    """Take a text as it is, as SRILM and KenLM do: nothing is lower-cased or cut.

    It stands where a `TextEncoder` stands, for single language models.

    Parameters
    ----------
    blank_lines : {"skip", "sentence"}
        Whether a blank line is left out, as by SRILM, or is a sentence without a token, as to
        KenLM's lmplz.
    min_count : int
        A token that the training text has fewer times becomes ``<unk>``; by default none does.
    min_frequency : float
        So does one whose share of the tokens and sentence ends is not above this.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        The tokens of the training text; id 0 is ``<unk>``, of which the text may hold some itself.
    """

    vocabulary_: Vocabulary

    def __init__(
        self, *, blank_lines: str = "skip", min_count: int = 1, min_frequency: float = 0.0
    ) -> None:
        self.blank_lines = blank_lines
        self.min_count = min_count
        self.min_frequency = min_frequency

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Prune as the program of Ge & Sun (2016) does.

        It keeps what stands in the training text with a frequency above 1/n and 1/100,000, n being
        the number of tokens and sentence ends; the paper speaks of "less than 1/100,000".
        """
        return cls(min_count=2, min_frequency=1e-5)

    @classmethod
    def with_vocabulary(cls, vocabulary: Vocabulary) -> Self:
        """Return an encoder that is fitted already, such as for a model from elsewhere."""
        encoder = cls()
        encoder.vocabulary_ = vocabulary
        return encoder

    def tokenize(self, text: str) -> list[list[str]]:
        """Cut one text into sentences of tokens.

        Raises
        ------
        CorpusError
            A sentence mark stands among the tokens; models set those themselves.
        UsageError
            A parameter has a value that cannot be used.
        """
        self._check_params()
        sentences = list(map(_TOKENS.findall, text.removesuffix("\n").split("\n") if text else []))
        for number, sentence in enumerate(sentences, start=1):
            if not _MARKS.isdisjoint(sentence):
                raise CorpusError(
                    f"line {number} of the tokenised text holds <s> or </s>, which a model sets "
                    "itself around each line; take them out"
                )
        return sentences if self.blank_lines == "sentence" else [s for s in sentences if s]

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary of ``texts``; errors as in `tokenize` and `fit_tokenized`."""
        return self.fit_tokenized(map(self.tokenize, texts))

    def fit_tokenized(self, documents: Iterable[Sequence[Sequence[str]]]) -> Self:
        """Learn the vocabulary of documents as `tokenize` returns them.

        Raises
        ------
        TrainingError
            There is no token in them.
        """
        self._check_params()
        sentences = list(chain.from_iterable(documents))
        counts = Counter(chain.from_iterable(sentences))
        if not counts:
            raise TrainingError("the training texts hold no token; add text to learn from")
        n_words = counts.total() + len(sentences)
        least = max(self.min_count, math.floor(self.min_frequency * n_words) + 1)
        self.vocabulary_ = Vocabulary.from_counts(counts, min_count=least, min_frequency=0.0)
        return self

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.int32]]:
        """Ids of one tokenized document, one (n_tokens,) int32 array a sentence."""
        check_is_fitted(self)
        return [self.vocabulary_.encode(sentence) for sentence in sentences]

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted encoder as JSON values."""
        check_is_fitted(self)
        return {
            "kind": KIND,
            "blank_lines": self.blank_lines,
            "min_count": int(self.min_count),
            "min_frequency": float(self.min_frequency),
            "vocabulary": self.vocabulary_.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Rebuild a fitted encoder from `to_dict`'s result.

        Raises
        ------
        ModelFileError
            A key is missing or unknown, or a value cannot be used.
        """
        keys = {"kind", "vocabulary", *cls().get_params()}
        if not isinstance(data, dict) or set(data) != keys:
            raise ModelFileError(
                f"an encoder of tokenised text has the keys {', '.join(sorted(keys))}"
            )
        if data["kind"] != KIND:
            raise ModelFileError(f"the encoder's kind is {data['kind']!r}, not {KIND!r}")
        encoder = cls(**{name: data[name] for name in cls().get_params()})
        try:
            encoder._check_params()
        except UsageError as error:
            raise ModelFileError(f"the encoder's parameters cannot be used: {error}") from error
        encoder.vocabulary_ = Vocabulary.from_dict(data["vocabulary"])
        return encoder

    def _check_params(self) -> None:
        if self.blank_lines not in _BLANK_LINES:
            raise UsageError(f"blank_lines={self.blank_lines!r}: it must be 'skip' or 'sentence'")
        count, share = self.min_count, self.min_frequency
        if not isinstance(count, Integral) or isinstance(count, bool) or count < 1:
            raise UsageError(f"min_count={count!r}: it must be a whole number from 1 on")
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 <= float(share) < 1:
            raise UsageError(f"min_frequency={share!r}: it must be a number from 0 to below 1")
