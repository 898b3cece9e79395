"""Changes of author are detected, and texts by one author have no change point."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor, NgramSVM, StackedAttributor
from byline.attribution.rolling import RollingAttribution, rolling_attribution
from byline.errors import UsageError
from byline.lm import NgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
WriteText = Callable[[str, int, int], str]


@pytest.fixture(scope="module")
def stack(write: WriteText) -> StackedAttributor:
    """A stack with enough texts for calibrated probabilities."""
    authors = ["alder", "brook", "cedar"] * 8
    texts = [write(author, 60, number) for number, author in enumerate(authors)]
    models = AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=1)
    members: list[Any] = [
        ("words", models),
        ("plain", NgramSVM("word-without-punctuation", (1, 1))),
    ]
    return StackedAttributor(members, folds=2, passage_lengths=(1, 5)).fit(texts, authors)


@pytest.fixture(params=["stack", "language models"])
def attributor(
    request: pytest.FixtureRequest, stack: StackedAttributor, fitted: AuthorshipAttributor
) -> AuthorshipAttributor | StackedAttributor:
    return stack if request.param == "stack" else fitted


def composite(write: WriteText, *parts: tuple[str, int]) -> str:
    return "\n".join(write(author, n, 500 + place) for place, (author, n) in enumerate(parts))


def check_whole(rolling: RollingAttribution) -> None:
    """Check that segments and windows cover the text, with change points between segments."""
    n = len(rolling.sentences)
    assert rolling.declined is None
    assert (rolling.windows[0].start, rolling.windows[-1].end) == (0, n)
    assert [segment.start for segment in rolling.segments[1:]] == [
        point.sentence for point in rolling.change_points
    ]
    assert [rolling.segments[0].start, rolling.segments[-1].end] == [0, n]
    for point, before, after in zip(
        rolling.change_points, rolling.segments, rolling.segments[1:], strict=False
    ):
        assert (before.end, before.author, after.author) == (
            point.sentence,
            point.before,
            point.after,
        )
        assert point.log_lr > 0
    for window in rolling.windows:
        assert math.fsum(window.log_odds) == pytest.approx(0, abs=1e-9)


def test_a_change_of_author_is_detected(
    attributor: AuthorshipAttributor | StackedAttributor, write: WriteText
) -> None:
    text = composite(write, ("alder", 150), ("cedar", 133))
    rolling = rolling_attribution(attributor, text)
    check_whole(rolling)
    assert len(rolling.sentences) == 283
    [point] = rolling.change_points
    assert (point.before, point.after) == ("alder", "cedar")
    assert abs(point.sentence - 150) <= 3
    assert "".join(rolling.sentences) == text


def test_several_changes_are_detected(
    attributor: AuthorshipAttributor | StackedAttributor, write: WriteText
) -> None:
    rolling = rolling_attribution(
        attributor, composite(write, ("brook", 150), ("alder", 150), ("brook", 150))
    )
    check_whole(rolling)
    assert [segment.author for segment in rolling.segments] == ["brook", "alder", "brook"]
    assert all(
        abs(point.sentence - at) <= 3
        for point, at in zip(rolling.change_points, (150, 300), strict=True)
    )


@pytest.mark.parametrize("author", ["alder", "brook", "cedar"])
def test_a_single_author_has_no_change_point(
    attributor: AuthorshipAttributor | StackedAttributor, write: WriteText, author: str
) -> None:
    text = composite(write, (author, 150), (author, 150))
    rolling = rolling_attribution(attributor, text)
    check_whole(rolling)
    assert rolling.change_points == ()
    [segment] = rolling.segments
    assert segment.author == author == attributor.predict([text])[0]
    assert rolling.authors[int(np.argmax(segment.log_odds))] == author


def test_only_a_calibrated_stack_has_probabilities(
    stack: StackedAttributor, fitted: AuthorshipAttributor, write: WriteText
) -> None:
    text = write("alder", 30, 700)
    rolling = rolling_attribution(stack, text)
    window = rolling.windows[1]
    assert window.probabilities is not None
    own = stack.predict_proba(["".join(rolling.sentences[window.start : window.end])])[0]
    np.testing.assert_allclose(window.probabilities, own, rtol=1e-9)
    np.testing.assert_allclose(window.log_odds, np.log(own) - np.log(own).mean(), rtol=1e-9)
    assert {window.probabilities for window in rolling_attribution(fitted, text).windows} == {None}


@pytest.mark.parametrize(
    ("n", "window", "step"),
    [(10, 5, 2), (45, 15, 7), (200, 20, 10), (3000, 40, 20)],
)
def test_windows_grow_with_the_text(
    fitted: AuthorshipAttributor, write: WriteText, n: int, window: int, step: int
) -> None:
    rolling = rolling_attribution(fitted, write("cedar", n, 900))
    assert (rolling.window, rolling.step) == (window, step)
    assert len(rolling.windows) <= 150
    check_whole(rolling)


def test_window_and_step_can_be_given(fitted: AuthorshipAttributor, write: WriteText) -> None:
    rolling = rolling_attribution(fitted, write("cedar", 30, 901), window=12, step=6)
    assert [(w.start, w.end) for w in rolling.windows] == [(0, 12), (6, 18), (12, 24), (18, 30)]
    for wrong in ({"window": 0}, {"step": 0}, {"window": 2.5}):  # type: dict[str, Any]
        with pytest.raises(UsageError, match="whole number of at least 1"):
            rolling_attribution(fitted, "Text.", **wrong)


@pytest.mark.parametrize(("text", "n"), [("", "0 sentences"), ("One. Two came.", "2 sentences")])
def test_a_short_text_is_declined(fitted: AuthorshipAttributor, text: str, n: str) -> None:
    rolling = rolling_attribution(fitted, text)
    assert rolling.declined == (f"the text has {n}; rolling attribution needs at least 10")
    assert (rolling.windows, rolling.segments, rolling.change_points) == ((), (), ())


def test_a_second_window_is_needed(fitted: AuthorshipAttributor, write: WriteText) -> None:
    text = write("alder", 30, 902)
    assert rolling_attribution(fitted, text, window=29).declined is None
    declined = rolling_attribution(fitted, text, window=30).declined
    assert declined == ("the text has 30 sentences; rolling attribution needs at least 31")


def test_log_likelihoods_are_used_whatever_the_score_rule(
    known: Known, fitted: AuthorshipAttributor, write: WriteText
) -> None:
    other = AuthorshipAttributor(
        NgramLM(order=2), TextEncoder(), n_samples=2, score_rule="sum-of-perplexities"
    ).fit(*known)
    text = composite(write, ("alder", 150), ("cedar", 150))
    assert rolling_attribution(other, text) == rolling_attribution(fitted, text)
