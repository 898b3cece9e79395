"""`AdaptedNgramLM`: known values, laws, storage, and rejected input."""

from __future__ import annotations

import json
import logging
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm import ModelState, NgramLM
from byline.lm.base import Sentence
from byline.lm.ngrams.adapted import AdaptedNgramLM

V = 5
Texts = list[list[int]]


def ids(*tokens: int) -> Sentence:
    return np.array(tokens, dtype=np.int32)


def arrays(sentences: Texts) -> list[Sentence]:
    return [ids(*sentence) for sentence in sentences]


def fit_adapted(
    own: Texts, background: NgramLM, *, vocabulary_size: int = V, **params: Any
) -> AdaptedNgramLM:
    model = AdaptedNgramLM(**params)
    return model.fit(arrays(own), vocabulary_size=vocabulary_size, background=background)


def fit_background(sentences: Texts, *, vocabulary_size: int = V, **params: Any) -> NgramLM:
    return NgramLM(**params).fit(arrays(sentences), vocabulary_size=vocabulary_size)


def adapt(own: Texts, others: Texts, **params: Any) -> AdaptedNgramLM:
    """Fit a background model to both texts, and adapt it to the first."""
    background = AdaptedNgramLM(**params).background_model().get_params()
    return fit_adapted(own, fit_background([*own, *others], **background), **params)


def distribution(model: AdaptedNgramLM | NgramLM, *context: int) -> NDArray[np.float64]:
    return np.exp(model.log_distribution(ids(*context)))


# --- known values -------------------------------------------------------------------------------


def test_bigrams_without_discounts_worked_by_hand() -> None:
    boundaries = {"sentence_start": False, "sentence_end": False}
    background = fit_background(
        [[0, 1, 1, 1]], vocabulary_size=2, order=2, smoothing="absolute", discount=0.5, **boundaries
    )
    # Background: P(1) = 2.5/4 + 1/4 * 1/2 = 0.75; P(1|1) = 1.5/2 + 0.5/2 * 0.75 = 0.9375;
    # P(1|0) = 0.5 + 0.5 * 0.75 = 0.875.
    assert distribution(background, 1) == pytest.approx([0.0625, 0.9375])
    model = fit_adapted(
        [[1, 1, 0]],
        background,
        vocabulary_size=2,
        order=2,
        smoothing="dirichlet",
        strength=(2, 1),
        background_share=0.5,
        **boundaries,
    )
    # Counts 0:1, 1:2, strength 2: P(1) = (2 + 2 * 0.75) / 5 = 0.7.
    assert distribution(model) == pytest.approx([0.3, 0.7])
    # After 1: counts 0:1, 1:1, strength 1, prior 0.5 * 0.9375 + 0.5 * 0.7 = 0.81875:
    # P(1|1) = (1 + 0.81875) / 3 = 0.60625.
    assert distribution(model, 1) == pytest.approx([0.39375, 0.60625])
    # After 0, which only ends the author's text: the prior 0.5 * 0.875 + 0.5 * 0.7 = 0.7875.
    assert distribution(model, 0) == pytest.approx([0.2125, 0.7875])
    log_probs = model.token_log_probs(ids(1, 1, 0, 1))
    assert np.exp(log_probs) == pytest.approx([0.7, 0.60625, 0.39375, 0.7875])


def test_contexts_that_only_the_author_used_worked_by_hand() -> None:
    """Such contexts occur after `add_author`, which keeps the background model as it is."""
    boundaries = {"sentence_start": False, "sentence_end": False}
    background = fit_background(
        [[0, 1, 1, 1]], vocabulary_size=3, order=2, smoothing="absolute", discount=0.5, **boundaries
    )
    # Background: 0.5/4 + 1/4 * 1/3 = 5/24, 2.5/4 + 1/12 = 17/24, and 1/12; also after 2.
    assert distribution(background, 2) == pytest.approx([5 / 24, 17 / 24, 1 / 12])
    model = fit_adapted(
        [[2, 2, 1]],
        background,
        vocabulary_size=3,
        order=2,
        smoothing="dirichlet",
        strength=(2, 1),
        background_share=0.5,
        **boundaries,
    )
    # Counts 1:1, 2:2, strength 2: (2 * 5/24) / 5 = 5/60, (1 + 2 * 17/24) / 5 = 29/60, and 26/60.
    assert distribution(model) == pytest.approx([5 / 60, 29 / 60, 26 / 60])
    # After 2: counts 1:1, 2:1, strength 1, and a prior of half the background:
    # P(0|2) = (5/48 + 5/120) / 3 = 35/720, P(1|2) = (1 + 17/48 + 29/120) / 3 = 383/720.
    assert distribution(model, 2) == pytest.approx([35 / 720, 383 / 720, 302 / 720])


