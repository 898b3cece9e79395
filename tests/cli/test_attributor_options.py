"""The method `auto` depends on the number of authors and on the options given."""

from __future__ import annotations

import typer
from pytest import mark, raises

from byline.attribution.stacking import MANY_AUTHORS
from byline.cli.attributor_options import AttributionMethod, AttributorSettings

MANY = [f"{number:03}" for number in range(MANY_AUTHORS + 1)]
WORKS = [f"{number}.txt" for number in range(2 * len(MANY))]


def test_profiles_are_chosen_for_many_authors() -> None:
    settings = AttributorSettings()
    assert settings.method == AttributionMethod.AUTO
    assert settings.for_authors(MANY * 2, WORKS).method == AttributionMethod.PROFILES
    fewer = settings.for_authors(MANY[1:] * 2, WORKS[2:])
    assert fewer.method == AttributionMethod.STACKED


def test_profiles_need_a_second_work() -> None:
    settings = AttributorSettings()
    assert settings.for_authors(MANY, WORKS[: len(MANY)]).method == AttributionMethod.STACKED
    same = ["one work"] * len(WORKS)
    assert settings.for_authors(MANY * 2, same).method == AttributionMethod.STACKED


@mark.parametrize("given", [{"samples": 1}, {"order": 3}, {"lm": "recurrent"}])
def test_an_option_of_language_models_needs_language_models(given: dict[str, object]) -> None:
    settings = AttributorSettings(**given).for_authors(MANY * 2, WORKS)  # type: ignore[arg-type]
    assert settings.method == AttributionMethod.STACKED


def test_a_given_method_is_kept() -> None:
    settings = AttributorSettings(method=AttributionMethod.DELTA)
    assert settings.for_authors(MANY * 2, WORKS) is settings


def test_the_profiles_have_the_options_of_every_method() -> None:
    settings = AttributorSettings(method="profiles", seed=3, language="fr", jobs=2)
    params = settings.attributor().get_params(deep=True)
    assert (params["random_state"], params["n_jobs"]) == (3, 2)
    assert {value for name, value in params.items() if "language" in name} == {"fr"}
    assert settings.for_texts(["一二三"]) is settings  # they find words themselves


def test_the_profiles_refuse_options_of_language_models() -> None:
    settings = AttributorSettings(method="profiles", order=3)
    with raises(typer.BadParameter, match="order is an option of language models, which"):
        settings.attributor()
