"""Measure how much of an article, and how much else, Byline and trafilatura extract from a page.

The pages consist of random sentences, so that it is known which of them belong to the article.
There are pages of Sphinx in several themes, pages of pandoc and LibreOffice if these are installed,
and pages built like those of newspapers, blogs, wikis and old home pages.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

NOUNS = ("river", "harbour", "letter", "winter", "garden", "engine", "captain", "window", "market")
VERBS = ("crossed", "remembered", "carried", "measured", "painted", "forgot", "watched")
OTHERS = ("slowly", "again", "before dawn", "in the rain", "without a word", "near the bridge")
STARTS = ("When the", "Nobody said that the", "In the end a", "Some years later the")
THEMES = ("alabaster", "classic", "sphinxdoc", "nature", "agogo", "haiku", "pydata_sphinx_theme")

Reader = Callable[[bytes], str]


@dataclass
class Writer:
    """Generates unique sentences, and records which of them belong to the article."""

    rng: np.random.Generator
    article: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def sentence(self, kept: list[str], longest: int = 4) -> str:
        """Generate a sentence of five to thirty words."""
        parts = [str(self.rng.choice(STARTS)), *self._clause()]
        for _ in range(self.rng.integers(0, longest)):
            parts += ["and", *self._clause(), str(self.rng.choice(OTHERS))]
        kept.append(f"{' '.join(parts)} {len(self.article) + len(self.other):04}.")
        return kept[-1]

    def phrase(self) -> str:
        """Generate a short line of the article, as in a list, a verse or a dialogue."""
        self.article.append(f"{' '.join(self._clause())} {len(self.article):04}!")
        return self.article[-1]

    def _clause(self) -> list[str]:
        return [str(self.rng.choice(words)) for words in (NOUNS, VERBS, NOUNS)]

    def paragraphs(self, n: int) -> list[str]:
        """Generate paragraphs of the article."""
        return [
            " ".join(self.sentence(self.article) for _ in range(self.rng.integers(1, 6)))
            for _ in range(n)
        ]

    def aside(self) -> str:
        """Generate a sentence that does not belong to the article."""
        return self.sentence(self.other)


def tagged(texts: list[str], tag: str = "p") -> str:
    """Wrap each text in an element."""
    return "\n".join(f"<{tag}>{text}</{tag}>" for text in texts)


def menu(writer: Writer, n: int = 12) -> str:
    """Make a list of links."""
    items = "".join(f"<li><a href='/{i}'>{writer.aside()}</a></li>" for i in range(n))
    return f"<ul>{items}</ul>"


def comments(writer: Writer, n: int = 8) -> str:
    """Make a list of readers' comments."""
    each = (f"<li class='comment'><b>user{i}</b><p>{writer.aside()}</p></li>" for i in range(n))
    return f"<ol class='comment-list'>{''.join(each)}</ol>"


