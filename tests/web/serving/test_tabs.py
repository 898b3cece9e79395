"""Verify, Explore and Rolling give the results of the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.answering import reading_options, verify_texts
from byline.answering.exploration import ExplorationSettings, explore_texts
from byline.attribution import load_attributor, save_attributor
from byline.attribution.rolling import rolling_attribution
from byline.attribution.stacking import delta_attributor
from byline.corpus import Document, read_corpus
from byline.corpus.questioned import read_questioned
from byline.report.displays.texts import rolling_display
from byline.report.exploration import exploration_summary
from byline.report.exploration_page import exploration_html
from byline.report.rolling_page import rolling_html
from byline.report.verification_answers import verification_answers_summary
from byline.web.routes.form_texts import MAX_TEXTS

Sentences = Callable[[str, int, int], str]
FORM = {"model": "given", "distance": "burrows", "mfw": "20", "source": "known"}


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.fixture(scope="module")
def corpus_path(tmp_path_factory: pytest.TempPathFactory, sentences: Sentences) -> Path:
    """A folder of three authors with four texts each, of more than 5,000 characters together."""
    folder = tmp_path_factory.mktemp("texts") / "notes"
    for author in ("ada", "ben", "cay"):
        (folder / author).mkdir(parents=True)
        for number in range(4):
            text = sentences(author, 40, number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def delta(tmp_path_factory: pytest.TempPathFactory, corpus_path: Path) -> Path:
    """Cosine Delta of them, which is trained at once."""
    path = tmp_path_factory.mktemp("delta") / "delta.byline"
    corpus = read_corpus(corpus_path)
    save_attributor(delta_attributor().fit(corpus.texts, corpus.authors), path)
    return path


@pytest.fixture(scope="module")
def page(serve: Callable[..., Any], delta: Path, corpus_path: Path) -> Any:
    return serve(delta, "--known", corpus_path)


def test_an_exploration_has_the_report_of_the_command(
    page: Any, corpus_path: Path, sentences: Sentences
) -> None:
    text = sentences("ada", 12, 70)
    asked = page.send("/explore", FORM, [("file", "<b>.txt", text.encode())])
    shown = page.done(asked)
    assert "Cluster tree" in shown.text
    assert '<script src="/static/report.js" defer>' in shown.text
    corpus = read_corpus(corpus_path)
    settings = ExplorationSettings(distance="burrows", mfw=20)
    found = explore_texts(corpus, [Document("", text, "<b>.txt")], settings)
    expected = exploration_html(exploration_summary(found, corpus.name))
    assert page.get(f"/jobs/{asked.job}/report.html").text == expected
    saved = page.get(f"/jobs/{asked.job}/report.html?download")
    assert saved.headers["content-disposition"] == 'attachment; filename="exploration.html"'
    assert "<b>.txt" not in shown.text
    assert f"/jobs/{asked.job}" in page.get("/explore").text


def test_files_that_cannot_be_read_are_left_out_of_an_exploration(
    page: Any, sentences: Sentences
) -> None:
    files = [
        ("file", "letter.txt", sentences("ben", 12, 71).encode()),
        ("file", "noise.txt", bytes(range(32)) * 9),
    ]
    shown = words_of(page.done(page.send("/explore", FORM, files)).text)
    assert "13 texts by 3 authors" in shown
    assert "noise.txt was left out: noise.txt is not a text" in shown


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"distance": "<i>"}, "no such distance"),
        ({"mfw": "1"}, "at least 2"),
        ({"mfw": "9" * 7}, "at least 2"),
        ({"mfw": "²"}, "at least 2"),
        ({"model": "17"}, "no longer exists"),
    ],
)
def test_impossible_explorations_are_refused(
    page: Any, fields: dict[str, str], message: str
) -> None:
    refused = page.send("/explore", FORM | fields)
    assert refused.status == 422
    assert message in refused.text
    assert 'action="/explore"' in refused.text


def test_a_rolling_attribution_has_the_report_of_the_command(
    page: Any, delta: Path, sentences: Sentences
) -> None:
    authors = enumerate(("ada", "ben", "ada"), 1)
    chapters = [f"CHAPTER {n}\n\n{sentences(who, 60, n)}\n" for n, who in authors]
    book = "\n".join(chapters)
    asked = page.send("/rolling", {"model": "given"}, [("file", "book.txt", book.encode())])
    shown = page.done(asked)
    assert "CHAPTER 2" in shown.text
    attributor = load_attributor(delta)
    read = read_questioned(book.encode(), "book.txt", reading_options(attributor))
    found = rolling_attribution(attributor, read.text, chapters=read.chapters())
    assert len(found.chapters) == 3
    report = page.get(f"/jobs/{asked.job}/report.html").text
    assert report == rolling_html(rolling_display(found, "book.txt").summary())
    assert "book.txt" in page.get("/rolling").text


def test_a_verification_has_the_answer_of_the_command(
    page: Any, corpus_path: Path, sentences: Sentences
) -> None:
    text = sentences("ada", 12, 72)
    asked = page.send("/verify", {"model": "given", "author": "ada", "text": text})
    shown = words_of(page.done(asked).text)
    [expected] = verify_texts(read_corpus(corpus_path), ["ada"], [text])
    [entry] = verification_answers_summary([expected])["questioned"]
    ratio = abs(entry["log10_lr"])
    assert f"The log10 likelihood ratio is +{ratio:.2f}" in shown
    assert "Did ada write" in shown
    assert re.search(r"Yes, with [a-z ]*support: written by ada", shown)
    assert "--case" not in shown
    report = page.get(f"/jobs/{asked.job}/report.html")
    assert "byline verify" not in report.text  # no command has the pasted text
    assert "Forensic report" in report.text
    assert "ada: yes" in words_of(page.get("/verify").text)


@pytest.mark.parametrize("path", ["/rolling", "/verify"])
def test_forms_for_one_text_are_refused_with_none_or_several(page: Any, path: str) -> None:
    fields = {"model": "given", "author": "ada"}
    assert "there is no text" in page.send(path, fields).text
    two = [("file", f"{n}.txt", b"Words.") for n in range(2)]
    refused = page.send(path, fields, two)
    assert refused.status == 422
    assert "send one at a time" in refused.text
    many = [("file", f"{n}.txt", b"Words.") for n in range(MAX_TEXTS + 1)]
    assert f"at most {MAX_TEXTS}" in page.send(path, fields, many).text


def test_authors_without_known_texts_cannot_be_verified(page: Any) -> None:
    assert "no author is chosen" in page.send("/verify", {"text": "Some words."}).text
    hostile = "<script>alert(1)</script>"
    asked = page.send("/verify", {"author": hostile, "text": "Some words."})
    assert page.wait(asked.job)["state"] == "failed"
    shown = page.get(f"/jobs/{asked.job}").text
    assert hostile not in shown
    assert "has no text by" in shown
    assert 'href="/verify"' in shown
    assert page.get(f"/jobs/{asked.job}/report.html").status == 404


def test_two_authors_are_too_few_for_a_verification(
    lm_page: Any, known: Path, sentences: Sentences
) -> None:
    page = lm_page
    for author in ("ada", "ben"):
        page.done(page.send("/known/add", {"author": author, "text": sentences(author, 12, 1)}))
    assert "at least three authors are needed" in page.get("/verify").text
    asked = page.send("/verify", {"author": "ada", "text": sentences("ada", 12, 2)})
    assert page.wait(asked.job)["state"] == "failed"
    shown = page.get(f"/jobs/{asked.job}").text
    assert "verification needs texts by at least 3 authors" in shown
    assert "--reference" not in shown


def test_a_verification_can_be_stopped(page: Any, sentences: Sentences) -> None:
    asked = page.send("/verify", {"author": "ben", "text": sentences("ben", 12, 73)})
    page.post(f"/jobs/{asked.job}/stop")
    assert page.wait(asked.job)["state"] == "stopped"
    assert "The job was stopped" in page.get(f"/jobs/{asked.job}").text
    assert page.get("/verify").status == 200
