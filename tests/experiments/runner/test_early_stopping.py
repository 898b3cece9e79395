"""When a trial is unpromising compared with its reference."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments.runner.search import GRACE, is_unpromising

REFERENCE = (5.0, 4.5, 4.2, 4.0, 3.9)
costs_of_epochs = st.lists(st.floats(0.5, 9), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("costs", "unpromising"),
    [
        # After 3 of 6 epochs the goal is 3.9 + 0.1. The reference was at 4.2 and fell by 0.3.
        ((5.0, 4.9, 4.4), False),  # falls by 0.5 per epoch: 4.4 - 3 * 0.5 = 2.9
        ((5.0, 4.6, 4.5), True),  # 4.5 - 3 * 0.1 = 4.2, and 4.5 - 0.3 = 4.2
        ((5.0, 4.6, 4.42), False),  # 4.42 - 3 * 0.18 = 3.88
        ((4.4, 4.3, 4.29), False),  # 4.29 - 0.3 = 3.99
        ((4.4, 4.32, 4.33), True),  # the cost increased; the lowest, 4.32, may fall to 4.02
        ((4.4, 4.29, 4.33), False),  # 4.29 - 0.3 = 3.99
        ((9.0, 9.0), False),  # before the end of the grace period
        # After epoch 4 the reference fell by 0.1.
        ((5.0, 4.6, 4.42, 4.2), False),  # 4.2 - 2 * 0.22 = 3.76
        ((5.0, 4.6, 4.3, 4.2), False),  # 4.2 - 2 * 0.1 = 4.0, exactly the goal
        ((5.0, 4.6, 4.3, 4.21), True),
        # After epoch 5 the reference had ended.
        ((5.0, 4.6, 4.3, 4.2, 4.11), True),  # 4.11 - 0.09 = 4.02
        ((5.0, 4.6, 4.3, 4.2, 4.04), False),  # 4.04 - 0.16 = 3.88
    ],
)
def test_two_forecasts_by_hand(costs: tuple[float, ...], unpromising: bool) -> None:
    margin = 0.1 + 1e-9  # for forecasts that equal the goal
    assert is_unpromising(costs, REFERENCE, epochs=6, grace=3, margin=margin) == unpromising


def test_a_slow_starter_is_not_stopped() -> None:
    """It is far behind at every epoch but ends with a lower cost."""
    late = (5.3, 5.2, 5.0, 4.7, 4.4, 4.1, 3.85, 3.7)
    for done in range(1, len(late)):
        assert not is_unpromising(late[:done], REFERENCE, epochs=8)
    assert is_unpromising((5.3, 5.2, 5.19), REFERENCE, epochs=8)


def test_grace_period_and_missing_reference() -> None:
    flat = (9.0,) * 6
    first = [n for n in range(1, 7) if is_unpromising(flat[:n], REFERENCE, epochs=9)]
    assert first[0] == GRACE == 3
    assert not is_unpromising(flat[:1], REFERENCE, epochs=9, grace=1)
    assert is_unpromising(flat[:2], REFERENCE, epochs=9, grace=1)
    assert not is_unpromising(flat, (), epochs=9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), costs_of_epochs, st.floats(0, 0.5))
@settings(max_examples=200, deadline=None)
def test_a_trial_with_slowing_decrease_that_reaches_the_goal_is_never_stopped(
    falls: list[float], reference: list[float], margin: float
) -> None:
    whole = list(accumulate([0.0, *sorted(falls, reverse=True)], lambda cost, fall: cost - fall))
    costs = [cost - whole[-1] + min(reference) + margin - 1e-9 for cost in whole]
    for done in range(1, len(costs)):
        assert not is_unpromising(
            costs[:done], reference, epochs=len(costs), grace=1, margin=margin
        )


@given(costs_of_epochs, costs_of_epochs, st.integers(8, 15), st.floats(0, 0.5))
@settings(max_examples=200, deadline=None)
def test_more_grace_margin_or_epochs_never_stop_a_trial_earlier(
    costs: list[float], reference: list[float], epochs: int, margin: float
) -> None:
    if not is_unpromising(costs, reference, epochs=epochs, grace=2, margin=margin):
        assert not is_unpromising(costs, reference, epochs=epochs, grace=3, margin=margin)
        assert not is_unpromising(costs, reference, epochs=epochs, grace=2, margin=margin + 0.1)
        assert not is_unpromising(costs, reference, epochs=epochs + 1, grace=2, margin=margin)
    else:
        n = len(costs)
        assert min(costs) > min(reference[:n]) + margin - 1e-9  # it is behind at this epoch
