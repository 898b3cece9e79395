from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import ExtractedText, Keep, extract_text
from byline.corpus.readers.html.document import extract_html
from byline.errors import CorpusError, MissingExtraError

FILES = Path(__file__).parents[1] / "files" / "markup"
MENU = (
    "<nav><ul><li><a href='/a'>Home and away</a></li><li><a href='/b'>Weather</a></li></ul></nav>"
)
RIVER = "The river rose in the night, and nobody heard it, for the dog slept by the stove."
DAWN = "At dawn the water stood at the third step; he counted them twice before he said so."
BRIDGE = "The bridge was old, and what they built in its place is there still, and in use."
PROSE = [RIVER, DAWN, BRIDGE] * 2
FOOTER = "<footer><p>All rights reserved by The Paper</p></footer>"


def _p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _read(body: str, *keep: Keep, head: str = "") -> ExtractedText:
    page = f"<!doctype html><html><head><meta charset=utf-8>{head}</head><body>{body}</body></html>"
    return extract_html(page.encode(), "a.html", frozenset(keep))


def _excluded(extracted: ExtractedText) -> dict[str, int]:
    return {each.kind: each.n for each in extracted.excluded}


NEWS = f"""<div class="cookie-banner" role="dialog"><p>We value your privacy, and use cookies.</p>
<button>Accept</button></div><header><a href="/">The Paper</a>{MENU}</header><main><article>
<h1>Rain</h1>{_p(*PROSE)}<figure><img src="a.jpg"><figcaption>A mill. Photograph: Brook</figcaption>
</figure><aside class="related"><h3>Read more</h3><p><a href="/c">A dry summer</a></p></aside>
{_p(BRIDGE)}</article><section id="comments"><h2>Comments</h2><div class="comment"><p>I was there,
and it did not rain at all that night, as everybody knows.</p></div></section></main>
<form action="/s"><input name="q"><label>Search the archive</label></form>{FOOTER}"""


def test_the_article_is_read_without_the_menu() -> None:
    found = _read(
        NEWS, head="<title>Rain | The Paper</title><meta name=author content='Ada Alder'>"
    )
    paragraphs = found.text.split("\n\n")
    assert [each for each in paragraphs if each != "Rain"] == [*PROSE, BRIDGE]
    assert (found.author, found.title, found.warnings) == ("Ada Alder", "Rain | The Paper", ())
    assert set(_excluded(found)) >= {
        "cookie banners", "page headers", "captions", "asides", "comments", "page footers", "forms",
    }  # fmt: skip
    [cookies] = [each for each in found.excluded if each.kind == "cookie banners"]
    assert cookies.example == "We value your privacy, and use cookies."


def test_classes_alone_identify_the_parts_of_a_page() -> None:
    found = _read(
        f'<div id="wrapper" class="with-sidebar"><div class="menu">{MENU}</div>'
        "<div class='sidebar'><p>Subscribe to our letter, and read it every week.</p></div>"
        f"<div class='content'>{_p(*PROSE)}</div><div id='footer'>All rights reserved</div></div>"
    )
    assert found.text.split("\n\n") == PROSE
    assert set(_excluded(found)) == {"navigation", "asides", "page footers"}


def test_headings_lists_verse_and_repetitions_are_kept() -> None:
    talk = ["“Did it rise?”", "“No.”", "“Yes.”", "“No.”", "“Yes.”"]
    found = _read(
        f"{MENU}<main>{_p(*PROSE)}<h2>At noon</h2><ul><li>One for us.</li><li>Two.</li></ul>"
        f"{_p(RIVER)}<p>It came by night,<br>it went.</p>{_p(*talk)}{_p(DAWN)}</main>{FOOTER}"
    )
    assert found.text.split("\n\n") == [
        *PROSE, "At noon", "One for us.", "Two.", RIVER, "It came by night, it went.",
        *talk, DAWN,
    ]  # fmt: skip


def test_a_poem_next_to_a_menu_is_read_without_the_menu() -> None:
    found = _read(f"{MENU}<p>The rain it fell<br>upon the hill.</p><p>The sun it rose.</p>{FOOTER}")
    assert found.text == "The rain it fell upon the hill.\n\nThe sun it rose."


