"""Language models that are not Byline's own can adapt a background model, as `AdaptedNgramLM` does.

The small model below is an author's unigram counts with the background's probabilities as prior.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
from byline.attribution.model_files.archive import open_archive
from byline.attribution.model_files.saving import ATTRIBUTOR
from byline.errors import UsageError
from byline.lm import LanguageModel, MixtureLM, ModelState, NgramLM, register_language_model
from byline.lm.base import BackgroundUse, Sentence
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.progress import Progress

Known = tuple[list[str], list[str]]


class PriorLM(LanguageModel):
    """Unigram counts of one author, with a unigram background model as their prior."""

    kind: ClassVar[str] = "test-prior"
    background_use: BackgroundUse = "required"
    sentence_start = sentence_end = True
    background_: LanguageModel

    def __init__(self, *, weight: float = 20.0) -> None:
        self.weight = weight

    def background_model(self) -> NgramLM:
        return NgramLM(order=1)

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        assert background is not None
        self.vocabulary_size_, self.background_ = vocabulary_size, background
        events = self._events(sentences, sentence_end=True)
        self.counts_ = np.bincount(events, minlength=vocabulary_size + 1)
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        return self.log_distribution(sentences[0][:0])[self._events(sentences, sentence_end=True)]

    def log_distribution(self, context: Sentence) -> Floats:
        prior = np.exp(self.background_.log_distribution(context))
        mixed = (self.counts_ + self.weight * prior) / (self.counts_.sum() + self.weight)
        return np.asarray(np.log(mixed))

    def get_state(self) -> ModelState:
        raise NotImplementedError  # the background is shared, so it is stored once

    def get_state_without_background(self) -> ModelState:
        return ModelState({"weight": self.weight}, {"counts": self.counts_})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        raise NotImplementedError

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: LanguageModel) -> Self:
        model = cls(weight=state.params["weight"])
        model.vocabulary_size_ = background.vocabulary_size_
        model.counts_, model.background_ = state.arrays["counts"], background
        return model


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register_language_model(PriorLM)
    yield
    LANGUAGE_MODEL_KINDS.classes.pop(PriorLM.kind)


def fit(known: Known, model: LanguageModel, n_jobs: int = 1) -> AuthorshipAttributor:
    attributor = AuthorshipAttributor(model, background="pooled", balance="none", n_jobs=n_jobs)
    return attributor.fit(*known)


MODELS = {
    "alone": PriorLM(),
    "component": MixtureLM((PriorLM(weight=5.0), NgramLM(order=2)), weights=(0.25, 0.75)),
}


@pytest.mark.parametrize("kind", MODELS)
def test_it_adapts_one_background_and_is_saved_without_it(
    kind: str, known: Known, questioned: list[str], tmp_path: Path
) -> None:
    attributor = fit(known, MODELS[kind])
    encoded = attributor.encoder_.transform(questioned)
    of_models = [model.score_samples(encoded) for [model] in attributor.models_.values()]
    np.testing.assert_allclose(attributor.decision_function(questioned), np.stack(of_models, 1))
    assert len(set(attributor.predict(questioned))) > 1
    save_attributor(attributor, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    np.testing.assert_array_equal(
        loaded.decision_function(questioned), attributor.decision_function(questioned)
    )
    for each in (attributor, loaded):
        assert isinstance(each, AuthorshipAttributor)
        shared = [_adapted(model).background_ for [model] in each.models_.values()]
        assert all(background is shared[0] for background in shared)
    with open_archive(tmp_path / "model", ATTRIBUTOR) as archive:
        assert sum("background" in name for name in archive.names) == 2  # JSON and arrays


def test_number_of_processes_does_not_change_its_scores(
    known: Known, questioned: list[str]
) -> None:
    one, two = (fit(known, PriorLM(), n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(
        one.decision_function(questioned), two.decision_function(questioned)
    )
    assert all(_adapted(m).background_ is two.background_ for [m] in two.models_.values())


@pytest.mark.parametrize("kind", MODELS)
def test_without_a_background_it_is_refused_before_training(kind: str, known: Known) -> None:
    with pytest.raises(UsageError, match="models adapt a background; set background='pooled'"):
        AuthorshipAttributor(MODELS[kind]).fit(*known)


def test_a_mixture_of_models_that_adapt_nothing_is_refused(known: Known) -> None:
    mixture = MixtureLM((NgramLM(order=1), NgramLM(order=2)))
    with pytest.raises(UsageError, match="MixtureLM models cannot adapt a background"):
        fit(known, mixture)


def test_a_background_is_refused_by_a_model_that_adapts_none() -> None:
    sentences = [np.array([1, 2], dtype=np.int32)]
    background = NgramLM(order=1).fit(sentences, vocabulary_size=3)
    with pytest.raises(UsageError, match="an NgramLM cannot adapt a background model"):
        NgramLM(order=1).fit(sentences, vocabulary_size=3, background=background)


def _adapted(model: LanguageModel) -> PriorLM:
    own = model.components_[0] if isinstance(model, MixtureLM) else model
    assert isinstance(own, PriorLM)
    return own
