"""Evidence and segments in reports: texts and names appear as written."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from byline.attribution import (
    END_MARK,
    AuthorshipAttributor,
    Evidence,
    SentenceEvidence,
    TokenEvidence,
    explain,
)
from byline.attribution.rolling import (
    ChangePoint,
    RollingAttribution,
    Segment,
    Window,
    rolling_attribution,
)
from byline.lm import NgramLM
from byline.report.charts.rolling import rolling_chart, shown_authors
from byline.report.evidence import evidence_part
from byline.report.explanation import (
    explanation_html,
    explanation_summary,
    print_explanation,
)
from byline.report.html import SCRIPT_ELEMENT
from byline.report.rolling import rolling_part, rolling_summary
from byline.report.summary import evidence_summary
from byline.text import TextEncoder

HOSTILE = "<script>alert('&')</script>\"'"
TEXT = (
    "The Oats, he said, were [bold]good[/bold].  Rye was not!\n\n"
    "The barley <b>stood</b> &amp; fell;\x1b[31m the oats stood. Rye fell."
)


class Page(HTMLParser):
    """Elements and text of a page whose tags match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    texts = ["The oats stood. Oats, he said. " * 9, "Rye fell; barley fell! Rye was not. " * 9]
    encoder = TextEncoder(min_count=1)
    return AuthorshipAttributor(
        NgramLM(order=2, smoothing="witten-bell"), encoder, n_samples=1
    ).fit(texts, ["Ada", HOSTILE])


@pytest.fixture
def evidence(attributor: AuthorshipAttributor) -> Evidence:
    return explain(attributor, TEXT, first="Ada", second=HOSTILE)


@pytest.fixture
def rolling() -> RollingAttribution:
    """Ada for eight sentences, then the other for four."""
    leads = [3.0, 1.0, -1.0, -2.0]
    return RollingAttribution(
        authors=("Ada", HOSTILE),
        sentences=tuple(f"Sentence {n} of <b>\u2028many</b>. " * n for n in range(1, 13)),
        window=6,
        step=2,
        windows=tuple(
            Window(2 * i, 2 * i + 6, (lead, -lead), None) for i, lead in enumerate(leads)
        ),
        segments=(Segment(0, 8, "Ada", (3.0, -3.0)), Segment(8, 12, HOSTILE, (-2.0, 2.0))),
        change_points=(ChangePoint(8, "Ada", HOSTILE, 4.25, 7, 9),),
    )


def summary_of(
    evidence: Evidence,
    rolling: RollingAttribution,
    attributor: AuthorshipAttributor,
    **options: Any,
) -> dict[str, Any]:
    declined = options.pop("declined", None)
    return explanation_summary(
        "<i>a</i>.txt", declined, evidence, rolling, TEXT, attributor.encoder_, **options
    )


def test_the_text_is_shown_as_it_was_read(
    attributor: AuthorshipAttributor, evidence: Evidence
) -> None:
    part = evidence_part(evidence, TEXT, attributor.encoder_)
    assert (part["from"], part["to"], part["n_sentences"]) == (1, 4, 4)
    written = "".join(
        token["text"] + " " * token["space"]
        for sentence in part["shown"]
        for token in sentence["tokens"]
    )
    assert written.split() == attributor.encoder_.normalize(TEXT).split()
    assert [sentence["new_paragraph"] for sentence in part["shown"]] == [False, False, True, False]
    for sentence, own in zip(part["shown"], evidence.sentences, strict=True):
        assert sentence["log_lr"] == own.log_lr
        assert sum(ngram["n"] for ngram in sentence["ngrams"]) == len(own.tokens)
        assert [token["is_end"] for token in sentence["tokens"]] == [
            token.token == END_MARK for token in own.tokens
        ]
    json.dumps(part, allow_nan=False)


PIECES = [
    "Oats. ",
    "rye ",
    "\u0130l",
    "[MUSIC] ",
    "\n\n",
    "  ",
    "\u201cNo!\u201d",
    "1,000",
    "e\u0301",
    "\ud800",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=30)


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
@pytest.mark.parametrize("unit", ["word", "char"])
@settings(deadline=None, max_examples=40)
@given(text=TEXTS)
def test_no_character_is_lost_or_repeated(unit: str, text: str) -> None:
    attributor = _of_units(unit)
    evidence = explain(attributor, text)
    part = evidence_part(evidence, text, attributor.encoder_)
    tokens = [token for sentence in part["shown"] for token in sentence["tokens"]]
    shown = "".join("".join(token["text"].split()) for token in tokens)
    read = attributor.encoder_.normalize(text)
    assert shown == ("".join(read.split()) if tokens else "")
    assert math.fsum(token["log_lr"] for token in tokens) == pytest.approx(
        evidence.log_lr, abs=1e-9
    )


@cache
def _of_units(unit: str) -> AuthorshipAttributor:
    texts = ["Oats. Oats, he said. " * 9, "Rye fell! 1,000 rye. " * 9]
    model = NgramLM(order=2, smoothing="witten-bell", sentence_end=unit == "word")
    encoder = TextEncoder(unit=unit, min_count=1)
    return AuthorshipAttributor(model, encoder, n_samples=1).fit(texts, ["a", "b"])