def test_a_page_without_an_article_is_read_with_a_warning() -> None:
    boxes = "".join(f"<div><h2>{text[:12]}</h2>{text}</div>" for text in ("Yes.", "No.", "So."))
    found = _read(f"{MENU}{boxes}")
    assert found.text.split("\n\n") == ["Yes.", "Yes.", "No.", "No.", "So.", "So."]
    assert "Weather" not in found.text
    found = _read(f"{MENU}<p>Yes.</p>{FOOTER}")
    assert (found.text, len(found.warnings)) == ("Yes.", 1)
    assert found.warnings[0].startswith("the article cannot be identified")
    assert set(_excluded(found)) == {"navigation", "page footers"}


@pytest.mark.parametrize(
    "body",
    [
        f"<nav>{_p(*PROSE)}",  # the tag that ends the menu is missing
        f"<form id='aspnetForm'>{MENU}{_p(*PROSE)}</form>",  # as ASP.NET writes every page
        f"<div id='page' class='comments-open has-sidebar'>{MENU}{_p(*PROSE)}</div>",
        f"<div hidden>{MENU}{_p(*PROSE)}</div>",  # until a script shows it
    ],
)
def test_a_page_inside_a_boilerplate_element_is_not_lost(body: str) -> None:
    assert set(PROSE) <= set(_read(body).text.split("\n\n"))


def test_a_document_is_read_whole() -> None:
    body = (
        "<header><h1>The River</h1><p class=author>Ada Alder</p></header><h2>One</h2><p>Yes.</p>"
        "<p>So <b>it</b> ro<i>se</i>.</p><ul><li>One.<li>Two.</ul><pre>A line.\nAnother.</pre>"
        "<table><tr><td>a</td><td>b.</td></tr></table><blockquote>They said so.</blockquote>"
    )
    found = _read(body)
    assert found.text.split("\n\n") == [
        "One", "Yes.", "So it rose.", "One.", "Two.", "A line.", "Another.", "a b.",
        "They said so.",
    ]  # fmt: skip
    assert _excluded(found) == {"page headers": 2}


NOTES = (
    '<p>The river rose.<sup><a href="#fn1" id="r1">1</a></sup> It fell.<a href="#ftn2"><sup>2</sup>'
    '</a> And x<sup>2</sup>.</p><div class="footnotes"><ol><li id="fn1">A note. <a href="#r1" '
    'class="footnote-back">↩</a></li></ol></div><div id="ftn2"><p>Another.</p></div>'
)


def test_notes_and_their_marks() -> None:
    found = _read(NOTES)
    assert found.text == "The river rose. It fell. And x2."
    assert _excluded(found) == {"footnotes": 2}
    assert _read(NOTES, Keep.NOTES).text.split("\n\n") == [
        "The river rose. It fell. And x2.", "A note.", "Another.",
    ]  # fmt: skip
    article = f"{MENU}{_p(*PROSE)}{NOTES}"
    assert "note." not in _read(article).text
    assert "A note." in _read(article, Keep.NOTES).text


def test_program_code_is_excluded() -> None:
    found = _read(
        "<p>So <code>a = 1</code> it is.</p><pre><code>b = 2</code></pre><div class=highlight><pre>"
        "c = 3</pre></div><p class=highlight>It is.</p><pre>It was.</pre>"
    )
    assert found.text.split("\n\n") == ["So a = 1 it is.", "It is.", "It was."]
    assert _excluded(found) == {"program code": 2}


def test_scripts_styles_and_controls_are_not_read() -> None:
    found = _read(
        "<script>var a = '<p>no</p>';</script><style>p { color: red }</style>"
        "<p>The <ruby>river<rt>no</rt></ruby> ro<del>o</del>se &lt;b&gt; <template>no</template>"
        "<select><option>no</select><svg><text>no</text></svg>caf&eacute;&#x110000;.</p><noscript>no</noscript>"
    )
    assert found.text == "The river rose <b> café\ufffd."
    assert _excluded(found) == {"deleted text": 1}


