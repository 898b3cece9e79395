"""Fuzz TEI and HTML, with and without notes and stage directions."""

from __future__ import annotations

from harness import FindingError, fuzz, instrumented
from tags import mutate_tags

with instrumented():
    import trafilatura  # noqa: F401  # otherwise it is imported later, without instrumentation

    from byline.corpus import Keep, ReadingOptions, extract_text
    from byline.corpus.readers import markup, tei  # noqa: F401
    from byline.corpus.readers.html import document, paragraphs  # noqa: F401

NAMES = ("edition.xml", "page.html", "page.xhtml")
KEPT = ((), (Keep.NOTES,), tuple(Keep))
EDITION = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TEI SYSTEM "tei.dtd" [<!ENTITY own "&#8212;">]>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title type="main">River
</title><author><persName><forename>Ada</forename><surname>Alder</surname></persName></author>
</titleStmt></fileDesc></teiHeader><text><front><p>To Ben.</p></front><body><div><head>One</head>
<p>The <choice><sic>rivver</sic><corr>river</corr></choice> ro-<lb/>se&own; caf&eacute;.<note
place="foot">A stream.</note></p><sp><speaker>ANN</speaker><stage>(aside)</stage><l part="I">It<lb
break="no"/>s</l><l>now.</l></sp><ab><w>Who</w><c> </c><w>goes</w><pc join="left">?</pc></ab>
<app><lem>a</lem><rdg>b</rdg></app></div></body><back><p>Printed.</p></back></text></TEI>"""
P4 = """<!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD" "tei2.dtd" [<!ENTITY % p SYSTEM "p.dtd"> %p;]>
<TEI.2><teiHeader></teiHeader><text><body><p>The <sic corr="a">b</sic> &mdash; it</p></body>
</text></TEI.2>"""
PROSE = "The river rose in the night, and nobody heard it, for the dog slept by the stove. " * 2
PAGE = f"""<!doctype html><html><head><meta charset=utf-8><meta name=author content="Ada Alder">
<title>Rain</title></head><body><div class="cookie-banner" role=dialog>We value.</div><header><nav>
<ul><li><a href="/a">Home</a><li><a href="/b">Away</a><li><a href="/c">Up</a></ul></nav></header>
<main><article><h1>Rain</h1><p>{PROSE}<sup><a href="#fn1">1</a></sup></p><p>{PROSE}<br>It fell.</p>
<figure><figcaption>A mill</figcaption></figure></article><section class=comments><p>{PROSE}</p>
</section></main><div class=footnotes><ol><li id=fn1>A note.<a class=footnote-back href="#r">b</a>
</ol></div><aside>More</aside><form action=/s><input name=q></form><footer>All</footer></body>"""
XHTML = f"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"
xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body><p>{PROSE}&nbsp;<a href="#n"
epub:type="noteref">1</a></p><aside id="n" epub:type="footnote">A note.</aside><pre>A line.
Another.</pre></body></html>"""
SEEDS = [
    b"\0\0" + EDITION.encode(),
    b"\0\2" + EDITION.encode(),
    b"\0\1" + P4.encode(),
    b"\1\0" + PAGE.encode(),
    b"\1\1" + PAGE.encode("utf-16"),
    b"\2\1" + XHTML.encode(),
]


def read(data: bytes) -> None:
    """Read an edition or a page with one of several names, and one of several settings."""
    name, keep = (NAMES[data[0] % len(NAMES)], KEPT[data[1] % len(KEPT)]) if data[1:] else ("a", ())
    extracted = extract_text(data[2:], name, ReadingOptions(keep=keep))
    for text in (
        extracted.text,
        extracted.author or "",
        *(item.kind for item in extracted.excluded),
    ):
        text.encode()
        if "\0" in text:
            raise FindingError("the text contains NUL")


if __name__ == "__main__":
    fuzz(read, SEEDS, mutate_tags)
