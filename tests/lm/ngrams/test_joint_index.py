"""`JointNgramIndex`: its scores are those of the models one by one."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import UsageError
from byline.lm import NgramLM
from byline.lm.base import Sentence
from byline.lm.ngrams import joint_index, merged_tree
from byline.lm.ngrams.joint_index import JointNgramIndex
from byline.lm.ngrams.tree import NgramTree

VOCABULARY_SIZE = 7
EXACT = 1e-9


def ids(*sentences: str) -> list[Sentence]:
    """Sentences of digits: ``"31"`` is the word 3, then the word 1."""
    return [np.array([int(digit) for digit in sentence], dtype=np.int32) for sentence in sentences]


def texts_of(words: str) -> st.SearchStrategy[list[Sentence]]:
    sentences = st.lists(st.text(words, max_size=6), min_size=1, max_size=8)
    return sentences.filter(any).map(lambda found: ids(*found))


def one_by_one(models: list[NgramLM], text: list[Sentence]) -> np.ndarray:
    return np.stack([model.batch_log_probs(text) for model in models], axis=1)


def sentence_sums(models: list[NgramLM], text: list[Sentence]) -> np.ndarray:
    return np.array(
        [[model.token_log_probs(sentence).sum() for model in models] for sentence in text]
    ).reshape(len(text), len(models))


def assert_equal_scores(models: list[NgramLM], text: list[Sentence]) -> None:
    index = JointNgramIndex.from_models(models)
    np.testing.assert_allclose(
        index.batch_log_probs(text), one_by_one(models, text), rtol=0, atol=EXACT
    )
    np.testing.assert_allclose(
        index.score_sentences(text), sentence_sums(models, text), rtol=0, atol=EXACT
    )


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(texts_of("0123456"), st.integers(1, 5)), min_size=1, max_size=6),
    texts_of("0123456"),
    st.booleans(),
    st.booleans(),
)
def test_scores_are_those_of_the_models_one_by_one(
    known: list[tuple[list[Sentence], int]], text: list[Sentence], start: bool, end: bool
) -> None:
    models = [
        NgramLM(order=order, sentence_start=start, sentence_end=end).fit(
            sentences, vocabulary_size=VOCABULARY_SIZE
        )
        for sentences, order in known
    ]
    assert_equal_scores(models, text)


@settings(deadline=None, max_examples=30)
@given(texts_of("012"), texts_of("456"), texts_of("0123456"))
def test_models_without_a_common_word(
    first: list[Sentence], second: list[Sentence], text: list[Sentence]
) -> None:
    models = [NgramLM(order=3).fit(t, vocabulary_size=VOCABULARY_SIZE) for t in (first, second)]
    assert_equal_scores(models, text)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_fifty_models(seed: int) -> None:
    """Few models contain most n-grams, so that both kinds of rows are in use."""
    rng = np.random.default_rng(seed)
    texts = [
        [rng.zipf(1.5, size=rng.integers(9)).clip(max=39).astype(np.int32) for _ in range(5)]
        + ids("1")
        for _ in range(51)
    ]
    models = [NgramLM(order=3).fit(text, vocabulary_size=40) for text in texts[1:]]
    index = JointNgramIndex.from_models(models)
    assert len(index.weights.common) > 0
    assert index.weights.rare.nnz > 0
    assert_equal_scores(models, texts[0])


@settings(deadline=None, max_examples=40)
@given(texts_of("123456"), texts_of("123456"), texts_of("0123456"))
def test_closed_vocabularies_among_open_ones(
    first: list[Sentence], second: list[Sentence], text: list[Sentence]
) -> None:
    """Words without a unigram are impossible in closed vocabularies only."""
    models = [
        NgramLM.like_srilm(order=3).fit(first, vocabulary_size=VOCABULARY_SIZE),
        NgramLM(order=3).fit(second, vocabulary_size=VOCABULARY_SIZE),
        NgramLM(order=2, open_vocabulary=False).fit(second, vocabulary_size=VOCABULARY_SIZE),
    ]
    assert_equal_scores(models, text)


def test_an_impossible_word_makes_its_sentence_impossible() -> None:
    closed = NgramLM(order=2, open_vocabulary=False).fit(ids("12", "21"), vocabulary_size=4)
    scores = JointNgramIndex.from_models([closed]).score_sentences(ids("12", "123", ""))
    assert np.isfinite(scores[:, 0]).tolist() == [True, False, True]


def test_an_ngram_that_does_not_end_in_a_shorter_ngram() -> None:
    """As in pruned models: there is the trigram "<s> 1 2", but not the bigram "1 2".

    p(1) = 1/2, p(2) = 1/8; p(1 | <s>) = 1/2, with back-off weights 1/4 after "<s> 1" and 1/2 after
    "1". Then p(1, 2) = 1/2 * p(2 | <s> 1), which is 3/4 if the model contains the trigram, and
    1/2 * 1/4 * 1/2 * 1/8 if it does not.
    """
    size, start = 3, 4
    n_words = size + 2
    known = {
        (): (1 / 3, 1.0),
        (1,): (1 / 2, 1 / 2),
        (2,): (1 / 8, 1.0),
        (start,): (1.0, 1.0),
        (start, 1): (1 / 2, 1 / 4),
        (start, 1, 2): (3 / 4, None),
    }
    parents = {(): -1, (1,): 0, (2,): 0, (start,): 0, (start, 1): 3, (start, 1, 2): 4}
    keys = [parents[n] * n_words + n[-1] if n else -1 for n in known]
    log_probs = np.log([prob for prob, _ in known.values()])
    backoffs = np.log([weight for _, weight in known.values() if weight is not None])
    models = []
    for n in (6, 5):
        model = NgramLM(order=3, sentence_end=False)
        model.vocabulary_size_ = size
        model.tree_ = NgramTree(np.array(keys[:n]), log_probs[:n], backoffs, size)
        model.tree_.log_probs[3] = -np.inf
        models.append(model)
    scores = JointNgramIndex.from_models(models).score_sentences(ids("12"))
    np.testing.assert_allclose(
        np.exp(scores), [[1 / 2 * 3 / 4, 1 / 2 * 1 / 4 * 1 / 2 * 1 / 8]], rtol=1e-12
    )
    assert_equal_scores(models, ids("12", "212", "1"))


def test_permuted_models_permute_columns() -> None:
    texts = [ids("123", "31"), ids("2", "0123"), ids("333")]
    models = [NgramLM(order=2).fit(text, vocabulary_size=4) for text in texts]
    scores = JointNgramIndex.from_models(models).score_sentences(texts[0])
    reversed_scores = JointNgramIndex.from_models(models[::-1]).score_sentences(texts[0])
    np.testing.assert_array_equal(scores, reversed_scores[:, ::-1])


def test_without_sentences_there_are_no_rows() -> None:
    index = JointNgramIndex.from_models([NgramLM().fit(ids("12"), vocabulary_size=3)])
    assert index.score_sentences([]).shape == (0, 1)
    assert index.batch_log_probs([]).shape == (0, 1)


def test_block_size_does_not_change_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [NgramLM(order=n).fit(ids("123", "312"), vocabulary_size=4) for n in (1, 2, 3)]
    text = ids("1", "", "23", "321", "12", "2")
    whole = JointNgramIndex.from_models(models).score_sentences(text)
    monkeypatch.setattr(joint_index, "_SENTENCES_AT_ONCE", 2)
    np.testing.assert_allclose(
        JointNgramIndex.from_models(models).score_sentences(text), whole, rtol=0, atol=EXACT
    )


def test_memory_is_as_documented() -> None:
    """12 bytes per entry, 12 more per context, 24 per distinct n-gram; at most 32 if common."""
    rng = np.random.default_rng(0)
    texts = [[rng.zipf(1.2, 2000).clip(max=4999).astype(np.int32)] for _ in range(40)]
    models = [NgramLM(order=3).fit(text, vocabulary_size=5000) for text in texts]
    index = JointNgramIndex.from_models(models)
    assert index.n_entries == sum(len(model.tree_.keys) - 1 for model in models)
    n_bytes = index.tree.keys.nbytes
    for matrix in (index.weights, index.backoffs):
        assert matrix.common.nbytes < 32 * matrix.n_common_entries
        n_bytes += matrix.common_rows.nbytes
        n_bytes += sum(getattr(matrix.rare, a).nbytes for a in ("data", "indices", "indptr"))
    rare = index.weights.rare.nnz + index.backoffs.rare.nnz
    assert n_bytes == pytest.approx(12 * rare + 24 * len(index.tree.keys), rel=1e-3)


def test_incompatible_models_are_rejected() -> None:
    model = NgramLM().fit(ids("12"), vocabulary_size=3)
    with pytest.raises(UsageError, match="no model"):
        JointNgramIndex.from_models([])
    with pytest.raises(UsageError, match="vocabulary_size 3 and 4"):
        JointNgramIndex.from_models([model, NgramLM().fit(ids("12"), vocabulary_size=4)])
    other = NgramLM(sentence_end=False).fit(ids("12"), vocabulary_size=3)
    with pytest.raises(UsageError, match="sentence_end False and True"):
        JointNgramIndex.from_models([model, other])


def test_too_many_ngrams_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 2**31 n-grams the test would need too much memory, so the limit is lowered."""
    models = [NgramLM(order=1).fit(ids("12"), vocabulary_size=3)]
    n_nodes = len(models[0].tree_.keys)
    monkeypatch.setattr(merged_tree, "_MAX_NGRAMS", n_nodes)
    assert JointNgramIndex.from_models(models).n_entries == n_nodes - 1
    monkeypatch.setattr(merged_tree, "_MAX_NGRAMS", n_nodes - 1)
    with pytest.raises(UsageError, match="join fewer models"):
        JointNgramIndex.from_models(models)


def test_an_id_outside_the_vocabulary_is_rejected() -> None:
    index = JointNgramIndex.from_models([NgramLM().fit(ids("12"), vocabulary_size=3)])
    with pytest.raises(UsageError, match="token id 3"):
        index.score_sentences(ids("3"))


def test_two_courses(shared: Path) -> None:
    """Real text, which contains n-grams of all orders, compared with the models one by one."""
    words = {"<unk>": 0}
    courses = []
    for number in (3, 7):
        path = shared / "corpora" / "lectures16" / "stemmed" / f"course-{number:02}.txt"
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()[:2000]]
        courses.append(
            [
                np.array([words.setdefault(word, len(words)) for word in line], dtype=np.int32)
                for line in lines
            ]
        )
    models = [NgramLM().fit(course[200:], vocabulary_size=len(words)) for course in courses]
    text = courses[0][:200] + courses[1][:200]
    assert_equal_scores(models, text)
    totals = JointNgramIndex.from_models(models).score_sentences(text).sum(axis=0)
    expected = [model.score_samples([text])[0] for model in models]
    assert all(math.isclose(*pair, abs_tol=EXACT) for pair in zip(totals, expected, strict=True))
