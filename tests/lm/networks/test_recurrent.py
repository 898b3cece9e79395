"""`RecurrentLM`: laws, the shortlist, interrupted training, storage, and invalid values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.errors import BylineWarning, DivergenceError, ModelFileError, TrainingError, UsageError
from byline.lm import ModelState, RecurrentLM, RecurrentTraining, Scoring
from byline.lm.base import LanguageModel, Sentence
from byline.lm.inputs import set_parameters
from byline.lm.networks.recurrent_scoring import SOFTMAX_ROWS
from byline.progress import Progress

V = 12
SMALL: dict[str, Any] = {"units": 6, "epochs": 3, "batch_tokens": 40}


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def make_sentences(n: int = 60, *, seed: int = 0) -> list[Sentence]:
    """Walk through the words 0 to 7 in steps of one or two; add two words that occur once."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(9, size=n)
    walks = [(rng.integers(8) + np.cumsum(rng.integers(1, 3, size=size))) % 8 for size in sizes]
    return [*(walk.astype(np.int32) for walk in walks), ids(8, 1, 2, 9)]


def fit(sentences: list[Sentence] | None = None, **params: Any) -> RecurrentLM:
    model = set_parameters(RecurrentLM(), SMALL | params)
    return model.fit(make_sentences() if sentences is None else sentences, vocabulary_size=V)


SENTENCES = st.lists(st.lists(st.integers(0, V - 1), max_size=9), max_size=70)


@pytest.fixture(scope="module")
def model() -> RecurrentLM:
    return fit()


@pytest.fixture(scope="module", params=[True, False], ids=["end", "no end"])
def either(request: pytest.FixtureRequest, model: RecurrentLM) -> RecurrentLM:
    """A model with ``</s>``, and one without."""
    return model if request.param else fit(sentence_end=False)


def same_bits(one: RecurrentLM, other: RecurrentLM) -> bool:
    arrays = zip(one.network_.arrays, other.network_.arrays, strict=True)
    return one.history_ == other.history_ and all(a.tobytes() == b.tobytes() for a, b in arrays)


# Laws


@given(context=st.lists(st.integers(0, V - 1), max_size=9))
@settings(max_examples=20, deadline=None)
def test_probabilities_sum_to_one(either: RecurrentLM, context: list[int]) -> None:
    log_probs = either.log_distribution(ids(*context))
    assert len(log_probs) == V + either.sentence_end == either.n_events
    assert np.exp(log_probs).sum() == pytest.approx(1, abs=1e-9)


def test_token_scores_are_those_of_the_distribution(either: RecurrentLM) -> None:
    sentence = ids(3, 5, 10, 0, 4)
    expected = [either.log_distribution(sentence[:i])[w] for i, w in enumerate(sentence)]
    if either.sentence_end:
        expected.append(either.log_distribution(sentence)[V])
    np.testing.assert_allclose(either.token_log_probs(sentence), expected, atol=1e-6)


@given(texts=SENTENCES)
@settings(max_examples=15, deadline=None)
def test_a_batch_scores_as_its_sentences_one_by_one(
    either: RecurrentLM, texts: list[list[int]]
) -> None:
    sentences = [ids(*text) for text in texts]
    apart = [either.token_log_probs(sentence) for sentence in sentences]
    together = either.batch_log_probs(sentences)
    np.testing.assert_allclose(together, np.concatenate([np.zeros(0), *apart]), atol=1e-6)
    assert list(map(len, apart)) == list(map(either.n_scored, sentences))


def test_a_document_scores_the_sum_of_its_tokens(model: RecurrentLM) -> None:
    documents = [make_sentences(4, seed=2), [], make_sentences(50, seed=3)]
    expected = [sum(model.token_log_probs(s).sum() for s in document) for document in documents]
    np.testing.assert_allclose(model.score_samples(documents), expected, atol=1e-5)


def test_long_sentences_are_scored_whole(model: RecurrentLM) -> None:
    """A sentence longer than a block of steps is scored to its end, in a batch with others."""
    long = np.random.default_rng(0).integers(8, size=2 * SOFTMAX_ROWS + 5).astype(np.int32)
    batch = model.batch_log_probs([ids(1), long, ids()])
    np.testing.assert_allclose(batch[2:-1], model.token_log_probs(long), atol=1e-6)
    for place in (SOFTMAX_ROWS - 1, SOFTMAX_ROWS, 2 * SOFTMAX_ROWS + 4):
        assert batch[2 + place] == pytest.approx(
            model.log_distribution(long[:place])[long[place]], abs=1e-5
        )


def test_same_seed_same_weights_bit_for_bit(model: RecurrentLM) -> None:
    assert same_bits(model, fit())
    assert not same_bits(model, fit(random_state=1))


def test_a_sample_follows_the_distributions(model: RecurrentLM) -> None:
    ours, general = (
        [draw(model, rng, max_tokens=9) for _ in range(20)]
        for draw, rng in (
            (RecurrentLM.sample, np.random.default_rng(5)),
            (LanguageModel.sample, np.random.default_rng(5)),
        )
    )
    assert [s.tolist() for s in ours] == [s.tolist() for s in general]
    assert 0 < min(map(len, ours)) + max(map(len, ours)) <= 18
    assert len(set(map(len, ours))) > 1


