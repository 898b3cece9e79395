"""`NgramRidge`: values worked out by hand, scikit-learn's kernel ridge, and laws."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import KernelCenterer, normalize

from byline.attribution.classifiers import NgramBlock, NgramFeature, NgramRidge
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.model_state import ModelState

Known = tuple[list[str], list[str]]
WORDS, CHARACTERS = NgramBlock("word", (1, 2)), NgramBlock("char", (2, 4))
MASKED = NgramBlock("masked", (1, 3), keep=5)


@pytest.fixture(scope="module")
def classifier(known: Known) -> NgramRidge:
    return NgramRidge((WORDS, CHARACTERS, MASKED)).fit(*known)


def test_two_texts_worked_by_hand() -> None:
    ridge = NgramRidge((NgramBlock("word", (1, 1)),), ridge=1.0, min_documents=1)
    ridge.fit(["a b", "c"], ["x", "y"])
    # The texts share no n-gram: K = I, centred [[.5, -.5], [-.5, .5]]; with the ridge
    # [[1.5, -.5], [-.5, 1.5]], whose inverse is [[.75, .25], [.25, .75]]. The targets of x are
    # (1, -1), of mean 0, so that the weights are (.5, -.5). Means of the kernel are (.5, .5), so
    # that the intercept is 0 - (.25 - .25).
    np.testing.assert_allclose(ridge.dual_coef_, [[0.5, -0.5], [-0.5, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(ridge.intercept_, [0.0, 0.0], atol=1e-7)
    # `a` has cosine 1 / sqrt 2 with the first text. Its count there, and words that no known text
    # contains, do not matter.
    score = 0.5 / sqrt(2)
    scores = ridge.score_authors(["a", "a z a", "c", "z"])
    expected = [[score, -score], [score, -score], [-0.5, 0.5], [0.0, 0.0]]
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


def test_more_texts_are_an_advantage_only_without_balance() -> None:
    texts, authors = ["a", "b", "c", "d"], ["x", "x", "x", "y"]
    words = (NgramBlock("word", (1, 1)),)
    unequal = NgramRidge(words, min_documents=1, balance="none").fit(texts, authors)
    # Targets of x have the mean (3 - 1) / 4; the kernel's means are equal, and weights sum to zero.
    np.testing.assert_allclose(unequal.intercept_, [0.5, -0.5])
    # Balanced: K = I, so that a text's own part is 1. x's penalties are 3 * (1 + .1) - 1 = 2.3 and
    # y's is .1. With coefficients (p, p, p, -3 p) and intercept b, the residuals of x are
    # 1 - b - p = 2.3 p and -1 - b + 3 p = .1 * -3 p: b = 1 - 3.3 p = -1 + 3.3 p, so b = 0.
    balanced = NgramRidge(words, min_documents=1, ridge=0.1).fit(texts, authors)
    np.testing.assert_allclose(balanced.intercept_, [0.0, 0.0], atol=1e-14)
    expected = np.array([1, 1, 1, -3]) / 3.3
    np.testing.assert_allclose(balanced.dual_coef_, np.column_stack([expected, -expected]))


@pytest.mark.parametrize("balance", ["equal-authors", "none"])
def test_balance_does_not_matter_with_equally_many_texts(
    balance: str, known: Known, questioned: list[str]
) -> None:
    even = [0, 1, 4, 5, 6, 7]
    texts, authors = ([part[i] for i in even] for part in known)
    scores = NgramRidge((WORDS,), balance=balance).fit(texts, authors)
    unbalanced = NgramRidge((WORDS,), balance="none").fit(texts, authors)
    np.testing.assert_allclose(scores.dual_coef_, unbalanced.dual_coef_, rtol=1e-9)
    assert scores.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2


def test_equals_scikit_learns_kernel_ridge(known: Known, questioned: list[str]) -> None:
    texts, authors = known
    ours = NgramRidge((WORDS, CHARACTERS), ridge=0.3, balance="none").fit(texts, authors)
    kernel, queries = np.zeros((9, 9)), np.zeros((6, 9))
    for options in (
        {"analyzer": "word", "token_pattern": r"\w+|[^\w\s]+|\n", "ngram_range": (1, 2)},
        {"analyzer": "char", "ngram_range": (2, 4)},
    ):
        vectorizer = CountVectorizer(binary=True, lowercase=False, min_df=2, **options)
        features = normalize(vectorizer.fit_transform(texts).astype(float))
        kernel += (features @ features.T).toarray() / 2
        queries += (normalize(vectorizer.transform(questioned)) @ features.T).toarray() / 2
    centerer = KernelCenterer().fit(kernel)
    targets = np.where(np.array(authors)[:, None] == ours.classes_, 1.0, -1.0)
    peer = KernelRidge(alpha=0.3, kernel="precomputed")
    peer.fit(centerer.transform(kernel), targets - targets.mean(axis=0))
    expected = peer.predict(centerer.transform(queries)) + targets.mean(axis=0)
    np.testing.assert_allclose(ours.score_authors(questioned), expected, atol=1e-6)


def test_contributions_add_up_to_the_scores(classifier: NgramRidge, questioned: list[str]) -> None:
    features, contributions = classifier.contributions(questioned[0])
    assert contributions.shape == (len(features), 3)
    total = contributions.sum(axis=0) + classifier.intercept_
    np.testing.assert_allclose(total, classifier.score_authors(questioned[:1])[0], atol=1e-12)


def test_contributions_name_their_ngrams(classifier: NgramRidge, questioned: list[str]) -> None:
    features, _ = classifier.contributions(questioned[0])
    assert len(set(features)) == len(features)
    text = questioned[0]
    characters = {"".join(f.ngram) for f in features if f.block == CHARACTERS}
    assert characters <= {text[i : i + n] for n in (2, 3, 4) for i in range(len(text))}
    assert NgramFeature(WORDS, (".",)) in features
    assert NgramFeature(MASKED, ("a", ".")) in features


def test_residuals_of_known_texts_are_proportional_to_their_coefficients(
    classifier: NgramRidge, known: Known
) -> None:
    np.testing.assert_allclose(classifier.dual_coef_.sum(axis=0), 0, atol=1e-5)  # rounded
    plain = NgramRidge((WORDS, MASKED), balance="none").fit(*known)
    targets = np.where(np.array(known[1])[:, None] == plain.classes_, 1.0, -1.0)
    residuals = targets - plain.score_authors(known[0])
    np.testing.assert_allclose(residuals, 0.1 * plain.dual_coef_, atol=1e-5)


def test_slices_of_authors_have_the_same_scores(
    classifier: NgramRidge, questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = classifier.score_authors(questioned)
    monkeypatch.setattr("byline.attribution.classifiers.ridge._MAX_WEIGHTS", 1)
    np.testing.assert_allclose(classifier.score_authors(questioned), whole, rtol=1e-12)


@settings(deadline=None, max_examples=20)
@given(
    words=st.lists(st.sampled_from(["Babade", "fi.", "gogo", "ku"]), min_size=4, max_size=12),
    times=st.integers(3, 6),
)
def test_repetition_does_not_matter(words: list[str], times: int, classifier: NgramRidge) -> None:
    line = " ".join(words) + "\n"
    twice, often = classifier.score_authors([2 * line, times * line])
    np.testing.assert_array_equal(twice, often)


def test_a_single_block_suffices(known: Known, questioned: list[str]) -> None:
    words, characters, words_twice = (
        NgramRidge(blocks).fit(*known).score_authors(questioned)
        for blocks in ((WORDS,), (CHARACTERS,), (WORDS, WORDS))
    )
    assert not np.allclose(words, characters)
    np.testing.assert_allclose(words_twice, words, atol=1e-6)


def test_a_known_text_may_have_no_feature() -> None:
    texts = ["oats and rye", "oats and rye", "rye and oats", "?"]
    ridge = NgramRidge((NgramBlock("word", (1, 2)),)).fit(texts, ["x", "x", "y", "y"])
    assert ridge.predict(["oats and rye"]).tolist() == ["x"]


def test_a_block_with_more_weight_has_more_influence(known: Known, questioned: list[str]) -> None:
    heavy = (NgramBlock("word", (1, 2), weight=3.0), CHARACTERS)
    thrice = NgramRidge((WORDS, WORDS, WORDS, CHARACTERS)).fit(*known)
    scores = NgramRidge(heavy).fit(*known).score_authors(questioned)
    np.testing.assert_allclose(scores, thrice.score_authors(questioned), atol=1e-6)


def test_the_default_blocks_discriminate_between_authors(
    known: Known, questioned: list[str]
) -> None:
    ridge = NgramRidge().fit(*known)
    assert ridge.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2
    _, contributions = ridge.contributions(questioned[0])
    total = contributions.sum(axis=0) + ridge.intercept_
    np.testing.assert_allclose(total, ridge.score_authors(questioned[:1])[0], atol=1e-12)


def test_too_many_texts_for_a_kernel_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.attribution.classifiers.ridge.MAX_TEXTS", 3)
    with pytest.raises(TrainingError, match=r"4 known texts.*more than 3 .*join short texts"):
        NgramRidge().fit(["a", "b", "c", "d"], ["x", "x", "y", "y"])


@pytest.mark.parametrize("blocks", [None, (NgramBlock("char", (1, 1), value="root-count"), MASKED)])
def test_the_fitted_state_can_be_restored(
    blocks: tuple[NgramBlock, ...] | None, known: Known, questioned: list[str]
) -> None:
    ridge = (NgramRidge() if blocks is None else NgramRidge(blocks)).fit(*known)
    twin = clone(ridge).set_state(ridge.get_state(), ridge.classes_)
    for name in ("data", "indices", "indptr"):
        ours, its = getattr(ridge.known_, name), getattr(twin.known_, name)
        assert ours.dtype == its.dtype
        np.testing.assert_array_equal(ours, its)
    texts = [*questioned, ""]
    np.testing.assert_array_equal(twin.score_authors(texts), ridge.score_authors(texts))
    features, contributions = ridge.contributions(questioned[0])
    assert twin.contributions(questioned[0])[0] == features
    np.testing.assert_array_equal(twin.contributions(questioned[0])[1], contributions)


def test_an_ngram_takes_little_more_than_a_byte(classifier: NgramRidge) -> None:
    state = classifier.get_state()
    kinds = ".cells.", ".rows", ".common"
    sizes = [a.nbytes for name, a in state.arrays.items() if any(kind in name for kind in kinds)]
    assert 0 < sum(sizes) < 1.5 * classifier.known_.nnz


def test_blocks_changed_after_fit_have_no_state(known: Known) -> None:
    ridge = NgramRidge((WORDS,)).fit(*known)
    ridge.set_params(blocks=(CHARACTERS,))
    with pytest.raises(UsageError, match="call fit again"):
        ridge.get_state()


State = dict[str, Any]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p, a: a.pop("dual_coef"), "dual_coef is missing"),
        (lambda p, a: a.update(dual_coef=a["dual_coef"][:, :2]), r"of shape \(9, 2\), not float32"),
        (lambda p, a: a.update(dual_coef=a["dual_coef"][:5]), r"the array rows is uint8 of shape"),
        (lambda p, a: a.update(intercept=np.full(3, np.nan)), "intercept contains"),
        (lambda p, a: p.update(blocks=None), "does not contain 2 blocks"),
        (lambda p, a: p["blocks"].pop(), "does not contain 2 blocks"),
        (
            lambda p, a: p["blocks"][0].update(unmasked=["a"]),
            "a block of char n-grams has unmasked words",
        ),
        (lambda p, a: p["blocks"][0]["units"].reverse(), "the units are not sorted"),
        (lambda p, a: p["blocks"][0]["units"].pop(), r"order-2 contains \d+, which is not below"),
        (lambda p, a: a.pop("block-0.order-2.uint16"), r"order-2\.uint16 is missing"),
        (lambda p, a: a.pop("block-0.counts.uint8"), r"counts\.uint8 is missing"),
        (lambda p, a: a.update({"block-1.common": a["block-1.common"] * 0}), "rows is uint8"),
    ],
)
def test_invalid_states_are_rejected(
    change: Callable[[State, State], object], message: str, known: Known
) -> None:
    ridge = NgramRidge((NgramBlock("char", (2, 2), value="root-count"), MASKED)).fit(*known)
    state = ridge.get_state()
    params = {"blocks": [{name: [*v] for name, v in b.items()} for b in state.params["blocks"]]}
    arrays = dict(state.arrays)
    change(params, arrays)
    with pytest.raises(ModelFileError, match=message):
        clone(ridge).set_state(ModelState(params, arrays), ridge.classes_)


def test_a_state_without_an_ngram_is_rejected(known: Known) -> None:
    ridge = NgramRidge((WORDS,)).fit(*known)
    arrays = {
        name: array * 0 if name.endswith(".rows") else array
        for name, array in ridge.get_state().arrays.items()
    }
    with pytest.raises(ModelFileError, match="no n-gram occurs in a known text"):
        clone(ridge).set_state(ModelState(ridge.get_state().params, arrays), ridge.classes_)


def test_few_texts_have_the_same_scores_as_among_many(
    classifier: NgramRidge, questioned: list[str]
) -> None:
    many = classifier.score_authors(questioned * 2)
    few = [classifier.score_authors([text])[0] for text in questioned]
    assert len(questioned) * 2 >= len(classifier.classes_) > 1
    np.testing.assert_allclose(few, many[: len(questioned)], rtol=0, atol=1e-12)