def test_the_strongest_sentences_of_a_long_text_are_shown(
    attributor: AuthorshipAttributor,
) -> None:
    text = "Tide tide. " * 30 + "The oats stood. " * 4 + "Tide tide. " * 30
    evidence = explain(attributor, text, first="Ada", second=HOSTILE)
    part = evidence_part(evidence, text, attributor.encoder_, at_most=25)
    assert part["from"] <= 31
    assert part["to"] >= 34
    assert sum(len(sentence["tokens"]) for sentence in part["shown"]) <= 25
    numbers = [sentence["number"] for sentence in part["shown"]]
    assert numbers == list(range(part["from"], part["to"] + 1))
    assert part["is_long"] and part["decimals"] >= 1
    shades = [sentence["shade"] for sentence in part["shown"]]
    assert any(shade.endswith("3") for shade in shades)  # the strongest of the text
    everything = evidence_part(evidence, text, attributor.encoder_, at_most=None)
    assert not everything["is_long"]
    assert len(everything["shown"]) == 64
    one = evidence_part(evidence, text, attributor.encoder_, at_most=1)
    assert one["from"] == one["to"]


def test_an_empty_text_has_nothing_to_show(attributor: AuthorshipAttributor) -> None:
    part = evidence_part(explain(attributor, " "), " ", attributor.encoder_)
    assert (part["shown"], part["n_tokens"], part["for_first"]["tokens"]) == ([], 0, [])


def test_what_is_shown_as_zero_is_evidence_for_nobody(
    attributor: AuthorshipAttributor, rolling: RollingAttribution
) -> None:
    values = iter([0.004, -0.03, 0.004, -0.004])
    sentences = attributor.encoder_.tokenize("Oats stood. Rye fell.")
    small = Evidence(
        "Ada",
        "Ben",
        tuple(
            SentenceEvidence(
                number,
                tuple(
                    TokenEvidence(token, False, next(values) if token.isalpha() else 0.0)
                    for token in [*tokens, END_MARK]
                ),
            )
            for number, tokens in enumerate(sentences)
        ),
    )
    summary = explanation_summary(
        None, None, small, rolling, "Oats stood. Rye fell.", attributor.encoder_
    )
    part = summary["evidence"]
    assert part["for_first"] == {"tokens": [], "ngrams": [], "sentences": []}
    # "stood" is shown as -0.03, and its sentence as 0.0
    assert [entry["text"] for entry in part["for_second"]["tokens"]] == ["stood"]
    assert part["for_second"]["sentences"] == []
    printed = " ".join(_printed(summary, colours=False).split())
    assert "Evidence for Ada none of 0.01 nats or more" in printed
    assert "0.00 nats, for" not in explanation_html(summary)
    short = evidence_summary(small)
    assert short["sentences"] == short["tokens_for_first"] == short["tokens_for_second"] == []


def test_the_page_is_whole_and_harmless(
    attributor: AuthorshipAttributor, evidence: Evidence, rolling: RollingAttribution
) -> None:
    html = explanation_html(summary_of(evidence, rolling, attributor, declined="<u>short</u>"))
    page = Page(html.replace(SCRIPT_ELEMENT, ""))
    tags = [tag for tag, _ in page.elements]
    assert not {"script", "b:", "i", "u"} & set(tags)
    assert "<script>alert" in page.text  # as text
    assert "No author would be named: <u>short</u>." in page.text
    titles = [attrs["title"] for tag, attrs in page.elements if tag == "span" and "title" in attrs]
    assert any(title and title.endswith("nats, for Ada") for title in titles)
    assert any("tabindex" in attrs for tag, attrs in page.elements if tag == "span")
    assert "The author may change at sentence 9 of 12" in page.text
    assert "Values of all windows" in page.text
    references = {
        attrs[name] for _, attrs in page.elements for name in attrs if "labelledby" in name
    }
    assert references <= {attrs.get("id") for _, attrs in page.elements}


def test_the_reason_for_a_missing_rolling_attribution_is_shown(
    attributor: AuthorshipAttributor, evidence: Evidence
) -> None:
    summary = summary_of(evidence, rolling_attribution(attributor, TEXT), attributor)
    page = Page(explanation_html(summary))
    assert "No rolling attribution: the text has 4 sentences" in page.text
    assert "svg" not in [tag for tag, _ in page.elements]


def test_sentences_are_numbered_from_one(rolling: RollingAttribution) -> None:
    summary = rolling_summary(rolling)
    json.dumps(summary, allow_nan=False)
    assert [(w["start"], w["end"]) for w in summary["windows"]] == [
        (1, 6),
        (3, 8),
        (5, 10),
        (7, 12),
    ]
    [point] = summary["change_points"]
    assert (point["sentence"], point["before"], point["log_lr"]) == (9, "Ada", 4.25)
    assert point["opening"].startswith("Sentence 9 of <b> many</b>. Sentence 9")
    assert len(point["opening"]) <= 90
    assert point["opening"].endswith("…")


