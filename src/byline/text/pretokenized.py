"""Encode texts that are already tokenized: one sentence per line, tokens separated by spaces."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Ids
from byline.constraints import PRUNING, Constraints, check_parameters, one_of
from byline.errors import CorpusError, ModelFileError, TrainingError, UsageError
from byline.text.vocabulary import Vocabulary

KIND = "pretokenized"
_SENTENCE_BOUNDARIES = frozenset({"<s>", "</s>"})
# SRILM and KenLM treat other spaces, such as the no-break space, as letters.
_TOKENS = re.compile(r"[^ \t\v\f\r]+")


class PretokenizedEncoder(BaseEstimator):  # type: ignore[misc]
    r"""Encode tokenized texts without any change, as SRILM and KenLM do.

    It can replace a `TextEncoder` for a single language model.

    Parameters
    ----------
    blank_lines : {"skip", "sentence"}
        Whether a blank line is skipped, as by SRILM, or is a sentence without tokens, as for
        KenLM's lmplz.
    min_count : int
        Tokens that occur less often in the training texts become ``<unk>``. By default, none do.
    min_frequency : float
        Tokens whose share of all tokens and sentence ends is not above this value become
        ``<unk>``.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        The tokens of the training texts. Id 0 is ``<unk>``, which the texts may contain too.

    See Also
    --------
    TextEncoder : Tokenize and encode texts.

    Examples
    --------
    >>> from byline.text import PretokenizedEncoder
    >>> encoder = PretokenizedEncoder().fit(["the loom is new\nthe ship is old"])
    >>> encoder.vocabulary_.tokens
    ('<unk>', 'is', 'the', 'loom', 'new', 'old', 'ship')
    >>> [ids.tolist() for ids in encoder.encode([["the", "ship", "sank"]])]
    [[2, 6, 0]]
    """

    vocabulary_: Vocabulary
    _parameter_constraints: ClassVar[Constraints] = {
        "blank_lines": [one_of("skip", "sentence")],
        **PRUNING,
    }

    def __init__(
        self, *, blank_lines: str = "skip", min_count: int = 1, min_frequency: float = 0.0
    ) -> None:
        self.blank_lines = blank_lines
        self.min_count = min_count
        self.min_frequency = min_frequency

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Create an encoder that prunes the vocabulary like the program of Ge & Sun (2016).

        The program keeps tokens whose frequency in the training text is above both 1/n and
        1/100,000, where n is the number of tokens and sentence ends. The paper instead states that
        tokens with a frequency of "less than 1/100,000" are removed.
        """
        return cls(min_count=2, min_frequency=1e-5)

    @classmethod
    def with_vocabulary(cls, vocabulary: Vocabulary) -> Self:
        """Create a fitted encoder with a given vocabulary, for a model from another program."""
        encoder = cls()
        encoder.vocabulary_ = vocabulary
        return encoder

    def tokenize(self, text: str) -> list[list[str]]:
        """Split one text into sentences of tokens.

        Raises
        ------
        CorpusError
            The text contains ``<s>`` or ``</s>``, which language models add themselves.
        UsageError
            A parameter has an invalid value.
        """
        self._check_params()
        sentences = list(map(_TOKENS.findall, text.removesuffix("\n").split("\n") if text else []))
        for number, sentence in enumerate(sentences, start=1):
            if not _SENTENCE_BOUNDARIES.isdisjoint(sentence):
                raise CorpusError(
                    f"Line {number} of the tokenized text contains <s> or </s>. Delete them, "
                    "because language models add them to each line."
                )
        return sentences if self.blank_lines == "sentence" else [s for s in sentences if s]

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Build the vocabulary from training texts.

        Parameters
        ----------
        texts : iterable of str
        y : ignored

        Raises
        ------
        CorpusError
            A text contains ``<s>`` or ``</s>``.
        UsageError
            A parameter has an invalid value.
        TrainingError
            The texts contain no token.
        """
        return self.fit_tokenized(map(self.tokenize, texts))

    def fit_tokenized(self, documents: Iterable[Sequence[Sequence[str]]]) -> Self:
        """Build the vocabulary from tokenized documents.

        Parameters
        ----------
        documents : iterable of sequences of sequences of str
            Each document as `tokenize` returns it.

        Raises
        ------
        UsageError
            A parameter has an invalid value.
        TrainingError
            The documents contain no token.
        """
        self._check_params()
        sentences = list(chain.from_iterable(documents))
        counts = Counter(chain.from_iterable(sentences))
        if not counts:
            raise TrainingError("The training texts contain no tokens. Add text.")
        n_words = counts.total() + len(sentences)
        min_count = max(self.min_count, math.floor(self.min_frequency * n_words) + 1)
        self.vocabulary_ = Vocabulary.from_counts(counts, min_count=min_count, min_frequency=0.0)
        return self

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[Ids]:
        """Convert one tokenized document to ids: one (n_tokens,) int32 array per sentence."""
        check_is_fitted(self)
        return self.vocabulary_.encode_sentences(sentences)

    def to_dict(self) -> dict[str, Any]:
        """Convert the fitted encoder to JSON values."""
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
        """Restore a fitted encoder from the result of `to_dict`.

        Raises
        ------
        ModelFileError
            A key is missing or unknown, or a value is invalid.
        """
        keys = {"kind", "vocabulary", *cls().get_params()}
        if not isinstance(data, dict) or set(data) != keys:
            raise ModelFileError(
                f"An encoder of tokenized text must have the keys {', '.join(sorted(keys))} only."
            )
        if data["kind"] != KIND:
            raise ModelFileError(f"The encoder's kind must be {KIND!r}, not {data['kind']!r}.")
        encoder = cls(**{name: data[name] for name in cls().get_params()})
        try:
            encoder._check_params()
        except UsageError as error:
            raise ModelFileError(f"The encoder's parameters are invalid: {error}") from error
        encoder.vocabulary_ = Vocabulary.from_dict(data["vocabulary"])
        return encoder

    def _check_params(self) -> None:
        check_parameters(self)
