"""`FeedForwardLM`: laws, training, the shortlist, storage, and invalid values."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.errors import BylineWarning, ModelFileError, TrainingError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, ModelState
from byline.lm.base import Sentence
from byline.lm.inputs import parameter_values, set_parameters
from byline.lm.networks.feedforward_network import Workspace, forward

V = 12
SMALL: dict[str, Any] = {"embedding_dim": 6, "hidden_dims": (7,), "batch_size": 20, "epochs": 3}


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def make_sentences(n: int = 60, *, seed: int = 0) -> list[Sentence]:
    """Walk through the words 0 to 7 in steps of one or two; add two words that occur once."""
    rng = np.random.default_rng(seed)
    walks = [(rng.integers(8) + np.cumsum(rng.integers(1, 3, size=6))) % 8 for _ in range(n)]
    return [*(walk.astype(np.int32) for walk in walks), ids(8, 1, 2, 9)]


def fit(sentences: list[Sentence] | None = None, **params: Any) -> FeedForwardLM:
    model = set_parameters(FeedForwardLM(), SMALL | params)
    return model.fit(make_sentences() if sentences is None else sentences, vocabulary_size=V)


@pytest.fixture(scope="module")
def model() -> FeedForwardLM:
    return fit()


def total(model: FeedForwardLM, context: list[int]) -> float:
    return float(np.exp(model.log_distribution(ids(*context))).sum())


# Laws


@pytest.mark.parametrize(("start", "end"), list(product([True, False], repeat=2)))
@given(st.lists(st.integers(0, V - 1), max_size=5))
@settings(max_examples=20, deadline=None)
def test_probabilities_sum_to_one(start: bool, end: bool, context: list[int]) -> None:
    model = MODELS.setdefault(
        (start, end), fit(sentence_start=start, sentence_end=end, context=2, epochs=1)
    )
    assert len(model.log_distribution(ids(*context))) == V + end == model.n_events
    assert total(model, context) == pytest.approx(1, abs=1e-9)


MODELS: dict[tuple[bool, bool], FeedForwardLM] = {}


@pytest.mark.parametrize("position", [1, 2, 3])
def test_conditionals_on_both_sides_sum_to_one(position: int) -> None:
    model = fit(context=2, target_position=position, sentence_end=False, epochs=1)
    sentence = ids(11, 3, 5, 4, 0)
    for place in range(len(sentence)):
        probs = []
        for word in range(V):
            changed = sentence.copy()
            changed[place] = word
            probs.append(np.exp(model.token_log_probs(changed)[place]))
        assert sum(probs) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("params", [{}, {"sentence_start": False, "sentence_end": False}])
def test_token_scores_are_those_of_the_distribution(params: dict[str, Any]) -> None:
    model = fit(**params)
    sentence = ids(3, 5, 10, 0, 4)
    expected = [model.log_distribution(sentence[:i])[word] for i, word in enumerate(sentence)]
    if model.sentence_end:
        expected.append(model.log_distribution(sentence)[V])
    np.testing.assert_allclose(model.token_log_probs(sentence), expected, atol=1e-6)


@pytest.mark.parametrize("position", [None, 1, 2])
def test_a_batch_scores_as_its_sentences_one_by_one(position: int | None) -> None:
    model = fit(target_position=position)
    sentences = [*make_sentences(90, seed=1), ids()]
    apart = np.concatenate([model.token_log_probs(sentence) for sentence in sentences])
    np.testing.assert_allclose(model.batch_log_probs(sentences), apart, rtol=0, atol=1e-6)
    assert len(apart) == sum(map(model.n_scored, sentences))


def test_a_document_scores_the_sum_of_its_tokens(model: FeedForwardLM) -> None:
    documents = [make_sentences(4, seed=2), [], make_sentences(7, seed=3)]
    expected = [sum(model.token_log_probs(s).sum() for s in document) for document in documents]
    np.testing.assert_allclose(model.score_samples(documents), expected, atol=1e-5)


def test_no_sentence_has_no_score(model: FeedForwardLM) -> None:
    assert model.batch_log_probs([]).shape == (0,)


@pytest.mark.parametrize("shuffle", [True, False])
def test_same_seed_same_weights_bit_for_bit(shuffle: bool) -> None:
    first, again = fit(shuffle=shuffle), fit(shuffle=shuffle)
    for a, b in zip(first.network_.arrays, again.network_.arrays, strict=True):
        np.testing.assert_array_equal(a, b)
    other = fit(shuffle=shuffle, random_state=1)
    assert not np.array_equal(first.network_.embedding, other.network_.embedding)


# Training


def test_a_fixed_successor_becomes_certain() -> None:
    circles = [(np.arange(6) + start).astype(np.int32) % 5 for start in range(5)] * 20
    params = SMALL | {"epochs": 30, "decay_after": 30, "patience": 30, "sentence_end": False}
    params |= {"learning_rate": 0.2}  # with 0.5, training diverges on some processors
    model = set_parameters(FeedForwardLM(), params)
    model.fit(circles, vocabulary_size=5)
    probs = np.exp(model.log_distribution(ids(1, 2, 3)))
    assert probs[4] > 0.95


@pytest.mark.parametrize(("position", "known"), [(1, 2), (2, 1), (3, 1)])
def test_every_target_position_uses_its_context(position: int, known: int) -> None:
    """A word that its neighbours determine is nearly certain at every target position."""
    circles = [(np.arange(9) + start).astype(np.int32) % 5 for start in range(5)] * 20
    params = SMALL | {"epochs": 30, "decay_after": 30, "patience": 30, "sentence_end": False}
    params |= {"learning_rate": 0.2}  # with 0.5, training diverges on some processors
    model = set_parameters(FeedForwardLM(context=2, target_position=position), params)
    model.fit(circles, vocabulary_size=5)
    log_probs = model.token_log_probs(ids(1, 2, 3, 4, 0, 1))
    assert np.exp(log_probs[known:-2]).min() > 0.9


def test_two_hidden_layers_train() -> None:
    model = fit(hidden_dims=(7, 5))
    assert [layer.shape for layer in model.network_.layers] == [(19, 7), (8, 5), (6, 10)]
    assert total(model, [1, 2]) == pytest.approx(1, abs=1e-9)


def test_validation_sentences_are_held_out_unless_given() -> None:
    assert fit().history_[0].validation_cost is not None
    assert fit(validation_fraction=0).history_[0].validation_cost is None
    assert fit(make_sentences(8)).history_[0].validation_cost is None  # 0.1 of nine is none
    given = set_parameters(FeedForwardLM(), SMALL | {"validation_fraction": 0})
    given.fit(make_sentences(), vocabulary_size=V, validation=make_sentences(9, seed=5))
    cost = given.history_[-1].validation_cost
    scores = given.batch_log_probs(make_sentences(9, seed=5))
    # Nine walks of 6 words, and one sentence of 4 words. Two of its words, 8 and 9, are outside the
    # shortlist: each has 1 / 4 of the class of 8, 9, 10 and 11. The cost is that of the classes.
    assert cost == pytest.approx((-scores.sum() - 2 * np.log(4)) / len(scores))


def test_schedules() -> None:
    stepwise = fit(learning_rate=0.2, learning_rate_decay=0.6, decay_after=1)
    assert [r.learning_rate for r in stepwise.history_] == pytest.approx([0.2, 0.12, 0.072])
    model = fit(learning_rate=[0.2, 0.1], learning_rate_decay=1, momentum=(0.5, 0.8, 0.9, 0.99))
    assert [r.learning_rate for r in model.history_] == [0.2, 0.1, 0.1]
    assert [r.momentum for r in model.history_] == [0.5, 0.8, 0.9]


def test_a_learning_rate_that_falls_to_zero() -> None:
    """In three epochs of two batches it falls by sixths, or by quarters after one epoch."""
    settings = FeedForwardTraining(epochs=3, learning_rate=0.6, warm_up=0)
    found = [settings.batch_rates(epoch, 2).tolist() for epoch in range(3)]
    assert found == pytest.approx(np.array([[0.6, 0.5], [0.4, 0.3], [0.2, 0.1]]))
    settings = FeedForwardTraining(epochs=3, learning_rate=0.4, decay_after=1, warm_up=0)
    found = [settings.batch_rates(epoch, 2).tolist() for epoch in range(3)]
    assert found == pytest.approx(np.array([[0.4, 0.4], [0.4, 0.3], [0.2, 0.1]]))


@pytest.mark.parametrize("after", [3, 4, 30])
def test_a_learning_rate_that_never_falls(after: int) -> None:
    start, end = FeedForwardTraining(epochs=3, decay_after=after).epoch_rates()
    assert start.tolist() == end.tolist() == [0.5] * 3


def test_a_learning_rate_that_rises_first() -> None:
    """In three mini-batches it rises by quarters: times 1/4, 2/4, 3/4, then 1."""
    settings = FeedForwardTraining(epochs=2, learning_rate=0.4, decay_after=2, warm_up=3)
    found = [settings.batch_rates(epoch, 3).tolist() for epoch in range(2)]
    assert found == pytest.approx(np.array([[0.1, 0.2, 0.3], [0.4, 0.4, 0.4]]))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_sentences", [1, 12, 30])
def test_the_default_setting_does_not_diverge_on_short_texts(n_sentences: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, 41)
    text = [
        rng.choice(40, p=shares / shares.sum(), size=rng.integers(10, 16)).astype(np.int32)
        for _ in range(n_sentences)
    ]
    assert FeedForwardLM(random_state=seed).fit(text, vocabulary_size=40).history_


def test_the_papers_setting_in_full() -> None:
    """The production setting of the authors' program; the paper gives its schedule (Sec. 4.1)."""
    assert parameter_values(FeedForwardLM.like_ge_sun_2016()) == {
        "context": 3,
        "target_position": None,
        "embedding_dim": 100,
        "hidden_dims": [100],
        "learning_rate": 0.2,
        "learning_rate_decay": 0.9,
        "decay_after": 10,
        "warm_up": 0,
        "momentum": 0.9,
        "batch_size": 100,
        "epochs": 15,
        "patience": 1,
        "init_scale": 0.01,
        "shuffle": False,
        "dropout": 0.0,
        "shortcut": False,
        "validation_fraction": 0.1,
        "min_count": 2,
        "min_frequency": 1e-5,
        "unigram_shift": 0.5,
        "sentence_start": False,
        "sentence_end": False,
        "random_state": 0,
        "device": "cpu",
    }


