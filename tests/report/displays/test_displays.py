"""Results show themselves as text, in a notebook, as JSON, as tables and as reports."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from byline.answering import Answer, AuthorSimilarity, answer, measure_similarity
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.rolling import RollingAttribution, rolling_attribution
from byline.attribution.stacking import delta_attributor
from byline.corpus import Corpus, Document
from byline.display import Displayable
from byline.errors import MissingExtraError, OutputError, UsageError
from byline.experiments import (
    Evaluation,
    LearningCurve,
    OpenSetEvaluation,
    evaluate_learning_curve,
    evaluate_open_set,
)
from byline.lm import NgramLM
from byline.report.displays.scoped_style import SCOPE, scoped_style
from byline.text import CorpusProfile, profile_texts

WORDS = {"Ann": "a cat sat", "Bob": "the dog ran", "Cyd": "my owl flew", "Dan": "an ox ate"}


@pytest.fixture(scope="session")
def answered(stack: StackedAttributor, questioned: str) -> Answer:
    [found] = answer(stack, [questioned], paths=["<b>letter.txt"])
    return found


@pytest.fixture(scope="session")
def rolling(stack: StackedAttributor, questioned: str) -> RollingAttribution:
    return rolling_attribution(stack, questioned)


@pytest.fixture(scope="session")
def open_set_evaluation() -> OpenSetEvaluation:
    documents = [
        Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
        for author, own in WORDS.items()
        for n in range(4)
    ]
    return evaluate_open_set(Corpus(documents, "<b>toy"), delta_attributor(), folds=1)


@pytest.fixture(scope="session")
def learning_curve() -> LearningCurve:
    documents = [
        Document(author, " ".join([own, f"and it was {n} then"] * 20), f"{author}/{n}.txt")
        for author, own in WORDS.items()
        for n in range(4)
    ]
    models = AuthorshipAttributor(NgramLM(order=1), n_samples=1)
    corpus = Corpus(documents, "<b>toy")
    return evaluate_learning_curve(
        corpus, models, known_words=[20, 50, 100], text_words=[10], folds=2
    )


@pytest.fixture
def profile() -> CorpusProfile:
    return profile_texts({"<b>Ada": ["The looms hum. The loom is new."]})


@pytest.fixture(scope="session")
def similarity() -> AuthorSimilarity:
    documents = [
        Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
        for author, text in (("<b>Ann", "The cat sat. The cat slept."), ("Bob", "A dog ran."))
        for n in range(3)
    ]
    models = AuthorshipAttributor(NgramLM(order=1), n_samples=1)
    return measure_similarity(Corpus(documents, "<b>toy"), models, folds=3)


RESULTS = (
    *("answered", "similarity", "evaluation", "open_set_evaluation", "learning_curve"),
    *("rolling", "profile"),
)


@pytest.fixture
def result(request: pytest.FixtureRequest) -> Displayable:
    found: Displayable = request.getfixturevalue(request.param)
    return found


every_result = pytest.mark.parametrize("result", RESULTS, indirect=True)


@every_result
def test_a_result_prints_without_colours(result: Displayable) -> None:
    printed = str(result)
    assert printed
    assert "\x1b" not in printed
    assert not printed.endswith("\n")


@every_result
def test_a_notebook_shows_escaped_html_with_a_style_of_its_own(result: Displayable) -> None:
    html = result._repr_html_()
    assert html.startswith(f'<div class="{SCOPE}">')
    assert "<b>letter" not in html
    assert "<b>toy" not in html
    assert "<b>Ada" not in html
    assert "<b>Ann" not in html
    for tag in ("div", "table", "section", "details", "svg", "ul"):
        assert html.count(f"<{tag}") == html.count(f"</{tag}>"), tag
    assert not re.search(r"<(html|body|head|script|link)\b", html)


@every_result
def test_a_result_is_json(result: Displayable) -> None:
    document = result.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["schema"] >= 1


@every_result
def test_the_saved_report_is_one_html_file(result: Displayable, tmp_path: Path) -> None:
    result.save_report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    with pytest.raises(OutputError, match=r"reports are HTML; give a name that ends in \.html"):
        result.save_report(tmp_path / "report.pdf")


@every_result
def test_every_table_is_a_data_frame(result: Displayable) -> None:
    with pytest.raises(UsageError, match=r"has no table 'x'; choose from") as caught:
        result.to_pandas("x")
    names = re.findall(r"'(\w+)'", str(caught.value))[1:]
    assert names
    for name in names:
        assert list(result.to_pandas(name).columns), name
    assert len(result.to_pandas()) > 0
    assert result.to_pandas().equals(result.to_pandas(names[0]))


def test_without_pandas_the_error_says_how_to_install_it(
    profile: CorpusProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r'pip install "byline\[pandas\]"'):
        profile.to_pandas()


def test_the_tables_of_an_answer_have_its_numbers(answered: Answer) -> None:
    ranking = answered.to_pandas()
    assert answered.probabilities is not None
    assert dict(zip(ranking.author, ranking.probability, strict=True)) == answered.probabilities
    tokens, sentences = answered.to_pandas("tokens"), answered.to_pandas("sentences")
    assert answered.evidence is not None
    assert tokens.log_lr.sum() + sentences.length_log_lr.sum() + answered.evidence.constant == (
        pytest.approx(answered.evidence.log_lr)
    )
    assert sentences.log_lr.sum() == pytest.approx(
        tokens.log_lr.sum() + sentences.length_log_lr.sum()
    )
    assert list(sentences.sentence) == list(range(1, len(sentences) + 1))
    assert " ".join(sentences.text) == " ".join(answered.text.split())  # as written


def test_an_answer_without_evidence_has_no_table_of_it(
    stack: StackedAttributor, questioned: str
) -> None:
    plain, empty = answer(stack, [questioned], evidence=False) + answer(stack, [""])
    with pytest.raises(UsageError, match="no evidence: it was not asked for; use evidence=True"):
        plain.to_pandas("tokens")
    with pytest.raises(UsageError, match="no evidence: the text was declined"):
        empty.to_pandas("tokens")
    assert list(empty.to_pandas().columns) == list(plain.to_pandas().columns)


def test_the_confusions_of_an_evaluation_are_a_table(evaluation: Evaluation) -> None:
    table = evaluation.to_pandas("confusion")
    assert table.drop(columns="author").to_numpy().sum() == evaluation.whole.n_questioned


def test_an_answer_names_the_text_and_the_author(answered: Answer) -> None:
    assert re.fullmatch(r"<Answer about <b>letter\.txt: Ada \(\d\d\.\d %\)>", repr(answered))


def test_the_style_of_a_notebook_selects_nothing_outside() -> None:
    style = scoped_style()
    assert style.startswith(f".{SCOPE}.{SCOPE} {{")
    assert style.count("{") == style.count("}")
    assert not re.search(r"^\s*(:root|html|body)\b[^{,]*\{", style, re.MULTILINE)
    assert "prefers-color-scheme" not in style


def test_a_class_without_a_display_is_named() -> None:
    class Other(Displayable):
        pass

    with pytest.raises(TypeError, match="a Other has no display"):
        str(Other())


def test_the_notebook_shows_the_probabilities_of_the_report(
    answered: Answer, tmp_path: Path
) -> None:
    answered.save_report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    verdict = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert len(verdict) == 1
    assert verdict == re.findall(r'<p class="verdict">(.*?)</p>', answered._repr_html_())
