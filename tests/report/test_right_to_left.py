"""Names and texts that are written from right to left, next to figures that are not."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from byline.attribution import AuthorshipAttributor, explain_answer
from byline.attribution.rolling import rolling_attribution
from byline.formatting import isolated, isolated_path
from byline.lm import NgramLM
from byline.report import attribution_summary, print_attribution
from byline.report.case_sentences import answer_sentence
from byline.report.explanation import explanation_html, explanation_summary
from byline.text import TextEncoder

ADA, BEN = "ليلى حداد", "דוד כהן (ב) 3"
FSI, PDI = "\u2068", "\u2069"
HERS = "ومع ذلك، رأى الشاعر البحر في المساء. لذلك عاد إلى البيت. "
HIS = "ولكن الطفل لم ير شيئا هناك! ثم نام جدا. "


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    language_model = NgramLM(order=2, smoothing="witten-bell")
    model = AuthorshipAttributor(language_model, TextEncoder(language="ar"), n_samples=1)
    return model.fit([HERS * 9, HIS * 9], [ADA, BEN])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Łukasz 3 (b)", "Łukasz 3 (b)"),
        ("王小明", "王小明"),
        (ADA, FSI + ADA + PDI),
        (BEN, FSI + BEN + PDI),
        ("Ada حداد", f"{FSI}Ada حداد{PDI}"),
        ("ދިވެހި", f"{FSI}ދިވެހި{PDI}"),
        ("𞤀𞤣𞤤𞤢𞤥", f"{FSI}𞤀𞤣𞤤𞤢𞤥{PDI}"),
    ],
)
def test_right_to_left_names_are_isolated(name: str, shown: str) -> None:
    assert isolated(name) == shown


def test_parts_of_a_path_keep_their_order() -> None:
    assert isolated_path(f"known/{ADA}/3.txt") == f"known/{FSI}{ADA}{PDI}/3.txt"
    assert isolated_path("known/ada/3.txt") == "known/ada/3.txt"


def test_sentences_isolate_names(attributor: AuthorshipAttributor) -> None:
    [found] = attributor.attribute([HERS])
    [entry] = attribution_summary([found])["questioned"]
    assert entry["ranking"][0]["author"] == ADA  # as it is, for programs
    assert f"{FSI}{ADA}{PDI} fits the text best" in answer_sentence(entry)


def test_the_terminal_isolates_names(attributor: AuthorshipAttributor) -> None:
    found = attributor.attribute([HERS], [f"{ADA}/3.txt"])
    written = io.StringIO()
    print_attribution(Console(file=written, width=100), attribution_summary(found))
    text = written.getvalue()
    assert f"{FSI}{ADA}{PDI}/3.txt" in text
    assert re.search(rf"1  {FSI}{ADA}{PDI}  .*0\.000", text)
    assert re.search(rf"2  {FSI}{re.escape(BEN)}{PDI}  ", text)


@pytest.fixture(scope="module")
def page(attributor: AuthorshipAttributor) -> str:
    text = HERS * 3 + HIS
    [found] = attributor.attribute([text])
    evidence = explain_answer(attributor, found, text)
    assert evidence is not None
    rolling = rolling_attribution(attributor, text, window=2)
    summary = explanation_summary("a.txt", None, evidence, rolling, text, attributor.encoder_)
    return explanation_html(summary)


def test_reports_mark_text_of_unknown_direction(page: str) -> None:
    assert f"<title>Evidence for {FSI}{ADA}{PDI} and for {FSI}{BEN}{PDI}</title>" in page
    assert '<div class="marked-text" dir="auto" lang="ar"' in page
    assert f"for <bdi>{ADA}</bdi> (solid line)" in page
    name = re.escape(BEN)
    drawn = r"<text.*?</text>"  # where it stands alone
    assert BEN not in re.sub(rf"<bdi>{name}</bdi>|{FSI}{name}{PDI}|{drawn}", "", page)


def test_a_right_to_left_text_is_laid_out_in_its_direction(browser: Any, page: str) -> None:
    shown = browser.new_page(viewport={"width": 900, "height": 900})
    shown.set_content(page)
    told = shown.locator(".marked-text")
    assert told.evaluate("box => getComputedStyle(box).direction") == "rtl"
    first, second = (told.locator("p > span[title]:not(.sentence-value)").nth(n) for n in (0, 1))
    assert second.bounding_box()["x"] < first.bounding_box()["x"]
    value = told.locator(".sentence-value").first
    assert value.evaluate("box => getComputedStyle(box).direction") == "ltr"
    assert value.bounding_box()["x"] > first.bounding_box()["x"]
    shown.close()
