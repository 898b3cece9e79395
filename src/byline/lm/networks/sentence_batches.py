"""Sentences as a recurrent network takes them: events end to end, and batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Ids

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Sentences that go through the network together, one a column.

    Attributes
    ----------
    inputs : (n_steps, n_columns) int32
        The event before each; anything after a sentence's end, where nothing is predicted.
    rows : (n,) intp
        Where in the flattened ``inputs`` an event follows.
    targets : (n,) int32
        That event.
    places : (n,) intp
        Its place among all events.
    """

    inputs: Ids
    rows: Places
    targets: Ids
    places: Places


@dataclass(frozen=True, eq=False)
class Events:
    """All predicted events of some sentences end to end, each with the one before it.

    Attributes
    ----------
    inputs, targets : (n,) int32
    lengths : (n_sentences,) intp
        Events of each sentence.
    """

    inputs: Ids
    targets: Ids
    lengths: Places

    @classmethod
    def of(cls, sentences: Sequence[Ids], *, start: int, end: int | None) -> Self:
        """Put id ``start`` before each sentence and, where there is an ``end``, that after it."""
        first = np.full(1, start, np.int32)
        last = np.full(int(end is not None), end or 0, np.int32)
        ended = [np.concatenate([sentence, last]) for sentence in sentences]
        nothing = first[:0]
        inputs = [np.concatenate([first, s])[: len(s)] for s in ended]
        return cls(
            np.concatenate([nothing, *inputs]),
            np.concatenate([nothing, *ended]),
            np.array([len(s) for s in ended], dtype=np.intp),
        )

    def __len__(self) -> int:
        return len(self.targets)

    @cached_property
    def starts(self) -> Places:
        """Place of each sentence's first event: (n_sentences,)."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def pieces(self, longest: int) -> Events:
        """Cut sentences of more events into pieces of ``longest``; leave out those of none."""
        n_pieces = -(-self.lengths // longest)
        lengths = np.full(int(n_pieces.sum()), longest, dtype=np.intp)
        last = np.cumsum(n_pieces)[n_pieces > 0] - 1
        lengths[last] = (self.lengths - longest * (n_pieces - 1))[n_pieces > 0]
        return Events(self.inputs, self.targets, lengths)

    def first(self, n: int) -> Events:
        """Take the first sentences that hold ``n`` events, or all."""
        n_sentences = int(np.searchsorted(np.cumsum(self.lengths), n)) + 1
        lengths = self.lengths[:n_sentences]
        total = int(lengths.sum())
        return Events(self.inputs[:total], self.targets[:total], lengths)

    def batch(self, chosen: Places) -> Batch:
        """Put the chosen sentences beside one another: (n_columns,) numbers of sentences."""
        steps = np.arange(self.lengths[chosen].max(initial=0))[:, None]
        is_event = steps < self.lengths[chosen]  # (n_steps, n_columns)
        places = (self.starts[chosen] + steps)[is_event]
        inputs = np.zeros(is_event.shape, np.int32)
        inputs[is_event] = self.inputs[places]
        return Batch(inputs, np.flatnonzero(is_event), self.targets[places], places)


class ShuffledBatches:
    """Batches of sentences of like length, in a new random order each time they are drawn.

    Parameters
    ----------
    events : Events
        No sentence without one.
    batch_tokens : int
        At most so many events in a batch, what fills up shorter sentences included; a longer
        sentence is a batch by itself.

    Attributes
    ----------
    most_events : int
        Events of the batch with the most.
    """

    def __init__(self, events: Events, batch_tokens: int) -> None:
        self.events = events
        lengths, cuts = np.sort(events.lengths), [0]
        for i, length in enumerate(lengths.tolist()):
            if length * (i + 1 - cuts[-1]) > batch_tokens and i > cuts[-1]:
                cuts.append(i)
        self._cuts = np.array(cuts[1:], dtype=np.intp)
        self.most_events = max(int(part.sum()) for part in np.split(lengths, self._cuts))

    def __len__(self) -> int:
        return len(self._cuts) + 1

    def draw(self, rng: np.random.Generator) -> Iterator[Batch]:
        """Deal out all sentences: by length, those of one length at random; shuffle the batches."""
        order = rng.permutation(len(self.events.lengths))
        by_length = order[np.argsort(self.events.lengths[order], kind="stable")]
        groups = np.split(by_length, self._cuts)
        return (self.events.batch(groups[i]) for i in rng.permutation(len(groups)))