@pytest.mark.parametrize(
    "page", ["<html><body></body></html>", "<frameset><frame src=a></frameset>"]
)
def test_a_page_without_text_is_empty(page: str) -> None:
    assert extract_html(page.encode(), "a.html").text == ""


def test_broken_pages() -> None:
    assert extract_html(b"just <b>text", "a.html").text == "just text"
    assert extract_html(b"<p>One<p>Two</div></i><table><td>Three", "a.html").text.split() == [
        "One", "Two", "Three",
    ]  # fmt: skip
    with pytest.raises(CorpusError, match=r"^a\.html contains no HTML"):
        extract_html(b"", "a.html")
    with pytest.raises(CorpusError, match=r"^a\.html is not a text"):
        extract_html(b"\x00\x01\x02\x03" * 20, "a.html")


def test_other_scripts() -> None:
    chinese = "夜里河水涨了。没有人听见，狗也睡着了。船长量了量桥下的水，又写了一封信。"
    arabic = "ارتفع النهر في الليل ولم يسمعه أحد، ونام الكلب قرب الموقد حتى طلوع الفجر."
    for text in (chinese, arabic):
        assert _read(f"{MENU}<main>{_p(*[text] * 6)}</main>{FOOTER}").text == "\n\n".join(
            [text] * 6
        )


def test_pages_that_other_programs_wrote() -> None:
    expected = [
        "The night",
        "The river rose in the night. Nobody heard it, and the dog slept by the stove; “it will "
        "fall,” she said, “as it always falls.”",
        "At dawn the water stood at the third step. He counted them twice:",
        "one for the mill, two for the church, three for us.",
        "The morning",
        "They told us that no water had ever come so high.",
        "It came by night, it came by day, it took the bridge and went its way.",
        "Well—the bridge was old. What they built in its place is there still, and the children "
        "cross it without a thought.",
    ]
    pandoc = extract_text(FILES / "pandoc.html")
    assert pandoc.text.split("\n\n") == expected
    assert (pandoc.author, pandoc.title) == ("Ada Alder", "The River")
    assert _excluded(pandoc) == {
        "tables of contents": 1, "footnotes": 1, "page headers": 2
    }  # fmt: skip
    libreoffice = extract_text(FILES / "libreoffice.html")
    assert libreoffice.text.split("\n\n") == ["The River", "Ada Alder", *expected]
    assert _excluded(libreoffice) == {"footnotes": 1, "page headers and footers": 1}
    sphinx = extract_text(FILES / "sphinx.html")
    assert sphinx.text.split("\n\n")[0] == "The River"
    assert len(sphinx.text.split("\n\n")) == 4
    assert {"navigation", "page footers", "headings' links"} <= set(_excluded(sphinx))


def test_a_missing_library_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    assert _read(_p(*PROSE)).text  # a document needs none
    with pytest.raises(
        MissingExtraError, match=r"a\.html requires trafilatura \(.*\)\. .*byline\[formats\]"
    ):
        _read(NEWS)


_PARTS = st.recursive(
    st.sampled_from([_p(RIVER), MENU, FOOTER, "<p>Yes.</p>", "<br>", "text", "<sup>1</sup>"]),
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>",
        st.sampled_from(["div", "main", "article", "aside", "form", "ul", "li", "a href=x", "pre"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


@given(_PARTS)
@settings(deadline=None, max_examples=40)
def test_no_page_loses_its_text_silently(body: str) -> None:
    found = _read(f"{body}<p>The end of it.</p>")
    assert "The end of it." in found.text or found.excluded
    assert found.text


def test_three_links_are_a_list_and_two_are_text() -> None:
    links = [
        f'<a href="{place}.html">The {place} in spring</a>' for place in ("sea", "mill", "inn")
    ]
    story = "<p>It rose in the night, and nobody in the village heard it until the morning.</p>"
    two = f"<div>{links[0]}, or {links[1]}</div>{story}"
    assert "The sea in spring, or The mill in spring" in _read(two).text
    three = f"<div>{links[0]}, or {links[1]}, or {links[2]}</div>{story}"
    assert "in spring" not in _read(three).text