def test_a_failed_fit_changes_nothing(model: FeedForwardLM) -> None:
    other = [ids(3, 1, 4, 1, 5, 9, 2, 6)] * 30
    refit = fit()
    before = refit.batch_log_probs(other)
    with pytest.raises(TrainingError):
        refit.set_params(training__learning_rate=1e9).fit(other, vocabulary_size=11)
    np.testing.assert_array_equal(refit.batch_log_probs(other), before)
    fresh = set_parameters(FeedForwardLM(), SMALL | {"learning_rate": 1e9})
    with pytest.raises(TrainingError):
        fresh.fit(other, vocabulary_size=11)
    with pytest.raises(NotFittedError):
        fresh.batch_log_probs(other)


def test_progress_counts_mini_batches() -> None:
    reported: list[tuple[int, int]] = []
    model = set_parameters(FeedForwardLM(), SMALL)
    model.fit(
        make_sentences(),
        vocabulary_size=V,
        progress=lambda done, total, what: reported.append((done, total)),
    )
    total = 3 * 20  # epochs, mini-batches
    assert reported == [(done, total) for done in range(1, total + 1)]


# The shortlist and the other words


def test_words_outside_the_shortlist_are_equally_likely(model: FeedForwardLM) -> None:
    assert model.shortlist_.words.tolist() == list(range(8))
    distribution = model.log_distribution(ids(1, 2))
    assert len(set(distribution[8:V])) == 1
    assert distribution[8] > -12


