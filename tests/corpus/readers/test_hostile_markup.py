"""Markup made to take long or to crash a reader; some of it was found by `fuzz/`."""

from __future__ import annotations

import io
import time
import zipfile
from contextlib import suppress

import pytest

from byline.corpus import Keep, ReadingOptions, extract_text
from byline.errors import CorpusError

# Seconds of processor time. Linear code takes one second, quadratic code minutes.
LIMIT = 3.2
N = 6_000
PROSE = "<p>The river rose in the night, and nobody heard it, for the dog slept by the stove.</p>"
BODIES = {
    "breaks": "a<lb/>" * N,
    "breaks within words": 'a<lb break="no"/>' * N,
    "hyphens": "a-<lb/>" * N,
    "spaces before a break": "a" + " " * N * 10 + "<lb/>b",
    "signs of hyphens": "∣" * N * 10,
    "hard hyphens": "-" * N * 10 + "<lb/>a",
    "readings of one choice": f"<choice>{'<reg>a</reg>' * N}</choice>",
    "choices": "<choice><sic>a</sic><corr>b</corr></choice>" * N,
    "words": "<w>a</w>" * N,
    "words joined": '<w join="both">a</w> ' * N,
    "spaces marked": "<w>a</w>\n<c> </c>\n" * N,
    "notes": "<note>a</note>" * N,
    "references": '<ref target="#a">1</ref>' * N,
    "gaps": "<gap/>" * N,
    "names in a deep place": "<hi>" * 200 + "<p>a</p>" * N + "</hi>" * 200,
}
PAGES = {
    "paragraphs next to a menu": "<nav>a</nav>" + PROSE * (N // 10),
    "links": "<p><a href='/a'>b</a></p>" * N,
    "lists of links in each other": "<ul><li><a href='/a'>b</a>" * 800,
    "marks": "<p>a" + "<sup><a href='#a'>1</a></sup>" * N,
    "marks in each other": "<sup>" * 1500 + "a",
    "notes": "<div class=footnote>a</div>" * N,
    "headers in a deep place": "<font>" * 1500 + "<header>a</header>" * (N // 10),
    "boxes in each other": "<div class=menu>" * 1500 + PROSE,
    "a long class": f"<div class='{'menu ' * N}'>a</div>" * 3,
    "one long line": "<nav>a</nav><p>" + "the river rose and fell and rose " * N,
    "entities": "&eacute;" * N * 3,
    "an attribute without end": "<p class='" + "a" * N * 10,
    "open tags": "<p <" * N,
    "comments": "<!--" * N,
    "line breaks": "a<br>" * N,
    "cells": "<table><tr><td>" * 500 + "<td>a" * N,
}

LARGE = "a" * N * 20
ENTITIES = {
    "one of many characters in many others": f'<!ENTITY a "{LARGE}">'
    + "".join(f'<!ENTITY b{i} "{"&a;" * 66}">' for i in range(N // 5)),
    "a chain": "".join(f'<!ENTITY a{i} "&a{i + 1};">' for i in range(N)),
    "a circle": "".join(f'<!ENTITY a{i} "&a{(i + 1) % N};">' for i in range(N)),
    "each the double of another": "".join(
        f'<!ENTITY a{i} "&a{i + 1};&a{i + 1};">' for i in range(N)
    ),
    "comments in strings": f"<!ATTLIST a b CDATA '{'<!--' * N * 5}'>",
    "strings without end": "<!ENTITY a 'b" + "<!ENTITY a 'b'" * N,
}
AUTHORS = {
    "commas": "Ada Alder" + ", " * N * 5 + "x",
    "births": "Ada Alder" + ", b. " * N * 5 + "x",
    "digits": "Ada Alder, " + "1" * N * 5 + "x",
    "years": "Ada Alder" + ", 1640 - " * N * 5 + "x",
}


def _seconds(data: bytes, name: str, *keep: Keep) -> float:
    begun = time.process_time()
    extract_text(data, name, ReadingOptions(keep=keep))
    return time.process_time() - begun


@pytest.mark.parametrize("what", BODIES)
def test_hostile_editions_are_read_in_linear_time(what: str) -> None:
    data = f"<TEI><text><body><p>{BODIES[what]}</p></body></text></TEI>".encode()
    assert _seconds(data, "a.xml", *Keep) < LIMIT


@pytest.mark.parametrize("what", PAGES)
def test_hostile_pages_are_read_in_linear_time(what: str) -> None:
    assert _seconds(f"<html><body>{PAGES[what]}".encode(), "a.html", Keep.NOTES) < LIMIT


@pytest.mark.parametrize("what", ENTITIES)
def test_hostile_entities_are_read_in_linear_time(what: str) -> None:
    data = f"<!DOCTYPE TEI [{ENTITIES[what]}]><TEI><text><p>a</p></text></TEI>".encode()
    begun = time.process_time()
    with suppress(CorpusError):  # of strings without end
        extract_text(data, "a.xml")
    assert time.process_time() - begun < LIMIT


@pytest.mark.parametrize("what", AUTHORS)
def test_hostile_names_of_authors_are_read_in_linear_time(what: str) -> None:
    header = f"<fileDesc><titleStmt><author>{AUTHORS[what]}</author></titleStmt></fileDesc>"
    data = f"<TEI><teiHeader>{header}</teiHeader><text><p>a</p></text></TEI>".encode()
    assert _seconds(data, "a.xml") < LIMIT


@pytest.mark.parametrize("values", ["", "=b", "='<b>'"])
def test_pages_with_very_many_attributes_are_refused_before_a_tree_is_built(values: str) -> None:
    attributes = " ".join(f"a{i}{values}" for i in range(N * 20))
    page = f"<html><!-- <p a=' --><body><p {attributes}>{PROSE}".encode()
    begun = time.process_time()
    with pytest.raises(
        CorpusError, match=r"^a\.html has an element <p> with more than 1,000 attributes\. Save"
    ):
        extract_text(page, "a.html")
    assert time.process_time() - begun < LIMIT


def test_a_page_with_many_elements_may_have_many_attributes() -> None:
    paragraphs = "<p class=a title=b>The river rose.</p>" * 1500
    assert extract_text(f"<html><body>{paragraphs}".encode(), "a.html").text.count("river") == 1500


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" + b"<b" + b"c" * N + b"></a>",
        b"<TEI><text><p>&" + b"a" * N + b";</p></text></TEI>",
        b"<" + b"a" * N + b"/>",
        b"<TEI\xe2\x80\xae>" + b"<p" * N,
    ],
)
def test_messages_quote_little_of_a_file(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"^a\.xml") as caught:
        extract_text(data, "a.xml")
    assert len(str(caught.value)) < 500
    assert "\u202e" not in str(caught.value)


def test_messages_quote_little_of_an_archive() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/" + "a" * 40_000, b"x")
    with pytest.raises(CorpusError, match=r"a name of more than 1,000 characters") as caught:
        extract_text(file.getvalue(), "a.zip")
    assert len(str(caught.value)) < 500