def test_discounted_unigrams_worked_by_hand() -> None:
    background = fit_background(
        [[0, 1]], vocabulary_size=4, order=1, smoothing="absolute", discount=0.5
    )
    # Background: 0, 1 and </s> once each: (1 - 0.5)/3 + 1.5/3 * 1/5 = 4/15; 2 and 3: 0.1.
    assert distribution(background) == pytest.approx([4 / 15, 4 / 15, 0.1, 0.1, 4 / 15])
    model = fit_adapted([[1, 2], [1, 3]], background, vocabulary_size=4, order=1, strength=[2])
    # Counts 1:2, 2:1, 3:1, </s>:2; n1 = n2 = 2, n3 = 0, so there is a single discount,
    # D = 2 / (2 + 4) = 1/3, and 4/3 are discounted. Strength 2 makes the total 8:
    # P(1) = P(</s>) = (5/3 + 10/3 * 4/15) / 8 = 23/72; P(2) = P(3) = (2/3 + 10/3 * 0.1) / 8 = 1/8;
    # P(0) = 10/3 * 4/15 / 8 = 1/9.
    assert distribution(model) == pytest.approx([1 / 9, 23 / 72, 1 / 8, 1 / 8, 23 / 72])


def test_a_discount_may_be_equal_to_a_count() -> None:
    # Unigrams: n1 = 4, n2 = 2, n3 = 1 (</s> three times), n4 = 0, so D3 = 3 - 4 * 0.5 * 0 = 3.
    own = [[1, 2, 3, 3], [4, 5], [6, 6]]
    background = fit_background([*own, [0, 7]], vocabulary_size=8, order=1)
    model = AdaptedNgramLM(order=1).fit(arrays(own), vocabulary_size=8, background=background)
    # Discounted: 4 * 0.5 + 2 * (2 - 3 * 0.5 * 1/2) + 3 = 7.5 of 11, so P(</s>) has only the prior.
    prior = distribution(background)
    assert distribution(model)[8] == pytest.approx(7.5 / 11 * prior[8])
    restored = AdaptedNgramLM.from_state(model.get_state())
    np.testing.assert_array_equal(distribution(restored), distribution(model))


# --- laws ---------------------------------------------------------------------------------------

texts = st.lists(st.lists(st.integers(0, V - 1), max_size=6), min_size=1, max_size=6).filter(any)
shares = st.lists(st.sampled_from([0.0, 0.2, 1.0]), min_size=1, max_size=3)
strengths = st.lists(st.sampled_from([0.5, 3.0]), min_size=1, max_size=3)


@settings(deadline=None, max_examples=40)
@given(
    own=texts,
    others=texts,
    smoothing=st.sampled_from(["modified-kneser-ney", "dirichlet"]),
    strength=strengths,
    share=shares,
    boundaries=st.tuples(st.booleans(), st.booleans()),
    context=st.lists(st.integers(0, V - 1), max_size=4),
)
def test_probabilities_sum_to_one(
    own: Texts,
    others: Texts,
    smoothing: str,
    strength: list[float],
    share: list[float],
    boundaries: tuple[bool, bool],
    context: list[int],
) -> None:
    model = adapt(
        own,
        others,
        order=3,
        smoothing=smoothing,
        strength=strength,
        background_share=share,
        sentence_start=boundaries[0],
        sentence_end=boundaries[1],
    )
    probs = distribution(model, *context)
    assert len(probs) == model.n_events
    assert probs.sum() == pytest.approx(1, abs=1e-12)


