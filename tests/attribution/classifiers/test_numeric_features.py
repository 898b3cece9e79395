"""A user's own numeric features, alone and as a base classifier of a stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import (
    BurrowsDelta,
    NgramRidge,
    NgramSVM,
    NumericFeatures,
    ReferencePopulation,
    StackedAttributor,
    TextFeatures,
    explain,
    load_attributor,
    save_attributor,
)
from byline.attribution.caveats import caveats_for
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.typography import Normalization

TEXTS = [f"“The river rose,” he said on day {number}." for number in range(12)]
AUTHORS = ["ada", "ben", "cyd"] * 4
AGES = np.array([20.0, 40.0, 60.0] * 4) + np.arange(12) % 5
QUESTIONED = ["“It fell,” she said.", "It rose again.", "Nobody knew the river."]


def features(texts: list[str], ages: Any, names: tuple[str, ...] = ("age",)) -> TextFeatures:
    return TextFeatures.of(texts, np.asarray(ages, dtype=float).reshape(len(texts), -1), names)


def fitted() -> NumericFeatures:
    return NumericFeatures(features(TEXTS, AGES)).fit(TEXTS, AUTHORS)


def test_scores_worked_by_hand() -> None:
    """Two authors with the values 1, 1 and 3, 5: mean 2.5, standard deviation sqrt(2.75).

    With z = (x - 2.5) / sqrt(2.75), the means are -1.5 / sqrt(2.75) and its negative, and the sum
    of squares within the authors is 2 / 2.75, which with 2 of 4 texts per author remains 2 / 2.75
    (the factor n / n_authors / n_k is 1). There are 4 - 2 = 2 degrees of freedom. With a prior of 1
    text, the variance is (2 / 2.75 + 1) / (2 + 1) = 4.75 / 8.25.
    """
    texts, root = ["a", "b", "c", "d"], 2.75**0.5
    classifier = NumericFeatures(features(texts, [1, 1, 3, 5]), prior_texts=1.0)
    classifier.fit(texts, ["A", "A", "B", "B"])
    slope = 1.5 / root / (4.75 / 8.25)
    assert classifier.coef_ == pytest.approx(np.array([[-slope, slope]]))
    assert classifier.intercept_ == pytest.approx([-0.5 * slope * 1.5 / root] * 2)
    classifier.set_params(features=features(["e"], [4]))
    own = np.array([[-slope, slope]]) * 1.5 / root
    assert classifier.contributions("e") == pytest.approx(own)
    assert classifier.score_authors(["e"]) == pytest.approx(own + classifier.intercept_)


def test_authors_are_attributed_by_their_values() -> None:
    classifier = fitted().set_params(features=features(QUESTIONED, [61, 22, 1e6]))
    assert classifier.predict(QUESTIONED).tolist() == ["cyd", "ada", "cyd"]
    limit = classifier.set_params(features=features(["x"], [classifier.means_[0] + 1e9]))
    beyond = limit.score_authors(["x"])
    four = classifier.means_[0] + 4 * classifier.scales_[0]
    assert classifier.set_params(features=features(["x"], [four])).score_authors(
        ["x"]
    ) == pytest.approx(beyond)


def test_the_number_of_an_authors_texts_does_not_decide() -> None:
    texts, ages = [*TEXTS, *(f"More of {n}." for n in range(30))], [*AGES, *[20.0] * 30]
    classifier = NumericFeatures(features(texts, ages)).fit(texts, [*AUTHORS, *["ada"] * 30])
    classifier.set_params(features=features(["x"], [41]))
    assert classifier.predict(["x"]).tolist() == ["ben"]


def test_a_text_without_values_has_equal_scores() -> None:
    assert (fitted().score_authors(["Unknown."]) == 0).all()
    assert (fitted().set_params(features=None).score_authors(["Unknown."]) == 0).all()


def test_columns_are_found_by_their_names() -> None:
    both = features(TEXTS, np.column_stack([AGES, AGES[::-1] + 0.5]), ("age", "year"))
    classifier = NumericFeatures(both).fit(TEXTS, AUTHORS)
    given = features(["x"], [[7.0, 55.0]], ("year", "age"))
    other = features(["x"], [[55.0, 7.0]], ("age", "year"))
    scores = [classifier.set_params(features=each).score_authors(["x"]) for each in (given, other)]
    np.testing.assert_array_equal(*scores)
    with pytest.raises(UsageError, match="the features lack year, which the model was trained on"):
        classifier.set_params(features=features(["x"], [1])).score_authors(["x"])


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(TrainingError, match="11 known texts have no values of the features age"):
        NumericFeatures(features(TEXTS[:1], [1])).fit(TEXTS, AUTHORS)
    with pytest.raises(TrainingError, match="the same value in all known texts"):
        NumericFeatures(features(TEXTS, [1] * 12)).fit(TEXTS, AUTHORS)
    with pytest.raises(TrainingError, match="there are no features"):
        NumericFeatures().fit(TEXTS, AUTHORS)
    with pytest.raises(UsageError, match=r"values has the shape \(1, 2\); it must have one row"):
        TextFeatures.of(["a"], [[1, 2]], ["x"])
    with pytest.raises(UsageError, match=r"values\[0, 0\] is nan; use finite numbers"):
        TextFeatures.of(["a"], [[np.nan]], ["x"])
    with pytest.raises(UsageError, match="two equal texts, 'a', have different values"):
        TextFeatures.of(["a", "a"], [[1], [2]], ["x"])


def test_clones_share_the_values() -> None:
    classifier = fitted()
    assert clone(classifier).features is classifier.features


# In a stack.


def stack_of(*others: tuple[str, Any], columns: Any = AGES, names: Any = ("age",)) -> Any:
    own = NumericFeatures(features(TEXTS, columns, names))
    classifiers = [*others, ("features", own)]
    return StackedAttributor(classifiers, folds=2, passage_lengths=(3,)).fit(TEXTS, AUTHORS)


@pytest.fixture(scope="module")
def stack() -> StackedAttributor:
    ridge = ("ridge", NgramRidge(min_documents=1))
    trained: StackedAttributor = stack_of(ridge)
    return trained


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_a_stack_normalises_texts_and_still_finds_their_values(
    stack: StackedAttributor, tmp_path: Path
) -> None:
    """Quotation marks are normalised, so that the text that is scored is not the one given."""
    save_attributor(stack, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert isinstance(loaded, StackedAttributor)
    for each in (stack, loaded):
        given = each.base_classifiers_["features"]
        assert isinstance(given, NumericFeatures)
        given.set_params(features=features(QUESTIONED, [61, 22, 42]))
        assert each.predict(QUESTIONED).tolist() == ["cyd", "ada", "ben"]
    np.testing.assert_array_equal(
        loaded.predict_log_proba(QUESTIONED), stack.predict_log_proba(QUESTIONED)
    )


def test_texts_that_an_evaluation_has_normalised_are_recognised() -> None:
    normalized = list(map(Normalization.parse("edition").apply, TEXTS))
    assert set(normalized).isdisjoint(TEXTS)
    classifiers = [("features", NumericFeatures(features(TEXTS, AGES)))]
    stack = StackedAttributor(classifiers, folds=2, passage_lengths=()).fit(normalized, AUTHORS)
    assert stack.predict(normalized).tolist() == stack.predict(TEXTS).tolist()
    assert stack.score_texts(normalized).by_base_classifier.any(axis=2).all()


def test_evidence_has_the_contribution_of_the_features(stack: StackedAttributor) -> None:
    stack.base_classifiers_["features"].set_params(features=features(QUESTIONED, [61, 22, 42]))
    evidence = explain(stack, QUESTIONED[0], first="cyd", second="ada")
    odds = dict(zip(stack.classes_, stack.score_texts([QUESTIONED[0]]).log_odds[0], strict=True))
    assert evidence.log_lr == pytest.approx(odds["cyd"] - odds["ada"])
    shares = dict(evidence.by_classifier)
    assert shares["features"] > abs(shares["ridge"])


def test_a_caveat_says_that_a_text_has_no_values(stack: StackedAttributor) -> None:
    # Reversed, because known texts are declined without caveats.
    texts = [" ".join(TEXTS[n].split()[::-1]) + " Nobody heard it." for n in (0, 1)]
    stack.base_classifiers_["features"].set_params(features=features(texts[:1], [61]))
    answers = stack.attribute(texts)
    codes = [
        [each.code for each in caveats_for(stack, answer, stack.normalization_.apply(text))]
        for answer, text in zip(answers, texts, strict=True)
    ]
    assert ["no-features" in each for each in codes] == [False, True]


def test_constant_features_are_named_in_a_warning() -> None:
    columns = np.column_stack([AGES, np.ones(12)])
    with pytest.warns(BylineWarning, match="1 feature has the same value .* used: one"):
        stack_of(columns=columns, names=("age", "one"))


def test_a_reference_population_has_no_values() -> None:
    reference = ReferencePopulation(["a b c"] * 2, ["eve", "fay"], "others")
    classifier = NumericFeatures(features(TEXTS, AGES))
    with pytest.raises(UsageError, match="cannot be combined with a reference population"):
        StackedAttributor([("features", classifier)]).fit(TEXTS, AUTHORS, reference=reference)


# The features of other classifiers.


def test_features_of_classifiers_are_matrices_with_names() -> None:
    texts = ["the cat sat", "the cat slept", "a dog ran", "a dog barked"]
    authors = ["Ann", "Ann", "Bob", "Bob"]
    ridge, svm, delta = (
        each.fit(texts, authors) for each in (NgramRidge(), NgramSVM(), BurrowsDelta())
    )
    for each in (ridge, svm, delta):
        names = each.get_feature_names_out().tolist()
        assert each.transform(texts).shape == (4, len(names)) == (4, len(set(names)))
    [column, *_] = [
        place
        for place, name in enumerate(ridge.get_feature_names_out())
        if name.endswith(":the cat") and not name.startswith("char")
    ]
    occurs: Any = ridge.transform(texts)[:, [column]]
    assert (occurs.toarray()[:, 0] > 0).tolist() == [True, True, False, False]
    products: Any = ridge.transform(["a cat"]) @ ridge.known_.T
    kernel = products.toarray()
    scores = kernel @ ridge.dual_coef_ + ridge.intercept_
    assert ridge.score_authors(["a cat"]) == pytest.approx(scores, rel=1e-5)
    cat = delta.get_feature_names_out().tolist().index("cat")
    assert (delta.transform(texts)[:, cat] > 0).tolist() == [True, True, False, False]
