"""Stacks that are trained with a reference population: laws, and a case where it helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.attribution import (
    AuthorshipAttributor,
    NgramRidge,
    NgramSVM,
    ReferencePopulation,
    StackedAttributor,
    load_attributor,
    save_attributor,
)
from byline.attribution.caveats import caveats_for
from byline.attribution.stacking.reference import simulation
from byline.attribution.stacking.reference.simulation import FEWEST_CASES
from byline.errors import ModelFileError, TrainingError
from byline.lm import NgramLM
from byline.typography import Normalization

Write = Callable[[str, int, int], str]
CANDIDATES = ("alder", "brook", "cedar")
OTHERS = ("dogwood", "elder", "fir", "hazel")
QUESTIONED = ["Bababa bagode dedede. " * 4, "lolo! dedede"]


def _base_classifiers() -> list[tuple[str, Any]]:
    words = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    return [("words", words), ("plain", NgramSVM("word-without-punctuation", (1, 1)))]


def _stack(**params: Any) -> StackedAttributor:
    return StackedAttributor(_base_classifiers(), folds=2, passage_lengths=(10, 30), **params)


@pytest.fixture(scope="module", autouse=True)
def few_cases() -> Iterator[None]:
    """Simulate fewer cases, because the tests need no exact figures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "MOST_CASES", 7)
        yield


@pytest.fixture(scope="module")
def known(write: Write) -> tuple[list[str], list[str]]:
    authors = [*CANDIDATES] * 2
    return [write(author, 8, number) for number, author in enumerate(authors)], authors


@pytest.fixture(scope="module")
def others(write: Write) -> ReferencePopulation:
    authors = [*OTHERS] * 4
    texts = [write(author, 10, number) for number, author in enumerate(authors)]
    return ReferencePopulation(texts, authors, name="letters")


@pytest.fixture(scope="module")
def fitted(known: tuple[list[str], list[str]], others: ReferencePopulation) -> StackedAttributor:
    return _stack().fit(*known, reference=others)


def test_the_validation_describes_the_cases(fitted: StackedAttributor) -> None:
    validation = fitted.reference_validation_
    assert validation is not None
    assert (validation.name, validation.n_authors, validation.n_texts) == ("letters", 4, 16)
    assert validation.n_candidates == validation.n_wanted == 3
    assert validation.factor == 1.0
    assert validation.n_cases == 7
    results = validation.results
    assert results.log_odds.shape == (len(results.labels), 3)
    # Two passages of 10 and 30 words and two whole texts per candidate and case.
    assert len(results.labels) == validation.n_cases * 3 * 6
    assert int(results.is_whole.sum()) == validation.n_cases * 3 * 2
    n = validation.n_cases
    assert f"{n} simulated cases like this one from the reference corpus letters" in (
        validation.describe()
    )


def test_answers_state_the_reference(fitted: StackedAttributor) -> None:
    n_cases = fitted.calibrator_.n_simulated
    expected = f"6 held-out known texts and {n_cases} simulated cases from the reference corpus"
    assert fitted.calibrator_.basis == f"{expected} letters"
    [answer] = fitted.attribute(QUESTIONED[:1])
    assert answer.calibration_basis == f"{expected} letters"
    assert answer.similar_cases is None  # those of other corpora are replaced


def test_neither_order_nor_processes_change_the_result(
    known: tuple[list[str], list[str]], others: ReferencePopulation, fitted: StackedAttributor
) -> None:
    texts, authors = known
    reordered = ReferencePopulation(others.texts[::-1], others.authors[::-1], name="letters")
    other = _stack(n_jobs=2).fit(texts[::-1], authors[::-1], reference=reordered)
    np.testing.assert_array_equal(fitted.predict_proba(QUESTIONED), other.predict_proba(QUESTIONED))
    one, two = fitted.reference_validation_, other.reference_validation_
    assert one is not None
    assert two is not None
    assert one.sha256 == two.sha256
    np.testing.assert_array_equal(one.results.log_odds, two.results.log_odds)


def test_another_seed_draws_other_cases(
    known: tuple[list[str], list[str]], others: ReferencePopulation, fitted: StackedAttributor
) -> None:
    other = _stack(random_state=1).fit(*known, reference=others).reference_validation_
    one = fitted.reference_validation_
    assert one is not None
    assert other is not None
    assert not np.array_equal(one.results.log_odds, other.results.log_odds)


def test_a_reference_shows_which_base_classifier_to_trust(write: Write) -> None:
    """With one text per author nothing can be held out; the shipped weights do not fit."""

    def separate(texts: list[str]) -> list[str]:
        # Vowels say nothing of the author, so that a classifier of vowels is useless.
        return ["".join("a" if c in "aeiou" else c for c in text) for text in texts]

    names = ["useful", "useless"]
    classifiers = [
        (names[0], NgramSVM("word-without-punctuation", (1, 1))),
        (names[1], _OnlyLengths("char", (1, 1))),
    ]
    authors = [*OTHERS] * 4
    reference = ReferencePopulation(
        separate([write(author, 12, n) for n, author in enumerate(authors)]), authors
    )
    stack = StackedAttributor(classifiers, passage_lengths=(20,))
    own = separate([write(author, 12, 0) for author in CANDIDATES])
    with pytest.raises(TrainingError, match="no author has a second work"):
        stack.fit(own, CANDIDATES)
    stack.fit(own, CANDIDATES, reference=reference)
    useful, useless = stack.combination_.weights(np.array([500]))[:, 0]
    scores = stack.base_classifier_scores(own)
    spread = scores.std(axis=2).mean(axis=1)
    assert useful * spread[0] > 3 * useless * spread[1]