OWN = [[1, 2, 3], [1, 2, 2, 4], [3, 1, 2], [4]]
OTHERS = [[2, 2, 1], [0, 3, 3, 1], [1, 3]]
CONTEXTS = [(), (1,), (1, 2), (2, 2, 4), (0, 3), (4, 4, 0)]


def test_without_background_and_strength_the_model_is_kneser_ney() -> None:
    """With the share 0 in every order, only shorter contexts and the uniform prior remain."""
    model = adapt(OWN, OTHERS, order=3, strength=0, background_share=(0,))
    plain = fit_background(OWN, order=3)
    np.testing.assert_allclose(
        model.batch_log_probs(arrays(OTHERS)), plain.batch_log_probs(arrays(OTHERS)), atol=1e-12
    )


@pytest.mark.parametrize("context", CONTEXTS)
def test_with_infinite_strength_only_the_prior_remains(context: tuple[int, ...]) -> None:
    model = adapt(OWN, OTHERS, order=3, strength=(1e15,), background_share=(1,))
    assert distribution(model, *context) == pytest.approx(
        distribution(model.background_, *context), abs=1e-9
    )


def test_a_larger_share_is_closer_to_the_background() -> None:
    distances = []
    for share in (0.0, 0.3, 0.9):
        model = adapt(OWN, OTHERS, order=2, strength=1, background_share=share)
        gap = distribution(model, 0) - distribution(model.background_, 0)  # 0 is not a word of OWN
        distances.append(np.abs(gap).sum())
    assert distances == sorted(distances, reverse=True)
    assert distances[0] > 2 * distances[2]


def test_contexts_that_no_author_used_are_ignored() -> None:
    model = adapt(OWN, OTHERS, order=3, background_share=0.4)
    assert distribution(model, 4, 4) == pytest.approx(distribution(model, 0, 4))


def test_words_before_the_context_do_not_matter() -> None:
    model = adapt(OWN, OTHERS, order=3)
    assert distribution(model, 2, 2, 1, 2) == pytest.approx(distribution(model, 3, 1, 2))


def test_the_score_of_a_document_is_the_sum_of_its_tokens() -> None:
    model = adapt(OWN, OTHERS, order=3)
    documents = [arrays(OWN), [], arrays(OTHERS)]
    expected = [sum(model.token_log_probs(s).sum() for s in document) for document in documents]
    assert model.score_samples(documents) == pytest.approx(expected)
    token_by_token = [
        np.log(distribution(model, *OWN[1][:n])[event]) for n, event in enumerate([*OWN[1], V])
    ]
    assert model.token_log_probs(ids(*OWN[1])) == pytest.approx(token_by_token)


def test_a_background_of_lower_order_backs_off() -> None:
    bigrams = fit_background([*OWN, *OTHERS], order=2)
    model = fit_adapted(OWN, bigrams, order=3, strength=1e15, background_share=1)
    assert distribution(model, 1, 2) == pytest.approx(distribution(bigrams, 2), abs=1e-9)


def test_parameters_may_be_numbers_or_sequences_with_one_per_order() -> None:
    one = adapt(OWN, OTHERS, order=3, strength=2, background_share=0.1)
    each = adapt(OWN, OTHERS, order=3, strength=(0, 2, 2), background_share=(1, 0.1, 0.1))
    np.testing.assert_array_equal(
        one.batch_log_probs(arrays(OTHERS)), each.batch_log_probs(arrays(OTHERS))
    )


def test_progress_is_reported() -> None:
    reported: list[tuple[int, int]] = []
    background = fit_background(OWN, order=4)
    AdaptedNgramLM().fit(
        arrays(OWN),
        vocabulary_size=V,
        background=background,
        progress=lambda done, total, _: reported.append((done, total)),
    )
    assert reported == [(1, 1)]


# --- storage ------------------------------------------------------------------------------------


