"""Text that is tokenised already: one sentence a line, tokens between spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from byline.errors import CorpusError, LearningError, ModelFileError, UsageError
from byline.text.vocabulary import Vocabulary

KIND = "tokenised"
_BLANK_LINES = ("skip", "sentence")
_MARKS = frozenset({"<s>", "</s>"})
# Other spaces, the no-break space for one, are as good as letters to SRILM and KenLM.
_TOKENS = re.compile(r"[^ \t\v\f\r]+")


class TokenisedEncoder(BaseEstimator):  # type: ignore[misc]
    """Take a text as it is, as SRILM and KenLM do: nothing is lower-cased, cut or pruned.

    It stands where a `TextEncoder` stands, for single language models.

    Parameters
    ----------
    blank_lines : {"skip", "sentence"}
        Whether a blank line is left out, as by SRILM, or is a sentence without a token, as to
        KenLM's lmplz.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        All tokens of the training text; id 0 is ``<unk>``, of which the text may hold some itself.
    """

    vocabulary_: Vocabulary

    def __init__(self, *, blank_lines: str = "skip") -> None:
        self.blank_lines = blank_lines

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
            ``blank_lines`` has none of its values.
        """
        if self.blank_lines not in _BLANK_LINES:
            raise UsageError(f"blank_lines={self.blank_lines!r}: it must be 'skip' or 'sentence'")
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
        LearningError
            There is no token in them.
        """
        counts = Counter(chain.from_iterable(chain.from_iterable(documents)))
        if not counts:
            raise LearningError("the training texts hold no token; add text to learn from")
        self.vocabulary_ = Vocabulary.from_counts(counts, min_count=1, min_frequency=0.0)
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
        if not isinstance(data, dict) or set(data) != {"kind", "blank_lines", "vocabulary"}:
            raise ModelFileError(
                "an encoder of tokenised text needs the keys kind, blank_lines and vocabulary"
            )
        if data["kind"] != KIND or data["blank_lines"] not in _BLANK_LINES:
            raise ModelFileError("the encoder's kind or blank_lines has none of its values")
        encoder = cls(blank_lines=data["blank_lines"])
        encoder.vocabulary_ = Vocabulary.from_dict(data["vocabulary"])
        return encoder