def test_words_outside_the_shortlist_are_the_same_context(model: FeedForwardLM) -> None:
    np.testing.assert_array_equal(
        model.log_distribution(ids(8, 1)), model.log_distribution(ids(11, 1))
    )


def test_an_unseen_word_is_possible_where_no_word_is_rare() -> None:
    """No token trains the class of the other words: it becomes unlikely, but not impossible."""
    walks = make_sentences(60)[:-1]
    log_probs = fit(walks, epochs=10, decay_after=10).log_distribution(ids(1, 2))
    assert -25 < log_probs[9] < np.log(1 / V)


def test_a_shortlist_of_all_words_has_no_class_for_others() -> None:
    walks = make_sentences(60)[:-1]
    model = set_parameters(FeedForwardLM(), SMALL).fit(walks, vocabulary_size=8)
    assert model.network_.n_outputs == 9
    assert total(model, [7, 7]) == pytest.approx(1, abs=1e-9)


# The paper's setting


def test_preset() -> None:
    model = FeedForwardLM.like_ge_sun_2016()
    assert (model.embedding_dim, model.hidden_dims, model.training.batch_size) == (100, (100,), 100)
    rates, _ = model.training.epoch_rates()
    assert rates[:10].tolist() == [0.2] * 10
    assert rates[10:] == pytest.approx([0.2 * 0.9**k for k in range(1, 6)])
    assert model.training.epoch_momenta().tolist() == [0.9] * 15


