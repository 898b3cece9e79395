"""The reference population: what is left out, and that it is stated."""

from __future__ import annotations

import warnings

import pytest

from byline.attribution import ReferencePopulation
from byline.attribution.stacking.reference.population import (
    SelectedTexts,
    exclude_known_texts,
    select_texts,
)
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.typography import Normalization

RULES = Normalization.parse("edition")
KNOWN = [" ".join(f"known{number}" for number in range(60)), "a short letter"]
AUTHORS = ["Ann", "Bob"]
LONG = " ".join(f"word{number}" for number in range(60))
OTHERS = {"Cy": ["one tide", "two tides"], "Di": ["three looms", "four looms"]}


def _population(extra: dict[str, list[str]] | None = None) -> ReferencePopulation:
    own = OTHERS | (extra or {})
    texts = [text for each in own.values() for text in each]
    authors = [author for author, each in own.items() for _ in each]
    return ReferencePopulation(texts, authors, name="letters")


def _select(population: ReferencePopulation) -> SelectedTexts:
    return select_texts(population, KNOWN, AUTHORS, RULES)


def test_nothing_is_left_out_without_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selected = _select(_population())
    assert selected.authors == ["Cy", "Di"]
    assert [each.n_words for each in selected.texts] == [2] * 4


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ({"Ann": ["five ships", "six ships"]}, "2 by Ann, who is a candidate"),
        ({" ANN": ["five"], "bob": ["six"]}, "2 by  ANN and bob, who are candidates"),
        ({"Ed": ["a short  letter"]}, "1 that the known texts contain too"),
        ({"Ed": [f"{KNOWN[0]} and more"]}, "1 that the known texts contain too"),
        ({"Ed": ["one tide"]}, "1 that occur more than once"),
        ({"Ed": [LONG], "Flo": [f"{LONG} and a little more"]}, "1 that occur more than once"),
        ({"Ed": ["...", ""]}, "2 without a word"),
    ],
)
def test_what_is_left_out_is_stated(extra: dict[str, list[str]], reason: str) -> None:
    with pytest.warns(BylineWarning, match="of the reference w.* left out") as caught:
        selected = _select(_population(extra))
    n_left_out = 4 + sum(map(len, extra.values())) - len(selected.texts)
    message = str(caught[0].message).replace("\u2068", "").replace("\u2069", "")
    assert message.startswith("letters: ")
    assert reason in message
    assert f"{n_left_out} text" in message


def test_the_order_does_not_matter() -> None:
    one = _population()
    other = ReferencePopulation(one.texts[::-1], one.authors[::-1], name="letters")
    assert _select(one) == _select(other)
    assert _select(one).sha256 != _select(_population({"Ed": ["five"]})).sha256


def test_texts_are_normalised_like_the_known_texts() -> None:
    selected = _select(_population({"Ed": ["“A ship”"]}))
    assert any(each.text == RULES.apply("“A ship”") for each in selected.texts)


def test_what_was_left_out_is_not_stated_again() -> None:
    with pytest.warns(BylineWarning):
        rest = exclude_known_texts(_population({"Ann": ["five"]}), KNOWN, AUTHORS, RULES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(_select(rest).texts) == 4


def test_there_must_be_two_authors() -> None:
    population = ReferencePopulation(["one", "two"], ["Cy", "Ann"], name="letters")
    with (
        pytest.warns(BylineWarning),
        pytest.raises(TrainingError, match="letters has texts by 1 author other than"),
    ):
        _select(population)


@pytest.mark.parametrize(
    ("population", "message"),
    [
        (["a text"], "must be a ReferencePopulation"),
        (ReferencePopulation(["one"], ["Cy", "Di"]), "1 texts, 2 authors and 1 works"),
        (ReferencePopulation(["one"], ["Cy"], ["1", "2"]), "1 texts, 1 authors and 2 works"),
        (ReferencePopulation("one", ["Cy"]), "a list of texts is needed"),
    ],
)
def test_errors_name_the_cause(population: ReferencePopulation, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _select(population)
