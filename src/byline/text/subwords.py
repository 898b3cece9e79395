"""Convert texts to the subwords of a pretrained language model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Integers
from byline.constraints import Constraints, check_parameters, whole
from byline.errors import (
    MissingBaseError,
    MissingExtraError,
    ModelFileError,
    TrainingError,
    UsageError,
)
from byline.text.base_folder import INSTALL, files_digest, tokenizer_file
from byline.text.encoder import TextEncoder, TokenizedDocument
from byline.text.tokens import check_language_code
from byline.text.vocabulary import UNK_TOKEN, Vocabulary
from byline.typography import Normalization
from byline.typography.conventions import REMOVABLE

_UNDECODABLE = "\ufffd"


class SubwordEncoder(TextEncoder):
    """Split texts into the subwords that a pretrained language model was trained on.

    A subword is a frequent word with the space before it, or a part of a rare word. There are no
    unknown subwords: a rare word is divided further, at most into bytes. Capital letters, line
    breaks and punctuation are kept. A text is not split into sentences, because the context of a
    token may begin before its sentence; a long text is split into passages.

    Parameters
    ----------
    base : str
        The folder of a causal language model in the format of Hugging Face transformers. Only its
        file ``tokenizer.json`` is read here.
    language : str
        ISO 639 code. The tokens do not depend on it, but the sentences of the evidence do.
    normalization : str
        As in `TextEncoder`.
    max_passage_tokens : int or None
        Longer texts are split into passages of this length, from which the equal-sized samples of
        the known texts are drawn. The context of a token begins with its passage. None: each text
        is one passage.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        All subwords of the tokenizer in its own order, after ``<unk>``, which never occurs.
    tokenizer_digest_ : str
        The SHA-256 of the tokenizer.

    See Also
    --------
    TextEncoder : Words or characters as tokens.
    byline.lm.PretrainedLM : The language model of these tokens.

    Examples
    --------
    >>> from byline.text import SubwordEncoder
    >>> from byline.text.subwords import token_unit
    >>> encoder = SubwordEncoder("models/gpt2", max_passage_tokens=500)
    >>> token_unit(encoder), encoder.lowercase
    ('subword', False)
    """

    tokenizer_digest_: str
    # Evidence, and whatever else is reported of a text, is about words.
    unit = "word"
    word_rule = "unicode"
    sentence_rule = "segmenter"
    lowercase = False
    stem = False
    numbers = "keep"
    punctuation = "keep"
    _parameter_constraints: ClassVar[Constraints] = {
        "base": [str],
        "language": [str],
        "normalization": [str],
        "max_passage_tokens": [whole(1), None],
    }

    def __init__(
        self,
        base: str = "",
        *,
        language: str = "en",
        normalization: str = "edition",
        max_passage_tokens: int | None = 1000,
    ) -> None:
        self.base = base
        self.language = language
        self.normalization = normalization
        self.max_passage_tokens = max_passage_tokens

    @property
    def input_digest(self) -> str:
        """The SHA-256 of the tokenizer."""
        return files_digest([tokenizer_file(self.base)])

    def fit_tokenized(self, documents: Iterable[Sequence[Sequence[str]]]) -> Self:
        """Take over the tokenizer's vocabulary, and count its subwords in tokenized documents.

        Raises
        ------
        UsageError
            A parameter has an invalid value, or the folder has no tokenizer.
        TrainingError
            The documents contain no token.
        """
        self._check_params()
        counts = Counter(chain.from_iterable(chain.from_iterable(documents)))
        if not counts:
            raise TrainingError("The training texts contain no tokens. Add text.")
        tokens = _load(self.base).tokens
        self.vocabulary_ = Vocabulary(
            (UNK_TOKEN, *tokens), (0, *(counts.get(token, 0) for token in tokens))
        )
        self.tokenizer_digest_ = self.input_digest
        return self

    def token_starts(self, text: str) -> Integers:
        """Return the position of each token's first visible character in a text, (n_tokens,).

        Parameters
        ----------
        text : str
            As ``normalize`` returns it.
        """
        return self._subwords().encode(text)[1]

    def word_encoder(self) -> TextEncoder:
        """Return an encoder of the words and sentences for which evidence is given."""
        return TextEncoder(
            language=self.language,
            lowercase=False,
            normalization=self.normalization,
            max_sentence_tokens=None,
        )

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the tokens depend on: all of them."""
        return REMOVABLE

    def to_dict(self) -> dict[str, Any]:
        """Convert the fitted encoder to JSON values."""
        check_is_fitted(self)
        return {
            "params": dict(self.get_params()),
            "vocabulary": self.vocabulary_.to_dict(),
            "tokenizer": self.tokenizer_digest_,
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Restore a fitted encoder from the result of `to_dict`.

        Raises
        ------
        ModelFileError
            A key is missing or unknown, or a value is invalid.
        """
        given = data if isinstance(data, dict) else {}
        params, names = given.get("params"), set(cls().get_params())
        if not isinstance(params, dict) or set(params) != names:
            raise ModelFileError(
                f"An encoder of subwords must have exactly the parameters "
                f"{', '.join(sorted(names))}. The model file is damaged or was written by another "
                "version of Byline: train the model again."
            )
        encoder = cls(**params)
        try:
            encoder._check_params()
        except UsageError as error:
            raise ModelFileError(f"The encoder's parameters are invalid: {error}") from error
        encoder.vocabulary_ = Vocabulary.from_dict(given.get("vocabulary"))
        encoder.tokenizer_digest_ = str(given.get("tokenizer"))
        return encoder

    def _tokenize(self, text: str) -> TokenizedDocument:
        tokens, _ = self._subwords().encode(self.normalize(text))
        size = self.max_passage_tokens or len(tokens)
        return [tokens[i : i + size] for i in range(0, len(tokens), size)] if tokens else []

    def _subwords(self) -> _Subwords:
        """Return the tokenizer; if the encoder is fitted, it must be the same as then."""
        fitted = getattr(self, "tokenizer_digest_", None)
        if fitted is not None and fitted != self.input_digest:
            raise MissingBaseError(
                f"{self.base} has another tokenizer than when the model was trained; restore the "
                "folder, or train the model again"
            )
        return _load(self.base)

    def _check_params(self) -> None:
        check_parameters(self)
        check_language_code(self.language)
        Normalization.parse(self.normalization)


def token_unit(encoder: object) -> str:
    """Return what the tokens of an encoder are: "word", "char" or "subword"."""
    unit: str = getattr(encoder, "unit", "word")
    return "subword" if isinstance(encoder, SubwordEncoder) else unit


def n_subwords(base: str) -> int:
    """Return how many subwords the tokenizer in a folder has; errors as in `SubwordEncoder`."""
    return len(_load(base).tokens)


@dataclass(frozen=True, slots=True)
class _Subwords:
    """A tokenizer, and a name for each of its subwords, by the tokenizer's own ids."""

    tokenizer: Any
    tokens: tuple[str, ...]

    def encode(self, text: str) -> tuple[list[str], Integers]:
        """Return the tokens of a text, and the position of each one's first visible character."""
        encoded = self.tokenizer.encode(text, add_special_tokens=False)
        offsets = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
        visible = np.append(np.flatnonzero(~is_space), len(text))
        first = visible[np.searchsorted(visible, offsets[:, 0])]
        starts = np.where(first < offsets[:, 1], first, offsets[:, 0])
        return [self.tokens[number] for number in encoded.ids], starts


def _load(base: str) -> _Subwords:
    file = tokenizer_file(base)
    return _load_version(str(file.resolve()), file.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _load_version(path: str, changed: int) -> _Subwords:
    """Read the tokenizer in a file that was changed at a given time."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError(f"subwords need the library tokenizers, {INSTALL}") from error
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # the library raises nothing more specific
        raise UsageError(
            f"{path} is not a tokenizer that the library tokenizers can read ({error}). Write it "
            "again with the method save_pretrained of the tokenizer in transformers"
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # The name of a special token, such as <|endoftext|>, is plain text in the text of an author.
    tokenizer.encode_special_tokens = True
    return _Subwords(tokenizer, _names(tokenizer))


def _names(tokenizer: Any) -> tuple[str, ...]:
    """Name each subword by its characters if they are known, and otherwise as the tokenizer does.

    The tokenizers of GPT-2 and many others write bytes as printable characters: a space is "Ġ".
    """
    by_id = {number: token for token, number in tokenizer.get_vocab().items()}
    of_bytes = '"ByteLevel"' in json.dumps(json.loads(tokenizer.to_str())["decoder"])
    taken = {UNK_TOKEN}
    names = []
    for number in range(max(by_id) + 1):
        name = raw = by_id.get(number, f"unused {number}")
        if of_bytes:
            decoded = tokenizer.decoder.decode([raw])
            name = f"<{raw}>" if _UNDECODABLE in decoded else decoded
        while name in taken:
            name += " "
        taken.add(name)
        names.append(name)
    return tuple(names)
