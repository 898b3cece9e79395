"""The tokens that a language model tells apart, and their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import ModelFileError

#: The token that stands for every word outside the vocabulary.
UNK_TOKEN = "<unk>"  # noqa: S105
#: Its id, in every vocabulary.
UNK_ID = 0


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens by id, with their counts in the training text.

    Attributes
    ----------
    tokens : tuple of str
        The token of id i at place i; ``<unk>`` at place 0, then by falling count, ties in code
        point order.
    counts : tuple of int
        How often each stood in the training text; at place 0 the sum over all pruned tokens.
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
        """Prune rare tokens (Ge & Sun 2016, section "Data Preparation") and number the rest.

        Parameters
        ----------
        counts : mapping of token to its count
            A literal ``<unk>`` counts as pruned.
        n_sentences : int
            Frequencies are shares of all tokens and one end mark a sentence, as in the paper.
        min_count : int
            A token with a lower count becomes ``<unk>``.
        min_frequency : float
            So does one with a lower share.
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
        """Number of ids, ``<unk>`` included; the marks ``<s>`` and ``</s>`` have none."""
        return len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def encode(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Ids of ``tokens``, 0 for one that is not in the vocabulary.

        Returns
        -------
        (n_tokens,) int32
        """
        return np.fromiter(
            map(self._ids.get, tokens, repeat(UNK_ID)), dtype=np.int32, count=len(tokens)
        )

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Tokens of ``ids``.

        Raises
        ------
        IndexError
            An id is outside ``[0, size)``.
        """
        return [self.tokens[self._checked(int(i))] for i in ids]

    def _checked(self, i: int) -> int:
        if not 0 <= i < self.size:
            raise IndexError(f"token id {i} is outside [0, {self.size})")
        return i

    def to_dict(self) -> dict[str, Any]:
        """JSON values from which `from_dict` rebuilds the vocabulary."""
        return {"tokens": list(self.tokens), "counts": list(self.counts)}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Rebuild a vocabulary.

        Raises
        ------
        ModelFileError
            ``data`` is not what `to_dict` returns.
        """
        if not isinstance(data, dict) or set(data) != {"tokens", "counts"}:
            raise ModelFileError(
                f"a vocabulary needs tokens and counts alone; found {_names(data)}"
            )
        tokens, counts = data["tokens"], data["counts"]
        _check_tokens(tokens)
        _check_counts(counts, len(tokens))
        return cls(tokens=tuple(tokens), counts=tuple(counts))


def _names(data: object) -> str:
    """Keys of a mapping, or the type of anything else, for a message."""
    return ", ".join(map(repr, data)) if isinstance(data, dict) else type(data).__name__


def _check_tokens(tokens: object) -> None:
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise ModelFileError("the vocabulary's tokens are not a list of strings")
    if tokens[:1] != [UNK_TOKEN]:
        raise ModelFileError(f"the vocabulary's first token is {tokens[:1]}, not {UNK_TOKEN}")
    if len(set(tokens)) != len(tokens):
        raise ModelFileError("the vocabulary holds a token twice")


def _check_counts(counts: object, n_tokens: int) -> None:
    if not isinstance(counts, list) or not all(
        type(count) is int and count >= 0 for count in counts
    ):
        raise ModelFileError("the vocabulary's counts are not a list of whole numbers from 0 on")
    if len(counts) != n_tokens:
        raise ModelFileError(f"the vocabulary has {n_tokens} tokens but {len(counts)} counts")
