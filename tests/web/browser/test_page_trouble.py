"""Mistakes of users, and large, slow or simultaneous jobs."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sentences = Callable[[str, int, int], str]
SHORT = "Hello there."


def test_an_empty_form_is_explained(window: Any) -> None:
    window.ask("  \n ")
    window.wait_for_focus("error")
    assert "This did not work:" in window.page.get_by_role("alert").inner_text()
    assert "Who wrote this text?" in window.read("Who wrote this text?")


def test_a_short_text_is_declined_with_advice(window: Any) -> None:
    window.ask(SHORT)
    said = window.read("The answer")
    assert "No author is named: the text has" in said
    assert "What you can do" in said
    assert "All candidates" not in said


def _broken_docx(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document")


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("noise.txt", lambda path: path.write_bytes(bytes(range(256)) * 40)),
        ("cut.docx", _broken_docx),
        ("cut.pdf", lambda path: path.write_bytes(b"%PDF-1.7\n1 0 obj\n<<")),
        ("empty.txt", lambda path: path.write_bytes(b"")),
    ],
)
def test_a_file_that_is_not_a_text_is_explained(
    window: Any, tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    window.page.get_by_label("Or files").set_input_files(tmp_path / name)
    window.page.get_by_role("button", name="Ask who wrote it").click()
    if name == "empty.txt":
        assert "No author is named: the text is empty." in window.read("The answer")
        return
    said = window.read("This failed")
    assert name in said
    assert "Traceback" not in said
    window.page.get_by_role("link", name="Ask about a text").click()
    assert "Who wrote this text?" in window.read("Who wrote this text?")


def test_two_windows_are_independent(open_window: Callable[..., Any], sentences: Sentences) -> None:
    one, other = open_window(), open_window()
    one.ask(sentences("ada", 30, 91))
    other.ask(sentences("ben", 30, 92))
    assert "it was most likely ben" in other.read("The answer")
    assert "it was most likely ada" in one.read("The answer")
    other.open()
    assert "ada" in other.read("Earlier questions")


def test_a_text_and_a_file_cannot_be_sent_together(window: Any, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("A letter.", encoding="utf-8")
    page = window.page
    page.get_by_label("Or files").set_input_files(path)
    page.get_by_text("letter.txt, 1 KB").wait_for()
    window.ask(SHORT)
    text = page.get_by_label("The text", exact=True)
    assert "send one at a time" in text.evaluate("element => element.validationMessage")
    assert not any(each.endswith("/ask") for each in window.requests)
    page.get_by_role("button", name="Clear the chosen files").click()
    assert text.evaluate("element => element.validationMessage") == ""
    assert page.get_by_text("letter.txt, 1 KB").count() == 0
    window.ask(SHORT)
    assert "No author is named" in window.read("The answer")


def test_a_file_that_is_too_large_is_not_sent(window: Any, tmp_path: Path) -> None:
    most = int(window.page.locator("form[data-max-bytes]").get_attribute("data-max-bytes"))
    path = tmp_path / "huge.txt"
    with path.open("wb") as stream:
        stream.truncate(most + 1)
    window.page.get_by_label("Or files").set_input_files(path)
    window.page.get_by_text("that the page accepts at once").wait_for()
    window.page.get_by_role("button", name="Ask who wrote it").click()
    assert not any(each.endswith("/ask") for each in window.requests)


def test_a_text_of_ten_megabytes_shows_progress_and_can_be_stopped(
    window: Any, sentences: Sentences, tmp_path: Path
) -> None:
    text = sentences("ada", 2_000, 1)
    path = tmp_path / "long.txt"
    path.write_text(text * (10_000_000 // len(text) + 1), encoding="utf-8")
    window.page.get_by_label("Or files").set_input_files(path)
    window.page.get_by_role("button", name="Ask who wrote it").click()
    assert "long.txt" in window.read("Analysing the text")
    assert window.page.get_by_role("progressbar").count() == 1
    assert window.page.get_by_role("status").inner_text()
    window.page.route("**/state", lambda route: route.abort())
    window.page.get_by_text("Byline does not answer").wait_for()
    window.page.unroute("**/state")
    window.page.get_by_text("Step ").wait_for()
    window.messages.clear()
    window.page.get_by_role("button", name="Stop").click()
    assert "The job was stopped before it was finished" in window.read("Stopped")
    window.open()
    window.ask(SHORT)
    assert "No author is named" in window.read("The answer")
