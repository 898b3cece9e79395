"""Counts of many models: the same trees and log-probabilities, to the last bit."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.lm import NgramLM
from byline.lm.base import Sentence
from byline.lm.ngrams import joint_scores
from byline.lm.ngrams.joint_counts import JointCounts
from byline.lm.ngrams.shared_counts import shared_counts

SIZE = 6
PARAMS: list[dict[str, Any]] = [
    {},
    {"order": 1},
    {"order": 6, "discount_fallback": "fixed"},
    {"smoothing": "kneser-ney", "sentence_start": False},
    {"smoothing": "absolute", "discount": 0.3, "sentence_end": False},
    {"sentence_start": False, "sentence_end": False},
]
Text = list[Sentence]


def texts_of(max_size: int) -> st.SearchStrategy[Text]:
    ids = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=9)
    sentence = ids.map(lambda values: np.array(values, dtype=np.int32))
    return st.lists(sentence, min_size=1, max_size=max_size)


def fit(groups: list[list[Text]], params: dict[str, Any]) -> list[list[NgramLM]]:
    return [
        [NgramLM(**params).fit(text, vocabulary_size=SIZE) for text in texts] for texts in groups
    ]


def share(groups: list[list[NgramLM]]) -> list[list[NgramLM]]:
    """Rebuild models from their joint counts."""
    first = groups[0][0]
    joint = first.join([[model.tree_ for model in models] for models in groups])
    return [
        [
            NgramLM.from_joint_counts(first.state_params(), joint, row, number)
            for number in range(len(models))
        ]
        for row, models in enumerate(groups)
    ]


def flat(groups: list[list[NgramLM]]) -> list[NgramLM]:
    return [model for models in groups for model in models]


@settings(deadline=None)
@given(
    groups=st.lists(st.lists(texts_of(6), min_size=1, max_size=3), min_size=1, max_size=3),
    asked=texts_of(8),
    params=st.sampled_from(PARAMS),
)
def test_shared_models_are_the_fitted_ones(
    groups: list[list[Text]], asked: Text, params: dict[str, Any]
) -> None:
    fitted = fit(groups, params)
    shared = share(fitted)
    expected = np.stack([model.batch_log_probs(asked) for model in flat(fitted)])
    found = np.stack(list(NgramLM.log_probs_of_all(flat(shared), asked)))
    np.testing.assert_array_equal(found, expected)
    joint = shared_counts(flat(shared))
    assert joint is not None
    assert joint.n_nodes == sum(len(model.tree_.keys) for model in flat(fitted))
    for model, twin in zip(flat(fitted), flat(shared), strict=True):
        for name in ("keys", "log_probs", "backoffs", "counts"):
            np.testing.assert_array_equal(getattr(model.tree_, name), getattr(twin.tree_, name))


def test_each_ngram_is_stored_once_and_its_counts_are_a_code() -> None:
    # Of order 1 without boundaries: a has 1 twice and 2 once; its twin 1 twice; b has 2 once.
    a, twin, b = ([np.array(ids, dtype=np.int32)] for ids in ([1, 2, 1], [1, 1], [2]))
    params = {"order": 1, "sentence_start": False, "sentence_end": False}
    [[first, *_], _] = groups = fit([[a, twin], [b]], params)
    joint = first.join([[model.tree_ for model in models] for models in groups])
    assert joint.tree.keys.tolist() == [-1, 1, 2]
    assert joint.bounds.tolist() == [0, 0, 1, 3]
    assert joint.groups.tolist() == [0, 0, 1]  # 1 in a and its twin; 2 in a; 2 in b
    # (1, 0) occurs twice, for 2 in a and in b, and is therefore the first code.
    assert joint.counts.tolist() == [[1, 0], [2, 2]]
    assert joint.codes.tolist() == [1, 0, 0]
    assert joint.counts_of_counts[0, 0].tolist() == [[1, 1, 0, 0]]
    assert joint.columns.tolist() == [0, 1, 2]  # b has no second model: not 3


def test_blocks_do_not_change_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    texts = [[rng.integers(0, SIZE, n).astype(np.int32) for n in (5, 9, 7, 3)] for _ in range(3)]
    models = flat(share(fit([texts[:2], texts[2:]], {"order": 3})))
    expected = np.stack(list(NgramLM.log_probs_of_all(models, texts[0])))
    monkeypatch.setattr(joint_scores, "_CELLS_AT_ONCE", 20)
    monkeypatch.setattr(joint_scores, "_ENTRIES_AT_ONCE", 3)
    found = np.stack(list(NgramLM.log_probs_of_all(models, texts[0])))
    np.testing.assert_array_equal(found, expected)


def test_a_pickled_model_takes_its_own_ngrams_along() -> None:
    text = [np.array([1, 2, 1, 3], dtype=np.int32)]
    [[model], _] = share(fit([[text], [text]], {"order": 2}))
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301 (our own bytes)
    assert shared_counts([copy]) is None
    np.testing.assert_array_equal(copy.batch_log_probs(text), model.batch_log_probs(text))


def test_only_all_models_in_order_share_counts() -> None:
    text = [np.array([1, 2, 1, 3], dtype=np.int32)]
    one, two = flat(share(fit([[text], [text]], {"order": 2})))
    [other] = flat(fit([[text]], {"order": 2}))
    assert isinstance(shared_counts([one, two]), JointCounts)
    for models in ([one], [two, one], [one, two, other], [one, other], [other, one]):
        assert shared_counts(models) is None
