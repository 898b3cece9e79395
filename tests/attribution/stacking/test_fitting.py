"""Fitting a stack to few texts, and laws of its answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution import AuthorshipAttributor, NgramBlock, NgramRidge
from byline.attribution.model_files.held_out_results import combination_arrays, held_out_arrays
from byline.attribution.stacking import StackedAttributor, default_base_classifiers
from byline.attribution.stacking.fallbacks import MAX_PROBABILITY
from byline.attribution.stacking.prior import KnownAmounts, WeightPrior
from byline.errors import TrainingError
from byline.lm import NgramLM

WORDS = {
    author: text.split()
    for author, text in {
        "ann": "the engine weaves numbers like any loom weaves leaves and then will stop",
        "bob": "our ship sails north when winds turn cold and every sailor counts rope",
        "cleo": "ripe plums fall near a garden wall where old bees hum over warm stones",
    }.items()
}
AUTHORS = list(WORDS)
SHARED = sorted(word for words in WORDS.values() for word in words)
FORMS: dict[str, Callable[[str], str]] = {
    "as the known texts": str,
    "small letters": str.lower,
    "capitals": str.upper,
    "one line": lambda text: text.replace(".", "").replace(",", ""),
}


def write(author: str, seed: int, n_sentences: int = 20) -> str:
    """Write sentences of six own words and four of all authors' words."""
    rng = np.random.default_rng([seed, *author.encode()])
    sentences = []
    for _ in range(n_sentences):
        words = [*rng.choice(WORDS[author], 6), *rng.choice(SHARED, 4)]
        rng.shuffle(words)
        sentences.append(f"{' '.join(words[:4])}, {' '.join(words[4:])}.".capitalize())
    return " ".join(sentences)


def ridge(**params: Any) -> StackedAttributor:
    """Return a stack that is trained quickly."""
    members = [("characters", NgramRidge((NgramBlock("char", (2, 3)),)))]
    return StackedAttributor(members, folds=2, passage_lengths=(9,)).set_params(**params)


def with_defaults(n_texts: int) -> StackedAttributor:
    models = AuthorshipAttributor(NgramLM(order=2), n_samples=1)
    stack = StackedAttributor(default_base_classifiers(models), passage_lengths=(20,))
    authors = AUTHORS * n_texts
    texts = [write(author, seed) for seed, author in enumerate(authors)]
    works = [str(number // len(AUTHORS)) for number in range(len(texts))]
    return stack.fit(texts, authors, groups=works)


@pytest.fixture(scope="module")
def of_one_text() -> StackedAttributor:
    """Return a stack of one text per author."""
    return with_defaults(1)


@pytest.fixture(scope="module")
def of_two_texts() -> StackedAttributor:
    return with_defaults(2)


def test_one_text_per_author_is_enough_for_a_probability(of_one_text: StackedAttributor) -> None:
    answers = of_one_text.attribute([write(author, 99) for author in AUTHORS])
    assert [answer.ranking[0].author for answer in answers] == AUTHORS
    assert all((answer.ranking[0].probability or 0) > 1 / 3 for answer in answers)
    assert of_one_text.calibrator_.n_held_out == of_one_text.n_held_out_ == 0
    assert of_one_text.calibrator_.basis.endswith("simulated cases")
    assert "held-out" not in of_one_text.calibrator_.basis
    rules = of_one_text.fallbacks_
    assert {rule.n_held_out for rule in rules} == {0}


def test_held_out_texts_adjust_the_prior(
    of_one_text: StackedAttributor, of_two_texts: StackedAttributor
) -> None:
    prior, adjusted = (each.combination_ for each in (of_one_text, of_two_texts))
    assert not np.allclose(prior.log_weights, adjusted.log_weights)
    # Authors are equal, and amounts nearly so.
    assert np.abs(prior.biases).max() < 0.1
    assert of_two_texts.calibrator_.basis.startswith("6 held-out known texts and ")


def test_base_classifiers_without_a_prior_need_a_second_work() -> None:
    texts = [write(author, 0) for author in AUTHORS]
    expected = "no author has a second work that could be held out to weight characters; add "
    with pytest.raises(TrainingError, match=expected):
        ridge().fit(texts, AUTHORS)
    with pytest.raises(TrainingError, match=expected):
        ridge().fit(texts * 2, AUTHORS * 2, groups=AUTHORS * 2)


def test_an_open_set_needs_held_out_texts_by_candidates() -> None:
    models = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    members = [("language-models", models)]  # which have a prior
    stack = StackedAttributor(members, passage_lengths=(), open_set=True)
    with pytest.raises(TrainingError, match="there are 3 and 0 of these; add known texts"):
        stack.fit([write(author, 0) for author in AUTHORS], AUTHORS)


def test_the_prior_is_that_of_the_default_classes_and_not_of_their_names() -> None:
    texts = [write(author, 0) for author in AUTHORS]
    named = StackedAttributor([("style", NgramRidge((NgramBlock("char", (2, 3)),)))])
    with pytest.raises(TrainingError, match="to weight style; add second works"):
        named.fit(texts, AUTHORS)


def test_an_only_work_is_not_held_out_and_has_no_part_in_the_held_out_texts() -> None:
    authors = [*AUTHORS, *AUTHORS[:2]]
    stack = ridge().fit([write(author, seed) for seed, author in enumerate(authors)], authors)
    assert set(stack.held_out_results_.labels.tolist()) == {0, 1}
    assert stack.calibrator_.n_held_out == 4
    assert stack.predict([write("cleo", 99)]).tolist() == ["cleo"]


def test_the_prior_of_a_held_out_text_is_for_the_texts_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, KnownAmounts]] = []
    terms = WeightPrior.terms

    def spy(self: WeightPrior, sizes: Any, known: KnownAmounts) -> Any:
        told.append((len(sizes), known))
        return terms(self, sizes, known)

    monkeypatch.setattr(WeightPrior, "terms", spy)
    texts = [write("ann", 1, 30), write("ann", 2, 10), write("bob", 3, 20), write("bob", 4, 5)]
    ridge(passage_lengths=()).fit(texts, ["ann", "ann", "bob", "bob"])
    sizes = [len("".join(text.split())) for text in texts]
    left = {(known.characters[0], known.characters[1]) for n, known in told if n == 1}
    assert left == {
        (sizes[1], sizes[2] + sizes[3]),
        (sizes[0], sizes[2] + sizes[3]),
        (sizes[0] + sizes[1], sizes[3]),
        (sizes[0] + sizes[1], sizes[2]),
    }
    assert {known.n_texts for n, known in told if n == 1} == {1.5}
    # The weights of a questioned text are those for all known texts.
    _, of_all = told[-1]
    assert of_all.characters.tolist() == [sizes[0] + sizes[1], sizes[2] + sizes[3]]


