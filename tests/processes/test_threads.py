"""Linear algebra in one thread per process, unless a user wants more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from byline.array_types import Floats
from byline.attribution import ChunkedClassifier, StackedAttributor, TextClassifier
from byline.errors import UsageError
from byline.lm import FeedForwardLM
from byline.lm.networks.callbacks import TrainingCallback
from byline.processes.threads import (
    VARIABLE,
    limited_threads,
    limits_threads,
    n_threads,
    thread_environment,
)

KNOWN = [f"The cat sat on the mat. The cat slept for {n} days." for n in range(3)]
KNOWN += [f"A dog ran in a park. A dog barked at {n} men." for n in range(3)]
AUTHORS = ["Ann"] * 3 + ["Bob"] * 3


def _threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info()}


def test_libraries_use_one_thread_within_the_context_only() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))  # the libraries are loaded
    before = _threads()
    for _ in range(2):  # also when the libraries are already known
        with limited_threads():
            assert _threads() == {1}
        assert _threads() == before


def test_a_user_may_want_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    assert n_threads() == 2
    assert set(thread_environment().values()) == {"2"}
    assert limits_threads(_threads)() == {2}


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", ""])
def test_a_wrong_number_is_an_error(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(UsageError, match="set it to a whole number"):
        n_threads()


class _Observer(TextClassifier):
    """A classifier that records the numbers of threads that it is fitted and asked with."""

    seen: set[int]

    def _fit(self, texts: Sequence[str], labels: Any, progress: Any) -> None:
        self.seen = _threads()

    def _score(self, texts: Sequence[str]) -> Floats:
        self.seen = self.seen | _threads()
        return np.zeros((len(texts), 2))


def test_a_classifier_uses_one_thread() -> None:
    observer = _Observer().fit(KNOWN, AUTHORS)
    observer.score_authors(KNOWN)
    assert observer.seen == {1}
    chunked = ChunkedClassifier(_Observer()).fit(KNOWN, AUTHORS)
    chunked.score_authors(KNOWN)
    assert chunked.classifier_.seen == {1}


def test_a_stack_uses_one_thread() -> None:
    stack = StackedAttributor([("observer", _Observer())], folds=2, passage_lengths=(1,))
    stack.fit(KNOWN, AUTHORS).score_authors(KNOWN)
    assert stack.base_classifiers_["observer"].seen == {1}  # type: ignore[attr-defined]


class _Recorder(TrainingCallback):
    """Records the numbers of threads after each epoch."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def on_epoch_end(self, model: Any, history: Any) -> None:
        self.seen |= _threads()


def test_a_network_uses_one_thread() -> None:
    recorder = _Recorder()
    sentences = [np.array([1, 2, 3, 1, 2], dtype=np.int32)] * 8
    FeedForwardLM().fit(sentences, vocabulary_size=4, callbacks=[recorder])
    assert recorder.seen == {1}
