"""Calibration metrics of an evaluation."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from byline import answering
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes
from byline.attribution.result import NOT_CALIBRATED
from byline.attribution.stacking import LANGUAGE_MODELS, default_base_classifiers
from byline.corpus import Corpus
from byline.experiments import Fold, evaluate, evaluate_fitted, hold_out
from byline.experiments.metrics import Calibration, FoldOutcomes
from byline.lm import NgramLM

MakeCorpus = Callable[..., Corpus]


def models(min_tokens: int = 1) -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=min_tokens)


def stack(min_tokens: int = 1) -> StackedAttributor:
    return StackedAttributor([("models", models(min_tokens))], folds=2, passage_lengths=(1,))


def test_probabilities_equal_those_of_the_stack(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 15, "Ben": 15})
    mistaken = Corpus([replace(corpus[0], author="Ben"), *corpus[1:]], "one is wrong")
    fold = hold_out(mistaken)
    fitted = stack().fit(fold.known.texts, fold.known.authors)
    evaluation = evaluate_fitted(fitted, fold, sentences=(1,))
    calibration = evaluation.whole.calibration
    assert calibration is not None
    assert calibration.calibration_unavailable_reason is None
    assert calibration.after is not None
    probabilities = fitted.predict_proba(fold.questioned.texts)
    labels = np.searchsorted(fitted.classes_, fold.questioned.authors)
    own = probabilities[np.arange(len(labels)), labels]
    assert calibration.after.n == len(fold.questioned)
    assert calibration.after.log_loss == pytest.approx(-np.log(own).mean())
    whole = [decision for decision in evaluation.decisions if decision.sentences is None]
    assert [d.probability for d in whole] == pytest.approx(probabilities.max(axis=1))
    # Likelihood ratios are those of attribute().
    answers = fitted.attribute(fold.questioned.texts)
    calibrated = [place.log10_lr or 0.0 for answer in answers for place in answer.ranking]
    assert calibration.tippett is not None
    assert calibration.tippett.log10_thresholds[-1] == pytest.approx(max(calibrated))


def test_before_has_the_posteriors_of_the_language_models(make_corpus: MakeCorpus) -> None:
    fold = hold_out(make_corpus({"Ada": 15, "Ben": 15}))
    fitted = stack().fit(fold.known.texts, fold.known.authors)
    calibration = evaluate_fitted(fitted, fold).whole.calibration
    assert calibration is not None
    assert calibration.before is not None
    answers = fitted.attribute(fold.questioned.texts)
    found = [{p.author: p.log_likelihood or 0 for p in answer.ranking} for answer in answers]
    best = [max(values, key=values.__getitem__) for values in found]
    assert best == list(fold.questioned.authors)  # all texts are correctly attributed
    # Log loss of the more probable of two authors: ln(1 + exp(-difference)).
    losses = [math.log1p(math.exp(min(f.values()) - max(f.values()))) for f in found]
    assert calibration.before.log_loss == pytest.approx(float(np.mean(losses)), abs=1e-12)


def test_language_models_without_a_stack_are_uncalibrated(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    evaluation = evaluate(make_corpus({"Ada": 4, "Ben": 4}), attributor, folds=2, sentences=(2,))
    for metrics in (evaluation.whole, *evaluation.by_length):
        assert metrics.calibration is not None
        assert metrics.calibration.calibration_unavailable_reason == NOT_CALIBRATED
        assert metrics.calibration.after is None
        assert metrics.calibration.tippett is None
        assert metrics.calibration.before is not None
        assert metrics.calibration.before.n == metrics.n_questioned
    assert {decision.probability for decision in evaluation.decisions} == {None}


def test_a_few_texts_are_calibrated_with_simulated_cases(make_corpus: MakeCorpus) -> None:
    few = StackedAttributor([(LANGUAGE_MODELS, models())], folds=2)
    # Two texts per author: one is known and one is questioned, so that none can be held out.
    evaluation = evaluate(make_corpus({"Ada": 2, "Ben": 2}), few, folds=2)
    calibration = evaluation.whole.calibration
    assert calibration is not None
    assert calibration.calibration_unavailable_reason is None
    assert calibration.after is not None
    assert calibration.after.n == 4
    assert {0 < (decision.probability or 0) < 1 for decision in evaluation.decisions} == {True}
    json.dumps(evaluation.to_dict(), allow_nan=False)


def test_declined_texts_count_with_equal_probabilities(make_corpus: MakeCorpus) -> None:
    fold = hold_out(make_corpus({"Ada": 15, "Ben": 15}))
    fitted = stack(min_tokens=10).fit(fold.known.texts, fold.known.authors)
    evaluation = evaluate_fitted(fitted, fold, sentences=(1,))
    # Eight tokens per sentence, and ten are required for an attribution.
    [ones] = evaluation.by_length
    assert ones.n_declined == ones.n_questioned
    assert ones.calibration is not None and ones.calibration.after is not None
    after = ones.calibration.after
    assert after.n == ones.n_questioned
    assert after.log_loss == pytest.approx(math.log(2))
    assert after.brier_score == pytest.approx(0.5)
    assert after.cllr == pytest.approx(1.0)  # likelihood ratios of 1
    decisions = [decision for decision in evaluation.decisions if decision.sentences == 1]
    assert {decision.probability for decision in decisions} == {None}
    assert evaluation.whole.calibration is not None
    assert evaluation.whole.calibration.after is not None
    assert evaluation.whole.calibration.after.n == evaluation.whole.n_questioned


def test_an_evaluation_judges_what_attribute_states(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 10, "Ben": 10})
    # Texts without any capital letter or paragraph differ from the known texts in a convention.
    changed = [
        replace(each, text=each.text.lower()) if number % 5 == 0 else each
        for number, each in enumerate(corpus)
    ]
    fold = hold_out(Corpus(changed, "changed"))
    short = replace(fold.questioned[0], text="Too short.", path="short.txt")
    again = replace(fold.questioned[1], text=f"{fold.questioned[1].text} " * 4, path="again.txt")
    fold = Fold(fold.known, Corpus([*fold.questioned, short, again], "changed"))
    prototype = StackedAttributor(default_base_classifiers(models(min_tokens=10)), folds=2)
    fitted = prototype.fit(fold.known.texts, fold.known.authors)
    evaluation = evaluate_fitted(fitted, fold)
    paths = [document.path for document in fold.questioned]
    answers = answering.answer(fitted, fold.questioned.texts, paths=paths, evidence=False)
    losses, llrs = [], []
    for decision, answer, document in zip(
        evaluation.decisions, answers, fold.questioned, strict=True
    ):
        assert decision.declined == (answer.declined is not None)
        stated = {place.author: place for place in answer.ranking}
        if answer.declined:
            assert decision.probability is None
            losses.append(math.log(2))
            llrs.append(0.0)
            continue
        assert decision.predicted == answer.ranking[0].author
        assert decision.probability == answer.ranking[0].probability
        own = stated[document.author]
        assert own.probability is not None and own.log10_lr is not None
        losses.append(-math.log(own.probability))
        llrs.append(own.log10_lr)
    calibration = evaluation.whole.calibration
    assert calibration is not None and calibration.after is not None
    assert calibration.after.log_loss == pytest.approx(float(np.mean(losses)))
    assert evaluation.whole.n_declined == 1
    assert calibration.tippett is not None
    assert calibration.tippett.misleading_targets == pytest.approx(np.mean(np.array(llrs) < 0))
    codes = [{caveat.code for caveat in own} for own in (each.caveats for each in answers)]
    assert evaluation.answer_caveats is not None
    assert evaluation.answer_caveats.n_with == sum(map(bool, codes)) > 0
    assert evaluation.answer_caveats.counts.keys() == set().union(*codes)


def test_the_error_by_chance_is_that_of_calibrated_answers() -> None:
    rng = np.random.default_rng(0)
    confidences = rng.uniform(0.5, 1, 400)
    right = rng.random(400) < confidences
    log_probs = np.log(np.stack([confidences, 1 - confidences], axis=1))
    found = Calibration.of(
        [FoldOutcomes(None, None, CalibrationOutcomes.of(log_probs, (~right).astype(int)))]
    )
    assert found.after is not None
    assert found.ece_by_chance is not None and found.ece_by_chance_95 is not None
    assert 0 < found.ece_by_chance < found.ece_by_chance_95
    assert found.after.ece < found.ece_by_chance_95


def test_metrics_are_computed_over_all_folds() -> None:
    folds = [
        FoldOutcomes(None, None, CalibrationOutcomes.of(np.log([[0.8, 0.2]]), [0])),
        FoldOutcomes("too little", None, None),
        FoldOutcomes(None, None, CalibrationOutcomes.of(np.log([[0.6, 0.3, 0.1]]), [1])),
    ]
    calibration = Calibration.of(folds)
    assert calibration.calibration_unavailable_reason == "too little"
    assert calibration.after is not None
    assert calibration.after.n == 2
    # (0.2^2 + 0.2^2 = 0.08; 0.6^2 + 0.7^2 + 0.1^2 = 0.86)
    assert calibration.after.brier_score == pytest.approx(0.47)
    assert calibration.before is None