def test_the_chart_has_lines_and_change_points(
    rolling: RollingAttribution,
) -> None:
    chart = rolling_chart(rolling_summary(rolling), width=500)
    assert [series.label for series in chart.legend] == ["Ada", HOSTILE[:23] + "…"]
    assert [strip.x for strip in chart.strips] == sorted(strip.x for strip in chart.strips)
    [point] = chart.change_points
    first, second = chart.strips
    assert point.x == pytest.approx(second.x) == pytest.approx(first.x + first.width)
    assert point.number == "9"
    assert chart.columns[0].x == chart.frame.left
    assert chart.columns[-1].x + chart.columns[-1].width == pytest.approx(chart.frame.right)
    assert chart.columns[1].title.startswith("Sentences 3 to 8: Ada +1.00")
    assert [tick.text for tick in chart.x_ticks] == ["1", "2", "4", "6", "8", "10", "12"]


def test_leading_authors_are_first_and_keep_their_colours(
    rolling: RollingAttribution,
) -> None:
    chart = rolling_part(rolling_summary(rolling), ("Zoe", HOSTILE, "Ada"))["chart"]
    assert [(series.label, series.style) for series in chart.legend] == [
        (HOSTILE[:23] + "…", 0),
        ("Ada", 1),
    ]
    assert [strip.style for strip in chart.strips] == [1, 0]


def test_authors_of_segments_have_lines_first(rolling: RollingAttribution) -> None:
    names = ("a", "b", "c", "d", "e", "f")
    windows = (
        Window(0, 6, (0.0, 5.0, 0.0, 0.0, 1.0, -6.0), None),
        Window(6, 12, (0.0, 0.0, 5.0, 0.0, 1.0, -6.0), None),
    )
    segments = (Segment(0, 12, "f", (0.0,) * 6),)
    many = replace(rolling, authors=names, windows=windows, segments=segments, change_points=())
    assert shown_authors(rolling_summary(many)) == ["f", "b", "c", "e"]
    part = rolling_part(rolling_summary(many))
    assert len(part["chart"].curves) == 4
    assert [part["authors"][column] for column in part["columns"]] == ["f", "b", "c", "e"]


def test_words_are_marked_if_there_are_no_colours(
    attributor: AuthorshipAttributor, evidence: Evidence, rolling: RollingAttribution
) -> None:
    printed = _printed(summary_of(evidence, rolling, attributor), colours=False)
    assert "\x1b" not in printed
    assert "+Oats+" in printed.replace("++", "+")
    assert "-Rye-" in printed.replace("--", "-")
    assert "[bold]" in printed.replace("+", "").replace(
        "-", ""
    )  # text is not interpreted as markup
    assert "9 to 12" in printed
    assert "At a change point, the sentences before and after it" in printed


def test_neighbouring_marks_are_separated(
    attributor: AuthorshipAttributor, evidence: Evidence, rolling: RollingAttribution
) -> None:
    summary = summary_of(evidence, rolling, attributor)
    shades = {"oats": "f3", ",": "f2", "he": "s2", "said": "", ".": "s3"}
    for token in summary["evidence"]["shown"][0]["tokens"]:
        token["shade"] = shades.get(token["text"].lower(), "")
    assert "The ++Oats++ +,+ -he- said+,+ were" in _printed(summary, colours=False)


def test_words_are_coloured_and_controls_are_escaped(
    attributor: AuthorshipAttributor, evidence: Evidence, rolling: RollingAttribution
) -> None:
    one_author = replace(rolling, segments=rolling.segments[:1], change_points=())
    summary = summary_of(evidence, one_author, attributor, declined="too\x1b[2J short")
    printed = _printed(summary, colours=True)
    assert "\x1b[" in printed
    assert "\x1b[31m the" not in printed
    assert "\x1b[2J" not in printed
    assert "no author would be named: too?[2J short" in printed
    assert "No change of author was detected." in printed


def test_words_are_marked_if_colours_are_switched_off(
    attributor: AuthorshipAttributor, evidence: Evidence, rolling: RollingAttribution
) -> None:
    stream = io.StringIO()
    console = Console(
        file=stream, width=100, force_terminal=True, color_system="standard", no_color=True
    )
    print_explanation(console, summary_of(evidence, rolling, attributor))
    assert "+Oats+" in stream.getvalue().replace("++", "+")


def test_a_text_without_tokens_is_printed_as_declined(attributor: AuthorshipAttributor) -> None:
    summary = explanation_summary(
        None,
        "the text is empty",
        explain(attributor, ""),
        rolling_attribution(attributor, ""),
        "",
        attributor.encoder_,
    )
    assert (
        _printed(summary, colours=False) == "text\n  no author would be named: the text is empty\n"
    )
    Page(explanation_html(summary))


def _printed(summary: dict[str, Any], *, colours: bool) -> str:
    stream = io.StringIO()
    system: Literal["standard"] | None = "standard" if colours else None
    console = Console(
        file=stream, width=100, highlight=False, force_terminal=colours, color_system=system
    )
    print_explanation(console, summary)
    return stream.getvalue()
