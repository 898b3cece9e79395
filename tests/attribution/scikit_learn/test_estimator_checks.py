"""scikit-learn's checks of estimators, on estimators that read rows of numbers as texts."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import Tags
from sklearn.utils.estimator_checks import check_param_validation, estimator_checks_generator
from sklearn.utils.validation import validate_data

from byline.errors import TrainingError

if TYPE_CHECKING:
    from tests.attribution.scikit_learn.conftest import Texts
else:
    Texts = Any

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "scikit-learn.md"
TABLE = "does not apply: it tests how a table of numbers is read"
REASONS = {
    "check_array_api_input": TABLE,
    "check_complex_data": TABLE,
    "check_dtype_object": TABLE,
    "check_estimator_sparse_array": TABLE,
    "check_estimator_sparse_matrix": TABLE,
    "check_estimator_sparse_tag": TABLE,
    "check_estimators_dtypes": TABLE,
    "check_estimators_empty_data_messages": TABLE,
    "check_estimators_nan_inf": TABLE,
    "check_f_contiguous_array_estimator": TABLE,
    "check_fit1d": TABLE,
    "check_fit2d_1feature": TABLE,
    "check_fit2d_predict1d": TABLE,
    "check_n_features_in": TABLE,
    "check_n_features_in_after_fitting": TABLE,
    "check_positive_only_tag_during_fit": TABLE,
    "check_readonly_memmap_input": TABLE,
    "check_transformer_preserve_dtypes": TABLE,
    "check_classifiers_one_label": "fails on purpose: texts of a single author are refused",
    "check_fit2d_1sample": "fails on purpose: a single text is refused",
}
REFUSED = ("check_classifiers_one_label", "check_fit2d_1sample")
STEPS = range(-7, 8)
METHODS = (
    "predict",
    "decision_function",
    "score_authors",
    "predict_proba",
    "predict_log_proba",
    "transform",
)


def _row_as_text(row: np.ndarray[Any, Any]) -> str:
    """Write which thresholds each number of a row reaches, one word for each of them."""
    levels = np.clip(np.round(2 * row), -7, 7)
    return " ".join(
        f"{chr(97 + column % 26)}{'over' if level >= step else 'under'}{abs(step)}{step < 0:d}"
        for column, level in enumerate(levels.tolist())
        for step in STEPS
    )


class ReadsNumbers:
    """Read a table of numbers as texts, and leave texts as they are."""

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string, tags.input_tags.two_d_array = False, True
        return tags

    def fit(self, X: Any, y: Any, **params: Any) -> Any:
        return super().fit(self._texts(X, reset=True), y, **params)  # type: ignore[misc]

    def _texts(self, X: Any, *, reset: bool = False) -> list[str]:
        if isinstance(X, list) and all(isinstance(text, str) for text in X):
            return X
        return list(map(_row_as_text, validate_data(self, X, reset=reset)))


def _reading_numbers(name: str, kind: type[Any]) -> Callable[..., Any]:
    def method(self: Any, X: Any, **params: Any) -> Any:
        return getattr(super(kind, self), name)(self._texts(X), **params)

    return method


def numeric(estimator: Any) -> Any:
    """Return a copy of an estimator that reads rows of numbers as texts."""
    kind: Any = type(f"Numeric{type(estimator).__name__}", (ReadsNumbers, type(estimator)), {})
    kind.__module__ = __name__
    globals()[kind.__name__] = kind  # where pickle looks for it
    for name in METHODS:
        if hasattr(type(estimator), name):
            setattr(kind, name, _reading_numbers(name, kind))
    return kind(**estimator.get_params(deep=False))


def test_estimators_pass_the_checks_that_apply_to_texts(
    estimators: Mapping[str, Any], pytestconfig: pytest.Config
) -> None:
    passed: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for estimator in map(numeric, estimators.values()):
        for checked, check in estimator_checks_generator(estimator):
            name = check.func.__name__
            if {*check.keywords} - {"name"}:
                continue  # a variant with other storage of the numbers
            names[name] += 1
            if name in REFUSED or name not in REASONS:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    passed[name] += _passes(check, checked)
    rows = [[f"`{name}`", f"{REASONS[name]}" if name in REASONS else "passes"] for name in names]
    assert {name: passed[name] for name in names if name not in REASONS} == {
        name: number for name, number in names.items() if name not in REASONS
    }
    assert not any(passed[name] for name in REFUSED)
    _compare("checks", ["check", "result"], rows, pytestconfig)


def _passes(check: Callable[[Any], object], estimator: Any) -> bool:
    try:
        check(estimator)
    except (AssertionError, TrainingError):
        return False
    return True


def test_every_parameter_is_declared_and_checked(name: str, estimator: Any) -> None:
    checked = numeric(estimator)
    checked.__class__.__name__ = name
    check_param_validation(name, checked)


def test_scorers_work_where_they_work_with_scikit_learns_own_classifiers(
    estimators: Mapping[str, Any], known: Texts, questioned: Texts, pytestconfig: pytest.Config
) -> None:
    """Of classifiers with and without probabilities, by the labels of the authors."""
    names = [name for name in get_scorer_names() if not _is_of_numbers(name)]
    cases = [
        {
            has_probabilities: [_working(each, names, *asked) for each in classifiers]
            for has_probabilities, classifiers in _fitted(estimators.values(), train).items()
        }
        for train, asked in _cases(known, questioned)
    ]
    for case in cases:
        for peer, *own in case.values():
            assert own == [peer] * len(own)
    rows = [
        [f"`{name}`"] + [ANSWERS[name in case[False][0], name in case[True][0]] for case in cases]
        for name in names
    ]
    others = [name for name in get_scorer_names() if name not in names]
    rows += [[f"`{name}`", *["does not apply"] * 3] for name in others]
    header = ["scorer", "two authors, names", "two authors, 0 and 1", "three authors"]
    _compare("scorers", header, rows, pytestconfig)


ANSWERS = {
    (False, False): "no",
    (False, True): "with probabilities",
    (True, True): "yes",
}


def _cases(known: Texts, questioned: Texts) -> list[tuple[Any, Any]]:
    """Return known and questioned texts with the authors' names, numbers, and three names."""
    two = [(each.of(2).texts, each.of(2).authors) for each in (known, questioned)]
    numbered = [(texts, [int(name == "Bob") for name in names]) for texts, names in two]
    three = [(each.texts, each.authors) for each in (known, questioned)]
    return [(two[0], two[1]), (numbered[0], numbered[1]), (three[0], three[1])]


