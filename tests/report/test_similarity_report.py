"""The report on similar authors: hostile names, figures, geometry of the tree and map."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console

from byline.answering import AuthorSimilarity
from byline.attribution.keyness import AuthorKeywords, Context, Keyword
from byline.attribution.similarity import CrossPerplexity
from byline.report.charts.heat import crossed_map
from byline.report.charts.tree import tree_chart
from byline.report.html import SCRIPT_ELEMENT, _environment
from byline.report.keywords import keywords_summary
from byline.report.similarity import print_similarity, similarity_html, similarity_summary
from byline.report.summary import Summary

HOSTILE = "<script>alert('&')</script>\"'\x1b[31m"
CROSSED = CrossPerplexity(
    ("Ada", HOSTILE, "Zoe"),
    np.array([[1.0, 2.0, 0.9], [4.0, 2.0, 3.0], [3.0, 2.0, 1.0]]),
    np.array([1000, 200, 300]),
    ("Zoe",),
)


def _keywords(author: str, others: tuple[str, ...], *, questioned: bool) -> AuthorKeywords:
    context = Context("<b>.txt", "…they <i>came</i> ", "upon", " the ship…")
    ngram = Keyword(
        ngram=("upon", "<u>"),
        log_odds=2.5,
        z=9.25,
        count=372,
        other_count=8,
        n_documents=51,
        n_other_authors=2,
        lines=(context,),
        questioned_count=3 if questioned else None,
        questioned_lines=(context,) if questioned else (),
    )
    words = 90 if questioned else None
    return AuthorKeywords(author, others, 12_400, 5_000, 51, (ngram,), 2, words)


@pytest.fixture
def summary() -> Summary:
    none = AuthorKeywords("Zoe", ("Ada", HOSTILE), 300, 9000, 1, (), 1)
    keywords = [_keywords("Ada", (HOSTILE, "Zoe"), questioned=False), none]
    found = AuthorSimilarity(
        crossed=CROSSED,
        keywords=tuple(keywords),
        corpus="<i>corpus</i>",
        n_documents=60,
        folds=5,
        random_state=0,
        language_model="one n-gram model of words per author",
    )
    return similarity_summary(found)


class Tags(HTMLParser):
    """Names of all elements, and whether they are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag not in {"br", "meta"}:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_summary_is_json(summary: Summary) -> None:
    read = json.loads(json.dumps(summary, allow_nan=False))
    assert read["excess"] == [[0, 1, pytest.approx(-0.1)], [2, 0, 1], [2, 1, 0]]
    assert read["nearest"][0]["others"][0] == {
        "author": "Zoe",
        "distance": pytest.approx(0.95),
        "excess": pytest.approx(-0.1),
        "excess_back": 2,
    }
    first = read["tree"]["joins"][0]
    assert {first["first"], first["second"]} == {0, 2}
    assert first["height"] == pytest.approx(0.95)
    assert read["keywords"][0]["ngrams"][0]["rate"] == 300  # 372 of 12,400


def test_the_page_is_well_formed_and_names_are_escaped(summary: Summary) -> None:
    html = similarity_html(summary).replace(SCRIPT_ELEMENT, "")
    assert {"script", "i", "u"} & Tags(html).names == set()
    assert not re.search(r"https?:|//\w|@import|url\(|\son\w+=", html)
    bars = html.count('<svg class="swatch')
    assert html.count("<svg") - bars == 3  # the map, its key, the tree
    assert "372" in html
    assert "* An author with a single work" in html
    assert (
        "no keywords of <bdi>Zoe</bdi> compared with <bdi>all others</bdi>. 1 more keyword "
        "with a name is not listed (keep_names=True lists it).</p>"
    ) in " ".join(html.split())


def test_tooltips_show_values(summary: Summary) -> None:
    html = similarity_html(summary)
    assert "texts of Ada, model of Zoe*: perplexity 2.5, \u22120.100" in html
    assert "Zoe* and Ada: 0.950 nats per token" in html
    # The row has the rates, the tooltip and the opened row have the counts.
    assert 'title="upon &lt;u&gt;: 372 occurrences, by others 8 occurrences"' in html
    assert "<small>9.2</small></span> <span>300.0</span> <span>16.0</span> <span>51</span>" in html
    assert "8 occurrences, by 2 of 2 authors" in html


