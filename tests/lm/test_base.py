"""The methods of `LanguageModel`, tested on models with fixed distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.errors import UsageError
from byline.lm import LanguageModel, ModelState, Scoring
from byline.lm.base import Sentence
from byline.progress import Progress

# ids 0 (<unk>), 1, 2, and 3 for </s>
PROBS = np.array([0.1, 0.5, 0.15, 0.25])
LOG_PROBS: NDArray[np.float64] = np.log(PROBS)


class FixedLM(LanguageModel):
    """The same distribution after every context."""

    kind = "fixed"

    def __init__(self, *, sentence_start: bool = True, sentence_end: bool = True) -> None:
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        self.vocabulary_size_ = vocabulary_size
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        events = [np.append(s, 3) if self.sentence_end else s for s in sentences]
        log_probs: NDArray[np.float64] = LOG_PROBS[np.concatenate([ids(), *events])]
        return log_probs

    def log_distribution(self, context: Sentence) -> NDArray[np.float64]:
        return LOG_PROBS[: self.n_events]

    def get_state(self) -> ModelState:
        return ModelState({}, {})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        return cls()


class TwoSidedLM(FixedLM):
    """A model with one context word on either side."""

    @property
    def context_window(self) -> tuple[int, int]:
        return 1, 1


class SkippingLM(TwoSidedLM):
    """A model that by default skips unknown words and scores full contexts only."""

    @property
    def scoring(self) -> Scoring:
        return Scoring(unknown="skip", positions="full")


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def fitted(*, sentence_end: bool = True) -> FixedLM:
    return FixedLM(sentence_end=sentence_end).fit([], vocabulary_size=3)


def test_the_score_of_a_document_is_the_sum_of_its_tokens() -> None:
    # 0.5 * 0.15 * 0.25 twice; the empty document has the probability 1
    scores = fitted().score_samples([[ids(1, 2), ids(2, 1)], [], [ids(1, 2)]])
    assert scores == pytest.approx([2 * np.log(0.01875), 0.0, np.log(0.01875)])


def test_without_documents_there_are_no_scores() -> None:
    assert fitted().score_samples([]).shape == (0,)


def test_token_log_probs_are_a_batch_of_one_sentence() -> None:
    np.testing.assert_array_equal(fitted().token_log_probs(ids(0, 1)), np.log([0.1, 0.5, 0.25]))


def test_events_are_the_vocabulary_and_the_end_symbol_if_it_is_scored() -> None:
    with_end, without = fitted(), fitted(sentence_end=False)
    assert (with_end.n_events, without.n_events) == (4, 3)
    assert (with_end.n_scored(ids(1, 2)), without.n_scored(ids(1, 2))) == (3, 2)


def test_measure_counts_scored_and_unknown_tokens() -> None:
    measurement = fitted().measure([[ids(1, 0)], [ids(0), ids()]])
    # tokens 1 0 </s>, 0 </s>, </s>: 0.5 * 0.1**2 * 0.25**3 for six tokens
    assert (measurement.n_tokens, measurement.n_oov) == (6, 2)
    assert measurement.log_prob == pytest.approx(np.log(0.5 * 0.1**2 * 0.25**3))
    assert measurement.perplexity == pytest.approx((0.5 * 0.1**2 * 0.25**3) ** (-1 / 6))


def test_unknown_words_may_be_summed_but_not_counted() -> None:
    measurement = fitted().measure([[ids(1, 0)], [ids(0)]], Scoring(unknown="ge-sun-2016"))
    # tokens 1 </s>, </s> are counted: 0.5 * 0.1**2 * 0.25**2 for three tokens
    assert (measurement.n_tokens, measurement.n_oov) == (3, 2)
    assert measurement.perplexity == pytest.approx((0.5 * 0.1**2 * 0.25**2) ** (-1 / 3))


def test_scoring_may_be_limited_to_full_contexts() -> None:
    model = TwoSidedLM().fit([], vocabulary_size=3)
    full = Scoring(positions="full")
    # In 1 2 0 1, the 2 and the 0 are between words. No word of 1 2 and 2 is, and no </s>.
    measurement = model.measure([[ids(1, 2, 0, 1), ids(1, 2)], [ids(2)]], full)
    assert (measurement.n_tokens, measurement.n_oov) == (2, 1)
    assert measurement.log_prob == pytest.approx(np.log(0.15 * 0.1))


def test_a_model_with_unlimited_context_has_no_full_contexts() -> None:
    assert fitted().context_window is None
    with pytest.raises(UsageError, match="context of a fixed model is unlimited"):
        fitted().measure([[ids(1)]], Scoring(positions="full"))


def test_scores_of_documents_follow_the_default_scoring_of_the_model() -> None:
    model = SkippingLM().fit([], vocabulary_size=3)
    documents = [[ids(1, 2, 0, 1)], [ids(1, 2)], [ids(2, 1, 2), ids(0, 1, 0)]]
    # the 2 of 1 2 0 1 is known and between words; no word of 1 2 is; 1 twice
    assert model.score_samples(documents) == pytest.approx([np.log(0.15), 0.0, 2 * np.log(0.5)])


def test_perplexity_of_documents_is_that_of_their_measurement() -> None:
    documents = [[ids(1, 0)], [ids(0), ids()]]
    assert fitted().perplexity(documents) == fitted().measure(documents).perplexity


def test_perplexity_without_tokens_is_not_a_number() -> None:
    assert np.isnan(fitted().perplexity([]))


def test_sampling_depends_on_the_generator_only() -> None:
    first = fitted().sample(np.random.default_rng(7))
    second = fitted().sample(np.random.default_rng(7))
    assert first.dtype == np.int32
    np.testing.assert_array_equal(first, second)


def test_sampling_follows_the_distribution() -> None:
    rng = np.random.default_rng(0)
    samples = [fitted().sample(rng) for _ in range(2000)]
    # the length is geometric with mean 0.75 / 0.25 = 3 and standard deviation 3.46
    assert np.mean([len(sample) for sample in samples]) == pytest.approx(3.0, abs=0.3)
    tokens = np.concatenate(samples)
    share = np.bincount(tokens, minlength=3) / len(tokens)
    assert share == pytest.approx(PROBS[:3] / 0.75, abs=0.03)


def test_sampling_stops_at_the_maximum_number_of_tokens() -> None:
    sample = fitted(sentence_end=False).sample(np.random.default_rng(0), max_tokens=5)
    assert len(sample) == 5
    assert sample.max() < 3


def test_no_token_is_sampled_if_none_is_allowed() -> None:
    assert len(fitted().sample(np.random.default_rng(0), max_tokens=0)) == 0
