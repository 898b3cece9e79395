"""A report in a real browser; skipped where playwright or a Chromium is missing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

OPEN_ALL = "for (const closed of document.querySelectorAll('details')) closed.open = true"
OVERLAPPING = """() => [...document.querySelectorAll('.charts')].flatMap(row => {
  const boxes = [...row.children].map(child => child.getBoundingClientRect());
  return boxes.flatMap((a, place) => boxes.slice(place + 1).filter(b =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  ).map(() => row.outerHTML.slice(0, 80)));
})"""


@pytest.fixture(scope="module")
def pages(
    tmp_path_factory: pytest.TempPathFactory,
    outcome_of: Callable[..., Any],
    begun: Any,
    unknown: Callable[[float | None], Any],
    hostile_names: list[str],
    render: Callable[[Any], Any],
) -> dict[str, str]:
    """Address of the file of each report."""
    folder = tmp_path_factory.mktemp("reports")
    made = {
        "full": outcome_of(),
        "begun": begun,
        "unknown": unknown(None),
        "hostile": outcome_of([*hostile_names, *(f"author {n} of many" for n in range(26))]),
    }
    return {name: _written(folder / f"{name}.html", render(o).html) for name, o in made.items()}


def _written(path: Path, html: str) -> str:
    path.write_text(html, encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("name", ["full", "begun", "unknown", "hostile"])
def test_a_report_fits_its_window_and_loads_nothing(
    browser: Any,
    faults_in_browser: Callable[[str], list[str]],
    pages: dict[str, str],
    name: str,
) -> None:
    page = browser.new_page(offline=True)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages[name])
    for opened in (False, True):
        if opened:
            page.evaluate(OPEN_ALL)
        for width, scheme in product((1280, 400), ("light", "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(OVERLAPPING) == []
    page.close()
    assert said == []
    assert asked == [pages[name]]
    assert faults_in_browser(Path(pages[name].removeprefix("file://")).read_text("utf-8")) == []


def test_light_and_dark_are_different_and_paper_is_light(
    browser: Any, pages: dict[str, str]
) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto(pages["begun"])
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark", media="print")
    assert dark != light == page.evaluate(background)
    page.close()


def test_figures_are_described_for_screen_readers(browser: Any, pages: dict[str, str]) -> None:
    page = browser.new_page()
    page.goto(pages["full"])
    figure = page.get_by_role("img", name="Mean of 14 of 16 authors.").first
    described = "e => document.getElementById(e.getAttribute('aria-describedby')).textContent"
    assert "Accuracy by number of sentences" in figure.evaluate(described)
    assert page.get_by_role("region", name="Figure: Size of the vocabulary.").count() == 1
    page.close()


def test_a_wide_table_is_scrolled_by_the_keyboard(browser: Any, pages: dict[str, str]) -> None:
    page = browser.new_page(viewport={"width": 400, "height": 900})
    page.goto(pages["full"])
    region = page.get_by_role("region", name="Table of the texts, scrolls sideways")
    region.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("e => e.scrollLeft > 0", arg=region.element_handle())
    page.close()
