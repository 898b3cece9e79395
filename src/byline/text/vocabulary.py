"""Map tokens to ids, and replace rare tokens by ``<unk>``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, repeat
from typing import Any, Self

import numpy as np

from byline.array_types import Ids
from byline.errors import ModelFileError

#: The token that replaces every word outside the vocabulary.
UNK_TOKEN = "<unk>"  # noqa: S105
#: The id of ``<unk>`` in every vocabulary.
UNK_ID = 0


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of a language model, ordered by id, with their counts in the training texts.

    Attributes
    ----------
    tokens : tuple of str
        The token with id i is at index i. ``<unk>`` comes first; the others are sorted by
        decreasing count, and tokens of equal count by code point.
    counts : tuple of int
        The number of occurrences of each token in the training texts. The count of ``<unk>`` is
        the sum over all tokens that were pruned.

    See Also
    --------
    TextEncoder : Build a vocabulary from texts.

    Examples
    --------
    >>> from byline.text import Vocabulary
    >>> counts = {"the": 3, "loom": 2, "ship": 1}
    >>> vocabulary = Vocabulary.from_counts(counts, min_count=2)
    >>> vocabulary.tokens
    ('<unk>', 'the', 'loom')
    >>> vocabulary.encode(["the", "ship"]).tolist()
    [1, 0]
    """

    tokens: tuple[str, ...]
    counts: tuple[int, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ids", {token: i for i, token in enumerate(self.tokens)})

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[str, int],
        *,
        n_sentences: int = 0,
        min_count: int = 2,
        min_frequency: float = 1e-5,
    ) -> Self:
        """Remove rare tokens and number the rest (Ge & Sun 2016, section "Data Preparation").

        Parameters
        ----------
        counts : mapping of str to int
            The count of each token. A literal ``<unk>`` counts as a pruned token.
        n_sentences : int
            The number of sentences. As in the paper, a frequency is a share of all tokens plus one
            end-of-sentence token per sentence.
        min_count : int
            Tokens with a lower count become ``<unk>``.
        min_frequency : float
            Tokens with a lower frequency become ``<unk>``.
        """
        n_words = sum(counts.values()) + n_sentences
        kept = [
            (token, count)
            for token, count in counts.items()
            if token != UNK_TOKEN and count >= min_count and count / n_words >= min_frequency
        ]
        kept.sort(key=lambda item: (-item[1], item[0]))
        n_pruned = sum(counts.values()) - sum(count for _, count in kept)
        return cls(
            tokens=(UNK_TOKEN, *(token for token, _ in kept)),
            counts=(n_pruned, *(count for _, count in kept)),
        )

    @property
    def size(self) -> int:
        """Number of ids, including ``<unk>``. The tokens ``<s>`` and ``</s>`` have no id here."""
        return len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def encode(self, tokens: Sequence[str]) -> Ids:
        """Convert tokens to ids. Tokens outside the vocabulary get the id 0.

        Returns
        -------
        (n_tokens,) int32
        """
        return self._encode(tokens, len(tokens))

    def encode_sentences(self, sentences: Sequence[Sequence[str]]) -> list[Ids]:
        """Convert the tokens of sentences to ids.

        Returns
        -------
        list of int32 arrays, each (n_tokens,)
            One per sentence, as `encode` returns them.
        """
        lengths = list(map(len, sentences))
        ids = self._encode(chain.from_iterable(sentences), sum(lengths))
        return [
            ids[end - length : end]
            for length, end in zip(lengths, accumulate(lengths), strict=True)
        ]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Convert ids to tokens.

        Raises
        ------
        IndexError
            An id is outside ``[0, size)``.
        """
        return [self.tokens[self._checked(int(i))] for i in ids]

    def _encode(self, tokens: Iterable[str], n_tokens: int) -> Ids:
        ids = map(self._ids.get, tokens, repeat(UNK_ID))
        return np.fromiter(ids, dtype=np.int32, count=n_tokens)

    def _checked(self, i: int) -> int:
        if not 0 <= i < self.size:
            raise IndexError(f"token id {i} is outside [0, {self.size})")
        return i

    def to_dict(self) -> dict[str, Any]:
        """Convert the vocabulary to JSON values for `from_dict`."""
        return {"tokens": list(self.tokens), "counts": list(self.counts)}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Restore a vocabulary from the result of `to_dict`.

        Raises
        ------
        ModelFileError
            ``data`` does not have the form that `to_dict` returns.
        """
        if not isinstance(data, dict) or set(data) != {"tokens", "counts"}:
            raise ModelFileError(
                f"A vocabulary must have exactly the keys tokens and counts, not {_describe(data)}."
            )
        tokens, counts = data["tokens"], data["counts"]
        _check_tokens(tokens)
        _check_counts(counts, len(tokens))
        return cls(tokens=tuple(tokens), counts=tuple(counts))


def _describe(data: object) -> str:
    """Name the keys of a mapping, or the type of any other object."""
    return ", ".join(map(repr, data)) if isinstance(data, dict) else type(data).__name__


def _check_tokens(tokens: object) -> None:
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise ModelFileError("The vocabulary's tokens must be a list of strings.")
    if tokens[:1] != [UNK_TOKEN]:
        raise ModelFileError(f"The vocabulary's first token must be {UNK_TOKEN}, not {tokens[:1]}.")
    if len(set(tokens)) != len(tokens):
        raise ModelFileError("The vocabulary contains a token twice.")


def _check_counts(counts: object, n_tokens: int) -> None:
    if not isinstance(counts, list) or not all(
        type(count) is int and count >= 0 for count in counts
    ):
        raise ModelFileError("The vocabulary's counts must be a list of non-negative integers.")
    if len(counts) != n_tokens:
        raise ModelFileError(f"The vocabulary has {n_tokens} tokens, but {len(counts)} counts.")