def test_a_stored_model_has_the_same_scores() -> None:
    model = adapt(OWN, OTHERS, order=3, strength=(0, 1), background_share=(1, np.float64(0.2)))
    state = model.get_state()
    restored = AdaptedNgramLM.from_state(
        ModelState(json.loads(json.dumps(dict(state.params))), state.arrays)
    )
    expected = model.batch_log_probs(arrays(OTHERS))
    np.testing.assert_array_equal(restored.batch_log_probs(arrays(OTHERS)), expected)
    shared = AdaptedNgramLM.from_state_and_background(
        model.get_state_without_background(), model.background_
    )
    assert shared.background_ is model.background_
    np.testing.assert_array_equal(shared.batch_log_probs(arrays(OTHERS)), expected)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"background": None}, "no background"),
        ({"order": 2}, "beyond order 2"),
        ({"order": "3"}, "'order' parameter .* Got '3'"),
        ({"vocabulary_size": V + 1}, "vocabulary_size"),
        ({"extra": 1}, "extra"),
    ],
)
def test_damaged_parameters_are_rejected(damage: dict[str, Any], message: str) -> None:
    state = adapt(OWN, OTHERS, order=3).get_state()
    with pytest.raises(ModelFileError, match=message):
        AdaptedNgramLM.from_state(ModelState({**state.params, **damage}, state.arrays))


@pytest.mark.parametrize("name", ["keys", "backoffs", "background_keys"])
def test_missing_arrays_are_rejected(name: str) -> None:
    state = adapt(OWN, OTHERS, order=3).get_state()
    rest = {key: array for key, array in state.arrays.items() if key != name}
    with pytest.raises(ModelFileError, match=r"keys|backoffs"):
        AdaptedNgramLM.from_state(ModelState(state.params, rest))


# --- rejected input -----------------------------------------------------------------------------


def test_training_needs_a_background() -> None:
    with pytest.raises(TrainingError, match="background_model"):
        AdaptedNgramLM().fit(arrays(OWN), vocabulary_size=V)


def test_training_needs_a_token() -> None:
    with pytest.raises(TrainingError, match="add text"):
        AdaptedNgramLM().fit([ids()], vocabulary_size=V, background=fit_background(OWN))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"order": 0}, "'order' parameter"),
        ({"smoothing": "jelinek-mercer"}, "'dirichlet'"),
        ({"smoothing": "dirichlet", "strength": 3}, "strength above 0"),
        ({"strength": -1}, "strength=-1"),
        ({"strength": ()}, "strength"),
        ({"strength": float("inf")}, "strength"),
        ({"background_share": 1.5}, "to 1"),
        ({"background_share": (1, "0.2")}, "background_share"),
        ({"background_share": True}, "background_share"),
        ({"sentence_end": 1}, "'sentence_end' parameter"),
    ],
)
def test_parameters_out_of_range_are_rejected(params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fit_adapted(OWN, fit_background(OWN), **params)


@pytest.mark.parametrize(
    "params",
    [
        {"vocabulary_size": V + 1},
        {"sentence_start": False},
        {"sentence_end": False},
        {"open_vocabulary": False},
    ],
)
def test_unsuitable_backgrounds_are_rejected(params: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="background"):
        fit_adapted(OWN, fit_background(OWN, **params))


def test_ids_outside_the_vocabulary_are_rejected() -> None:
    model = adapt(OWN, OTHERS, order=2)
    with pytest.raises(UsageError, match="outside the vocabulary"):
        model.batch_log_probs([ids(V)])


def test_missing_discounts_of_a_short_text_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    background = fit_background(OWN)
    with caplog.at_level(logging.DEBUG, logger="byline.lm"):
        AdaptedNgramLM().fit(arrays([[1, 2]]), vocabulary_size=V, background=background)
    [record] = caplog.records
    assert record.levelno == logging.DEBUG
    assert "do not determine the modified-kneser-ney discounts" in record.getMessage()


def test_a_clone_is_not_fitted() -> None:
    copy = clone(adapt(OWN, OTHERS, order=2, strength=3))
    assert copy.get_params()["strength"] == 3
    assert not hasattr(copy, "tree_")
