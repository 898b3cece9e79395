"""Scoring models one by one and with the joint index gives the same log-probabilities."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, explain
from byline.attribution.language_models import sentence_scorer
from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.lm.base import Sentence
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.lm.ngrams.adapted_terms import BackgroundScores
from byline.lm.ngrams.joint_index import JointNgramIndex


@pytest.fixture
def n_built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of models of every index that is built."""
    built: list[int] = []
    build = JointNgramIndex.from_models

    def count(models: list[object]) -> JointNgramIndex:
        built.append(len(models))
        return build(models)  # type: ignore[arg-type]

    monkeypatch.setattr(JointNgramIndex, "from_models", count)
    return built


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=6))
def test_segment_sums(segments: list[list[int]]) -> None:
    values = np.array([value for segment in segments for value in segment], dtype=np.int64)
    sizes = np.array([len(segment) for segment in segments], dtype=np.int64)
    assert segment_sums(values, sizes).tolist() == [sum(segment) for segment in segments]
    both = segment_sums(np.stack([values, -values]), sizes)
    assert both.shape == (2, len(segments))
    np.testing.assert_array_equal(both[0], -both[1])


@pytest.fixture
def joined(fitted: AuthorshipAttributor) -> AuthorshipAttributor:
    """Return a copy of ``fitted`` whose models are joined in every call."""
    attributor: AuthorshipAttributor = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    attributor.scorer_.join()
    return attributor


@pytest.mark.parametrize("rule", ["log-likelihood", "sum-of-perplexities"])
def test_joint_scores_equal_separate_scores(
    rule: str,
    fitted: AuthorshipAttributor,
    joined: AuthorshipAttributor,
    questioned: list[str],
    n_built: list[int],
) -> None:
    """Authors have one sample or two; the last text has no token."""
    texts = [*questioned, ""]
    one_by_one, joint = (
        clone(attributor)
        .set_params(score_rule=rule)
        ._set_fitted_state(
            attributor.classes_,
            attributor.encoders_,
            attributor.models_,
            attributor.n_tokens_per_author_,
            attributor.sample_size_,
        )
        for attributor in (fitted, joined)
    )
    joint.scorer_.join()
    expected = one_by_one.score_authors(texts)
    assert n_built == []
    np.testing.assert_allclose(joint.score_authors(texts), expected, rtol=0, atol=1e-9)
    assert joint.predict(texts).tolist() == one_by_one.predict(texts).tolist()
    assert n_built == [sum(map(len, fitted.models_.values()))]


def test_joint_scores_are_the_sums_of_the_evidence(
    joined: AuthorshipAttributor, questioned: list[str]
) -> None:
    for text, row in zip(questioned, joined.score_authors(questioned), strict=True):
        found = explain(joined, text, first="alder", second="cedar")
        assert found.log_lr == pytest.approx(row[0] - row[2], abs=1e-9)


def test_an_index_is_built_if_a_call_pays_for_it(
    fitted: AuthorshipAttributor, questioned: list[str], n_built: list[int]
) -> None:
    """2 scored tokens per n-gram suffice; earlier calls do not change a score."""
    attributor = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    text = questioned[0]
    alone = attributor.score_authors([text])
    models = [model for draws in attributor.models_.values() for model in draws]
    n_ngrams = sum(len(model.tree_.keys) for model in models)
    enough = -(-2 * n_ngrams // (len(models) * attributor.attribute([text])[0].n_tokens))
    attributor.score_authors([text] * (enough - 1))
    assert n_built == []
    together = attributor.score_authors([text] * enough)
    assert n_built == [len(models)]
    np.testing.assert_allclose(together, np.repeat(alone, enough, axis=0), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(attributor.score_authors([text]), alone)
    attributor.score_authors([text] * enough)
    assert n_built == [len(models)]


def test_models_with_different_vocabularies_are_not_joined(
    known: tuple[list[str], list[str]],
    questioned: list[str],
    prototype: AuthorshipAttributor,
    n_built: list[int],
) -> None:
    attributor = prototype.set_params(vocabulary="per-author", n_samples=1).fit(*known)
    expected = attributor.score_authors(questioned)
    attributor.scorer_.join()
    np.testing.assert_array_equal(attributor.score_authors(questioned), expected)
    assert n_built == []


def test_the_index_is_not_pickled(joined: AuthorshipAttributor, questioned: list[str]) -> None:
    size = len(pickle.dumps(joined))
    scores = joined.score_authors(questioned)
    assert len(pickle.dumps(joined)) == size
    again = pickle.loads(pickle.dumps(joined))  # noqa: S301
    np.testing.assert_array_equal(again.score_authors(questioned), scores)


def test_a_background_is_scored_once_for_all_models(
    known: tuple[list[str], list[str]], questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    attributor = AuthorshipAttributor(
        AdaptedNgramLM(order=2), background="pooled", n_samples=2, min_tokens=1
    ).fit(*known)
    scored: list[int] = []
    score = AdaptedNgramLM.score_background

    def count(model: AdaptedNgramLM, sentences: list[Sentence]) -> BackgroundScores:
        scored.append(len(sentences))
        return score(model, sentences)

    monkeypatch.setattr(AdaptedNgramLM, "score_background", count)
    n_sentences = sum(len(text) for text in attributor.encoder_.transform(questioned))
    monkeypatch.setattr(sentence_scorer, "_SENTENCES_AT_ONCE", n_sentences)
    at_once = attributor.score_authors(questioned)
    assert scored == [n_sentences]
    monkeypatch.setattr(sentence_scorer, "_SENTENCES_AT_ONCE", n_sentences // 2)
    np.testing.assert_array_equal(attributor.score_authors(questioned), at_once)
    assert len(scored) == 3 + n_sentences % 2
