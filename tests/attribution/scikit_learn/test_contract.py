"""What scikit-learn's tools expect of classifiers, for every public class."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import has_fit_parameter
from tests.attribution.scikit_learn.conftest import ESTIMATORS, WORDS

import byline.attribution
from byline.answering import answer
from byline.attribution import BurrowsDelta, StackedAttributor
from byline.errors import UsageError

if TYPE_CHECKING:
    from tests.attribution.scikit_learn.conftest import Texts
else:
    Texts = Any

LABELS: Mapping[str, Mapping[str, Any]] = {
    "names": {"Ann": "Ann", "Bob": "Bob", "Cleo": "Cleo"},
    "integers": {"Ann": 3, "Bob": -1, "Cleo": 20},
    "digits": {"Ann": "3", "Bob": "10", "Cleo": "20"},
}
GRIDS: Mapping[str, Mapping[str, list[Any]]] = {
    "AuthorshipAttributor": {"language_model__order": [1, 2], "encoder__lowercase": [True]},
    "BurrowsDelta": {"n_words": [1, 50]},
    "ChunkedClassifier": {"classifier__n_words": [1, 50]},
    "MostFrequentAuthor": {},
    "NgramProfiles": {"min_authors": [1, 2]},
    "NgramRidge": {"ridge": [0.1, 10.0]},
    "NgramSVM": {"C": [0.1, 1.0]},
    "StackedAttributor": {"delta__n_words": [1, 50]},
}


def test_every_public_classifier_of_texts_is_tested(estimators: Mapping[str, Any]) -> None:
    public = {name for name in byline.attribution.__all__ if hasattr(_public(name), "predict")}
    # The features of `NumericFeatures` are rows of a table, and not read from the texts.
    others = {"AuthorshipVerifier", "NumericFeatures", "TextClassifier"}
    assert public - others == set(estimators)


def _public(name: str) -> Any:
    return getattr(byline.attribution, name)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("n_authors", [2, 3])
def test_predict_returns_classes_and_decides_as_the_scores_do(
    labels: str, n_authors: int, estimator: Any, known: Texts, questioned: Texts
) -> None:
    """A text that is declined, empty or of unknown words is one of the texts."""
    texts, authors, _ = known.of(n_authors)
    estimator.fit(texts, [LABELS[labels][author] for author in authors])
    asked = [*questioned.texts, "", "Hm.", "zzz " * 30]
    found = estimator.predict(asked)
    assert found.shape == (len(asked),) and found.dtype == estimator.classes_.dtype
    scores, values = estimator.score_authors(asked), estimator.decision_function(asked)
    assert scores.shape == (len(asked), n_authors)
    if n_authors == 2:
        np.testing.assert_array_equal(values, scores[:, 1] - scores[:, 0])
        expected = (values > 0).astype(int)
    else:
        np.testing.assert_array_equal(values, scores)
        expected = values.argmax(axis=1)
    np.testing.assert_array_equal(found, estimator.classes_[expected])
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(asked)
        assert probabilities.shape == (len(asked), n_authors)
        np.testing.assert_array_equal(probabilities.argmax(axis=1), expected)
    assert estimator.score(asked, found) == 1
    assert estimator.score(asked, found, sample_weight=np.arange(len(asked))) == 1


def test_reads_pandas(estimator: Any, known: Texts, questioned: Texts) -> None:
    index = np.arange(len(known.texts))[::-1] + 7
    texts, authors = (pd.Series(values, index=index) for values in known[:2])
    expected = clone(estimator).fit(*known[:2]).predict(questioned.texts)
    for kind in ("str", "object", "category"):
        fitted = clone(estimator).fit(texts, authors.astype(kind))
        found = fitted.predict(pd.Series(questioned.texts, dtype="str"))
        np.testing.assert_array_equal(found, expected)
        assert fitted.classes_.dtype.kind == "U"


@pytest.mark.parametrize("n_authors", [2, 3])
def test_cross_validates_with_works_as_groups(n_authors: int, estimator: Any, known: Texts) -> None:
    texts, authors, works = known.of(n_authors)

    def validate(method: str) -> Any:
        return cross_val_predict(
            estimator, texts, authors, groups=works, cv=GroupKFold(2), method=method
        )

    assert set(validate("predict")) <= set(authors)
    one_per_text, one_per_author = (len(texts),), (len(texts), n_authors)
    expected = one_per_text if n_authors == 2 else one_per_author
    assert validate("decision_function").shape == expected
    if hasattr(estimator, "predict_proba"):
        assert validate("predict_proba").shape == one_per_author


def test_searches_a_parameter(name: str, estimator: Any, known: Texts) -> None:
    search = GridSearchCV(estimator, GRIDS[name], cv=GroupKFold(2), scoring="balanced_accuracy")
    search.fit(*known[:2], groups=known.works)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    best = search.best_estimator_.get_params()
    assert search.best_params_ == {parameter: best[parameter] for parameter in GRIDS[name]}
    assert set(search.predict(known.texts)) <= set(known.authors)


@pytest.mark.parametrize(("n_authors", "options"), [(2, {}), (3, {"ensemble": False})])
def test_can_be_calibrated(
    n_authors: int, options: dict[str, Any], estimator: Any, known: Texts, questioned: Texts
) -> None:
    texts, authors, _ = known.of(n_authors)
    calibrated = CalibratedClassifierCV(estimator, cv=2, **options).fit(texts, authors)
    probabilities = calibrated.predict_proba(questioned.of(n_authors).texts)
    assert probabilities.shape == (4 * n_authors, n_authors)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_weights_of_samples_are_those_of_the_calibration_alone(
    estimator: Any, known: Texts, questioned: Texts
) -> None:
    """As scikit-learn's tools do with classifiers that do not weight samples, such as k-NN."""
    texts, authors, _ = known.of(2)
    weights = np.linspace(0.1, 1, len(texts))
    assert not has_fit_parameter(estimator, "sample_weight")
    calibrated = CalibratedClassifierCV(estimator, cv=2)
    with pytest.warns(UserWarning, match="does not appear to accept sample_weight"):
        calibrated.fit(texts, authors, sample_weight=weights)
    assert np.isfinite(calibrated.predict_proba(questioned.texts)).all()
    with config_context(enable_metadata_routing=True):
        scored = clone(estimator).set_score_request(sample_weight=True)
        routed = cross_validate(scored, texts, authors, cv=2, params={"sample_weight": weights})
        assert np.isfinite(routed["test_score"]).all()
        with pytest.raises(UnsetMetadataPassedError):
            cross_validate(estimator, texts, authors, cv=2, params={"sample_weight": weights})