def test_the_map_outlines_what_beats_the_own_model() -> None:
    chart = crossed_map(
        CROSSED.authors, [0, 1, 2], CROSSED.perplexity.tolist(), CROSSED.excess.tolist()
    )
    [(x, y)] = chart.outlined
    assert (x - chart.left, y - chart.top) == (2 * chart.cell, 0)
    assert [cell.text for cell in chart.cells[:3]] == ["", "1.0", "−.10"]
    strengths = [cell.strength for cell in chart.cells]
    assert strengths[0] == strengths[2] == 1  # the own one, and one that is better
    assert strengths[3] == chart.faintest  # the worst


def test_the_tree_hangs_together() -> None:
    joins = [{"first": 0, "second": 2, "height": 1.0}, {"first": 1, "second": 3, "height": 4.0}]
    chart = tree_chart(["a", "b", "c"], [1, 0, 2], joins, x_label="nats")
    assert [label.text for label in chart.labels] == ["b", "a", "c"]
    inner, outer = chart.branches
    middle = (chart.labels[1].y + chart.labels[2].y) / 2 - 4
    assert inner.y == pytest.approx(middle)
    assert outer.path.endswith(f"V{inner.y:.1f}H{inner.x:.1f}")  # it ends where the other stands
    quarter = chart.frame.left + (outer.x - chart.frame.left) / 4
    assert inner.x == pytest.approx(quarter)


def test_equal_authors_have_a_tree_too() -> None:
    chart = tree_chart(["a", "b"], [0, 1], [{"first": 0, "second": 1, "height": 0.0}], x_label="")
    assert chart.branches[0].x == chart.frame.left


def _printed(summary: Summary) -> str:
    out = io.StringIO()
    print_similarity(Console(file=out, width=100), summary)
    return out.getvalue()


def test_few_authors_are_printed_as_a_matrix(summary: Summary) -> None:
    printed = _printed(summary)
    assert "\x1b" not in printed
    assert re.search(r"2 +Zoe\* +7\.4 +2\.7 +20\.1 *\n 3 +Ada +7\.4 +2\.5 +2\.7 *\n", printed)
    assert "└── " in printed
    assert "\n* An author with a single work, of which parts were held out" in printed
    assert re.search(r"upon <u> +300\.0 +16\.0 +…they <i>came</i> \[upon\] the ship…", printed)


def test_for_many_authors_the_nearest_are_printed() -> None:
    n = 12
    entropy = 1 + np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / 10
    names = tuple(f"author {chr(97 + place)}" for place in range(n))
    crossed = CrossPerplexity(names, entropy, np.full(n, 50))
    found = AuthorSimilarity(
        crossed=crossed,
        keywords=(),
        corpus="c",
        n_documents=n,
        folds=2,
        random_state=0,
        language_model="models",
    )
    summary = similarity_summary(found)
    assert re.search(
        r"author a +2\.7 +author b 0\.100, author c 0\.200, author d", _printed(summary)
    )


def test_keywords_of_a_questioned_text_are_shown() -> None:
    pair = [
        _keywords("Ada", ("Ben",), questioned=True),
        AuthorKeywords("Ben", ("Ada",), 20, 30, 1, (), 0, 90),
    ]
    source = (
        '{% extends "base.html.j2" %}{% import "keywords.html.j2" as keywords with context %}'
        '{% block body %}{{ keywords.in_text(pair, "h3") }}{% endblock %}'
    )
    html = _environment().from_string(source).render(pair=keywords_summary(pair))
    assert "<h3>Keywords in this text</h3>" in html
    assert "Used more often by <bdi>Ada</bdi> than by <bdi>Ben</bdi>" in html
    assert html.count('<div class="kwic-line questioned">') == 1
    assert html.count("<small>&lt;b&gt;.txt</small>") == 2
    assert "questioned text: 3 occurrences" in html
    assert "<span>333.3</span>" in html  # 3 in 90 words
    assert "There is only one known text" not in html
    assert "no keywords of <bdi>Ben</bdi> compared with <bdi>Ada</bdi> in this text." in html
    assert {"i", "u"} & Tags(html).names == set()
