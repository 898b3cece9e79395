"""Measure how well Byline and other libraries read documents whose text is known.

Three programs write the documents. LibreOffice converts one document with page headers, footnotes,
an endnote, a comment, a tracked insertion and deletion, headings and a list. Pandoc writes one with
footnotes, lists, code, formulas and a table, and Chromium prints pages in four layouts. A program
or library that is not installed is left out.

For each library, the table shows how many of the words are found in order, how many paragraphs are
found whole, and how many of the sentences that are not running text are found too (0 is best).
"""

from __future__ import annotations

import argparse
import html
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from html_pages import Writer
from printed_pages import CHROMIUM, LAYOUTS

Reader = Callable[[Path], str]
_FODT_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>Rivers</dc:title><meta:initial-creator>Ada Alder</meta:initial-creator>
</office:meta><office:styles><style:style style:name="Standard" style:family="paragraph">
<style:paragraph-properties fo:text-align="justify" fo:text-indent="0.5cm"/>
<style:text-properties fo:language="en" fo:country="GB" fo:hyphenate="true" fo:font-size="12pt"/>
</style:style>
<style:style style:name="Footnote" style:family="paragraph">
<style:text-properties fo:font-size="9pt"/></style:style>
<style:style style:name="Anchor" style:family="text">
<style:text-properties style:text-position="super 58%"/></style:style>
<text:notes-configuration text:note-class="footnote" text:citation-body-style-name="Anchor"
 text:citation-style-name="Anchor" style:num-format="1"/></office:styles>"""


@dataclass
class Source:
    """A document before a program writes it: the running text, and everything else."""

    paragraphs: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Written:
    """A document that a program wrote."""

    kind: str
    path: Path
    source: Source


def open_document(writer: Writer, *, with_changes: bool) -> tuple[Source, str]:
    """Return a flat OpenDocument text that LibreOffice converts to everything else."""
    source = Source()

    def foreign() -> str:
        source.foreign.append(writer.aside())
        return source.foreign[-1]

    header, footer = foreign(), foreign()
    body, changes = [], []
    for number in range(60):
        text = writer.paragraphs(1)[0]
        source.paragraphs.append(text)
        begin, end = text[: len(text) // 2], text[len(text) // 2 :]
        inner = ""
        if number % 7 == 3:
            kind = "endnote" if number == 17 else "footnote"
            inner = (
                f'<text:note text:id="n{number}" text:note-class="{kind}">'
                f"<text:note-citation>{number}</text:note-citation><text:note-body>"
                f'<text:p text:style-name="Footnote">{foreign()}</text:p>'
                "</text:note-body></text:note>"
            )
        if number == 20:
            inner = (
                "<office:annotation><dc:creator>Ben</dc:creator><text:p>"
                f"{foreign()}</text:p></office:annotation>"
            )
        if number % 20 == 5 and with_changes:
            inner = f'<text:change text:change-id="c{number}"/>'
            changes.append(
                f'<text:changed-region text:id="c{number}"><text:deletion><office:change-info>'
                "<dc:creator>Ben</dc:creator><dc:date>2026-01-01T10:00:00</dc:date>"
                f"</office:change-info><text:p>{foreign()}</text:p></text:deletion>"
                "</text:changed-region>"
            )
        if number % 20 == 6 and with_changes:
            begin = (
                f'<text:change-start text:change-id="i{number}"/>{begin}'
                f'<text:change-end text:change-id="i{number}"/>'
            )
            changes.append(
                f'<text:changed-region text:id="i{number}"><text:insertion><office:change-info>'
                "<dc:creator>Ben</dc:creator><dc:date>2026-01-01T10:00:00</dc:date>"
                "</office:change-info></text:insertion></text:changed-region>"
            )
        body.append(f"<text:p>{begin}{inner}{end}</text:p>")
        if number % 15 == 14:
            source.paragraphs.append(writer.phrase())
            body.append(f'<text:h text:outline-level="1">{source.paragraphs[-1]}</text:h>')
        if number % 20 == 10:
            items = [writer.phrase() for _ in range(3)]
            source.paragraphs += items
            listed = "".join(
                f"<text:list-item><text:p>{x}</text:p></text:list-item>" for x in items
            )
            body.append(f"<text:list>{listed}</text:list>")
    tracked = f"<text:tracked-changes>{''.join(changes)}</text:tracked-changes>" if changes else ""
    master = (
        '<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties '
        'fo:page-width="14cm" fo:page-height="21cm" fo:margin="2cm"/><style:header-style/>'
        "<style:footer-style/></style:page-layout></office:automatic-styles>"
        '<office:master-styles><style:master-page style:name="Standard" '
        f'style:page-layout-name="L"><style:header><text:p>{header}</text:p></style:header>'
        f"<style:footer><text:p>{footer} <text:page-number/></text:p></style:footer>"
        "</style:master-page></office:master-styles>"
    )
    whole = "".join(body)
    return source, (
        f"{_FODT_HEAD}{master}<office:body><office:text>{tracked}{whole}</office:text></office:body>"
        "</office:document>"
    )


def markdown(writer: Writer) -> tuple[Source, str]:
    """Return a Markdown text that pandoc converts to everything else."""
    source, blocks, notes = Source(), [], []
    for number in range(40):
        text = writer.paragraphs(1)[0]
        source.paragraphs.append(text)
        blocks.append(text)
        if number % 6 == 2:
            source.foreign.append(writer.aside())
            blocks[-1] += f"[^{number}]"
            notes.append(f"[^{number}]: {source.foreign[-1]}")
        if number % 10 == 4:
            source.paragraphs.append(writer.phrase())
            blocks.append(f"# {source.paragraphs[-1]}")
        if number % 10 == 6:
            items = [writer.phrase() for _ in range(3)]
            source.paragraphs += items
            blocks.append("\n".join(f"- {item}" for item in items))
        if number % 10 == 8:
            source.foreign.append(writer.aside())
            blocks.append(f"```\n{source.foreign[-1]}\n```")
            source.paragraphs.append(f"{writer.phrase()[:-1]} that a word changed.")
            first, rest = source.paragraphs[-1].split(" ", 1)
            linked, last = rest.rsplit(" ", 1)
            blocks.append(f"*{first}* [{linked}](https://example.org/a) **{last}**")
    head = "---\ntitle: Rivers\nauthor: Ada Alder\n---"
    return source, "\n\n".join([head, *blocks, *notes]) + "\n"


def documents(folder: Path) -> Iterator[Written]:
    """Write all documents that the installed programs can write."""
    rng = np.random.default_rng(0)
    if shutil.which("soffice"):
        for with_changes in (True, False):
            source, text = open_document(Writer(rng), with_changes=with_changes)
            path = folder / f"office{int(with_changes)}.fodt"
            path.write_text(text, encoding="utf-8")
            if with_changes:
                yield Written("LibreOffice .fodt", path, source)
            for suffix in ("docx", "odt", "rtf", "epub") if with_changes else ("pdf",):
                convert(path, suffix)
                yield Written(f"LibreOffice .{suffix}", path.with_suffix(f".{suffix}"), source)
    source, text = markdown(Writer(rng))
    path = folder / "marked.md"
    path.write_text(text, encoding="utf-8")
    yield Written("Markdown .md", path, source)
    if shutil.which("pandoc"):
        for suffix in ("docx", "odt", "rtf", "epub", "tex", "rst", "html"):
            target = path.with_suffix(f".{suffix}")
            run("pandoc", "-s", "-f", "markdown", path, "-o", target)
            yield Written(f"pandoc .{suffix}", target, source)
    if shutil.which("chromium"):
        yield from printed(folder, rng)


def printed(folder: Path, rng: np.random.Generator) -> Iterator[Written]:
    """Print pages with Chromium in several layouts."""
    for number, (name, style) in enumerate(LAYOUTS.items()):
        writer = Writer(rng)
        source = Source(writer.paragraphs(80))
        body = "\n".join(f"<p>{html.escape(each)}</p>" for each in source.paragraphs)
        page, target = folder / f"page{number}.html", folder / f"page{number}.pdf"
        page.write_text(
            "<!doctype html><html lang=en><meta charset=utf-8><title>Rivers</title><style>"
            f"@page {{ size: 14cm 21cm }} p {{ hyphens: auto }} {style}</style><body>{body}</body>"
            "</html>",
            encoding="utf-8",
        )
        user = f"--user-data-dir={folder}/chromium"
        run("chromium", *CHROMIUM, user, "--no-pdf-header-footer", f"--print-to-pdf={target}", page)
        yield Written(f"Chromium .pdf, {name}", target, source)


def convert(path: Path, suffix: str) -> None:
    """Convert a document with LibreOffice."""
    profile = f"-env:UserInstallation=file://{path.parent}/profile"
    run("soffice", profile, "--headless", "--convert-to", suffix, "--outdir", path.parent, path)


def run(*command: str | Path) -> None:
    """Run a program silently; its settings go to the folder of temporary files."""
    home = {**os.environ, "HOME": tempfile.gettempdir()}
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env=home)


def readers() -> Iterator[tuple[str, str, Reader]]:
    """Yield the name of each installed library, its suffixes, and how it is called."""
    from byline.corpus import extract_text

    yield "Byline", "docx odt fodt rtf epub pdf html md tex rst", lambda p: extract_text(p).text
    for name, suffixes, module, read in (
        ("kreuzberg", "docx odt fodt rtf epub pdf html md tex rst", "kreuzberg", by_kreuzberg),
        ("markitdown", "docx epub pdf html", "markitdown", by_markitdown),
        ("pandoc, HTML", "docx odt rtf epub html md tex rst", "pypandoc", by_pandoc),
        ("mammoth", "docx", "mammoth", by_mammoth),
        ("python-docx", "docx", "docx", by_python_docx),
        ("docx2txt", "docx", "docx2txt", by_docx2txt),
        ("odfpy", "odt", "odf", by_odfpy),
        ("striprtf", "rtf", "striprtf", by_striprtf),
        ("pylatexenc", "tex", "pylatexenc", by_pylatexenc),
        ("docutils", "rst", "docutils", by_docutils),
        ("pdfminer.six", "pdf", "pdfminer", by_pdfminer),
        ("docling-parse", "pdf", "docling_parse", by_docling_parse),
        ("pdfplumber", "pdf", "pdfplumber", by_pdfplumber),
        ("trafilatura", "html", "trafilatura", by_trafilatura),
    ):
        if find_spec(module):
            yield name, suffixes, read


def by_kreuzberg(path: Path) -> str:
    """Read the paragraphs of the body with kreuzberg."""
    kreuzberg = import_module("kreuzberg")

    config = kreuzberg.ExtractionConfig(use_cache=False, include_document_structure=True)
    found = kreuzberg.extract_file_sync(path, config=config)
    other = {"table", "code", "footnote", "formula", "image"}
    return "\n\n".join(
        node["content"].get("text") or ""
        for node in found.document["nodes"]
        if node.get("content_layer", "body") == "body" and node["content"]["node_type"] not in other
    )


def by_markitdown(path: Path) -> str:
    """Read with markitdown, and remove the markup of Markdown."""
    markitdown = import_module("markitdown")

    text = markitdown.MarkItDown().convert(str(path)).text_content
    return re.sub(
        r"(?m)^(?:#+|[-*+]|\d+\.) +|\*\*|\\(?=\W)|\[(?=[^\]\n]+\]\()|\]\([^)\n]+\)", "", text
    )


def by_pandoc(path: Path) -> str:
    """Convert to HTML with pandoc, and read that with the reader of chapters of e-books."""
    from byline.corpus.extraction import ExclusionCounter
    from byline.corpus.readers.html.paragraphs import read_chapter
    from byline.corpus.readers.markup import parse_html

    source = {".tex": "latex", ".md": "markdown-smart"}.get(path.suffix, path.suffix[1:])
    pandoc = import_module("pypandoc").get_pandoc_path()
    command = [pandoc, "--sandbox", "-f", source, "-t", "html", "-s", "--wrap=none", str(path)]
    done = subprocess.run(command, check=True, capture_output=True)
    root = parse_html(done.stdout, path.name).root
    return "\n\n".join(read_chapter(root, (), ExclusionCounter()))


def by_mammoth(path: Path) -> str:
    """Read with mammoth."""
    mammoth = import_module("mammoth")

    with path.open("rb") as file:
        return str(mammoth.extract_raw_text(file).value)


def by_python_docx(path: Path) -> str:
    """Read the paragraphs of python-docx."""
    docx = import_module("docx")

    return "\n\n".join(each.text for each in docx.Document(str(path)).paragraphs)


def by_docx2txt(path: Path) -> str:
    """Read with docx2txt."""
    docx2txt = import_module("docx2txt")

    return str(docx2txt.process(str(path)))


def by_odfpy(path: Path) -> str:
    """Read the paragraphs and headings with odfpy."""
    opendocument, teletype, text = (
        import_module(f"odf.{name}") for name in ("opendocument", "teletype", "text")
    )

    document = opendocument.load(str(path))
    found = [
        each
        for each in document.text.childNodes + document.text.getElementsByType(text.P)
        if each.qname[1] in ("p", "h")
    ]
    return "\n\n".join(teletype.extractText(each) for each in dict.fromkeys(found))


def by_striprtf(path: Path) -> str:
    """Read with striprtf."""
    return str(import_module("striprtf.striprtf").rtf_to_text(path.read_bytes().decode("latin-1")))


def by_pylatexenc(path: Path) -> str:
    """Read with pylatexenc."""
    text = path.read_text(encoding="utf-8").partition(r"\begin{document}")[2]
    return str(import_module("pylatexenc.latex2text").LatexNodes2Text().latex_to_text(text))


def by_docutils(path: Path) -> str:
    """Read with docutils as a tree, and take the text of its paragraphs."""
    core, nodes = import_module("docutils.core"), import_module("docutils.nodes")

    settings = {"report_level": 5, "file_insertion_enabled": False, "raw_enabled": False}
    tree = core.publish_doctree(path.read_text(encoding="utf-8"), settings_overrides=settings)
    found = tree.findall(lambda each: isinstance(each, nodes.paragraph | nodes.title))
    return "\n\n".join(each.astext() for each in found)


def by_pdfminer(path: Path) -> str:
    """Read with the layout analysis of pdfminer.six."""
    return str(import_module("pdfminer.high_level").extract_text(str(path)))


def by_docling_parse(path: Path) -> str:
    """Read the lines of docling-parse; it forms no paragraphs."""
    unit = import_module("docling_core.types.doc.page").TextCellUnit.LINE
    document = import_module("docling_parse.pdf_parser").DoclingPdfParser().load(str(path))
    return "\n".join(
        cell.text for _, page in document.iterate_pages() for cell in page.iterate_cells(unit)
    )


def by_pdfplumber(path: Path) -> str:
    """Read with pdfplumber."""
    pdfplumber = import_module("pdfplumber")

    with pdfplumber.open(path) as document:
        return "\n".join(page.extract_text() for page in document.pages)


def by_trafilatura(path: Path) -> str:
    """Read with trafilatura."""
    import trafilatura

    return trafilatura.extract(path.read_bytes(), include_comments=False) or ""


# What some libraries write before each item of a list.
_LIST_MARK = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,2}\.)[ \t]+")


def shares(source: Source, text: str) -> tuple[float, float, float]:
    """Return the shares of words in order, of whole paragraphs, and of foreign sentences."""
    text = _LIST_MARK.sub("", text)
    expected, found = " ".join(source.paragraphs).split(), text.split()
    blocks = SequenceMatcher(None, expected, found, autojunk=False).get_matching_blocks()
    in_order = sum(block.size for block in blocks) / len(expected)
    whole = max(_whole(source.paragraphs, text.split(by)) for by in ("\n", "\n\n"))
    joined = " ".join(found)
    foreign = sum(sentence in joined for sentence in source.foreign) / max(1, len(source.foreign))
    return in_order, whole, foreign


def _whole(paragraphs: Sequence[str], found: Iterable[str]) -> float:
    expected, read = Counter(paragraphs), Counter(" ".join(each.split()) for each in found)
    return (expected & read).total() / expected.total()


def damaged(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield damaged forms of a document."""
    data = path.read_bytes()
    yield "cut in half", data[: len(data) // 2]
    yield "bytes changed", bytes(x ^ 0x55 if i % 997 == 500 else x for i, x in enumerate(data))
    yield "empty", b""


def outcome(read: Reader, path: Path, source: Source) -> str:
    """Return the name of the error for a damaged document, or the share of words that are read."""
    try:
        text, _ = attempt(read, path)
    except Exception as error:
        return type(error).__name__
    return f"{shares(source, text)[0]:.0%} of the words"


def attempt(read: Reader, path: Path) -> tuple[str, float]:
    """Return the text, or the name of the error, and the seconds."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = read(path)
        times.append(time.perf_counter() - begun)
        if times[-1] > 1:
            break
    return text, statistics.median(times)


def main() -> None:
    """Print one table of all documents, and one of damaged documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for the documents")
    options = parser.parse_args()
    everyone = list(readers())
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        written = list(documents(folder))
        print("| document | library | words in order | paragraphs | foreign | seconds |")
        print("|---|---|---:|---:|---:|---:|")
        for document in written:
            for name, suffixes, read in everyone:
                if document.path.suffix[1:] in suffixes.split():
                    print(f"| {document.kind} | {name} | {row(document, read)} |", flush=True)
        print_damaged(written, everyone)


def print_damaged(written: list[Written], everyone: list[tuple[str, str, Reader]]) -> None:
    """Print what each library makes of damaged forms of the first document of each format."""
    first = {document.path.suffix: document for document in reversed(written)}
    print("\n| document | library | cut in half | bytes changed | empty |\n|---|---|---|---|---|")
    for suffix, document in sorted(first.items()):
        for name, suffixes, read in everyone:
            if suffix[1:] not in suffixes.split():
                continue
            found = []
            for _, data in damaged(document.path):
                target = document.path.with_name(f"damaged{suffix}")
                target.write_bytes(data)
                found.append(outcome(read, target, document.source))
            print(f"| {suffix} | {name} | {' | '.join(found)} |", flush=True)


def row(document: Written, read: Reader) -> str:
    """Return the cells of one document and one library."""
    try:
        text, seconds = attempt(read, document.path)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:60]!r} | | | "
    words, whole, foreign = shares(document.source, text)
    return f"{words:.1%} | {whole:.0%} | {foreign:.0%} | {seconds:.3f}"


if __name__ == "__main__":
    main()
