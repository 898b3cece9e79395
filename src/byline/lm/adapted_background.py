"""What a background model gives each token of a text, order by order; shared by adapted models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.lm.base import Sentence
from byline.lm.counts import NONE, Indices, Ints, mark_sentences
from byline.lm.ngram import NgramLM
from byline.lm.smoothing.discounts import Floats
from byline.lm.tree import ROOT

Found = tuple[Indices, Indices, Indices]  # positions, their contexts' nodes, their own nodes
_NOTHING = (np.empty(0, dtype=np.int64),) * 3


@dataclass(frozen=True, slots=True)
class BackgroundScores:
    """A text under every order of a background model.

    Attributes
    ----------
    stream : (n_positions,) int32
        The text as ``mark_sentences`` returns it.
    is_event : (n_positions,) bool
        Whether anything but ``<s>`` stands there.
    probs : (order, n_positions) float64
        Probability of the token after its last 0, 1, ... ``order - 1`` words; backed off where the
        background has not seen these. Of no meaning at ``<s>``.
    is_known : (order, n_positions) bool
        Whether the background has seen these words.
    """

    stream: Ints
    is_event: NDArray[np.bool_]
    probs: Floats
    is_known: NDArray[np.bool_]

    @classmethod
    def of(cls, background: NgramLM, sentences: Sequence[Sentence], order: int) -> Self:
        """Score sentences under orders 1 to ``order``.

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        tree = background.tree_
        stream = mark_sentences(
            sentences, tree.vocabulary_size, sentence_end=background.sentence_end
        )
        is_event = stream != tree.start
        log_probs = np.full(len(stream), tree.log_probs[ROOT])
        probs = np.empty((order, len(stream)))
        is_known = np.zeros((order, len(stream)), dtype=np.bool_)
        walk = tree.ngrams_ending_at_each(
            stream, min(order, background.order), sentence_start=background.sentence_start
        )
        for n, (positions, contexts, nodes) in enumerate(by_order(walk, order)):
            backed_off = log_probs[positions] + tree.backoffs[contexts]
            log_probs[positions] = np.where(nodes != NONE, tree.log_probs[nodes], backed_off)
            probs[n] = np.exp(log_probs)
            is_known[n, positions] = True
        return cls(stream, is_event, probs, is_known)


def by_order(found: Iterable[Found], order: int) -> Iterator[Found]:
    """Yield what was found of each order up to ``order``, and nothing for orders after the last."""
    return islice(chain(found, repeat(_NOTHING)), order)
