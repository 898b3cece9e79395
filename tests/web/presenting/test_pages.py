"""Properties of the HTML of every page, in every state, with hostile names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from byline.web import pages as web_pages
from byline.web.jobs import JobStatus
from byline.web.outcomes import progress_sentence

ADDRESSES = ("href", "src", "action")
OWN = re.compile(
    r"/|/#private|#[a-z0-9-]+|/(known|evaluation|model|explore|rolling(/sample)?|verify(/samples)?)|/(evaluation|model/download)\?model=\w+"
    r"|/jobs/j|/jobs/j\?text=\d|/jobs/j/(stop|report\.html\?download)|/ask|/ask/samples|/known/(add|remove|check|train)"
    r"|/model/remove|/static/(style\.css|page\.js|report\.js|icon\.svg)"
)

Attributes = dict[str, str | None]


class _Elements(HTMLParser):
    """All start tags of a page, and the text inside some elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Attributes]] = []
        self.text: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in ("script", "title", "h1") and tag not in self.text:  # charts have titles, too
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            self._open.remove(tag)

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.text[tag] = self.text.get(tag, "") + data

    def of(self, *tags: str) -> Iterator[Attributes]:
        return (attributes for tag, attributes in self.found if tag in tags)


@pytest.fixture(scope="module")
def elements(pages: dict[str, str]) -> dict[str, _Elements]:
    return {name: _Elements(html) for name, html in pages.items()}


def test_hostile_names_are_escaped(
    pages: dict[str, str], elements: dict[str, _Elements], hostile: str
) -> None:
    for name, html in pages.items():
        assert "<script>alert" not in html
        scripts = [each.get("src") for each in elements[name].of("script")]
        assert scripts in (["/static/page.js"], ["/static/page.js", "/static/report.js"])
        assert "script" not in elements[name].text
    assert elements["problem"].text["h1"] == hostile


def test_pages_respect_the_content_security_policy(elements: dict[str, _Elements]) -> None:
    for page in elements.values():
        for tag, attributes in page.found:
            assert tag != "style"
            assert not [key for key in attributes if key == "style" or key.startswith("on")]
            for key in ADDRESSES:
                assert OWN.fullmatch(attributes.get(key) or "/"), attributes


def test_every_page_has_one_heading_landmarks_and_its_own_title(
    elements: dict[str, _Elements],
) -> None:
    titles = Counter(page.text["title"] for page in elements.values())
    assert all(title.endswith(" – Byline") for title in titles)
    for page in elements.values():
        assert [each["id"] for each in page.of("h1")] == ["title"]
        for landmark in ("header", "main", "footer"):
            assert len(list(page.of(landmark))) == 1
        assert next(page.of("a")) == {"class": "skip", "href": "#title"}
        assert len([each for each in page.of("a") if "aria-current" in each]) <= 1


def test_headings_skip_no_level(elements: dict[str, _Elements]) -> None:
    for page in elements.values():
        levels = [int(tag[1]) for tag, _ in page.found if re.fullmatch(r"h[1-6]", tag)]
        steps = pairwise(levels)
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in steps)


def test_every_control_has_a_name_and_ids_are_unique(elements: dict[str, _Elements]) -> None:
    for page in elements.values():
        ids = [str(each["id"]) for _, each in page.found if "id" in each]
        assert len(ids) == len(set(ids))
        labelled = [each["for"] for each in page.of("label")]
        visible = [
            each for each in page.of("input", "textarea", "select") if each.get("type") != "hidden"
        ]
        assert sorted(str(each["id"]) for each in visible) == sorted(map(str, labelled))
        for attributes in (attributes for _, attributes in page.found):
            for key in ("aria-describedby", "aria-labelledby", "list"):
                assert (attributes.get(key) or ids[0]) in ids, attributes


def test_a_waiting_page_reloads_without_javascript(elements: dict[str, _Elements]) -> None:
    refreshing = {
        name
        for name, page in elements.items()
        if any(each.get("http-equiv") == "refresh" for each in page.of("meta"))
    }
    assert refreshing == {"waiting", "begun", "under way"}