def test_only_full_ngrams_are_trained_on_and_the_mean_stands_for_missing_words() -> None:
    model = fit(sentence_start=False, sentence_end=False, context=2)
    assert len(model.network_.embedding) == model.shortlist_.n_classes == 9
    # The first word of a sentence has two missing words before it; each is the mean embedding.
    table = model.network_.embedding
    mean = table.mean(axis=0)
    probe = replace(model.network_, embedding=np.vstack([table, mean]))
    z_out = forward(probe, np.array([[9, 9]]), Workspace(probe, 1))[0].astype(np.float64)
    expected = z_out[3] - np.log(np.exp(z_out).sum())
    assert model.token_log_probs(ids(3))[0] == pytest.approx(expected, abs=1e-6)


def test_sentences_shorter_than_an_ngram() -> None:
    short = [ids(1, 2, 3)] * 30
    with pytest.raises(TrainingError, match="no sentence is longer than the context of 3"):
        fit(short, sentence_start=False, sentence_end=False)
    assert fit(short).history_
    with pytest.warns(BylineWarning, match="no held-out sentence is long enough"):
        set_parameters(FeedForwardLM(sentence_start=False, sentence_end=False), SMALL).fit(
            make_sentences(), vocabulary_size=V, validation=short
        )


# Sampling


def test_sample_draws_known_events(model: FeedForwardLM) -> None:
    sentence = model.sample(np.random.default_rng(0), max_tokens=20)
    assert len(sentence) <= 20
    assert ((sentence >= 0) & (sentence < V)).all()


def test_a_target_in_the_middle_needs_the_words_after_it() -> None:
    model = fit(context=2, target_position=2)
    with pytest.raises(UsageError, match="target_position=2 of 3 words"):
        model.log_distribution(ids(1))
    with pytest.raises(UsageError, match="target_position=None"):
        model.sample(np.random.default_rng(0))


# Storage


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"target_position": 2, "hidden_dims": [7, 5], "momentum": np.float32(0.5)},
        {"sentence_start": False, "sentence_end": False, "learning_rate": (0.3, 0.2)},
    ],
)
def test_state_is_exact(params: dict[str, Any]) -> None:
    model = fit(**params)
    state = model.get_state()
    written = ModelState(json.loads(json.dumps(state.params, allow_nan=False)), state.arrays)
    again = FeedForwardLM.from_state(written)
    text = make_sentences(20, seed=9)
    np.testing.assert_array_equal(again.batch_log_probs(text), model.batch_log_probs(text))
    assert again.history_ == model.history_
    assert again.get_state().params == state.params


def damaged(model: FeedForwardLM, **arrays: NDArray[Any] | None) -> ModelState:
    state = model.get_state()
    kept = {k: v for k, v in (dict(state.arrays) | arrays).items() if v is not None}
    return ModelState(state.params, kept)


@pytest.mark.parametrize(
    "arrays",
    [
        {"embedding": None},
        {"embedding": np.zeros((3, 6), dtype=np.float32)},
        {"layer_1": np.zeros((8, 10))},
        {"layer_1": np.full((8, 10), np.nan, dtype=np.float32)},
        {"shortlist_words": ids(3, 2)},
        {"shortlist_words": np.array(3)},
        {"shortlist_words": np.zeros((2, 2), dtype=np.int32)},
    ],
)
def test_damaged_arrays_are_refused(model: FeedForwardLM, arrays: dict[str, Any]) -> None:
    with pytest.raises(ModelFileError, match="not the state of a feedforward model"):
        FeedForwardLM.from_state(damaged(model, **arrays))


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"width": 3}},
        {"parameters": {"context": 0}},
        {"parameters": {"context": 4}},
        {"parameters": 5},
        {"vocabulary_size": "12"},
        {"vocabulary_size": 5},
        {"history": [{"epoch": 1}]},
        {"history": None},
    ],
)
def test_invalid_parameters_are_refused(model: FeedForwardLM, change: dict[str, Any]) -> None:
    state = model.get_state()
    with pytest.raises(ModelFileError, match="train the model again"):
        FeedForwardLM.from_state(ModelState(dict(state.params) | change, state.arrays))
    with pytest.raises(ModelFileError, match="KeyError"):
        FeedForwardLM.from_state(ModelState({}, state.arrays))


