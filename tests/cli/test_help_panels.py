"""The help of commands: options under headings, plain names of values, and the width."""

from __future__ import annotations

import re

import pytest

from byline.attribution.classifiers import ChunkedClassifier, NgramRidge
from byline.attribution.stacking import StackedAttributor
from byline.cli.attributor_options import AttributorSettings
from byline.cli.main import main
from byline.cli.options import SentenceRule


def _help(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    return capsys.readouterr().out


def _options(section: str) -> list[str]:
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", section, re.MULTILINE)


def test_training_shows_the_most_important_options_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sections = dict(
        re.findall(r"^([A-Z][\w ]+):\n(.*?)(?=^[A-Z]|\Z)", _help("train", capsys), re.M | re.S)
    )
    assert list(sections) == [
        "Arguments",
        "Options",
        "Language model",
        "Further classifiers",
        "Text",
        "Open set",
        "Performance",
    ]
    assert len(_options(sections["Options"])) == 9
    assert {"--output", "--method", "--language", "--help"} <= set(_options(sections["Options"]))
    assert {"--order", "--samples", "--background"} <= set(_options(sections["Language model"]))
    assert _options(sections["Further classifiers"]) == ["--features", "--classifier"]
    assert {"--sentence-rule", "--stem"} <= set(_options(sections["Text"]))
    assert _options(sections["Open set"]) == ["--open-set"]
    assert _options(sections["Performance"]) == ["--device", "--jobs", "--cluster"]


@pytest.mark.parametrize("command", ["train", "attribute", "lm fit", "corpus check"])
def test_values_have_plain_names(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = _help(command, capsys)
    assert not re.search(r"[{}]|<(int|float|str|path|list)|<=|>=", text)


@pytest.mark.parametrize(("columns", "expected"), [(60, 58), (100, 98), (300, 118)])
def test_help_uses_the_width_of_the_terminal(
    columns: int,
    expected: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    widest = max(map(len, _help("train", capsys).splitlines()))
    assert expected - 8 <= widest <= expected


def test_the_style_classifier_follows_the_sentence_rule() -> None:
    for rule in SentenceRule:
        stack = AttributorSettings(sentence_rule=rule).attributor()
        assert isinstance(stack, StackedAttributor)
        style = dict(stack.base_classifiers or ())["style"]
        assert isinstance(style, ChunkedClassifier)
        assert isinstance(style.classifier, NgramRidge)
        assert {block.sentence_rule for block in style.classifier.blocks} == {rule.value}
