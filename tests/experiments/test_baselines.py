"""Simple methods on the held-out texts of an evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor, BurrowsDelta, StackedAttributor
from byline.attribution.stacking import delta_attributor
from byline.corpus import Corpus
from byline.errors import TrainingError, UsageError
from byline.experiments import evaluate
from byline.experiments.baselines import (
    BASE_CLASSIFIER,
    SIMPLE,
    BaselineComparison,
    BaselineResult,
    compare_with_baselines,
    evaluated_name,
    verdict_sentences,
)
from byline.experiments.benchmarks import METHODS
from byline.experiments.simple_methods import (
    MOST_FREQUENT,
    SIMPLE_METHODS,
    find_simple_methods,
)

MakeCorpus = Callable[..., Corpus]
GUESSING = BaselineResult(MOST_FREQUENT, "most frequent author", MOST_FREQUENT, 5, p_value=1e-6)


def simple(n_correct: int, p_value: float, title: str = "Cosine Delta") -> BaselineResult:
    return BaselineResult("cosine-delta", title, SIMPLE, n_correct, p_value=p_value)


def judged(n: int, n_correct: int, *methods: BaselineResult, **options: Any) -> str:
    guessing = options.get("guessing", GUESSING)
    return " ".join(verdict_sentences("the default", n, n_correct, methods, guessing))


def test_a_clearly_better_method_is_named_with_its_numbers() -> None:
    assert judged(50, 33, simple(41, 0.022)) == (
        "Cosine Delta is clearly better than the default: 41 against 33 of 50 texts (p = 0.022)."
    )
    models = replace(simple(45, 1e-9), method="language-models", title="language models alone")
    assert judged(50, 20, models) == (
        "Language models alone are clearly better than the default: 45 against 20 of 50 texts "
        "(p < 0.0001)."
    )


def test_a_small_difference_is_described_soberly() -> None:
    assert judged(16, 15, simple(16, 1.0), simple(14, 1.0)) == (
        "No simple method is clearly better than the default on these texts. Cosine Delta "
        "correctly attributed 16 of 16 texts and the default 15. So small a difference can be "
        "chance (p = 1). With only 1 text that the default misattributed, no method could be "
        "clearly better."
    )


def test_a_better_default_is_named() -> None:
    text = judged(50, 45, simple(30, 0.001), simple(44, 1.0, "other"))
    assert text == (
        "No simple method is clearly better than the default on these texts. With only 5 texts "
        "that the default misattributed, no method could be clearly better. The default is clearly "
        "better than Cosine Delta."
    )
    assert judged(50, 40, simple(39, 1.0)) == (
        "No simple method is clearly better than the default on these texts."
    )


def test_a_method_that_could_not_be_trained_is_no_comparison() -> None:
    failed = BaselineResult("svm", "SVM", SIMPLE, failure="too little text")
    assert judged(50, 40, failed) == (
        "No simple method could be trained, so that the default was not compared."
    )


def test_an_accuracy_by_chance_gives_no_reason_to_trust() -> None:
    guessing = replace(GUESSING, n_correct=25, p_value=0.8)
    assert judged(50, 24, simple(26, 1.0), guessing=guessing).endswith(
        "The default is not clearly better than always choosing the author with the most known "
        "texts (24 against 25 of 50 texts, p = 0.8), so this evaluation gives no reason to trust "
        "its answers."
    )


def test_few_texts_do_not_show_that_answers_can_be_trusted() -> None:
    guessing = replace(GUESSING, n_correct=4, p_value=0.125)
    assert judged(8, 8, simple(8, 1.0), guessing=guessing) == (
        "No simple method is clearly better than the default on these texts. The default is not "
        "clearly better than always choosing the author with the most known texts (8 against 4 of "
        "8 texts, p = 0.12), so more texts are needed to show that its answers can be trusted."
    )


def compared(
    rows: dict[str, str], predicted: str, most_frequent: str = "bbbbbbbb"
) -> BaselineComparison:
    """Compare methods whose predictions are letters, on eight texts by a and b in turn."""
    methods = [method for name, method in SIMPLE_METHODS.items() if name in rows]
    return compare_with_baselines(
        delta_attributor(),
        methods,
        list("abababab"),
        list(predicted),
        list(most_frequent),
        [{name: list(own) for name, own in rows.items()}],
        [{"cosine-delta": list("aaaaaaaa"), "style": list("bbbbbbbb")}],
    )


def test_discordant_texts_are_counted() -> None:
    found = compared({"burrows-delta": "abababab"}, "bbbbabab")
    delta, cosine, style, guessing = found.methods
    # The evaluated method is wrong for texts 1 and 3 only.
    assert (found.n, found.n_correct) == (8, 6)
    assert (delta.n_correct, delta.n_only_method, delta.n_only_evaluated) == (8, 2, 0)
    assert delta.p_value == pytest.approx(2 * 0.5**2)  # both of two discordant texts
    assert (cosine.kind, cosine.n_correct, cosine.p_value) == (BASE_CLASSIFIER, 4, None)
    assert (cosine.title, style.title) == ("Cosine Delta", "style")
    assert (guessing.method, guessing.n_correct) == (MOST_FREQUENT, 4)
    json.dumps(found.to_dict(), allow_nan=False)


def test_p_values_are_adjusted_by_the_method_of_holm() -> None:
    found = compared(
        {
            "burrows-delta": "bababab" + "a",
            "char-ngram-svm": "abababba",
            "cosine-delta": "abababab",
        },
        "abababab",
    )
    by_name = {each.method: each for each in found.methods}
    # 0, 6 and 8 of 8 correct against 8: raw p-values 2 / 2^8, 2 / 2^2 and 1.
    assert by_name["burrows-delta"].p_value == pytest.approx(3 * 2 / 2**8)
    assert by_name["char-ngram-svm"].p_value == 1.0  # 2 * 0.5
    assert by_name["cosine-delta"].p_value == 1.0


def test_names_of_simple_methods() -> None:
    assert [each.name for each in find_simple_methods(["svm", "delta", "svm"])] == [
        "char-ngram-svm",
        "burrows-delta",
    ]
    assert [each.short for each in find_simple_methods(["all"])] == [
        "delta",
        "cosine-delta",
        "svm",
        "language-models",
    ]
    with pytest.raises(UsageError, match="no simple method 'deltas'; choose from delta, cosine-"):
        find_simple_methods(["deltas"])
    with pytest.raises(UsageError, match="give no baselines"):
        find_simple_methods([])


def test_benchmarks_have_the_same_simple_methods() -> None:
    assert METHODS.keys() >= SIMPLE_METHODS.keys() - {"cosine-delta"}


def test_the_name_of_the_evaluated_method() -> None:
    assert evaluated_name(StackedAttributor()) == "the default"
    assert evaluated_name(delta_attributor()) == "the evaluated method"
    assert evaluated_name(AuthorshipAttributor()) == "the evaluated method"


def test_an_evaluation_compares_on_the_same_texts(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 6, "Ben": 6})
    evaluation = evaluate(corpus, delta_attributor(), folds=3, baselines=["all"])
    found = evaluation.baselines
    assert found is not None
    assert found.n == evaluation.whole.n_questioned == 12
    assert found.n_correct == sum(d.author == d.predicted for d in evaluation.decisions)
    names = [each.method for each in found.methods]
    assert names == [
        "burrows-delta",
        "cosine-delta",
        "char-ngram-svm",
        "language-models",
        MOST_FREQUENT,
    ]
    assert evaluation.to_dict()["comparison"]["methods"][0]["title"] == "Burrows's Delta"
    assert evaluate(corpus, delta_attributor(), folds=3).baselines is None


def test_a_simple_method_equals_its_own_evaluation(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 4, "Ben": 4})
    evaluation = evaluate(corpus, delta_attributor(), folds=2, baselines=["language-models"])
    alone = evaluate(corpus, AuthorshipAttributor(), folds=2, baselines=["language-models", "svm"])
    assert evaluation.baselines is not None and alone.baselines is not None
    assert evaluation.baselines.methods[0].n_correct == alone.baselines.n_correct
    assert alone.baselines.methods[0].failure == "they are the evaluated method"


def test_failed_training_is_a_reason_in_the_row(
    make_corpus: MakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: BurrowsDelta, *args: Sequence[str], **options: Any) -> None:
        raise TrainingError("too little text")

    monkeypatch.setattr(BurrowsDelta, "fit", refuse)
    corpus = make_corpus({"Ada": 4, "Ben": 4})
    evaluation = evaluate(corpus, AuthorshipAttributor(), folds=2, baselines=["delta", "svm"])
    assert evaluation.baselines is not None
    delta, svm, _ = evaluation.baselines.methods
    assert (delta.failure, delta.n_correct, svm.failure) == (
        "it could not be trained: too little text",
        None,
        None,
    )


def test_an_unknown_method_is_refused_before_training(make_corpus: MakeCorpus) -> None:
    with pytest.raises(UsageError, match="no simple method 'lda'"):
        evaluate(make_corpus({"Ada": 4, "Ben": 4}), delta_attributor(), baselines=["lda"])