def _fitted(estimators: Iterable[Any], train: tuple[list[str], list[Any]]) -> dict[bool, list[Any]]:
    """Fit a classifier of scikit-learn, and those of ours that have probabilities as it has."""
    peers = [make_pipeline(CountVectorizer(), peer) for peer in (LinearSVC(), LogisticRegression())]
    fitted: dict[bool, list[Any]] = {False: [], True: []}
    for each in (*peers, *map(clone, estimators)):
        fitted[hasattr(each, "predict_proba")].append(each.fit(*train))
    return fitted


def _working(classifier: Any, names: list[str], texts: list[str], authors: list[Any]) -> set[str]:
    """Return the scorers that give a number; they share what the classifier predicts."""
    if not hasattr(classifier, "predict_proba"):
        names = [name for name in names if get_scorer(name)._response_method != "predict_proba"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = check_scoring(classifier, scoring=names, raise_exc=False)
        scores = score(classifier, texts, authors)
    # Of a scorer that fails, there is the traceback.
    return {
        name for name, found in scores.items() if not isinstance(found, str) and np.isfinite(found)
    }


def _is_of_numbers(name: str) -> bool:
    return "regression" in get_scorer(name)._score_func.__module__


def _compare(
    name: str, header: list[str], rows: list[list[str]], pytestconfig: pytest.Config
) -> None:
    """Compare a table of the page with what was found, by the version that the page names."""
    lines = [header, ["---"] * len(header), *rows]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    page = PAGE.read_text(encoding="utf-8")
    pattern = rf"(?<=<!-- {name} -->\n\n).*?(?=\n\n<!-- end of {name} -->)"
    found = re.search(pattern, page, flags=re.DOTALL)
    assert found
    if pytestconfig.getoption("--update-pages"):
        page = page[: found.start()] + table + page[found.end() :]
        PAGE.write_text(page, encoding="utf-8")
    elif f"scikit-learn {sklearn.__version__}" in page:
        assert found[0] == table
