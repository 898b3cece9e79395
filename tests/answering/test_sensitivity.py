"""Answers that are repeated in variations, on small invented corpora."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config

from byline.answering import (
    check_trained_on,
    plan_sensitivity,
    run_variations,
    sensitivity,
)
from byline.attribution import AuthorshipAttributor, NgramRidge, StackedAttributor
from byline.attribution.stacking.reference.validation import ReferenceValidation
from byline.corpus import Corpus, Document
from byline.errors import TrainingError, UsageError
from byline.lm import NgramLM

WORDS = {
    "Ada": ["engine", "loom", "card", "number", "weaves", "counts", "it", "the", "and", "of"],
    "Ben": ["ship", "sail", "rope", "storm", "turns", "sinks", "she", "the", "and", "on"],
    "Cleo": ["river", "boat", "oil", "grain", "flows", "grows", "he", "the", "and", "in"],
}


def make_text(author: str, seed: int, n: int = 12) -> str:
    rng = np.random.default_rng([seed, ord(author[0])])
    lines = [" ".join(rng.choice(WORDS[author], size=7)).capitalize() for _ in range(n)]
    return ". ".join(lines) + "."


def make_corpus(n_authors: int = 3, n_texts: int = 2) -> Corpus:
    return Corpus(
        [
            Document(author, make_text(author, seed), f"{author}/{seed}.txt")
            for author in [*WORDS][:n_authors]
            for seed in range(n_texts)
        ],
        "known",
    )


def language_models(**params: Any) -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=2), n_samples=1, min_tokens=5, **params)


def stack(corpus: Corpus) -> StackedAttributor:
    base: list[Any] = [("language-models", language_models()), ("ridge", NgramRidge())]
    model = StackedAttributor(base, folds=2, passage_lengths=(20,))
    return model.fit(corpus.texts, corpus.authors, groups=corpus.works)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return make_corpus()


@pytest.fixture(scope="module")
def fitted(corpus: Corpus) -> StackedAttributor:
    return stack(corpus)


@pytest.fixture(scope="module")
def models(corpus: Corpus) -> AuthorshipAttributor:
    return language_models().fit(corpus.texts, corpus.authors)


QUESTIONED = [make_text("Ada", 90), make_text("Ben", 91)]


def test_a_clear_answer_does_not_change(corpus: Corpus, fitted: StackedAttributor) -> None:
    plan = plan_sensitivity(fitted, corpus, QUESTIONED, ["a", "b"], n_known_texts=3, n_seeds=1)
    found = run_variations(plan)
    assert [each.answer.path for each in found] == ["a", "b"]
    for each, author in zip(found, ["Ada", "Ben"], strict=True):
        # 3 known texts, 1 seed; without the second candidate, and against it alone
        assert each.n_planned == len(each.varied) == 6
        assert each.changed == []
        assert each.verdict.startswith(f"The first candidate is {author} in all 6 variations. In")
        assert all(varied.probability == varied.first_probability for varied in each.varied)


def test_a_repetition_without_a_change_gives_the_same_answer(
    corpus: Corpus, models: AuthorshipAttributor
) -> None:
    [found] = run_variations(plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"], n_seeds=0))
    again = found.varied[0]
    assert again.variation.kind == "trained-again"
    assert again.first == found.answer.ranking[0].author
    assert again.probability is None


def test_another_seed_trains_another_model(corpus: Corpus, fitted: StackedAttributor) -> None:
    plan = plan_sensitivity(fitted, corpus, QUESTIONED[:1], ["a"], n_known_texts=0, n_seeds=2)
    [found] = run_variations(plan)
    ratios = {each.log10_lr for each in found.varied if each.variation.seed_offset}
    assert len(ratios | {found.answer.ranking[0].log10_lr}) == 3


def test_a_text_that_decides_alone_is_found() -> None:
    # Ada's other text has Ben's words: without text 0 the answer changes.
    documents = [
        Document("Ada", make_text("Ada", 0), "Ada/0.txt"),
        Document("Ada", make_text("Cleo", 1), "Ada/1.txt"),
        Document("Ben", make_text("Ben", 0), "Ben/0.txt"),
        Document("Ben", make_text("Ada", 2)[:300] + make_text("Ben", 3), "Ben/1.txt"),
    ]
    known = Corpus(documents, "known")
    model = language_models().fit(known.texts, known.authors)
    plan = plan_sensitivity(model, known, [make_text("Ada", 9)], ["a"], n_seeds=0)
    [found] = run_variations(plan)
    assert found.answer.ranking[0].author == "Ada"
    assert [each.variation.name for each in found.changed] == ["without the text Ada/0.txt"]
    assert "The answer changes to Ben without the text Ada/0.txt. In the " in found.verdict


def test_words_that_are_not_frequent_are_masked(
    monkeypatch: pytest.MonkeyPatch, corpus: Corpus, models: AuthorshipAttributor
) -> None:
    monkeypatch.setattr("byline.answering.variations.KEPT_WORDS", (2,))
    plan = plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"], n_known_texts=0, n_seeds=0)
    masked = [each for each in plan.variations if each.n_kept_words == 2]
    assert len(masked) == 1
    assert set(plan.words[:2]) == {"and", "the"}
    training = sensitivity._training(plan, plan.variations.index(masked[0]))
    words = {word for text in training.known for word in text.replace(".", "").lower().split()}
    assert {"and", "the"} < words
    assert all(set(word) == {"z"} for word in words - {"and", "the"})
    assert "engine" not in training.texts[0]


def test_numbers_of_processes_and_the_order_of_texts_change_nothing(
    corpus: Corpus, models: AuthorshipAttributor
) -> None:
    turned = corpus.select(range(len(corpus) - 1, -1, -1))
    plans = [
        plan_sensitivity(models, given, QUESTIONED, ["a", "b"], n_known_texts=3, n_seeds=1)
        for given in (corpus, turned)
    ]
    assert pickle.dumps(sensitivity._training(plans[1], 0))  # as processes need it
    with parallel_config(backend="threading"):  # starts faster than processes
        one, two = (
            run_variations(plan, n_jobs=n_jobs) for plan, n_jobs in zip(plans, (1, 2), strict=True)
        )
    for first, second in zip(one, two, strict=True):
        assert first.verdict == second.verdict
        shown = [
            [(each.variation.name, each.first, each.log10_lr) for each in found.varied]
            for found in (first, second)
        ]
        assert shown[0] == shown[1]


def test_a_declined_text_needs_no_training(corpus: Corpus, models: AuthorshipAttributor) -> None:
    plan = plan_sensitivity(models, corpus, [""], ["empty.txt"])
    assert plan.variations == ()
    [found] = run_variations(plan)
    assert found.verdict == "The text was declined (the text is empty), so no answer was varied."


def test_training_that_fails_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, corpus: Corpus, models: AuthorshipAttributor
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise TrainingError("an author has no token")

    plan = plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"], n_known_texts=1, n_seeds=0)
    monkeypatch.setattr(AuthorshipAttributor, "fit", fail)
    [found] = run_variations(plan)
    assert {each.reason for each in found.varied} == {"an author has no token"}
    assert found.verdict == f"In {found.n_planned} variations there is no answer."


def interrupted_after(n: int) -> Callable[..., None]:
    """Return a progress that raises KeyboardInterrupt after so many variations."""

    def progress(done: int, total: int, what: str) -> None:
        if done >= 100 * n:
            raise KeyboardInterrupt

    return progress


def test_an_interruption_keeps_what_is_finished(
    corpus: Corpus, models: AuthorshipAttributor
) -> None:
    plan = plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"])
    [found] = run_variations(plan, progress=interrupted_after(3))
    assert len(found.varied) == 3 < found.n_planned
    assert found.verdict.endswith("variations were computed before the interruption.")


def test_an_interruption_before_the_first_result_ends_the_work(
    corpus: Corpus, models: AuthorshipAttributor
) -> None:
    plan = plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"])
    with pytest.raises(KeyboardInterrupt):
        run_variations(plan, progress=interrupted_after(0))


def test_progress_counts_up_to_the_end(corpus: Corpus, models: AuthorshipAttributor) -> None:
    steps: list[tuple[int, int]] = []
    plan = plan_sensitivity(models, corpus, QUESTIONED[:1], ["a"], n_known_texts=1, n_seeds=0)
    run_variations(plan, progress=lambda done, total, what: steps.append((done, total)))
    total = 100 * len(plan.variations)
    assert steps[-1] == (total, total)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_a_variation_has_the_parameters_of_the_model(corpus: Corpus) -> None:
    base = [("language-models", language_models(random_state=7, n_jobs=2))]
    model = StackedAttributor(base, random_state=3, n_jobs=2, open_set=True, passage_lengths=(9,))
    varied = sensitivity._vary_parameters(model, 2)
    params = varied.get_params(deep=True)
    assert params["random_state"] == 5
    assert params["language_models__random_state"] == 9
    assert params["n_jobs"] == params["language_models__n_jobs"] == 1
    assert params["open_set"] is False
    assert params["passage_lengths"] == (9,)
    assert model.random_state == 3


def test_other_texts_than_those_of_the_training_are_refused(
    corpus: Corpus, fitted: StackedAttributor, models: AuthorshipAttributor
) -> None:
    check_trained_on(corpus, fitted, "m.byline")
    other = corpus.select(range(1, len(corpus)))
    with pytest.raises(
        UsageError, match=r"the texts in known are not those that m\.byline was trained on \(1 mis"
    ):
        check_trained_on(other, fitted, "m.byline")
    check_trained_on(other, models, "m.byline")  # which has no record of its texts


def test_a_model_with_a_reference_population_is_refused(corpus: Corpus) -> None:
    fitted = stack(corpus)
    fitted.reference_validation_ = ReferenceValidation.__new__(ReferenceValidation)
    with pytest.raises(UsageError, match=r"m\.byline was trained with a reference population"):
        check_trained_on(corpus, fitted, "m.byline")
