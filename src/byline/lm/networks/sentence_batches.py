"""The training examples of the recurrent network: batches of sentences of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Ids

Indices: TypeAlias = NDArray[np.intp]
"""Indices into arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Sentences that the network processes together, one per column.

    Attributes
    ----------
    inputs : (n_steps, n_columns) int32
        The event before each predicted event. Shorter sentences are padded with zeros.
    rows : (n,) intp
        Indices into the flattened ``inputs`` of the elements that an event follows.
    targets : (n,) int32
        These events.
    positions : (n,) intp
        Their positions among all events.

    See Also
    --------
    Events.batch : makes a batch
    """

    inputs: Ids
    rows: Indices
    targets: Ids
    positions: Indices


@dataclass(frozen=True, eq=False)
class Events:
    """All predicted events of some sentences, concatenated, each with the event before it.

    Attributes
    ----------
    inputs, targets : (n,) int32
    lengths : (n_sentences,) intp
        Number of events of each sentence.

    Examples
    --------
    >>> sentences = [np.array([3, 4], dtype=np.int32), np.array([5], dtype=np.int32)]
    >>> events = Events.from_sentences(sentences, start=9, end=8)
    >>> events.inputs, events.targets
    (array([9, 3, 4, 9, 5], dtype=int32), array([3, 4, 8, 5, 8], dtype=int32))
    >>> events.batch(np.array([0, 1])).inputs
    array([[9, 9],
           [3, 5],
           [4, 0]], dtype=int32)
    """

    inputs: Ids
    targets: Ids
    lengths: Indices

    @classmethod
    def from_sentences(cls, sentences: Sequence[Ids], *, start: int, end: int | None) -> Self:
        """Make the events of sentences.

        Parameters
        ----------
        sentences : sequence of (n_tokens,) int32
        start : int
            Id of what precedes a sentence.
        end : int, optional
            Id of what follows a sentence, which is then predicted; by default only tokens are.
        """
        first = np.full(1, start, np.int32)
        last = np.full(int(end is not None), end or 0, np.int32)
        targets = [np.concatenate([sentence, last]) for sentence in sentences]
        nothing = first[:0]
        inputs = [np.concatenate([first, ids])[: len(ids)] for ids in targets]
        return cls(
            np.concatenate([nothing, *inputs]),
            np.concatenate([nothing, *targets]),
            np.array([len(ids) for ids in targets], dtype=np.intp),
        )

    def __len__(self) -> int:
        return len(self.targets)

    @cached_property
    def starts(self) -> Indices:
        """Position of each sentence's first event: (n_sentences,)."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def split(self, longest: int) -> Events:
        """Split sentences that have more than ``longest`` events; leave out those without any."""
        n_chunks = -(-self.lengths // longest)
        lengths = np.full(int(n_chunks.sum()), longest, dtype=np.intp)
        last = np.cumsum(n_chunks)[n_chunks > 0] - 1
        lengths[last] = (self.lengths - longest * (n_chunks - 1))[n_chunks > 0]
        return Events(self.inputs, self.targets, lengths)

    def first(self, n: int) -> Events:
        """Take the first sentences that together have ``n`` events, or all sentences."""
        n_sentences = int(np.searchsorted(np.cumsum(self.lengths), n)) + 1
        lengths = self.lengths[:n_sentences]
        total = int(lengths.sum())
        return Events(self.inputs[:total], self.targets[:total], lengths)

    def batch(self, chosen: Indices) -> Batch:
        """Make a batch of the sentences with the given numbers: (n_columns,)."""
        steps = np.arange(self.lengths[chosen].max(initial=0))[:, None]
        is_event = steps < self.lengths[chosen]  # (n_steps, n_columns)
        positions = (self.starts[chosen] + steps)[is_event]
        inputs = np.zeros(is_event.shape, np.int32)
        inputs[is_event] = self.inputs[positions]
        return Batch(inputs, np.flatnonzero(is_event), self.targets[positions], positions)


class ShuffledBatches:
    """Batches of sentences of similar length, in a new random order in each epoch.

    Parameters
    ----------
    events : Events
        Each sentence has at least one.
    batch_tokens : int
        Largest number of events in a batch, padding included. A longer sentence is a batch of its
        own.

    Attributes
    ----------
    max_events : int
        Number of events in the largest batch.

    Examples
    --------
    >>> sentences = [np.ones(n, dtype=np.int32) for n in (2, 2, 4)]
    >>> batches = ShuffledBatches(Events.from_sentences(sentences, start=0, end=None), 4)
    >>> len(batches), batches.max_events
    (2, 4)
    """

    def __init__(self, events: Events, batch_tokens: int) -> None:
        self.events = events
        lengths, cuts = np.sort(events.lengths), [0]
        for i, length in enumerate(lengths.tolist()):
            if length * (i + 1 - cuts[-1]) > batch_tokens and i > cuts[-1]:
                cuts.append(i)
        self._cuts = np.array(cuts[1:], dtype=np.intp)
        self.max_events = max(int(group.sum()) for group in np.split(lengths, self._cuts))

    def __len__(self) -> int:
        return len(self._cuts) + 1

    def shuffle(self, rng: np.random.Generator) -> Iterator[Batch]:
        """Make the batches of one epoch.

        Sentences are sorted by length; sentences of the same length, and then the batches, are in
        random order.
        """
        order = rng.permutation(len(self.events.lengths))
        by_length = order[np.argsort(self.events.lengths[order], kind="stable")]
        groups = np.split(by_length, self._cuts)
        return (self.events.batch(groups[i]) for i in rng.permutation(len(groups)))
