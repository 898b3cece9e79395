"""The cache of a text's own words, checked by hand and against a simple loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, explain
from byline.attribution.language_models.scoring import TextCache
from byline.corpus import Corpus, Document
from byline.errors import UsageError
from byline.experiments import evaluate
from byline.lm import NgramLM

SENTENCES = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), max_size=6)


def test_by_hand() -> None:
    sentences = [np.array([5, 5], np.int32), np.array([7, 5], np.int32), np.array([5], np.int32)]
    # Two documents, with two sentences and one: 5 5 </s> 7 5 </s> and 5 </s>
    cache = TextCache.of(sentences, np.array([2, 1]), 0.5, end_tokens=True)
    np.testing.assert_allclose(cache.probs, [0, 1, 0, 0, 2 / 3, 0, 0, 0])
    n_before = np.array([0, 1, 2, 2, 3, 4, 0, 1])
    np.testing.assert_allclose(cache.weights, 0.5 * n_before / (n_before + 20))
    # The second 5 has the weight 0.5 / 21: p = 0.1 becomes (1 - 1/42) 0.1 + 1/42
    mixed = cache.mix(np.log(np.full(8, 0.1)))
    assert mixed[1] == pytest.approx(np.log(41 / 42 * 0.1 + 1 / 42))
    assert mixed[0] == pytest.approx(np.log(0.1))


@given(st.lists(SENTENCES, max_size=3), st.booleans())
def test_agrees_with_a_simple_loop(documents: list[list[list[int]]], end_tokens: bool) -> None:
    sentences = [np.array(s, np.int32) for document in documents for s in document]
    sizes = np.array([len(document) for document in documents], dtype=np.int64)
    cache = TextCache.of(sentences, sizes, 0.9, end_tokens=end_tokens)
    weights, probs = [], []
    for document in documents:
        seen: list[int] = []
        for sentence in document:
            for token in [*sentence, *([-1] if end_tokens else [])]:
                weights.append(0.9 * len(seen) / (len(seen) + 20))
                probs.append(seen.count(token) / len(seen) if seen else 0.0)
                if token >= 0:
                    seen.append(token)
    np.testing.assert_allclose(cache.weights, weights)
    np.testing.assert_allclose(cache.probs, probs)


def test_the_mixture_is_a_distribution() -> None:
    history, probs = np.array([1, 1, 2], np.int32), np.array([0.2, 0.3, 0.4, 0.1])
    total = 0.0
    for event, prob in enumerate(probs):  # the last one is the end of the sentence
        ids = np.append(history, event).astype(np.int32) if event < 3 else history
        cache = TextCache.of([ids], np.array([1]), 0.7, end_tokens=event == 3)
        total += float(np.exp(cache.mix(np.full(4, np.log(prob)))[3]))
    assert total == pytest.approx(1)


def _cached(known: tuple[list[str], list[str]], **params: object) -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=2), n_samples=2, cache=0.5, **params).fit(*known)  # type: ignore[arg-type]


@pytest.mark.parametrize("vocabulary", ["shared", "per-author"])
def test_repeated_words_count_for_less(
    known: tuple[list[str], list[str]], questioned: list[str], vocabulary: str
) -> None:
    cached = _cached(known, vocabulary=vocabulary)
    plain = clone(cached).set_params(cache=0.0).fit(*known)
    once, often = questioned[0], questioned[0] * 30

    def lead(attributor: AuthorshipAttributor, text: str) -> float:
        scores = np.sort(attributor.score_authors([text])[0])
        return float(scores[-1] - scores[-2])

    assert lead(plain, often) == pytest.approx(30 * lead(plain, once), rel=0.02)
    assert lead(cached, often) < 20 * lead(cached, once)


def test_an_explanation_adds_up_with_a_cache(
    known: tuple[list[str], list[str]], questioned: list[str]
) -> None:
    cached = _cached(known)
    scores = dict(zip(cached.classes_, cached.score_authors(questioned[:1])[0], strict=True))
    evidence = explain(cached, questioned[0])
    difference = scores[evidence.first] - scores[evidence.second]
    assert evidence.log_lr == pytest.approx(difference, rel=1e-9)


def test_the_cache_does_not_carry_over_between_texts(
    known: tuple[list[str], list[str]], questioned: list[str]
) -> None:
    cached = _cached(known)
    alone = [cached.score_authors([text])[0] for text in questioned]
    np.testing.assert_allclose(cached.score_authors(questioned), alone, rtol=1e-12)


def test_a_likelihood_ratio_uses_the_cache_for_the_background_too(
    known: tuple[list[str], list[str]], questioned: list[str]
) -> None:
    plain = _cached(known, background="pooled", score_rule="likelihood-ratio")
    scored = plain.score_texts(questioned)
    shifts = (
        scored.log_likelihoods - scored.scores
    )  # those of the background, the same for all authors
    np.testing.assert_allclose(shifts, np.repeat(shifts[:, :1], shifts.shape[1], axis=1))


def test_an_evaluation_scores_whole_texts(known: tuple[list[str], list[str]]) -> None:
    texts = [
        Document(author, text, f"{number}")
        for number, (text, author) in enumerate(zip(*known, strict=True))
    ]
    prototype = AuthorshipAttributor(NgramLM(order=2), n_samples=1, cache=0.5)
    found = evaluate(Corpus(texts, "known"), prototype, folds=2, sentences=(5,))
    assert found.whole.accuracy == 1.0


@pytest.mark.parametrize("cache", [-0.1, 1, 2.0, "a"])
def test_weights_out_of_range_are_rejected(
    known: tuple[list[str], list[str]], cache: object
) -> None:
    with pytest.raises(UsageError, match="'cache' parameter"):
        AuthorshipAttributor(cache=cache).fit(*known)  # type: ignore[arg-type]