# Invalid values


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("context", 0),
        ("context", 2.0),
        ("context", True),
        ("target_position", 0),
        ("target_position", 5),
        ("target_position", "last"),
        ("embedding_dim", -1),
        ("hidden_dims", ()),
        ("hidden_dims", (5, 0)),
        ("hidden_dims", 5),
        ("learning_rate", 0),
        ("learning_rate", float("nan")),
        ("learning_rate", float("inf")),
        ("learning_rate", "0.1"),
        ("learning_rate", [0.1, -1]),
        ("learning_rate_decay", 0),
        ("decay_after", -1),
        ("momentum", 1.0),
        ("momentum", [0.9, 1.5]),
        ("batch_size", 0),
        ("epochs", 0),
        ("init_scale", 0),
        ("shuffle", "yes"),
        ("validation_fraction", 1),
        ("min_count", 0),
        ("min_frequency", -0.1),
        ("sentence_start", None),
        ("sentence_end", 1),
        ("random_state", None),
        ("random_state", -1),
    ],
)
def test_values_that_cannot_be_used(name: str, value: Any) -> None:
    with pytest.raises(
        UsageError, match=rf"'{name}' parameter of .* must be .* Got |^{name} must be .* it is "
    ):
        fit(**{name: value})


def test_vocabulary_size_and_ids_must_fit() -> None:
    with pytest.raises(UsageError, match="vocabulary_size must be a whole number from 1"):
        FeedForwardLM().fit([ids(0)], vocabulary_size=0)
    with pytest.raises(UsageError, match="outside the range 0 to 11"):
        fit([ids(1, 12)])
    with pytest.raises(UsageError, match="outside the range 0 to 11"):
        fit().token_log_probs(ids(12))


def test_too_little_training_text() -> None:
    with pytest.raises(TrainingError, match="no token"):
        fit([])
    with pytest.raises(TrainingError, match="no token"):
        fit([ids()] * 20)
    with pytest.raises(TrainingError, match=r"occurs 2 times \(min_count\)"):
        fit([ids(1, 2, 3)])


def test_divergence_leaves_no_model() -> None:
    model = set_parameters(FeedForwardLM(), SMALL | {"learning_rate": 1e4})
    with pytest.raises(TrainingError, match="diverged in epoch 1 at learning rate 10000"):
        model.fit(make_sentences(), vocabulary_size=V)
    assert not hasattr(model, "network_")


def test_it_is_a_scikit_learn_estimator() -> None:
    model = FeedForwardLM(context=2, hidden_dims=(5, 4))
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(training__epochs=2).training.epochs == 2
    assert clone(model).training is not model.training
    assert FeedForwardLM().training.epochs == 10  # no two models share the default settings


# Real text


def test_perplexity_of_real_text_is_below_that_of_word_frequencies(shared: Path) -> None:
    folder = shared / "oracles" / "course-03"
    lines = (folder / "train.txt").read_text().splitlines()[:400]
    words = sorted({word for line in lines for word in line.split()} - {"<unk>"})
    id_of = {"<unk>": 0} | {word: i for i, word in enumerate(words, start=1)}

    def encode(text: list[str]) -> list[Sentence]:
        return [ids(*(id_of.get(word, 0) for word in line.split())) for line in text]

    model = FeedForwardLM(embedding_dim=30, hidden_dims=(40,), sentence_end=False)
    model.fit(encode(lines), vocabulary_size=len(id_of))
    test = encode((folder / "test50.txt").read_text().splitlines())
    tokens = np.concatenate(encode(lines))
    frequency = (np.bincount(tokens, minlength=len(id_of)) + 1) / (len(tokens) + len(id_of))
    by_frequency = float(np.exp(-np.log(frequency[np.concatenate(test)]).mean()))
    assert model.perplexity([test]) < 0.6 * by_frequency