# Training


def test_a_distant_word_is_remembered() -> None:
    """The last word equals the first; the four words between are the same in all sentences."""
    sentences = [ids(first, 3, 4, 3, 4, first) for first in (1, 2)] * 100
    training = RecurrentTraining(epochs=20, batch_tokens=40, validation_fraction=0)
    model = RecurrentLM(units=32, training=training)
    model.fit(sentences, vocabulary_size=5)
    for first in (1, 2):
        probs = np.exp(model.log_distribution(ids(first, 3, 4, 3, 4)))
        assert probs[first] > 0.95


def test_long_training_sentences_are_split() -> None:
    circle = (np.arange(3000) % 5).astype(np.int32)
    training = RecurrentTraining(epochs=3, batch_tokens=60, validation_fraction=0)
    model = RecurrentLM(units=12, training=training)
    model.fit([circle], vocabulary_size=5)
    assert np.exp(-model.token_log_probs(circle).mean()) < 1.5
    assert [record.validation_cost for record in model.history_] == [None] * 3


def test_words_outside_the_shortlist_are_equally_likely(model: RecurrentLM) -> None:
    assert set(model.shortlist_.words) == set(range(8))
    log_probs = model.log_distribution(ids(3))
    assert log_probs[8] == log_probs[9] == log_probs[10] == log_probs[11]
    np.testing.assert_array_equal(
        model.log_distribution(ids(3, 8, 1)), model.log_distribution(ids(3, 11, 1))
    )


def test_training_stops_when_the_validation_cost_rises() -> None:
    training, unlike = [ids(0, 1, 2, 3)] * 50, [ids(3, 2, 1, 0)] * 5
    model = set_parameters(RecurrentLM(), SMALL | {"epochs": 9, "patience": 3})
    model.fit(training, vocabulary_size=4, validation=unlike)
    *before, best = [record for record in model.history_ if record.kept]
    assert [record.kept for record in model.history_[-3:]] == [False] * 3
    assert len(model.history_) == len(before) + 4 < 9
    assert -model.batch_log_probs(unlike).mean() == pytest.approx(best.validation_cost)


# Interrupted training


class Interruption(Exception):  # noqa: N818
    """Represents anything that ends a process."""


def fit_to(path: Path, interrupt_at: int | None = None, **params: Any) -> RecurrentLM:
    """Fit, and interrupt the run after ``interrupt_at`` mini-batches."""

    def progress(done: int, total: int, what: str) -> None:
        if interrupt_at is not None and done >= interrupt_at:
            raise Interruption

    model = set_parameters(RecurrentLM(), SMALL | params)
    return model.fit(make_sentences(), vocabulary_size=V, checkpoint=path, progress=progress)


def interrupt(done: int, total: int, what: str) -> None:
    raise Interruption


@pytest.mark.parametrize(
    ("params", "progress", "error"),
    [
        ({"learning_rate": 500}, None, DivergenceError),
        ({}, interrupt, Interruption),
        ({"min_count": 1000}, None, TrainingError),
    ],
)
def test_a_failed_fit_changes_nothing(
    params: dict[str, Any], progress: Progress | None, error: type[Exception]
) -> None:
    model, text = fit(), make_sentences(9, seed=7)
    before, state = model.batch_log_probs(text), model.get_state()
    set_parameters(model, params)
    others = [sentence + np.int32(9) for sentence in make_sentences(seed=1)]
    with pytest.raises(error):
        model.fit(others, vocabulary_size=2 * V, progress=progress)
    assert model.batch_log_probs(text).tobytes() == before.tobytes()
    again = model.get_state()
    assert again.params["vocabulary_size"] == V
    assert again.params["history"] == state.params["history"]
    for name, array in state.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array)


def test_a_model_whose_fit_failed_is_not_fitted() -> None:
    model = set_parameters(RecurrentLM(), SMALL | {"learning_rate": 500})
    with pytest.raises(DivergenceError):
        model.fit(make_sentences(), vocabulary_size=V)
    for use in (
        lambda: model.batch_log_probs([ids(1)]),
        lambda: model.log_distribution(ids(1)),
        lambda: model.sample(np.random.default_rng(0)),
        model.get_state,
    ):
        with pytest.raises(NotFittedError):
            use()


def test_batches_may_be_larger_than_the_text() -> None:
    """Memory is allocated for the text; there is not enough for such a batch."""
    model = fit(batch_tokens=10**6)
    assert same_bits(model, fit(batch_tokens=10**4))


@pytest.mark.parametrize("cuts", [(1,), (12, 13), (3, 15, 20)])
def test_an_interrupted_run_ends_with_the_same_weights(
    model: RecurrentLM, tmp_path: Path, cuts: tuple[int, ...]
) -> None:
    for cut in cuts:
        with pytest.raises(Interruption):
            fit_to(tmp_path / "run", cut)
    assert same_bits(fit_to(tmp_path / "run"), model)
    assert same_bits(fit_to(tmp_path / "run", interrupt_at=1), model)  # the run was complete