def test_works_are_routed(estimator: Any, known: Texts) -> None:
    with config_context(enable_metadata_routing=True):
        if has_fit_parameter(estimator, "groups"):
            estimator.set_fit_request(groups=True)
        scores = cross_validate(
            estimator,
            *known[:2],
            cv=GroupKFold(2),
            params={"groups": known.works},
            return_estimator=True,
        )
    assert np.isfinite(scores["test_score"]).all()
    for fitted in scores["estimator"]:
        if hasattr(fitted, "training_record_"):
            assert [fitted.training_record_.n_works(each) for each in fitted.classes_] == [2] * 3


def _copies(fitted: Any) -> Iterator[Any]:
    yield pickle.loads(pickle.dumps(fitted))  # noqa: S301
    stream = io.BytesIO()
    joblib.dump(fitted, stream)
    stream.seek(0)
    yield joblib.load(stream)


def test_copies_give_the_same_results(estimator: Any, known: Texts, questioned: Texts) -> None:
    fitted = estimator.fit(*known[:2])
    for copy in _copies(fitted):
        assert copy.get_params().keys() == fitted.get_params().keys()
        np.testing.assert_array_equal(
            copy.decision_function(questioned.texts), fitted.decision_function(questioned.texts)
        )
    assert is_classifier(fitted)
    assert fitted.__sklearn_tags__().input_tags.string
    unfitted = clone(fitted)
    assert repr(unfitted) == repr(fitted)
    assert not hasattr(unfitted, "classes_")
    again = unfitted.fit(*known[:2]).decision_function(questioned.texts)
    np.testing.assert_array_equal(again, fitted.decision_function(questioned.texts))


