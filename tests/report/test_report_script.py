"""The script of a report sorts and saves tables, and reads figures with the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byline.experiments import Evaluation
from byline.report import evaluation_html, evaluation_summary
from byline.report.html import SCRIPT, SCRIPT_ELEMENT
from byline.web.routes.jobs import REPORT_POLICY

TABLE = """<!doctype html><title>Test</title><body><table><caption>Names, {1}</caption>
<thead><tr><th>Name</th><th>Words</th><td></td></tr></thead><tbody>
<tr><th>Ada, "Countess"</th><td>1,200</td><td aria-hidden="true">-</td></tr>
<tr><th>=HYPERLINK(1)</th><td>\u22123.5</td><td aria-hidden="true">-</td></tr>
<tr><th>王</th><td>97.6\u202f%</td><td aria-hidden="true">-</td></tr></tbody></table>
<svg class="chart map" width="100" height="50" viewBox="0 0 100 50"><circle cx="20" cy="20" r="5">
<title>first</title></circle><circle cx="60" cy="20" r="5"><title>second</title></circle></svg>"""


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    shown = browser.new_page()
    shown.set_content(f"{TABLE}<script>{SCRIPT}</script>")
    yield shown
    shown.close()


def test_a_table_is_sorted_by_numbers_and_names(page: Any) -> None:
    names = "[...document.querySelectorAll('tbody th')].map(e => e.textContent)"
    head = page.get_by_role("button", name="Words")
    head.click()
    assert page.evaluate(names) == ["=HYPERLINK(1)", "王", 'Ada, "Countess"']  # -3.5, 97.6, 1,200
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    head.press("Enter")
    assert page.evaluate(names) == ['Ada, "Countess"', "王", "=HYPERLINK(1)"]


def test_a_table_is_saved_without_formulas(page: Any, tmp_path: Path) -> None:
    with page.expect_download() as started:
        page.get_by_role("link", name="Save as CSV").click()
    started.value.save_as(tmp_path / "saved.csv")
    assert started.value.suggested_filename == "names-1.csv"
    assert (tmp_path / "saved.csv").read_bytes().decode("utf-8-sig").splitlines() == [
        "Name,Words",
        '"Ada, ""Countess""","1,200"',
        "'=HYPERLINK(1),-3.5",
        "王,97.6 %",
    ]


def test_the_arrow_keys_read_the_values_of_a_figure(page: Any) -> None:
    page.locator("svg").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").text_content() == "first"
    assert page.get_by_role("status").text_content() == "first"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".tip").text_content() == "second"
    page.keyboard.press("Escape")
    assert not page.locator(".tip").is_visible()


def test_a_map_is_enlarged_around_its_middle(page: Any) -> None:
    page.get_by_role("button", name="Enlarge").click()
    x, y, width, height = map(float, page.locator("svg").get_attribute("viewBox").split())
    assert (x + width / 2, y + height / 2) == pytest.approx((50, 25))
    assert (width, height) == pytest.approx((100 / 1.5, 50 / 1.5))
    page.get_by_role("button", name="Whole map").click()
    assert page.locator("svg").get_attribute("viewBox") == "0 0 100 50"


def test_a_report_has_the_script_once_and_works_in_a_browser(
    evaluation: Evaluation, faults_in_browser: Callable[[str], list[str]]
) -> None:
    html = evaluation_html(evaluation_summary(evaluation))
    assert html.count("<script>") == 1
    assert SCRIPT_ELEMENT in html
    assert faults_in_browser(html) == []


def test_the_policy_of_a_report_allows_its_own_script_alone(
    browser: Any, evaluation: Evaluation
) -> None:
    html = evaluation_html(evaluation_summary(evaluation))
    hostile = (
        "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    )
    page = browser.new_page(offline=True)
    page.set_content(html.replace("</h1>", f"</h1>{hostile}"))
    assert page.get_by_role("link", name="Save as CSV").count() > 0
    assert page.title() == "Accuracy of Byline on <i>corpus</i>"
    page.close()


def test_a_report_that_the_page_sends_has_no_origin_and_runs_its_script(
    browser: Any, evaluation: Evaluation
) -> None:
    html = evaluation_html(evaluation_summary(evaluation))
    page = browser.new_page()
    headers = {"content-type": "text/html", "content-security-policy": REPORT_POLICY}
    page.route("**/*", lambda route: route.fulfill(body=html, headers=headers))
    page.goto("http://localhost:1/case.html")
    assert page.evaluate("origin") == "null"
    with page.expect_download() as started:
        page.get_by_role("link", name="Save as CSV").first.click()
    assert started.value.suggested_filename.endswith(".csv")
    page.close()
