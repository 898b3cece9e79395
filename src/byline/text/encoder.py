"""TextEncoder: from a text to the token ids that a language model reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import regex
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.text.normalize import lower, normalize, primary_subtag
from byline.text.sentences import SENTENCE_RULES, split_sentences
from byline.text.tokens import (
    WORD_RULES,
    drop_punctuation,
    split_characters,
    word_forms,
    word_pattern,
)
from byline.text.vocabulary import Vocabulary

TokenizedDocument = list[list[str]]

_CHOICES: dict[str, tuple[str, ...]] = {
    "unit": ("word", "char"),
    "words": WORD_RULES,
    "sentences": tuple(SENTENCE_RULES),
    "numbers": ("keep", "mark"),
    "punctuation": ("keep", "drop"),
    "transcript_annotations": ("remove", "keep"),
}
_LATER_PARAMS = {"punctuation"}  # encoders stored before it was there have its default
_LANGUAGE = regex.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


class TextEncoder(BaseEstimator):  # type: ignore[misc]
    """Cut texts into sentences of tokens, learn a vocabulary, and turn tokens into ids.

    Parameters
    ----------
    unit : {"word", "char"}
        What a token is. Signs of punctuation are tokens among words; a run of white space is one
        token among characters, and a letter with the accents and vowel signs on it is another.
    words : {"unicode", "ge-sun-2016"}
        How words are found (see ``byline.text.tokens``); for ``unit="word"``.
    sentences : {"segmenter", "punctuation"}
        A segmenter that knows abbreviations, or the paper's rule (see ``byline.text.sentences``).
    language : str
        ISO 639 code, for the segmenter, lower-casing, and elision.
    lowercase : bool
    stem : bool
        Porter stems; English words only.
    numbers : {"keep", "mark"}
        ``mark`` puts ``<num>`` for numbers; words only.
    punctuation : {"keep", "drop"}
        ``drop`` leaves signs out that are neither letters nor digits, but for an apostrophe inside
        a word. How texts are punctuated differs between genres (letters, chats, transcripts) more
        than between authors.
    transcript_annotations : {"remove", "keep"}
        Notes such as ``[MUSIC]`` and ``>>`` (see `byline.text.normalize`).
    min_count : int
        A token that the training text has fewer times becomes ``<unk>``.
    min_frequency : float
        So does one with a smaller share of the tokens and sentence ends.
    max_sentence_tokens : int or None
        A longer sentence is cut into pieces of this length; a transcript without punctuation would
        otherwise be one sentence. None cuts nothing.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        Learnt by `fit`; id 0 is ``<unk>``.
    """

    vocabulary_: Vocabulary

    def __init__(
        self,
        *,
        unit: str = "word",
        words: str = "unicode",
        sentences: str = "segmenter",
        language: str = "en",
        lowercase: bool = True,
        stem: bool = False,
        numbers: str = "keep",
        punctuation: str = "keep",
        transcript_annotations: str = "remove",
        min_count: int = 2,
        min_frequency: float = 1e-5,
        max_sentence_tokens: int | None = 500,
    ) -> None:
        self.unit = unit
        self.words = words
        self.sentences = sentences
        self.language = language
        self.lowercase = lowercase
        self.stem = stem
        self.numbers = numbers
        self.punctuation = punctuation
        self.transcript_annotations = transcript_annotations
        self.min_count = min_count
        self.min_frequency = min_frequency
        self.max_sentence_tokens = max_sentence_tokens

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Take the settings of Ge & Sun 2016, section "Data Preparation".

        From the authors' transcripts this gives 98.9 % of the lines of their stemmed files as they
        stand. Not followed: their stemmer is Porter's later variant (``technolog`` for
        ``technologi``); they mark digits inside a word where the same digits stand alone on its
        line, write ``alright`` as two words, expand a typographic ``’s`` to ``is``, and leave out
        what stands after the last full stop of a file.
        """
        return cls(
            words="ge-sun-2016",
            sentences="punctuation",
            stem=True,
            numbers="mark",
            max_sentence_tokens=None,
        )

    def tokenize(self, text: str) -> TokenizedDocument:
        """Cut one text into sentences of tokens. Needs no `fit` and does not depend on it.

        Parameters
        ----------
        text : str
            Any string.

        Returns
        -------
        list of list of str
            No sentence is empty; an empty text has none.

        Raises
        ------
        UsageError
            A parameter has a value that cannot be used, or ``text`` is no string.
        """
        self._check_params()
        return self._tokenize(text)

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary of ``texts``, which must be training texts only.

        Parameters
        ----------
        texts : iterable of str
        y : ignored

        Raises
        ------
        UsageError
            A parameter has a value that cannot be used, or ``texts`` are not strings.
        TrainingError
            There is no token in them.
        """
        self._check_params()
        return self.fit_tokenized(map(self._tokenize, _checked_texts(texts)))

    def fit_tokenized(self, documents: Iterable[Sequence[Sequence[str]]]) -> Self:
        """Learn the vocabulary of documents as `tokenize` returns them; errors as in `fit`."""
        self._check_params()
        counts: Counter[str] = Counter()
        n_sentences = 0
        for document in documents:
            counts.update(chain.from_iterable(document))
            n_sentences += len(document)
        if not counts:
            raise TrainingError("the training texts hold no token; add text to learn from")
        self.vocabulary_ = Vocabulary.from_counts(
            counts,
            n_sentences=n_sentences,
            min_count=self.min_count,
            min_frequency=self.min_frequency,
        )
        return self

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.int32]]:
        """Ids of one tokenized document.

        Parameters
        ----------
        sentences : sequence of sequences of str
            As `tokenize` returns them.

        Returns
        -------
        list of int32 arrays, each (n_tokens,)
            One a sentence, aligned with ``sentences``.
        """
        check_is_fitted(self)
        return [self.vocabulary_.encode(sentence) for sentence in sentences]

    def transform(self, texts: Iterable[str]) -> list[list[NDArray[np.int32]]]:
        """Ids of texts: `tokenize`, then `encode`.

        Returns
        -------
        list of lists of int32 arrays, each (n_tokens,)
            One list a text, one array a sentence.
        """
        check_is_fitted(self)
        self._check_params()
        return [self.encode(self._tokenize(text)) for text in _checked_texts(texts)]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Tokens of ``ids``; IndexError where one is not in the vocabulary's range."""
        check_is_fitted(self)
        return self.vocabulary_.decode(ids)

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted encoder as JSON values."""
        check_is_fitted(self)
        return {
            "params": {name: _json_value(value) for name, value in self.get_params().items()},
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
        if not isinstance(data, dict) or set(data) != {"params", "vocabulary"}:
            raise ModelFileError("an encoder needs the keys params and vocabulary, and no other")
        params, expected = data["params"], set(cls().get_params())
        if not isinstance(params, dict) or set(params) | _LATER_PARAMS != expected:
            raise ModelFileError(f"an encoder's params are {', '.join(sorted(expected))}")
        encoder = cls(**params)
        try:
            encoder._check_params()
        except UsageError as error:
            raise ModelFileError(f"the encoder's params cannot be used: {error}") from error
        encoder.vocabulary_ = Vocabulary.from_dict(data["vocabulary"])
        return encoder

    def _tokenize(self, text: str) -> TokenizedDocument:
        if not isinstance(text, str):
            raise UsageError(f"a text must be a string, not {type(text).__name__}")
        plain = normalize(text, transcript_annotations=self.transcript_annotations)
        cut = self._cut_words if self.unit == "word" else self._cut_characters
        sentences = split_sentences(plain, rule=self.sentences, language=self.language)
        if self.punctuation == "drop":
            sentences = map(drop_punctuation, sentences)
        return list(chain.from_iterable(map(self._capped, cut(sentences))))

    def _cut_words(self, sentences: Iterable[str]) -> Iterable[list[str]]:
        words = word_pattern(self.words, self.language)
        form = word_forms(
            lowercase=bool(self.lowercase),
            stem=bool(self.stem),
            numbers=self.numbers,
            language=self.language,
        ).__getitem__
        return (list(map(form, words.of(sentence).findall(sentence))) for sentence in sentences)

    def _cut_characters(self, sentences: Iterable[str]) -> Iterable[list[str]]:
        if self.lowercase:
            sentences = (lower(sentence, self.language) for sentence in sentences)
        return map(split_characters, sentences)

    def _capped(self, tokens: list[str]) -> TokenizedDocument:
        size = self.max_sentence_tokens or len(tokens)
        return [tokens[i : i + size] for i in range(0, len(tokens), size)] if tokens else []

    def _check_params(self) -> None:
        for name, choices in _CHOICES.items():
            _check_choice(name, getattr(self, name), choices)
        for name in ("lowercase", "stem"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise UsageError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if not isinstance(self.language, str) or not _LANGUAGE.fullmatch(self.language):
            raise UsageError(
                f"language must be an ISO 639 code such as 'en', not {self.language!r}"
            )
        _check_count("min_count", self.min_count)
        if self.max_sentence_tokens is not None:
            _check_count("max_sentence_tokens", self.max_sentence_tokens)
        _check_share("min_frequency", self.min_frequency)
        self._check_combination()

    def _check_combination(self) -> None:
        if self.stem and primary_subtag(self.language) != "en":
            raise UsageError(
                f"stem=True is Porter's algorithm for English, but language is {self.language!r}; "
                "set stem=False"
            )
        if self.unit == "char" and (self.stem or self.numbers == "mark" or self.words != "unicode"):
            raise UsageError(
                "with unit='char' there are no words: leave stem=False, numbers='keep' "
                "and words='unicode'"
            )


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        known = " or ".join(map(repr, choices))
        raise UsageError(f"{name} must be {known}, not {value!r}")


def _check_count(name: str, value: object) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < 1:
        raise UsageError(f"{name} must be a whole number from 1 on, not {value!r}")


def _check_share(name: str, value: object) -> None:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) < 1:
        raise UsageError(f"{name} must be a number from 0 up to, not including, 1; not {value!r}")


def _checked_texts(texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str):
        raise UsageError("expected several texts, got one string; put it in a list")
    return texts


def _json_value(value: Any) -> Any:
    """Put a plain Python value for a NumPy scalar, such as a parameter search sets."""
    return value.item() if isinstance(value, np.generic) else value
