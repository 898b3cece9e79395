"""Attribution with mixtures of an n-gram model and a network."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, explain
from byline.lm import MixtureLM, NgramLM, RecurrentLM, RecurrentTraining

SENTENCE = "the rain fell on a grey town while old men sold warm bread by their boats"
WORDS = SENTENCE.split()
MIXTURE = MixtureLM(
    (
        NgramLM(order=2, smoothing="witten-bell"),
        RecurrentLM(units=6, training=RecurrentTraining(epochs=2, batch_tokens=60)),
    ),
    weights=(0.6, 0.4),
)


def write(step: int, seed: int) -> str:
    """Write sentences that step through the words with the author's step size."""
    rng = np.random.default_rng(seed)
    sentences = [
        [WORDS[(first + step * k) % len(WORDS)] for k in range(rng.integers(4, 9))]
        for first in rng.integers(len(WORDS), size=30)
    ]
    return " ".join(f"{' '.join(words).capitalize()}." for words in sentences)


AUTHORS = {"Ash": 1, "Birch": 2, "Cedar": 4}
TEXTS = [write(step, seed) for step in AUTHORS.values() for seed in (1, 2)]
NAMES = [author for author in AUTHORS for _ in range(2)]
QUESTIONED = [write(step, 9) for step in AUTHORS.values()]


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    return AuthorshipAttributor(MIXTURE, n_samples=1).fit(TEXTS, NAMES)


def test_texts_are_attributed_correctly(attributor: AuthorshipAttributor) -> None:
    assert attributor.predict(QUESTIONED).tolist() == list(AUTHORS)
    models = [model for draws in attributor.models_.values() for model in draws]
    assert len({model.components_[1].random_state for model in models}) == 3


def test_parameters_of_the_models_can_be_searched(attributor: AuthorshipAttributor) -> None:
    assert attributor.get_params()["language_model__component_1__units"] == 6
    other = clone(attributor).set_params(language_model__component_0__order=1)
    assert other.language_model.components[0].order == 1
    assert MIXTURE.components[0].order == 2


def test_training_is_reproducible(attributor: AuthorshipAttributor) -> None:
    np.testing.assert_array_equal(
        clone(attributor).fit(TEXTS, NAMES).score_authors(QUESTIONED),
        attributor.score_authors(QUESTIONED),
    )


def test_evidence_adds_up(attributor: AuthorshipAttributor) -> None:
    evidence = explain(attributor, QUESTIONED[0], first="Ash", second="Birch")
    ash, birch, _ = attributor.score_authors(QUESTIONED[:1])[0]
    assert evidence.log_lr == pytest.approx(ash - birch, abs=1e-6)
