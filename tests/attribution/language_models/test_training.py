"""Training jobs: warnings and errors name their author, and a dead process is reported."""

from __future__ import annotations

import os
import signal
import warnings
from typing import Any, Self

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, NgramLM

Known = tuple[list[str], list[str]]
TINY = (["A few words here.", "A few more here."], ["alder", "brook"])


class KilledLM(NgramLM):
    """An n-gram model whose process is killed, as a system does that is out of memory."""

    def fit(self, *args: Any, **kwargs: Any) -> Self:
        os.kill(os.getpid(), signal.SIGKILL)
        return self


class WarningLM(NgramLM):
    """An n-gram model whose training emits a warning."""

    def fit(self, *args: Any, **kwargs: Any) -> Self:
        warnings.warn("the text is strange", BylineWarning, stacklevel=2)
        return super().fit(*args, **kwargs)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_warning_names_the_authors_once(n_jobs: int) -> None:
    attributor = AuthorshipAttributor(WarningLM(order=2), n_jobs=n_jobs, min_tokens=1)
    with pytest.warns(BylineWarning, match=r"strange \(alder and brook\)$") as caught:
        attributor.fit(*TINY)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_names_the_author(n_jobs: int) -> None:
    model = FeedForwardLM(min_count=1000)
    with pytest.raises(TrainingError, match=r"known texts of (alder|brook): .*min_count"):
        AuthorshipAttributor(model, n_jobs=n_jobs).fit(*TINY)


def test_a_parameter_out_of_range_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="order"):
        AuthorshipAttributor(NgramLM(order=0)).fit(*TINY)


@pytest.mark.processes
def test_a_killed_process_is_reported(known: Known) -> None:
    with pytest.raises(TrainingError, match="memory ran out; use fewer processes than n_jobs=2"):
        AuthorshipAttributor(KilledLM(), n_jobs=2).fit(*known)


def test_progress_reports_every_model(known: Known) -> None:
    steps: list[tuple[int, int, str]] = []
    attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=2)
    attributor.fit(*known, progress=lambda *step: steps.append(step))
    assert steps == [
        (1, 5, "alder"),
        (2, 5, "brook"),
        (3, 5, "brook"),
        (4, 5, "cedar"),
        (5, 5, "cedar"),
    ]


def test_global_random_state_has_no_influence(known: Known, questioned: list[str]) -> None:
    rows = []
    for seed in (0, 1):
        np.random.seed(seed)  # noqa: NPY002
        model = FeedForwardLM(
            embedding_dim=4, hidden_dims=(4,), training=FeedForwardTraining(epochs=1)
        )
        rows.append(AuthorshipAttributor(model).fit(*known).score_authors(questioned))
    np.testing.assert_array_equal(rows[0], rows[1])