class _OnlyLengths(NgramSVM):
    """A classifier whose scores say nothing of the author."""

    def score_authors(self, X: Any) -> Any:
        found = super().score_authors(X)
        scores = np.array([[np.sin(len(text) * (k + 1)) for k in range(3)] for text in X])
        return scores.reshape(found.shape)

    def fit_with_held_out_scores(self, *args: Any, **options: Any) -> Any:
        scores = super().fit_with_held_out_scores(*args, **options)
        return [np.sin(1000 * each) for each in scores]


def test_too_few_reference_authors_are_stated(
    known: tuple[list[str], list[str]], write: Write
) -> None:
    authors = [*OTHERS[:2]] * 3
    two = ReferencePopulation([write(a, 10, n) for n, a in enumerate(authors)], authors)
    stack = _stack().fit(*known, reference=two)
    validation = stack.reference_validation_
    assert validation is not None
    assert (validation.n_candidates, validation.n_wanted) == (2, 3)
    [answer] = stack.attribute(QUESTIONED[:1])
    [caveat] = [
        each for each in caveats_for(stack, answer, QUESTIONED[0]) if "reference" in each.code
    ]
    assert caveat.code == "few-reference-authors"
    assert caveat.figures == {"n_candidates": 3, "n_simulated": 2}


def test_shorter_reference_texts_are_stated(write: Write) -> None:
    own = [write(author, 60, 0) for author in CANDIDATES]
    authors = [*OTHERS] * 2
    short = ReferencePopulation([write(a, 20, n) for n, a in enumerate(authors)], authors)
    stack = _stack().fit([*own, *own], [*CANDIDATES, *CANDIDATES], reference=short)
    [answer] = stack.attribute(QUESTIONED[:1])
    codes = [each.code for each in caveats_for(stack, answer, QUESTIONED[0])]
    assert "short-reference-texts" in codes


def test_nothing_can_be_simulated_with_single_texts(
    known: tuple[list[str], list[str]], write: Write
) -> None:
    single = ReferencePopulation([write(author, 20, 0) for author in OTHERS], OTHERS, name="few")
    with pytest.raises(TrainingError, match="no case can be simulated from few: too few of its 4"):
        _stack().fit(*known, reference=single)


def test_with_many_candidates_there_are_few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "N_TEXTS", 10)
    authors = [f"a{n // 3}" for n in range(30)]
    texts = [f"word{n} " * 60 for n in range(30)]
    population = ReferencePopulation(texts, authors)
    plan = simulation.plan_simulation(
        *(population, ["one " * 20, "two " * 20], ["Ann", "Bob"], ["1", "2"]),
        normalization=Normalization.parse("none"),
        lengths=(20,),
        random_state=0,
    )
    assert plan is not None
    assert len(plan.cases) == FEWEST_CASES


def test_progress_counts_the_cases(
    known: tuple[list[str], list[str]], others: ReferencePopulation
) -> None:
    steps: list[tuple[int, int, str]] = []
    _stack().fit(*known, reference=others, progress=lambda *step: steps.append(step))
    assert steps[0][2].startswith("simulated case 1 of ")
    done = [each for each, _, _ in steps]
    assert done == sorted(done)
    assert steps[-1][0] == steps[-1][1]


def test_a_saved_model_has_the_validation(fitted: StackedAttributor, tmp_path: Path) -> None:
    save_attributor(fitted, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert isinstance(loaded, StackedAttributor)
    one, two = fitted.reference_validation_, loaded.reference_validation_
    assert one is not None
    assert two is not None
    assert one.calibrator == two.calibrator
    assert (one.name, one.sha256, one.n_cases) == (two.name, two.sha256, two.n_cases)
    np.testing.assert_array_equal(one.results.log_odds, two.results.log_odds)
    assert loaded.calibrator_ == fitted.calibrator_
    save_attributor(loaded, tmp_path / "again")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_candidates": 1}, "n_candidates is 1, below 2"),
        ({"n_candidates": 4}, "out of its range"),
        ({"factor": 2.0}, "out of its range"),
        ({"name": 3}, "name is 3, not a str"),
        (None, "does not match the entry simulated-cases"),
    ],
)
def test_an_altered_model_is_refused(
    fitted: StackedAttributor, tmp_path: Path, changed: Any, message: str
) -> None:
    from byline.attribution.model_files.archive import (
        from_json,
        open_archive,
        to_json,
        write_archive,
    )
    from byline.attribution.model_files.saving import STACK

    save_attributor(fitted, tmp_path / "model")
    with open_archive(tmp_path / "model", STACK) as archive:
        entries = {name: archive.read(name) for name in archive.names}
    description = from_json(entries["stack.json"])
    description["reference"] = changed and description["reference"] | changed
    entries["stack.json"] = to_json(description)
    write_archive(tmp_path / "other", STACK, sorted(entries.items()))
    with pytest.raises(ModelFileError, match=message):
        load_attributor(tmp_path / "other")


def test_without_a_reference_there_is_no_validation(known: tuple[list[str], list[str]]) -> None:
    stack = StackedAttributor([("ridge", NgramRidge())], folds=2, passage_lengths=(10,))
    assert stack.fit(*known).reference_validation_ is None
