"""What scikit-learn's tools expect of the verifier, a classifier of problems."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict
from sklearn.utils.estimator_checks import check_param_validation

from byline.attribution import AuthorshipVerifier, NgramBlock
from byline.attribution.verification import VerificationProblem

Problems = tuple[list[VerificationProblem], list[bool], list[tuple[str, str]]]
SCORERS = ["accuracy", "average_precision", "f1", "neg_brier_score", "neg_log_loss", "roc_auc"]


@pytest.fixture(scope="module")
def verifier() -> AuthorshipVerifier:
    """Return an unfitted verifier with a few features."""
    return AuthorshipVerifier([NgramBlock("word", (1, 1))])


def test_scores_copies_and_calibrates(verifier: AuthorshipVerifier, problems: Problems) -> None:
    asked, same, _ = problems
    fitted = clone(verifier).fit(asked, same)
    assert is_classifier(fitted)
    assert not fitted.__sklearn_tags__().input_tags.two_d_array
    values, found = fitted.decision_function(asked), fitted.predict(asked)
    np.testing.assert_array_equal(found, fitted.classes_[(values > 0).astype(int)])
    assert found.dtype == fitted.classes_.dtype == bool
    scores = check_scoring(fitted, scoring=SCORERS)(fitted, asked, same)
    assert scores["roc_auc"] > 0.9 and np.isfinite(list(scores.values())).all()
    copy = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    np.testing.assert_array_equal(copy.decision_function(asked), values)
    calibrated = CalibratedClassifierCV(FrozenEstimator(fitted)).fit(asked, same)
    assert calibrated.predict_proba(asked).shape == (24, 2)


def test_cross_validates_and_searches(verifier: AuthorshipVerifier, problems: Problems) -> None:
    asked, same, _ = problems
    groups = [number % 12 // 2 for number in range(24)]
    found = cross_val_predict(
        verifier, asked, same, groups=groups, cv=GroupKFold(6), method="decision_function"
    )
    assert found.shape == (24,)
    [split, *_] = GroupKFold(6).split(asked, same, groups)
    search = GridSearchCV(verifier, {"n_words": [50, 200]}, cv=[split], scoring="roc_auc")
    search.fit(asked, same)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_every_parameter_is_declared_and_checked() -> None:
    check_param_validation("AuthorshipVerifier", AuthorshipVerifier())