def newspaper(writer: Writer, n: int = 12) -> str:
    """Make a page with the elements of HTML 5, a cookie banner and comments."""
    begin, end = writer.paragraphs(n // 2), writer.paragraphs(n - n // 2)
    return f"""<!doctype html><html lang=en><head><meta charset=utf-8><title>Rain</title>
<meta name=author content="Ada Alder"><script>var a = "<p>no</p>";</script></head><body>
<div class="cookie-banner" role=dialog><p>{writer.aside()}</p><button>Accept</button></div>
<header><a href=/>The Paper</a><nav>{menu(writer)}</nav></header>
<main><article><header><h1>Rain</h1><p class=byline>By Ada Alder</p></header>
{tagged(begin)}<figure><img src=a.jpg alt=""><figcaption>{writer.aside()}</figcaption></figure>
<aside class=related><h3>Read more</h3>{menu(writer, 4)}</aside>{tagged(end)}
<div class="share-buttons"><a href=x>Share</a> <a href=y>Tweet</a></div></article>
<section id=comments><h2>Comments</h2>{comments(writer)}</section></main>
<aside class=sidebar><h2>Most read</h2>{menu(writer, 8)}</aside>
<footer><p>{writer.aside()}</p>{menu(writer, 6)}</footer></body></html>"""


def short_note(writer: Writer) -> str:
    """Make a newspaper page whose article has two paragraphs."""
    return newspaper(writer, n=2)


def feature(writer: Writer) -> str:
    """Make a page whose article has headings, lists, verse and dialogue."""
    short = [[writer.phrase() for _ in range(4)] for _ in range(4)]
    return f"""<!doctype html><html><head><title>Rain</title></head><body><nav>{menu(writer)}</nav>
<main><h1>Rain</h1>{tagged(writer.paragraphs(4))}<h2>{writer.phrase()}</h2>
<ul>{tagged(short[0], "li")}</ul>{tagged(writer.paragraphs(2))}<p>{"<br>".join(short[1])}</p>
{tagged(short[2])}{tagged(short[2])}{tagged(writer.paragraphs(2))}</main>
<footer><p>{writer.aside()}</p></footer></body></html>"""


def poem(writer: Writer) -> str:
    """Make a page that contains little more than a menu and eight lines of verse."""
    stanzas = ["<br>".join(writer.phrase() for _ in range(4)) for _ in range(2)]
    return f"""<html><head><title>Rain</title></head><body><nav>{menu(writer)}</nav>
{tagged(stanzas)}<footer>{writer.aside()}</footer></body></html>"""


def classes_alone(writer: Writer) -> str:
    """Make a page whose parts are marked by classes only."""
    text = tagged(writer.paragraphs(10), "div")
    return f"""<html><head><title>Notes</title></head><body><div id="wrapper"><div id="top">
<div class="menu">{menu(writer)}</div></div><div id="left">{menu(writer, 20)}</div>
<div id="content"><div class="post-body">{text}</div></div><div id="footer"><p>{writer.aside()}</p>
</div></div></body></html>"""


def home_page(writer: Writer) -> str:
    """Make a page of the 1990s: tables, and lines that end in <br>."""
    text = "<br><br>\n".join(writer.paragraphs(10))
    return f"""<HTML><HEAD><TITLE>My page</TITLE></HEAD><BODY bgcolor=white><TABLE width="100%"><TR>
<TD width=150 valign=top>{menu(writer)}</TD><TD valign=top><FONT face=Arial><H1>My page</H1>
{text}</FONT></TD></TR></TABLE>
<CENTER><FONT size=1>{writer.aside()}</FONT></CENTER></BODY></HTML>"""


def blog(writer: Writer) -> str:
    """Make a post as WordPress shows it."""
    quotation = f"<blockquote>{tagged(writer.paragraphs(1))}</blockquote>"
    return f"""<!DOCTYPE html><html><head><title>Post | Blog</title></head><body class="single">
<div id="page"><div id="masthead"><p class="site-title">Blog</p><div class="main-navigation">
{menu(writer, 6)}</div></div><div id="primary"><div id="post-7" class="post hentry">
<h1 class="entry-title">Post</h1><div class="entry-meta">Posted on 3 May</div>
<div class="entry-content">{tagged(writer.paragraphs(7))}{quotation}<div class="sharedaddy">
<h3>Share this:</h3></div></div></div><div id="comments" class="comments-area">{comments(writer)}
</div></div><div id="secondary" class="widget-area">{menu(writer, 10)}</div></div></body></html>"""


def wiki(writer: Writer) -> str:
    """Make an article as MediaWiki shows it."""
    edit = "<span class='mw-editsection'>[<a href='/e'>edit</a>]</span>"
    sections = "".join(f"<h2>Part{edit}</h2>{tagged(writer.paragraphs(4))}" for _ in range(3))
    return f"""<!DOCTYPE html><html><head><title>River</title></head><body>
<div id="mw-page-base"></div><div id="content" class="mw-body" role="main">
<h1>River</h1><div id="bodyContent">
<div id="mw-content-text"><div class="mw-parser-output">{tagged(writer.paragraphs(2))}
<div id="toc" class="toc">{menu(writer, 4)}</div>{sections}
<div class="navbox">{menu(writer, 8)}</div>
</div></div><div id="catlinks">{menu(writer, 3)}</div></div></div><div id="mw-navigation">
{menu(writer, 15)}</div><div id="footer">{menu(writer, 5)}</div></body></html>"""


def book(writer: Writer) -> str:
    """Make a book of several chapters with verse and dialogue, without a menu."""
    chapters = []
    for number in range(6):
        verse = "<br>\n".join(writer.phrase() for _ in range(4))
        talk = tagged([writer.phrase() for _ in range(8)])
        prose = tagged(writer.paragraphs(6))
        chapters.append(f"<h2>Chapter {number}</h2>{prose}<p class=poem>{verse}</p>{talk}")
    return f"<html><head><title>A Book</title></head><body>{''.join(chapters)}</body></html>"


def typed(writer: Writer) -> str:
    """Make a preformatted text."""
    return f"<html><body><pre>{chr(10).join(writer.paragraphs(12))}</pre></body></html>"


def word_export(writer: Writer) -> str:
    """Make a page as Word saves it (filtered HTML)."""
    style = "class=MsoNormal style='margin:0'"
    text = "".join(f"<p {style}><span>{each}</span></p>" for each in writer.paragraphs(12))
    return f"<html><head><title>Draft</title></head><body><div>{text}</div></body></html>"


def of_sphinx(theme: str) -> Callable[[Writer], str]:
    """Return a function that builds three pages in a theme, and returns the first."""

    def build(writer: Writer) -> str:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "source")
            source.mkdir()
            text = "\n\n".join(writer.paragraphs(10))
            tree = ".. toctree::\n\n   a\n   b\n"
            (source / "index.rst").write_text(f"River\n=====\n\n{text}\n\n{tree}")
            for name in "ab":
                text = f"{writer.aside()}\n{'=' * 250}\n\n{writer.aside()}\n"
                (source / f"{name}.rst").write_text(text)
            (source / "conf.py").write_text(f"project = 'Rivers'\nhtml_theme = '{theme}'\n")
            command = [sys.executable, "-m", "sphinx", "-q", str(source), f"{folder}/out"]
            subprocess.run(command, check=True, capture_output=True)
            return Path(folder, "out", "index.html").read_text(encoding="utf-8")

    return build


