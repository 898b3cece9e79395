"""A newcomer's way through the whole page, also without JavaScript and without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from byline.web.access_policy import forwarding_page

Sentences = Callable[[str, int, int], str]
WAIT = 60_000  # milliseconds
FOCUSED = """() => {
  const focused = document.activeElement;
  const label = focused.labels?.[0]?.textContent ?? focused.getAttribute('aria-label');
  return (label ?? focused.textContent).trim();
}"""


def test_a_newcomer_asks_adds_an_author_and_trains(
    window: Any, sentences: Sentences, tmp_path: Path
) -> None:
    page = window.page
    window.ask(sentences("ada", 30, 99))
    said = window.read("The answer")
    assert "it was most likely ada (probability" in said
    assert page.get_by_role("row", name="1 ada").count() == 1
    evidence = page.get_by_role("region", name="The text with colours, scrolls")
    assert evidence.get_by_text("engine").count() > 0
    assert page.get_by_role("link", name="Save the report").is_visible()

    page.get_by_role("link", name="Known texts").first.click()
    _add(page, "cara", [sentences("cara", 40, number) for number in range(12)], tmp_path)
    assert "cara" in page.get_by_role("status").first.inner_text()
    assert page.get_by_role("row", name="cara 12").count() == 1

    page.get_by_role("button", name="Check the known texts").click()
    assert "The check found no problems." in window.read("Check of the known texts")
    page.get_by_role("link", name="Back to the known texts").click()
    page.get_by_role("button", name="Train on all 3 authors").click()
    assert "now uses the model" in window.read("Model trained: 3 authors")

    page.get_by_role("link", name="Ask about a text").click()
    window.ask(sentences("cara", 30, 99))
    assert "it was most likely cara" in window.read("The answer")
    page.get_by_role("link", name="Models").click()
    page.get_by_role("link", name="Evaluation of trained-1").click()
    assert "were correctly attributed" in window.read("Evaluation of")
    assert page.get_by_role("img", name="Accuracy by text length.").is_visible()

    page.get_by_role("link", name="Back to the models").click()
    page.get_by_role("button", name="Use").click()
    assert "texts by 2 authors (ada, ben)" in window.read("Who wrote this text?")
    assert {urlsplit(each).netloc for each in window.requests} == {urlsplit(window.address).netloc}


def _add(page: Any, author: str, texts: list[str], folder: Path) -> None:
    files = [folder / f"{number}.txt" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    page.get_by_label("Author", exact=True).fill(author)
    page.get_by_label("Files", exact=True).set_input_files(files)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("row", name=author).wait_for(timeout=WAIT)
    page.wait_for_load_state()


def _wait_until_removed(page: Any, author: str) -> None:
    page.get_by_role("row", name=author).wait_for(state="detached", timeout=WAIT)
    page.wait_for_load_state()  # before its end, a page has no rows yet
    assert page.get_by_role("row", name=author).count() == 0


def test_the_page_works_without_javascript(
    open_window: Callable[..., Any], sentences: Sentences
) -> None:
    window = open_window(java_script_enabled=False)
    window.ask(sentences("ben", 30, 97))
    assert "it was most likely ben" in window.read("The answer")


def test_the_page_works_with_the_keyboard_only(window: Any, sentences: Sentences) -> None:
    page = window.page
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to the content"
    page.keyboard.press("Enter")
    window.wait_for_focus("title")
    _tab_to(page, "The text")
    page.keyboard.insert_text(sentences("ben", 30, 98))
    _tab_to(page, "Ask who wrote it")
    page.keyboard.press("Enter")
    assert "it was most likely ben" in window.read("The answer")
    window.wait_for_focus("title")
    _tab_to(page, "Skip the coloured text")
    page.keyboard.press("Enter")
    window.wait_for_focus("after-evidence")
    page.keyboard.press("Tab")
    assert not page.evaluate("!!document.activeElement.closest('.evidence')")
    page.get_by_role("link", name="Skip the coloured text").focus()
    _tab_until(page, "document.activeElement.matches('.marked-text .t')")  # a dark word
    value = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert "nats, for" in value


def _tab_to(page: Any, name: str) -> None:
    _tab_until(page, f"({FOCUSED})() === {name!r}")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def _tab_until(page: Any, condition: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(condition):
            return
    pytest.fail(f"the tab key does not come to where {condition}")


def _drop(page: Any, *paths: Path) -> None:
    """Drop files or folders on the page, as from a file manager."""
    chromium = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        event = {"type": kind, "x": 100, "y": 100, "data": data}
        chromium.send("Input.dispatchDragEvent", event)


def test_a_dropped_file_is_attributed(window: Any, sentences: Sentences, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(sentences("ada", 30, 95), encoding="utf-8")
    _drop(window.page, path)
    window.page.get_by_text("letter.txt, ").wait_for()
    window.page.get_by_role("button", name="Ask who wrote it").click()
    assert "it was most likely ada" in window.read("The answer")
    assert "letter.txt" in window.page.get_by_role("heading", level=1).inner_text()


def test_several_dropped_files_have_an_answer_each(
    window: Any, sentences: Sentences, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{author}.txt" for author in ("ada", "ben")]
    for path in paths:
        path.write_text(sentences(path.stem, 30, 96), encoding="utf-8")
    page = window.page
    _drop(page, *paths)
    page.get_by_text("ada.txt, ben.txt, ").wait_for()
    page.get_by_role("button", name="Ask who wrote it").click()
    window.read("Who wrote 2 texts?")
    assert page.get_by_role("row", name="ada.txt ada").count() == 1
    page.get_by_role("link", name="ben.txt").click()
    assert "it was most likely ben" in window.read("The answer")
    page.get_by_role("link", name="All answers to this question").click()
    window.read("Who wrote 2 texts?")


def test_the_tabs_are_links_that_mark_the_current_page(window: Any) -> None:
    tabs = window.page.get_by_role("navigation", name="Pages").get_by_role("link")
    names = tabs.all_inner_texts()
    assert names == ["Ask", "Verify", "Explore", "Rolling", "Known texts", "Models"]
    for name in names:
        tabs.filter(has_text=name).click()
        window.page.wait_for_load_state()
        current = window.page.locator("nav [aria-current=page]")
        assert current.all_inner_texts() == [name]


def test_texts_are_explored_and_a_map_is_enlarged(
    window: Any, sentences: Sentences, tmp_path: Path
) -> None:
    page = window.page
    (tmp_path / "letter.txt").write_text(sentences("ben", 30, 94), encoding="utf-8")
    window.open("/explore")
    _drop(page, tmp_path / "letter.txt")
    page.get_by_text("letter.txt, ").wait_for()
    page.get_by_label("Distance").select_option("burrows")
    page.get_by_role("button", name="Compare the texts").click()
    assert "; Burrows’s Delta, " in window.read("Similar texts")
    picture = page.locator("svg.map:visible").first
    before = picture.get_attribute("viewBox")
    page.get_by_role("button", name="Enlarge").first.click()
    assert picture.get_attribute("viewBox") != before


def test_dropped_folders_become_authors(window: Any, sentences: Sentences, tmp_path: Path) -> None:
    for author in ("emma", "finn"):
        (tmp_path / "works" / author).mkdir(parents=True)
        for number in range(3):
            path = tmp_path / "works" / author / f"{number}.txt"
            path.write_text(sentences("ben", 20, ord(author[0]) + number), encoding="utf-8")
    page = window.page
    window.open("/known")
    _drop(page, tmp_path / "works")
    page.get_by_role("status").filter(has_text="works/emma/0.txt").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("row", name="finn 3").wait_for(timeout=WAIT)
    for author in ("emma", "finn"):
        page.get_by_text("List of all texts").click()
        page.get_by_role("button", name=f"Remove all texts added here by {author}").click()
        _wait_until_removed(page, author)


def test_a_pasted_text_becomes_a_known_text(window: Any, sentences: Sentences) -> None:
    page = window.page
    window.open("/known")
    page.get_by_label("Author", exact=True).fill("dora")
    page.get_by_text("Or paste a text").click()
    page.get_by_label("Title").fill("A letter")
    page.get_by_label("The text", exact=True).fill(sentences("cara", 20, 3))
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("row", name="dora 1").wait_for(timeout=WAIT)
    page.get_by_text("List of all texts").click()
    page.get_by_role("button", name="Remove A letter").click()
    _wait_until_removed(page, "dora")


def test_a_file_leads_the_browser_to_the_page(browser: Any, address: str, tmp_path: Path) -> None:
    """The browser keeps the token for requests of its own pages, and sends none without it."""
    opening = tmp_path / "open.html"
    opening.write_text(forwarding_page(address), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto(address.partition("?")[0])
    assert page.inner_text("body").startswith("Open the address with the token")
    page.goto(opening.as_uri())
    page.get_by_role("heading", name="Who wrote this text?").wait_for(timeout=WAIT)
    assert page.url == address.partition("?")[0]
    page.get_by_role("link", name="Known texts").first.click()
    page.get_by_role("heading", name="Known texts").first.wait_for(timeout=WAIT)
    page.context.close()