@pytest.mark.parametrize("n_texts", [2, 6])  # few works, and folds of several works
def test_the_order_of_texts_and_works_does_not_matter(n_texts: int) -> None:
    authors = AUTHORS * n_texts
    texts = [write(author, seed, 5) for seed, author in enumerate(authors)]
    one = ridge().fit(texts, authors)
    order = np.random.default_rng(1).permutation(len(texts)).tolist()
    other = ridge().fit([texts[n] for n in order], [authors[n] for n in order])
    _assert_equal(one, other)


def test_the_order_of_validation_texts_does_not_matter() -> None:
    texts, authors = [write(author, 1, 5) for author in AUTHORS], AUTHORS
    asked, true = [write(author, n, 5) for n in (7, 8) for author in AUTHORS], AUTHORS * 2
    one = ridge().fit(texts, authors, validation=(asked, true))
    other = ridge().fit(texts, authors, validation=(asked[::-1], true[::-1]))
    _assert_equal(one, other)


def _assert_equal(one: StackedAttributor, other: StackedAttributor) -> None:
    for name, array in combination_arrays(one.combination_).items():
        np.testing.assert_array_equal(array, combination_arrays(other.combination_)[name], name)
    for name, array in held_out_arrays(one.held_out_results_).items():
        np.testing.assert_array_equal(array, held_out_arrays(other.held_out_results_)[name], name)
    assert one.calibrator_ == other.calibrator_


def test_the_scale_of_long_texts_does_not_change_what_language_models_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    models = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    stack = StackedAttributor([("models", models)], folds=2, passage_lengths=())
    authors = AUTHORS * 2
    texts = [write(author, seed) for seed, author in enumerate(authors)]
    plain = stack.fit(texts, authors).held_out_results_.nats_per_character
    monkeypatch.setattr("byline.attribution.stacking.combination.LONGEST", 100)
    scaled = stack.fit(texts, authors).held_out_results_.nats_per_character
    assert plain is not None and scaled is not None
    np.testing.assert_array_equal(scaled, plain)


@given(
    words=st.lists(st.sampled_from(SHARED), min_size=1, max_size=60),
    form=st.sampled_from(sorted(FORMS)),
    data=st.data(),
)
@settings(deadline=None, max_examples=15)
def test_the_probability_of_every_candidate_is_that_of_the_likelihood_ratio(
    words: list[str],
    form: str,
    data: st.DataObject,
    of_one_text: StackedAttributor,
    of_two_texts: StackedAttributor,
) -> None:
    """The odds of a probability are the likelihood ratio times the prior odds 1 to n - 1."""
    stack = data.draw(st.sampled_from([of_one_text, of_two_texts]))
    sentences = [" ".join(words[n : n + 8]).capitalize() + "." for n in range(0, len(words), 8)]
    text = FORMS[form](" ".join(sentences))
    [answer], [probabilities] = stack.attribute([text]), stack.predict_proba([text])
    assert probabilities.sum() == pytest.approx(1)
    choice = stack.choose_rule(stack.normalization_.apply(text))
    if answer.declined is not None:
        return
    for place in answer.ranking:
        assert place.probability is not None and place.log10_lr is not None
        column = stack.classes_.tolist().index(place.author)
        assert place.probability == pytest.approx(probabilities[column], rel=1e-12)
        odds = place.probability / (1 - place.probability)
        assert 10**place.log10_lr / (len(AUTHORS) - 1) == pytest.approx(odds, rel=1e-6)
    highest = answer.ranking[0].probability or 0
    uniform = choice.rule.calibrator.uniform
    assert highest <= 1 - uniform * (1 - 1 / len(AUTHORS)) + 1e-12
    if choice.is_limited:
        assert highest <= MAX_PROBABILITY + 1e-12
