"""Classifiers on the tasks of a benchmark, with progress and costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from byline.attribution.author_scores import author_scores
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.experiments.benchmarks import BENCHMARKS, Method, Setting, Task, run_benchmark
from byline.experiments.benchmarks.classifier_runs import (
    STEPS_PER_FIT,
    decisions_from_scores,
    run_method,
    texts_of_length,
)
from byline.experiments.benchmarks.methods import find_methods
from byline.experiments.benchmarks.tasks import NamedFold

SETTING = Setting("text")


class Reader:
    """A classifier that reads scores: the line ``1 0.5`` adds 0.5 to the author of column 1."""

    def __init__(self) -> None:
        self.classes_: NDArray[Any] = np.array([])

    def fit(self, X: Sequence[str], y: Sequence[str], *, progress: Any = None) -> Self:
        self.classes_ = np.unique(y)
        if progress is not None:
            progress(1, 4, "a quarter")
        return self

    def decision_function(self, X: Sequence[str]) -> NDArray[np.float64]:
        scores = np.zeros((len(X), len(self.classes_)))
        for row, text in enumerate(X):
            for column, score in map(str.split, text.split("\n")):
                scores[row, int(column)] += float(score)
        return scores


def corpus(*texts: tuple[str, str]) -> Corpus:
    documents = [Document(a, text, f"{number}.txt") for number, (a, text) in enumerate(texts)]
    return Corpus(documents, "made")


def task(
    *asked: tuple[str, str], lengths: tuple[int | None, ...] = (None,), n_folds: int = 1
) -> Task:
    known = corpus(("ann", "0 1"), ("bob", "1 1"))
    fold = NamedFold(known, corpus(*asked), "fold")
    return Task("made", "Made up.", (fold,) * n_folds, 0, lengths)


def test_predicted_author_and_rank() -> None:
    run = run_method(
        task(("ann", "0 1"), ("bob", "0 1"), ("bob", "1 2")),
        Method("reader", "Reader", lambda setting: Reader()),
        SETTING,
    )
    found = run.decisions[None]
    assert [(d.path, d.author, d.predicted, d.rank) for d in found] == [
        ("0.txt", "ann", "ann", 1),
        ("1.txt", "bob", "ann", 2),
        ("2.txt", "bob", "bob", 1),
    ]


def test_consecutive_texts_of_one_author_are_joined() -> None:
    # For ann, 0 + 3 against 1 is first for the two joined texts; her third text is left over.
    texts = [("ann", "1 1"), ("ann", "0 3"), ("ann", "1 1"), ("bob", "1 1"), ("bob", "0 2")]
    run = run_method(
        task(*texts, lengths=(1, 2, 3)),
        Method("reader", "Reader", lambda setting: Reader()),
        SETTING,
    )
    assert [d.predicted for d in run.decisions[1]] == ["bob", "ann", "bob", "bob", "ann"]
    assert [(d.path, d.author, d.predicted) for d in run.decisions[2]] == [
        ("0.txt", "ann", "ann"),
        ("3.txt", "bob", "ann"),
    ]
    # 1 + 1 for bob against 3 for ann
    assert [(d.author, d.predicted, d.sentences) for d in run.decisions[3]] == [("ann", "ann", 3)]


def test_ties_go_to_the_first_author() -> None:
    asked = task(("bob", "1 1")).folds[0].questioned
    [found] = decisions_from_scores(np.zeros((1, 2)), np.array(["ann", "bob"]), asked, 0, None)
    assert (found.predicted, found.rank) == ("ann", 2)


def test_one_column_of_scores_for_two_authors() -> None:
    known = corpus(("ann", "red"), ("ann", "red rose"), ("bob", "blue"), ("bob", "blue sky"))
    fold = NamedFold(known, corpus(("ann", "a red one"), ("bob", "a blue one")), "fold")
    svm = make_pipeline(TfidfVectorizer(), LinearSVC(random_state=0))
    run = run_method(
        Task("made", "Made up.", (fold,), 2), Method("svm", "SVM", lambda setting: svm), SETTING
    )
    assert [d.predicted for d in run.decisions[None]] == ["ann", "bob"]


def test_a_score_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(TrainingError, match=r"reader: a score of 1\.txt is not a number"):
        run_method(
            task(("ann", "0 1"), ("bob", "1 nan")),
            Method("reader", "Reader", lambda setting: Reader()),
            SETTING,
        )


def test_progress_has_a_fixed_number_of_steps_per_fit() -> None:
    told: list[tuple[int, int, str]] = []
    run_method(
        task(("ann", "0 1"), n_folds=2),
        Method("reader", "Reader", lambda setting: Reader()),
        SETTING,
        lambda done, total, what: told.append((done, total, what)),
    )
    assert told == [
        (24, 200, "reader, fold: a quarter"),
        (99, 200, "reader, fold: attributing"),
        (124, 200, "reader, fold: a quarter"),
        (199, 200, "reader, fold: attributing"),
        (200, 200, "reader"),
    ]
    assert STEPS_PER_FIT == 100


def test_costs_of_training_and_attribution() -> None:
    cost = run_method(
        task(("ann", "0 1")), Method("reader", "Reader", lambda setting: Reader()), SETTING
    ).cost
    assert cost.training >= 0
    assert cost.attribution >= 0
    assert cost.wall > 0


def test_language_models_sum_the_scores_of_joined_sentences(
    lay_out: Callable[[str], Path],
) -> None:
    [made] = BENCHMARKS["lectures16"].load(lay_out("lectures16"), ("sentences",), 0)
    [fold] = made.folds
    [method] = find_methods(["language-models"])
    fitted = method.make(Setting("tokenised")).fit(fold.known.texts, fold.known.authors)
    alone = author_scores(fitted, texts_of_length(fold, 1).texts)
    joined = author_scores(fitted, texts_of_length(fold, 4).texts)
    # four test sentences of each course
    assert joined == pytest.approx(alone.reshape(2, 4, -1).sum(axis=1))


class Weigher(Reader):
    """A classifier whose ``fit`` also takes validation texts."""

    def fit(  # type: ignore[override]
        self, X: Sequence[str], y: Sequence[str], *, validation: Any = None
    ) -> Self:
        self.validation = validation
        return super().fit(X, y)


def test_validation_texts_are_passed_to_classifiers_that_accept_them() -> None:
    [fold] = task(("ann", "0 1")).folds
    weigher = Weigher()
    method = Method("weigher", "Weigher", lambda setting: weigher)
    for validation, expected in ((None, None), (corpus(("bob", "1 2")), (["1 2"], ["bob"]))):
        with_it = NamedFold(fold.known, fold.questioned, "fold", validation)
        run_method(Task("made", "Made up.", (with_it,), 1), method, SETTING)
        assert weigher.validation == expected


def test_texts_of_all_lengths_are_scored_in_one_call() -> None:
    class Counter(Reader):
        calls = 0

        def decision_function(self, X: Sequence[str]) -> NDArray[np.float64]:
            self.calls += 1
            return super().decision_function(X)

    counter = Counter()
    asked = [("ann", "0 1"), ("ann", "0 1"), ("bob", "1 1")]
    run = run_method(
        task(*asked, lengths=(1, 2, 5)),
        Method("counter", "Counter", lambda setting: counter),
        SETTING,
    )
    assert counter.calls == 1
    assert {length: len(found) for length, found in run.decisions.items()} == {1: 3, 2: 1, 5: 0}


@pytest.mark.parametrize(
    ("name", "n_held_out"),
    # sixteen sentences of the validation part and four joined texts; none of the known texts
    [("adapted-mixture", None), ("mixture-stack", 20)],
)
def test_adapted_models_identify_the_courses(
    lay_out: Callable[[str], Path], name: str, n_held_out: int | None
) -> None:
    [made] = BENCHMARKS["lectures16"].load(lay_out("lectures16"), ("sentences",), 0)
    [method] = find_methods([name])
    classifier: Any = method.make(Setting("tokenised"))
    run = run_method(made, Method(name, name, lambda setting: classifier), Setting("tokenised"))
    assert getattr(classifier, "n_held_out_", None) == n_held_out
    # four test sentences of each of two courses, with distinctive words
    assert [d.author == d.predicted for d in run.decisions[1]].count(True) >= 7
    assert [(d.author, d.predicted) for d in run.decisions[3]] == [
        ("course-01", "course-01"),
        ("course-02", "course-02"),
    ]


def test_the_mixture_is_trained_on_running_text(lay_out: Callable[[str], Path]) -> None:
    [made] = BENCHMARKS["federalist"].load(lay_out("federalist"), ("disputed",), 0)
    [method] = find_methods(["adapted-mixture"])
    run = run_method(made, method, Setting("text"))
    assert [d.predicted for d in run.decisions[None]] == ["Madison", "Madison"]


def test_an_unknown_method_is_an_error() -> None:
    with pytest.raises(UsageError, match="no method deflaut; use default, delta, profiles, lang"):
        find_methods(["deflaut"])


def test_a_repeated_method_is_run_once() -> None:
    assert [method.name for method in find_methods(["default", "default"])] == ["default"]


def test_progress_of_a_whole_benchmark_ends_at_its_total(
    lay_out: Callable[[str], Path],
) -> None:
    told: list[tuple[int, int]] = []
    with pytest.warns(BylineWarning, match="results are not comparable with published ones"):
        run_benchmark(
            BENCHMARKS["federalist"],
            lay_out("federalist"),
            methods=("language-models",),
            baselines=(),
            progress=lambda done, total, what: told.append((done, total)),
        )
    # seven folds and one, of a hundred steps each
    assert told[-1] == (800, 800)
    assert told == sorted(told)
