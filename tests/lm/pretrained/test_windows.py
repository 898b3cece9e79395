"""Windows score each token once, with enough context; rows of training predict each token once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from byline.lm.pretrained.windows import NOT_TRAINED, packed, window_batches, windows_of

LENGTHS = st.lists(st.integers(0, 40), min_size=1, max_size=6)


@given(st.integers(1, 60), st.integers(2, 12), st.data())
def test_each_token_is_scored_once_with_enough_context(
    n_tokens: int, width: int, data: st.DataObject
) -> None:
    stride = data.draw(st.integers(1, width))
    windows = list(windows_of(3, n_tokens, width, stride))
    scored = [token for window in windows for token in range(window.first, window.end)]
    assert scored == list(range(n_tokens))
    assert {window.passage for window in windows} == {3}
    for window in windows:
        assert 0 < window.end - window.start <= width
        assert window.start == 0 or window.first - window.start >= width - stride


@given(st.integers(1, 40), st.integers(2, 12), st.data())
def test_the_window_of_a_token_does_not_depend_on_what_follows(
    n_tokens: int, width: int, data: st.DataObject
) -> None:
    stride = data.draw(st.integers(1, width))
    last = list(windows_of(0, n_tokens, width, stride))[-1]
    longer = windows_of(0, n_tokens + 7, width, stride)
    [own] = [each for each in longer if each.first <= n_tokens - 1 < each.end]
    assert own.start == last.start


@given(LENGTHS, st.integers(2, 12), st.integers(1, 4))
def test_batches_predict_each_token_from_the_ones_before(
    lengths: list[int], width: int, size: int
) -> None:
    passages = [100 * i + np.arange(1, n + 1, dtype=np.int32) for i, n in enumerate(lengths)]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for windows, inputs, targets in window_batches(passages, 0, width, width, size):
        assert len(windows) <= size and inputs.shape == targets.shape
        for row, (passage, start, end, first) in enumerate(windows):
            for token in range(first, end):
                pair = int(inputs[row, token - start]), int(targets[row, token - start])
                found[passage, token] = pair
    expected = {
        (i, n): (int(passage[n - 1]) if n else 0, int(passage[n]))
        for i, passage in enumerate(passages)
        for n in range(len(passage))
    }
    assert found == expected


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.integers(1, 12))
def test_rows_predict_each_token_once_and_no_start(lengths: list[int], width: int) -> None:
    passages = [100 * (i + 1) + np.arange(n, dtype=np.int32) for i, n in enumerate(lengths)]
    inputs, targets = packed(passages, start_id=0, width=width)
    assert inputs.shape == targets.shape and inputs.shape[1] == width
    trained = targets[targets != NOT_TRAINED].tolist()
    assert trained == np.concatenate(passages).tolist()
    # Each target follows its input: the first token of a passage follows <s>, which is 0.
    pairs = zip(inputs[targets != NOT_TRAINED].tolist(), trained, strict=True)
    assert all(before in (0, target - 1) for before, target in pairs)