def converted(*commands: str) -> Callable[[Writer], str]:
    """Return a function that converts Markdown with a note, a heading and a quotation."""

    def convert(writer: Writer) -> str:
        parts = [*writer.paragraphs(5), "# Part", *writer.paragraphs(3)]
        text = "\n\n".join([*parts, f"> {writer.paragraphs(1)[0]}\n\nA note.[^1]"])
        with tempfile.TemporaryDirectory() as folder:
            head, note = "% River\n% Ada Alder", f"[^1]: {writer.aside()}"
            Path(folder, "text.md").write_text(f"{head}\n\n{text}\n\n{note}\n")
            for command in commands:
                words = command.replace("FOLDER", folder).split()
                subprocess.run(words, check=True, capture_output=True)
            return Path(folder, "text.html").read_text(encoding="utf-8")

    return convert


def kinds() -> Iterator[tuple[str, Callable[[Writer], str]]]:
    """Yield the kinds of pages that can be built on this machine."""
    of_page = (newspaper, short_note, feature, poem, classes_alone, home_page, blog, wiki)
    for kind in (*of_page, book, typed, word_export):
        yield kind.__name__.replace("_", " "), kind
    for theme in THEMES:
        yield f"Sphinx {theme}", of_sphinx(theme)
    if shutil.which("pandoc"):
        yield "pandoc", converted("pandoc -s --toc FOLDER/text.md -o FOLDER/text.html")
        yield "pandoc, fragment", converted("pandoc FOLDER/text.md -o FOLDER/text.html")
        if shutil.which("soffice"):
            yield (
                "LibreOffice",
                converted(
                    "pandoc FOLDER/text.md -o FOLDER/text.odt",
                    "soffice --headless -env:UserInstallation=file://FOLDER/profile "
                    "--convert-to html --outdir FOLDER FOLDER/text.odt",
                ),
            )


def readers() -> dict[str, Reader]:
    """Return the readers to compare, by their names in the table."""
    import lxml.html
    import trafilatura

    from byline.corpus.readers.html.document import extract_html

    def by_trafilatura(**options: Any) -> Reader:
        return lambda data: trafilatura.extract(data, include_comments=False, **options) or ""

    return {
        "Byline": lambda data: extract_html(data, "page.html").text,
        "trafilatura": by_trafilatura(),
        "for recall": by_trafilatura(favor_recall=True),
        "for precision": by_trafilatura(favor_precision=True),
        "all text": lambda data: str(lxml.html.fromstring(data).text_content()),
    }


def share(sentences: list[str], text: str, page: str) -> float:
    """Return the share of the sentences that a text contains as often as the page does."""
    text, page = (re.sub(r"\s+", " ", each) for each in (text, page))
    found = sum(min(text.count(sentence), page.count(sentence)) for sentence in sentences)
    return found / max(1, sum(map(page.count, sentences)))


def main() -> None:
    """Print for each kind of page the shares of the article and of the rest that were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5, help="pages of each kind")
    options = parser.parse_args()
    everyone = readers()
    seconds = dict.fromkeys(everyone, 0.0)
    print("| page | " + " | ".join(everyone) + " |\n|---|" + "---:|" * len(everyone))
    for name, make in kinds():
        found: dict[str, list[tuple[float, float]]] = {reader: [] for reader in everyone}
        for seed in range(options.pages):
            writer = Writer(np.random.default_rng(seed))
            page = make(writer)
            for reader, read in everyone.items():
                begun = time.process_time()
                text = read(page.encode())
                seconds[reader] += time.process_time() - begun
                shares = (share(each, text, page) for each in (writer.article, writer.other))
                found[reader].append((next(shares), next(shares)))
        means = (
            [100 * mean(each) for each in zip(*pairs, strict=True)] for pairs in found.values()
        )
        cells = (f"{article:.0f} / {rest:.0f}" for article, rest in means)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print("| seconds | " + " | ".join(f"{spent:.2f}" for spent in seconds.values()) + " |")


if __name__ == "__main__":
    main()