def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    fit_to(tmp_path / "run")
    with pytest.raises(UsageError, match="another training run: dropout, units differ"):
        fit_to(tmp_path / "run", units=5, dropout=0.5)


def test_divergence_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DivergenceError, match="epoch 1 at learning rate 500") as diverged:
        fit_to(tmp_path / "run", learning_rate=500)
    advice = str(diverged.value).partition("try ")[2]
    assert advice.startswith("a learning rate of")
    assert "momentum" not in advice  # it has no option for it
    assert not (tmp_path / "run").exists()


# Storage


def test_a_stored_model_is_the_same(model: RecurrentLM) -> None:
    state = model.get_state()
    params = json.loads(json.dumps(dict(state.params)))
    again = RecurrentLM.from_state(ModelState(params, state.arrays))
    assert same_bits(again, model)
    assert again.get_params() == model.get_params()
    sentences = make_sentences(9, seed=7)
    np.testing.assert_array_equal(
        again.batch_log_probs(sentences), model.batch_log_probs(sentences)
    )


@pytest.mark.parametrize(
    "arrays",
    [
        {"embedding": None},
        {"embedding": np.zeros((3, 6), dtype=np.float32)},
        {"U": np.zeros((6, 18))},
        {"b_u": np.zeros(1, dtype=np.float32)},
        {"b_out": np.array(0, dtype=np.float32)},
        {"W": np.full((6, 18), np.inf, dtype=np.float32)},
        {"shortlist_words": ids(3, 2)},
    ],
)
def test_damaged_arrays_are_refused(model: RecurrentLM, arrays: dict[str, Any]) -> None:
    state = model.get_state()
    kept = {k: v for k, v in (dict(state.arrays) | arrays).items() if v is not None}
    with pytest.raises(ModelFileError, match="not the state of a recurrent model"):
        RecurrentLM.from_state(ModelState(state.params, kept))


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"width": 3}},
        {"parameters": {"units": 7}},
        {"parameters": {"dropout": "much"}},
        {"parameters": 5},
        {"vocabulary_size": "12"},
        {"vocabulary_size": 5},
        {"history": [{"epoch": 1}]},
        {"history": None},
    ],
)
def test_invalid_parameters_are_refused(model: RecurrentLM, change: dict[str, Any]) -> None:
    state = model.get_state()
    with pytest.raises(ModelFileError, match="train the model again"):
        RecurrentLM.from_state(ModelState(dict(state.params) | change, state.arrays))


def test_parameters_follow_scikit_learn() -> None:
    changed = RecurrentLM(units=7, sentence_end=False)
    assert clone(changed).get_params() == changed.get_params()
    assert RecurrentLM(**changed.get_params(deep=False)).get_params() == changed.get_params()
    assert changed.context_window is None
    assert changed.scoring == Scoring(sentence_end=False)


# Invalid values


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[
            ("units", 0),
            ("units", 2.0),
            ("epochs", 0),
            ("patience", 0),
            ("batch_tokens", 0),
            ("dropout", 1),
        ],
        *[("embedding_dropout", -0.1), ("learning_rate", 0), ("learning_rate", (0.1, 0.2))],
        *[("warm_up", 1), ("weight_decay", -1), ("max_norm", 0), ("max_norm", float("nan"))],
        *[("validation_fraction", 1), ("min_count", 0), ("min_frequency", "x")],
        *[("sentence_end", 1), ("random_state", -1)],
    ],
)
def test_errors_name_the_invalid_parameter(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=rf"'{name}' parameter of .* must be .* Got "):
        fit(**{name: value})


def test_too_little_training_text() -> None:
    for nothing in ([], [ids()]):
        with pytest.raises(TrainingError, match="the training text has no token"):
            fit(nothing)
    with pytest.raises(TrainingError, match="occurs 2 times"):
        fit([ids(1, 2)])
    with pytest.raises(UsageError, match="sentence 0 has ids from 12 to 12, outside the range"):
        fit([ids(12)])


def test_held_out_sentences_without_a_token_give_a_warning() -> None:
    model = set_parameters(RecurrentLM(sentence_end=False), SMALL)
    with pytest.warns(BylineWarning, match="training cannot stop early"):
        model.fit(make_sentences(), vocabulary_size=V, validation=[ids()])
    assert len(model.history_) == 3


def test_requests_that_the_model_cannot_score(model: RecurrentLM) -> None:
    assert model.batch_log_probs([]).shape == (0,)
    text = [make_sentences(5)]
    with pytest.raises(UsageError, match="context of a recurrent model is unlimited"):
        model.measure(text, Scoring(positions="full"))
    with pytest.raises(UsageError, match="score with the same value"):
        model.measure(text, Scoring(sentence_start=False))
    skipped = model.measure(text, Scoring(sentence_end=False, unknown="skip"))
    assert skipped.n_tokens == sum(int((s > 0).sum()) for s in text[0])
