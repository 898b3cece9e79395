"""`StackedAttributor`: what it is fitted to, its results, and scikit-learn's conventions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.attribution import AuthorshipAttributor
from byline.attribution.classifiers import MostFrequentAuthor, NgramSVM
from byline.attribution.stacking import StackedAttributor, default_base_classifiers
from byline.attribution.stacking.scores import text_blocks
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.lm import NgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]


@pytest.fixture(scope="module")
def known(write: Callable[[str, int, int], str]) -> Known:
    """Return 4, 2 and 3 texts of 100 sentences, in place of longer ones."""
    authors = ["brook"] * 4 + ["alder"] * 2 + ["cedar"] * 3
    return [write(author, 100, number) for number, author in enumerate(authors)], authors


@pytest.fixture(scope="module")
def stack(known: Known) -> StackedAttributor:
    return _prototype().fit(*known)


def _prototype() -> StackedAttributor:
    words = AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=1)
    return StackedAttributor(
        [("words", words), ("frequent", MostFrequentAuthor())], folds=2, passage_lengths=(3, 25)
    )


def test_it_agrees_with_its_best_base_classifier(
    stack: StackedAttributor, questioned: list[str]
) -> None:
    assert stack.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2
    assert stack.classes_.tolist() == ["alder", "brook", "cedar"]


def test_scores_that_mislead_hardly_change_the_probabilities() -> None:
    # Each author's texts are as similar to the other's as to their own, so that held-out texts are
    # attributed to the wrong author, whose text is still among the known texts.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # there is little text
        stack = StackedAttributor(
            [("words", AuthorshipAttributor(NgramLM(order=1), TextEncoder(), n_samples=1))],
            folds=3,
            passage_lengths=(),
        ).fit(
            [f"{subject} " * 40 for subject in ("the loom hums", "a ship sails", "an owl calls")]
            * 2,
            ["ann"] * 3 + ["bob"] * 3,
        )
    results = stack.held_out_results_
    assert (results.log_odds.argmax(axis=1) == results.labels).mean() <= 0.5
    assert stack.predict_proba(["the loom hums and a ship sails " * 20]).max() < 0.6


def test_probabilities_are_a_softmax_of_the_weighted_scores(
    stack: StackedAttributor, questioned: list[str]
) -> None:
    scores = stack.score_authors(questioned)
    sizes = np.array([len("".join(text.split())) for text in questioned])
    np.testing.assert_array_equal(
        scores, stack.combination_.combine(stack.base_classifier_scores(questioned), sizes)
    )
    probabilities = stack.predict_proba(questioned)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), scores.argmax(axis=1))


def test_every_text_and_passages_of_each_length_are_held_out(stack: StackedAttributor) -> None:
    # Nine texts, and from each six passages of 3 words and six of 25.
    assert stack.n_held_out_ == 9 * (1 + 6 + 6)
    assert stack.held_out_results_.n_texts == stack.calibrator_.n_held_out == 9


def test_with_too_many_texts_the_weights_are_fitted_to_equally_many_per_author(
    known: Known, questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byline.attribution.stacking.training_splits._MAX_SCORES", 3 * 12)
    monkeypatch.setattr("byline.attribution.stacking.training_splits._MIN_HELD_OUT", 1)
    stack = _prototype().fit(*known)
    assert stack.n_held_out_ == 12
    assert stack.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2


def test_blocks_of_texts_have_the_same_scores_as_all_at_once(
    stack: StackedAttributor, questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*questioned, "", "Too little.", *questioned]
    at_once = stack.score_texts(texts)
    n_characters = sum(len("".join(text.split())) for text in questioned[:3])
    monkeypatch.setattr(f"{StackedAttributor.__module__}._MAX_AT_ONCE", 3 * n_characters)
    in_blocks = stack.score_texts(texts)
    np.testing.assert_allclose(
        in_blocks.by_base_classifier, at_once.by_base_classifier, rtol=1e-12, atol=1e-9
    )
    np.testing.assert_allclose(in_blocks.log_odds, at_once.log_odds, rtol=1e-12, atol=1e-9)
    assert in_blocks.reasons == at_once.reasons
    tokens = at_once.counts.n_tokens.tolist()
    assert in_blocks.counts.n_tokens.tolist() == tokens


@pytest.mark.parametrize(
    ("sizes", "at_most", "expected"),
    [
        ([], 9, [0]),
        ([0, 0], 9, [2]),
        ([3, 3, 3], 9, [3]),
        ([3, 3, 3, 3], 6, [2, 2]),
        ([1, 1, 1, 1, 9, 1], 4, [4, 1, 1]),
        ([50, 1], 5, [1, 1]),
        ([1, 50], 5, [2]),
    ],
)
def test_blocks_have_about_equal_sizes(sizes: list[int], at_most: int, expected: list[int]) -> None:
    texts = ["x" * size for size in sizes]
    blocks = [texts[block] for block in text_blocks(texts, at_most)]
    assert [len(block) for block in blocks] == expected
    assert [text for block in blocks for text in block] == texts


def test_base_classifiers_never_score_a_text_that_they_were_trained_on(known: Known) -> None:
    trained: list[tuple[set[str], list[str]]] = []

    class Spy(MostFrequentAuthor):
        def fit(self, X, y, *, progress=None):  # type: ignore[no-untyped-def]
            self._known = set(X)
            return super().fit(X, y, progress=progress)

        def score_authors(self, X):  # type: ignore[no-untyped-def]
            trained.append((self._known, list(X)))
            return super().score_authors(X)

    StackedAttributor([("spy", Spy())], folds=3, passage_lengths=(25,)).fit(*known)
    assert len(trained) == 9  # there are few works, so that each is held out alone
    for texts, asked in trained:
        assert not any(piece in text for text in texts for piece in asked)


def test_the_same_seed_gives_the_same_result(
    stack: StackedAttributor, known: Known, questioned: list[str]
) -> None:
    again = clone(stack).fit(*known)
    np.testing.assert_array_equal(again.score_authors(questioned), stack.score_authors(questioned))


def test_texts_of_one_work_are_held_out_together(known: Known) -> None:
    texts, authors = known
    works = ["first", "second", "second", "second", *"ababb"]
    stack = _prototype().fit(texts, authors, groups=works)
    # Three texts of one work count as the root of 3 together, two as the root of 2.
    assert stack.calibrator_.n_held_out == 9
    whole = stack.held_out_results_.is_whole
    shares = sorted(stack.held_out_results_.shares[whole].tolist())
    np.testing.assert_allclose(shares, [3**-0.5] * 3 + [2**-0.5] * 2 + [1] * 4)


def test_progress_counts_every_base_classifier_and_fold(known: Known) -> None:
    told: list[tuple[int, int, str]] = []
    _prototype().fit(*known, groups=list("abbbabaab"), progress=lambda *step: told.append(step))
    steps = [done for done, _, _ in told]
    assert steps == sorted(steps)
    # Language models are trained per part and on all texts, text classifiers in one step. The rest
    # are the weights: of both and of one of them, for all texts and without each of two parts.
    assert {total for _, total, _ in told} == {500}
    assert {100, 200, 300, 400} <= set(steps)
    calibration = [done for done, _, what in told if what == "calibration"]
    assert calibration == [416, 433, 450, 466, 483, 500]


def test_parameters_of_base_classifiers_can_be_set() -> None:
    prototype = _prototype().set_params(words__n_samples=2)
    assert prototype.get_params()["words__n_samples"] == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folds": 1}, "folds"),
        ({"passage_lengths": (0,)}, "passage_lengths"),
        ({"passage_lengths": 5}, "'passage_lengths' .* a list or a tuple"),
        ({"base_classifiers": []}, "at least one"),
        ({"base_classifiers": 5}, "a list, a tuple or None. Got 5"),
        (
            {"base_classifiers": [("a", MostFrequentAuthor()), ("a", MostFrequentAuthor())]},
            "a different name",
        ),
        ({"base_classifiers": [("folds", MostFrequentAuthor())]}, "called 'folds'"),
        ({"base_classifiers": [("max-held-out", MostFrequentAuthor())]}, "called 'max-held-out'"),
        (
            {"base_classifiers": [("a-b", MostFrequentAuthor()), ("a_b", MostFrequentAuthor())]},
            "a different name",
        ),
        ({"base_classifiers": [("a__b", MostFrequentAuthor())]}, "called 'a__b'"),
    ],
)
def test_parameters_out_of_range_are_rejected(
    known: Known, change: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        _prototype().set_params(**change).fit(*known)


@pytest.mark.parametrize("base_classifiers", [["ab"], [("name", 5)], [(1, MostFrequentAuthor())]])
def test_base_classifiers_must_be_a_list_of_pairs(known: Known, base_classifiers: Any) -> None:
    with pytest.raises(UsageError, match="pairs of a name and a classifier"):
        StackedAttributor(base_classifiers).fit(*known)


def test_raises_before_fit(questioned: list[str]) -> None:
    with pytest.raises(NotFittedError):
        _prototype().score_authors(questioned)


def test_an_empty_list_gives_no_results(stack: StackedAttributor) -> None:
    assert stack.predict([]).shape == (0,)
    assert stack.score_authors([]).shape == (0, 3)


def test_integer_authors_stay_in_numerical_order(
    stack: StackedAttributor, known: Known, questioned: list[str]
) -> None:
    texts, authors = known
    numbers = {"alder": 9, "brook": 10, "cedar": 111}  # as strings, 10 and 111 precede 9
    numbered = _prototype().fit(texts, [numbers[author] for author in authors])  # type: ignore[misc]
    assert numbered.predict(questioned).tolist() == [9, 10, 111] * 2


def test_one_group_per_text(known: Known) -> None:
    with pytest.raises(UsageError, match="give one group per text"):
        _prototype().fit(*known, groups=["a"])


def test_the_default_base_classifiers_agree_on_easy_texts(
    write: Callable[[str, int, int], str], questioned: list[str]
) -> None:
    authors = ["alder", "brook", "cedar"] * 4
    texts = [write(author, 200, number) for number, author in enumerate(authors)]
    stack = StackedAttributor(default_base_classifiers(), passage_lengths=(20,))
    stack.fit(texts, authors, groups=[str(number // 3) for number in range(12)])
    assert stack.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2
    names = "language-models character-models characters style word-ngrams cosine-delta"
    assert list(stack.base_classifiers_) == names.split()


def test_weights_are_fitted_to_validation_texts(known: Known, questioned: list[str]) -> None:
    authors = ["alder", "brook", "cedar"] * 2
    stack = _prototype().fit(*known, validation=(questioned, authors))
    assert stack.n_held_out_ == len(questioned)
    assert stack.predict(questioned).tolist() == authors


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        ((["a"], []), "1 texts and 0 authors"),
        (([], []), "at least one"),
        ((["a"], ["nobody"]), "texts by nobody without known texts"),
    ],
)
def test_validation_must_be_texts_of_candidates(
    known: Known, validation: tuple[list[str], list[str]], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        _prototype().fit(*known, validation=validation)


@pytest.mark.processes
def test_the_number_of_processes_does_not_matter(known: Known, questioned: list[str]) -> None:
    told: list[str] = []
    works = list("abbbabaab")
    parallel = _prototype().set_params(n_jobs=2)
    parallel.fit(*known, groups=works, progress=lambda done, total, what: told.append(what))
    alone = _prototype().fit(*known, groups=works)
    np.testing.assert_array_equal(
        parallel.score_authors(questioned), alone.score_authors(questioned)
    )
    assert len([what for what in told if what != "calibration"]) == 4


def test_a_short_text_is_declined(stack: StackedAttributor, questioned: list[str]) -> None:
    texts = ["", "Too few words.", questioned[0]]
    answers = stack.attribute(texts, paths=["a", "b", "c"])
    assert [answer.declined is None for answer in answers] == [False, False, True]
    assert answers[0].declined == "the text is empty"
    assert stack.predict(texts, reject=True).tolist() == ["cannot tell", "cannot tell", "alder"]


def test_candidates_are_ranked_by_log_odds(stack: StackedAttributor, questioned: list[str]) -> None:
    [answer] = stack.attribute(questioned[:1])
    log_odds = stack.score_authors(questioned[:1])[0]
    assert [place.score for place in answer.ranking] == sorted(log_odds.tolist(), reverse=True)
    assert sum(place.posterior_uncalibrated for place in answer.ranking) == pytest.approx(1)
    models = stack.language_models_
    assert models is not None
    [of_models] = models.attribute(questioned[:1])
    perplexity = {place.author: place.perplexity for place in of_models.ranking}
    assert {place.author: place.perplexity for place in answer.ranking} == perplexity


def test_a_stack_without_language_models_declines_short_texts(known: Known) -> None:
    stack = StackedAttributor([("frequent", MostFrequentAuthor())], folds=2).fit(*known)
    assert stack.encoder_.unit == "word"
    short, long = stack.attribute(["a", "a b c d e f g h i j"])
    assert short.declined == "the text has 1 word or punctuation mark, and at least 10 are needed"
    assert long.ranking[0].author == "brook"


def test_a_base_classifier_that_cannot_be_trained_is_named(known: Known) -> None:
    texts = [f"word{number}" for number in range(8)]
    stack = StackedAttributor([("rare", NgramSVM("word", (1, 1)))], folds=2, passage_lengths=())
    with pytest.raises(TrainingError, match=r"rare cannot be trained.*language-models"):
        stack.fit(texts, ["a", "b"] * 4)


def test_validation_is_a_pair(known: Known) -> None:
    with pytest.raises(UsageError, match="validation must be a pair"):
        _prototype().fit(*known, validation=known[0])  # type: ignore[arg-type]


def test_blank_validation_texts_are_rejected(known: Known) -> None:
    with pytest.raises(UsageError, match="validation texts are blank"):
        _prototype().fit(*known, validation=(["", " "], ["alder", "brook"]))


def test_a_failed_fit_leaves_no_fitted_state(known: Known) -> None:
    stack = _prototype().fit(*known)
    with pytest.raises(TrainingError, match="blank"):
        stack.fit(["", *known[0]], ["dale", *known[1]])
    with pytest.raises(NotFittedError):
        stack.predict(known[0][:1])


def test_models_of_characters_are_not_trained_twice() -> None:
    characters = AuthorshipAttributor(encoder=TextEncoder(unit="char"))
    names = [name for name, _ in default_base_classifiers(characters)]
    assert "character-models" not in names
    assert len(names) == len(default_base_classifiers()) - 1