def test_progress_is_described_in_words(jobs: dict[str, JobStatus]) -> None:
    words = {name: progress_sentence(jobs[name]) for name in ("waiting", "begun")}
    assert words == {"waiting": "Waiting for 2 other jobs to finish.", "begun": "Started."}
    assert progress_sentence(replace(jobs["waiting"], ahead=1)) == (
        "Waiting for 1 other job to finish."
    )
    long = replace(jobs["waiting"], ahead=0, seconds=150.0)
    assert progress_sentence(long) == "This job is next. 2 minutes so far."
    assert progress_sentence(jobs["under way"]).startswith("Step 3 of 12: <script>")
    many = replace(jobs["under way"], done=300, total=900, what="")
    assert progress_sentence(many) == "30 % done."


def test_the_answer_comes_first_and_then_its_limits(pages: dict[str, str]) -> None:
    order = [
        "it was most likely Ada",
        "Accuracy in such cases",
        "Ask about another text",
        "All candidates",
        "Evidence for Ada",
        '<h2 id="limitations">Limitations',
    ]
    said = re.sub("</?bdi[^>]*>", "", pages["answered"])
    places = [said.index(words) for words in order]
    assert places == sorted(places)
    assert re.search(r"\([\d,]+ to [\d,]+ characters\)", said)
    partly = pages["partly known"]
    assert partly.index("Caveats in full") < partly.index("All candidates")


def test_a_declined_text_comes_with_advice(pages: dict[str, str]) -> None:
    assert "No author is named: the text has" in pages["declined"]
    assert "What you can do" in pages["declined"]
    assert "All candidates" not in pages["declined"]
    assert "given to the right" not in pages["declined"]


def test_a_known_text_comes_with_its_own_advice_only(pages: dict[str, str]) -> None:
    known = pages["known"]
    assert "train the model without this one" in known
    assert "What you can do" not in known
    assert "All candidates" not in known and "Accuracy in such cases" not in known


def test_an_unknown_author_comes_with_advice(pages: dict[str, str]) -> None:
    assert "Attributed to none of the candidates" in pages["of none"]
    assert "ask again without “The author may be none of these”" in pages["of none"]


def test_language_models_without_a_stack_give_no_probability(pages: dict[str, str]) -> None:
    assert "No probability can be stated" in pages["of language models"]
    assert "Distance from the best" in pages["of language models"]
    assert "ranks first: " in pages["of language models"]  # in the title


def test_the_page_states_where_texts_are_sent(pages: dict[str, str]) -> None:
    for name in ("ask", "ask again"):
        assert "<b>No.</b> It stays on this computer" in pages[name]
    assert "<b>No.</b>" not in pages["ask abroad"]
    assert "To the computer that this page comes from, and nowhere else" in pages["ask abroad"]


def test_messages_end_as_sentences(pages: dict[str, str], hostile: str) -> None:
    ended = "alert(&#39;&amp;&#39;)&lt;/script&gt;&#34;&#39;."
    for name in ("failed", "problem", "known texts", "checked", "trained"):
        assert ended in pages[name]


def test_only_readable_formats_are_offered(
    site: web_pages.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "Plain text, Word, OpenDocument, RTF, PDF, EPUB, HTML, TEI, an e-mail or a chat, up to"
        in web_pages.ask_page(site)
    )
    monkeypatch.setattr("byline.web.pages.FORMAT_PACKAGES", ("no_such_package",))
    without = web_pages.ask_page(site)
    assert "Plain text, up to" in without
    assert '<code>python -m pip install "byline[formats]"</code>' in without


def test_assets_contain_no_external_addresses() -> None:
    style, script = web_pages.asset("style.css"), web_pages.asset("page.js")
    assert style is not None
    assert script is not None
    assert style.media_type == "text/css; charset=utf-8"
    assert b"--paper" in style.content
    assert b".skip" in style.content
    for content in (style.content, script.content):
        assert b"http:" not in content
        assert b"https:" not in content
        assert b"@import" not in content
    assert web_pages.asset("../jobs.py") is None
