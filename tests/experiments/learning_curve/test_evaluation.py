"""Learning curves of generated corpora, in which every author has words of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor
from byline.attribution.stacking import delta_attributor
from byline.corpus import Corpus, Document
from byline.errors import CorpusError, MissingExtraError, TrainingError, UsageError
from byline.experiments import LearningCurve, evaluate_learning_curve
from byline.experiments.fitting import fit_clone
from byline.experiments.learning_curve import answers
from byline.experiments.learning_curve import evaluation as module
from byline.experiments.learning_curve.answers import SampleAnswers
from byline.lm import NgramLM

MakeCorpus = Callable[..., Corpus]
MODELS = AuthorshipAttributor(NgramLM(order=1), n_samples=1)
SIZES: dict[str, Any] = {"known_words": [20, 60, 120], "text_words": [7, 14], "folds": 2}


@pytest.fixture(scope="module")
def corpus(make_corpus: MakeCorpus) -> Corpus:
    """Four texts of 42 words by each of three authors, who also share many words."""
    return make_corpus({"Ann": 8, "Bob": 8, "Cyd": 8})


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> LearningCurve:
    return evaluate_learning_curve(corpus, MODELS, passages=4, **SIZES)


def _results(found: LearningCurve) -> LearningCurve:
    """What does not depend on how long it took."""
    return replace(found, cpu_seconds=0.0)


def test_there_is_a_point_per_amount_and_length(found: LearningCurve) -> None:
    assert found.authors == ("Ann", "Bob", "Cyd")
    assert [(each.known_words, each.text_words) for each in found.points] == [
        (known, text) for known in (20, 60, 120) for text in (7, 14)
    ]
    for point in found.points:
        # Two folds with four held-out texts per author, of which four passages are chosen.
        assert point.n_answers == point.n_passages == 2 * 3 * 4
        low, high = point.accuracy_interval
        assert 0 <= low <= point.accuracy <= high <= 1
        assert point.log_loss is not None
        assert point.ece is not None
    assert found.points[-1].accuracy > 0.9
    assert found.is_calibrated is False  # language models alone


def test_curves_are_fitted_where_there_are_three_points(found: LearningCurve) -> None:
    # There are three amounts of known text, but only two lengths.
    assert [(each.axis, each.fixed) for each in found.curves] == [
        ("known_words", 7),
        ("known_words", 14),
    ]
    for curve in found.curves:
        assert curve.words[0] == pytest.approx(20)
        assert curve.words[-1] == pytest.approx(120)
        assert all(low <= high for low, high in zip(curve.low, curve.high, strict=True))


def test_the_order_of_the_texts_and_the_processes_change_nothing(
    corpus: Corpus, found: LearningCurve
) -> None:
    backwards = corpus.select(range(len(corpus) - 1, -1, -1))
    again = evaluate_learning_curve(backwards, MODELS, passages=4, jobs=2, **SIZES)
    assert _results(again) == _results(found)


def test_another_seed_gives_other_samples(corpus: Corpus, found: LearningCurve) -> None:
    other = evaluate_learning_curve(corpus, MODELS, passages=4, random_state=1, **SIZES)
    assert other.points != found.points


def test_repetitions_answer_the_same_passages_again(corpus: Corpus) -> None:
    found = evaluate_learning_curve(corpus, MODELS, passages=4, repetitions=3, **SIZES)
    assert found.n_samples == 6
    assert (found.points[0].n_answers, found.points[0].n_passages) == (72, 24)


def test_a_second_run_trains_only_what_is_missing(
    corpus: Corpus, found: LearningCurve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "answers.jsonl"
    steps: list[tuple[int, int]] = []

    def progress(done: int, total: int, what: str) -> None:
        steps.append((done, total))

    given = {**SIZES, "passages": 4, "results": results, "progress": progress}
    assert _results(evaluate_learning_curve(corpus, MODELS, **given)) == _results(found)
    lines = results.read_text().splitlines(keepends=True)
    assert len(lines) == 6  # three amounts in two folds
    assert steps == [(done, 6) for done in range(1, 7)]
    steps.clear()
    results.write_text("".join(lines[:4]) + lines[4][:50])  # killed in the fifth line
    assert _results(evaluate_learning_curve(corpus, MODELS, **given)) == _results(found)
    assert steps == [(5, 6), (6, 6)]
    monkeypatch.setattr(module, "answer_sample", None)  # nothing is trained
    assert _results(evaluate_learning_curve(corpus, MODELS, **given)) == _results(found)


def test_other_settings_do_not_use_earlier_answers(corpus: Corpus, tmp_path: Path) -> None:
    results = tmp_path / "answers.jsonl"
    evaluate_learning_curve(corpus, MODELS, results=results, passages=4, **SIZES)
    bigrams = AuthorshipAttributor(NgramLM(order=2), n_samples=1)
    evaluate_learning_curve(corpus, bigrams, results=results, passages=4, **SIZES)
    assert len(results.read_text().splitlines()) == 12


@pytest.mark.parametrize(
    "change",
    [
        {"known_words": "20"},
        {"confidences": []},
        {"is_correct": [1, 0]},
        {"log_losses": ["x"]},
        {"log_losses": [0.1, float("nan")]},
        {"confidences": [0.9, 7.0]},
        {"failure": "too little text"},
        {"extra": 1},
    ],
)
def test_a_file_of_something_else_is_an_error(
    corpus: Corpus, tmp_path: Path, change: dict[str, Any]
) -> None:
    stored = SampleAnswers("d", 0, 0, 20, None, False, [True, False], [0.1, 2.0], [0.9, 0.8], 1.0)
    results = tmp_path / "answers.jsonl"
    results.write_text(json.dumps(stored.to_dict() | change) + "\n")
    with pytest.raises(UsageError, match=r"line 1: this is not a result of .* byline evaluate;"):
        evaluate_learning_curve(corpus, MODELS, results=results, **SIZES)


def test_a_result_must_have_an_answer_about_each_passage(corpus: Corpus, tmp_path: Path) -> None:
    results = tmp_path / "answers.jsonl"
    given = {**SIZES, "passages": 4, "results": results}
    evaluate_learning_curve(corpus, MODELS, **given)
    first, *others = map(json.loads, results.read_text().splitlines())
    for name in ("is_correct", "log_losses", "confidences"):
        first[name] = first[name][:-1]
    results.write_text("".join(json.dumps(each) + "\n" for each in (first, *others)))
    with pytest.raises(UsageError, match="a result has 23 answers about 24 passages"):
        evaluate_learning_curve(corpus, MODELS, **given)


def test_the_order_of_the_rows_of_a_table_changes_nothing(corpus: Corpus) -> None:
    def table(documents: Sequence[Document]) -> Corpus:
        rows = enumerate(documents, start=1)
        return Corpus([Document(d.author, d.text, f"t.csv, row {n}") for n, d in rows], "t")

    forwards, backwards = table(list(corpus)), table(list(corpus)[::-1])
    for attributor in (MODELS, delta_attributor()):
        first, second = (
            evaluate_learning_curve(each, attributor, passages=4, **SIZES)
            for each in (forwards, backwards)
        )
        assert _results(first) == _results(second)


def test_a_fold_without_passages_leaves_the_calibration_of_the_others(
    make_corpus: MakeCorpus,
) -> None:
    corpus = make_corpus({"Ann": 4, "Bob": 4})
    short = [Document("Ann", "the of and", "Ann/short.txt")]
    given: Any = {"known_words": [20, 60], "text_words": [14], "folds": "leave-one-out"}
    found = evaluate_learning_curve(Corpus([*corpus, *short], "short"), MODELS, **given)
    assert all(point.log_loss is not None and point.ece is not None for point in found.points)


def test_questioned_texts_by_authors_who_are_left_out_are_an_error(corpus: Corpus) -> None:
    few = Document("Dan", "the of and danly", "Dan/1.txt")
    test = Corpus([Document("Dan", "danly and of the", "asked/1.txt")], "asked")
    with pytest.raises(TrainingError, match="no held-out text is by an author with enough known"):
        evaluate_learning_curve(Corpus([*corpus, few], "more"), MODELS, test=test)


def test_only_failed_training_is_stored(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*given: Any, **others: Any) -> Any:
        raise MissingExtraError("a library is not installed")

    monkeypatch.setattr(answers, "fit_clone", fail)
    results = tmp_path / "answers.jsonl"
    with pytest.raises(MissingExtraError):
        evaluate_learning_curve(corpus, MODELS, results=results, **SIZES)
    assert not results.exists()


def test_held_out_works_are_kept_together(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ann": 6, "Bob": 6}, n_works=2)
    given: Any = {"known_words": [20, 60], "text_words": [7], "split": "work"}
    found = evaluate_learning_curve(corpus, MODELS, **given)
    assert found.split["folds"] == 2
    assert found.points[0].n_works == 4  # two works of each author
    assert found.curves == ()


def test_separate_questioned_texts(corpus: Corpus, make_corpus: MakeCorpus) -> None:
    test = make_corpus({"Ann": 2, "Bob": 1}, seed=9, name="asked")
    found = evaluate_learning_curve(
        corpus, MODELS, test=test, known_words=[20, 200], text_words=[14]
    )
    assert found.split == {"protocol": "test", "test": "asked"}
    assert [point.n_passages for point in found.points] == [8, 8]  # 3 of each text, at most 5
    unknown = make_corpus({"Dan": 1})
    with pytest.raises(CorpusError, match="no known text by Dan"):
        evaluate_learning_curve(corpus, MODELS, test=unknown, known_words=[20, 200])


def test_an_author_with_little_text_is_left_out_and_named(corpus: Corpus) -> None:
    few = [Document("Dan", f"the of and danly {n} " * 2, f"Dan/{n}.txt") for n in range(3)]
    found = evaluate_learning_curve(Corpus([*corpus, *few], "more"), MODELS, **SIZES)
    assert found.authors == ("Ann", "Bob", "Cyd")
    assert found.left_out == {"Dan": 10}  # one of three texts is known in one of the folds
    assert all(point.n_passages == 30 for point in found.points)


def test_a_stack_states_calibrated_probabilities(corpus: Corpus) -> None:
    found = evaluate_learning_curve(
        corpus, delta_attributor(), known_words=[60, 120], text_words=[20], folds=2
    )
    assert found.is_calibrated
    assert all(point.log_loss is not None for point in found.points)


def test_amounts_with_which_training_fails_are_named(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = fit_clone

    def fit_enough(attributor: Any, known: Corpus, **given: Any) -> Any:
        if sum(len(text.split()) for text in known.texts) < least * len(known.candidates):
            raise TrainingError("too little text")
        return fit(attributor, known, **given)

    monkeypatch.setattr(answers, "fit_clone", fit_enough)
    least = 60
    found = evaluate_learning_curve(corpus, MODELS, **SIZES)
    assert found.failures == {20: "too little text"}
    assert {point.known_words for point in found.points} == {60, 120}
    assert found.curves == ()  # two amounts are left
    least = 500
    with pytest.raises(TrainingError, match="too little text"):
        evaluate_learning_curve(corpus, MODELS, **SIZES)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "sentence"}, "needs whole held-out texts"),
        ({"passages": 0}, "passages"),
        ({"repetitions": 0}, "repetitions"),
        ({"known_words": [50]}, "two or more amounts"),
    ],
)
def test_impossible_parameters_are_errors(
    corpus: Corpus, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate_learning_curve(corpus, MODELS, **given)
