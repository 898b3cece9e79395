"""Sentences as events and batches: each event occurs exactly once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.lm.networks.sentence_batches import Events, ShuffledBatches

START, END = 9, 8
lengths_of_sentences = st.lists(st.integers(0, 12), max_size=12)


def events_of(lengths: list[int], end: int | None = END) -> Events:
    rng = np.random.default_rng(0)
    return Events.from_sentences(
        [rng.integers(8, size=n).astype(np.int32) for n in lengths], start=9, end=end
    )


def test_events_and_a_batch_by_hand() -> None:
    sentences = [np.array(ids, np.int32) for ids in ([3, 4], [], [5])]
    events = Events.from_sentences(sentences, start=START, end=END)
    assert events.inputs.tolist() == [9, 3, 4, 9, 9, 5]
    assert events.targets.tolist() == [3, 4, 8, 8, 5, 8]
    assert events.lengths.tolist() == [3, 1, 2]
    batch = events.batch(np.array([2, 0]))  # one sentence per column; padding is 0
    assert batch.inputs.tolist() == [[9, 9], [5, 3], [0, 4]]
    assert batch.rows.tolist() == [0, 1, 2, 3, 5]
    assert batch.targets.tolist() == [5, 3, 8, 4, 8]
    assert batch.positions.tolist() == [4, 0, 5, 1, 2]


def test_without_an_end_mark_only_tokens_are_events() -> None:
    sentences = [np.array(ids, np.int32) for ids in ([3, 4], [], [5])]
    events = Events.from_sentences(sentences, start=START, end=None)
    assert events.inputs.tolist() == [9, 3, 9]
    assert events.targets.tolist() == [3, 4, 5]
    assert events.lengths.tolist() == [2, 0, 1]
    assert len(Events.from_sentences([], start=START, end=None)) == 0


@given(lengths_of_sentences, st.integers(1, 6), st.sampled_from([END, None]))
@settings(max_examples=60, deadline=None)
def test_long_sentences_are_split(lengths: list[int], longest: int, end: int | None) -> None:
    events = events_of(lengths, end)
    chunks = events.split(longest)
    assert chunks.targets is events.targets
    whole = [[longest] * (n // longest) + [n % longest] for n in events.lengths.tolist()]
    assert chunks.lengths.tolist() == [n for cut in whole for n in cut if n]


@given(lengths_of_sentences.filter(bool), st.integers(1, 40), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_every_event_is_in_one_batch(lengths: list[int], size: int, seed: int) -> None:
    events = events_of(lengths).split(size)
    batches = ShuffledBatches(events, size)
    drawn = list(batches.shuffle(np.random.default_rng(seed)))
    assert len(drawn) == len(batches)
    positions = np.concatenate([batch.positions for batch in drawn])
    assert sorted(positions.tolist()) == list(range(len(events)))
    assert batches.max_events == max(len(batch.targets) for batch in drawn)
    for batch in drawn:
        assert batch.inputs.size <= size
        np.testing.assert_array_equal(
            batch.inputs.ravel()[batch.rows], events.inputs[batch.positions]
        )
        np.testing.assert_array_equal(batch.targets, events.targets[batch.positions])


def test_batches_have_sentences_of_similar_length() -> None:
    batches = ShuffledBatches(events_of([4] * 10 + [9] * 10), 20)
    drawn = list(batches.shuffle(np.random.default_rng(0)))
    # Sentences have 5 or 10 events; a batch has 4 or 2 of them; the 10 short ones leave 2 over.
    assert sorted(batch.inputs.shape for batch in drawn) == [
        *[(5, 2), (5, 4), (5, 4)],
        *[(10, 2)] * 5,
    ]
    again = list(batches.shuffle(np.random.default_rng(1)))
    assert [b.positions.tolist() for b in again] != [b.positions.tolist() for b in drawn]


@pytest.mark.parametrize(("n", "n_sentences"), [(1, 1), (5, 1), (6, 2), (14, 2), (99, 3)])
def test_the_first_events(n: int, n_sentences: int) -> None:
    first = events_of([4, 8, 2]).first(n)  # 5, 9 and 3 events
    assert len(first.lengths) == n_sentences
    assert len(first) == first.lengths.sum()