@pytest.mark.filterwarnings("ignore:When `set_output`")
def test_the_form_of_outputs_of_other_steps_changes_nothing(
    estimator: Any, known: Texts, questioned: Texts
) -> None:
    expected = clone(estimator).fit(*known[:2]).decision_function(questioned.texts)
    pipeline = make_pipeline(FunctionTransformer(_lower), estimator).set_output(transform="pandas")
    with config_context(transform_output="pandas"):
        found = pipeline.fit(*known[:2]).decision_function(questioned.texts)
    assert type(found) is np.ndarray
    assert found.shape == expected.shape
    assert pipeline.predict(questioned.texts).dtype == estimator.classes_.dtype


def _lower(texts: list[str]) -> pd.Series[str]:
    return pd.Series(texts).str.lower()


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["Ann", float("nan")], r"Unknown label type: author 1 is nan \(float\)"),
        (["Ann", None], r"author 1 is None \(NoneType\)"),
        ([True, False], r"author 0 is True \(bool\)"),
        (np.array([True, False]), r"author 0 is .*True"),
        ([1, "Ann"], r"author 0 is 1 \(int\); authors must be names, or all of them whole"),
        ([2**63, 1], r"author 0 is 9223372036854775808 \(int\).* whole numbers of 64 bits"),
        (["Ann", " "], "the name of an author is empty"),
        (
            ["Ann", "Bob\0"],
            r"the author's name Bob\\x00 contains characters that",
        ),
        (["Ann", "B\nob"], "contains characters that cannot be printed"),
        (["Ann", "B\ud800b"], "contains characters that cannot be printed"),
        (["Ann", "cannot tell"], "an author is called 'cannot tell', which is the label of texts"),
        (["Ann", "none of the candidates"], "an author is called 'none of the candidates'"),
        ({"Ann": 1, "Bob": 2}, "a list of authors is needed, but this is a dict"),
        ({"Ann", "Bob"}, "a list of authors is needed, but this is a set"),
    ],
)
def test_labels_that_are_not_authors_are_refused(
    labels: Any, message: str, estimator: Any, known: Texts
) -> None:
    with pytest.raises(UsageError, match=message):
        estimator.fit([known.texts[0], known.texts[-1]], labels)


def test_texts_without_an_order_are_refused(estimator: Any, known: Texts) -> None:
    fitted = estimator.fit(*known[:2])
    for texts in (set(known.texts), dict.fromkeys(known.texts, 1)):
        with pytest.raises(UsageError, match=r"list of texts is needed, but this is a (set|dict)"):
            fitted.predict(texts)


def test_an_empty_list_of_texts_has_no_features(name: str, estimator: Any, known: Texts) -> None:
    fitted = estimator.fit(*known[:2])
    assert fitted.predict([]).shape == (0,)
    if hasattr(fitted, "transform"):
        assert fitted.transform([]).shape == (0, len(fitted.get_feature_names_out()))


def test_groups_can_be_numbers(estimator: Any, known: Texts) -> None:
    if has_fit_parameter(estimator, "groups"):
        numbers = np.array([known.works.index(work) for work in known.works])
        scores = [
            clone(estimator).fit(*known[:2], groups=groups).decision_function(known.texts)
            for groups in (numbers, list(map(str, numbers)))
        ]
        np.testing.assert_array_equal(*scores)


def test_a_pipeline_can_be_a_base_classifier(known: Texts, questioned: Texts) -> None:
    pipeline = make_pipeline(BurrowsDelta(50), LogisticRegression())
    stack = StackedAttributor([("pipeline", pipeline)], folds=2, passage_lengths=())
    assert set(stack.fit(*known[:2]).predict(questioned.texts)) <= set(known.authors)


def test_answers_about_authors_that_are_numbers(known: Texts, questioned: Texts) -> None:
    """As in a service where authors are rows of a database."""
    numbers = [list(WORDS).index(author) + 1 for author in known.authors]
    for name in ("AuthorshipAttributor", "StackedAttributor"):
        model = clone(ESTIMATORS[name]).fit(known.texts, numbers)
        text = " ".join(questioned.texts[:4])
        [found] = answer(model, [text])
        assert found.author == "1"
        assert json.loads(json.dumps(found.to_dict()))["ranking"][0]["author"] == "1"
