from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

Members = Mapping[str, str | bytes]
# A line on a page: x and y from the lower left corner, size in points, text.
Placed = tuple[float, float, float, str]

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)


@pytest.fixture
def files() -> Path:
    """Return the folder of files that other programs wrote."""
    return Path(__file__).parent / "files"


def zip_of(members: Members, *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return data.getvalue()


@pytest.fixture
def make_zip() -> Callable[..., bytes]:
    return zip_of


@pytest.fixture
def make_word() -> Callable[..., bytes]:
    """Return a function that makes a Word document from its body and other parts."""

    def make(body: str, **parts: str) -> bytes:
        kinds = {name: f"word/{name}.xml" for name in parts}
        related = "".join(
            f'<Relationship Id="r{i}" Type="{OFFICE}/{kind.rstrip("0123456789")}" '
            f'Target="{kind}.xml"/>'
            for i, kind in enumerate(kinds)
        )
        members = {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": f'<Relationships><Relationship Id="a" Type="{OFFICE}/officeDocument" '
            f'Target="word/document.xml"/><Relationship Id="b" Type="{OFFICE}/core-properties" '
            'Target="docProps/core.xml"/></Relationships>',
            "docProps/core.xml": '<c xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "<dc:title>The River</dc:title><dc:creator>Ann Brook</dc:creator></c>",
            "word/_rels/document.xml.rels": f"<Relationships>{related}</Relationships>",
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body>'
            "</w:document>",
        }
        for name, content in parts.items():
            members[kinds[name]] = f'<w:part xmlns:w="{WORD}">{content}</w:part>'
        return zip_of(members)

    return make


@pytest.fixture
def make_epub() -> Callable[..., bytes]:
    """Return a function that makes an e-book from pages by name, in reading order."""

    def make(
        pages: Mapping[str, str],
        *,
        linear: Sequence[str] = (),
        guide: str = "",
        members: Members | None = None,
        contents: str = "",
    ) -> bytes:
        items = "".join(
            f'<item id="i{i}" href="{name}" media-type="application/xhtml+xml"/>'
            for i, name in enumerate(pages)
        )
        if contents:
            items += f'<item id="toc" href="{contents}" media-type="application/x-dtbncx+xml"/>'
        spine = "".join(
            f'<itemref idref="i{i}" linear="{"yes" if name not in linear else "no"}"/>'
            for i, name in enumerate(pages)
        )
        package = (
            '<package xmlns="http://www.idpf.org/2007/opf" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The River</dc:title>'
            "<dc:creator>Ann Brook</dc:creator></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine><guide>{guide}</guide></package>"
        )
        written = {
            f"OPS/{name.replace('%20', ' ')}": '<html xmlns="http://www.w3.org/1999/xhtml" '
            f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title></head>{body}</html>'
            for name, body in pages.items()
        }
        return zip_of(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": CONTAINER,
                "OPS/book.opf": package,
                **written,
                **(members or {}),
            }
        )

    return make


def pdf_of(objects: Sequence[bytes]) -> bytes:
    """Return a PDF with these objects, of which the first is its catalogue."""
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        data
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + rows
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(data))
    )


def stream(content: bytes, about: bytes = b"") -> bytes:
    packed = zlib.compress(content)
    return (
        b"<<%s/Filter/FlateDecode/Length %d>>stream\n" % (about, len(packed))
        + packed
        + b"\nendstream"
    )


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """Return a function that makes a PDF from the lines on each page, or from raw pages."""

    def make(*pages: Sequence[Placed] | bytes) -> bytes:
        kids = b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(len(pages)))
        objects = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(pages)),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        ]
        for i, page in enumerate(pages):
            content = page if isinstance(page, bytes) else _drawn(page)
            objects.append(
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Resources<</Font<</F 3 0 R>>>>"
                b"/Contents %d 0 R>>" % (5 + 2 * i)
            )
            objects.append(stream(content))
        return pdf_of(objects)

    return make


def _drawn(lines: Sequence[Placed]) -> bytes:
    return b"\n".join(
        b"BT /F %g Tf %g %g Td (%s) Tj ET"
        % (size, x, y, text.replace("(", r"\(").replace(")", r"\)").encode("cp1252"))
        for x, y, size, text in lines
    )


@pytest.fixture
def exploding_pdf() -> bytes:
    """Return a small PDF that draws a form 2 ** 40 times: each form draws the next one twice."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</F 5 0 R>>>>"
        b"/Contents 4 0 R>>",
        stream(b"/F Do"),
    ]
    for level in range(40):
        resources = b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + level)
        objects.append(stream(b"/F Do /F Do", form + resources))
    return pdf_of([*objects, stream(b"", form)])


@pytest.fixture
def unnamed_letters() -> bytes:
    """Return a PDF whose font maps its letters to private-use characters."""
    meaning = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <64> <E001>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Resources<</Font<</F 3 0 R>>>>"
        b"/Contents 5 0 R>>",
        stream(b"BT /F 12 Tf 40 500 Td (abcdabcd) Tj ET"),
        stream(b"begincmap " + meaning + b" endbfrange endcmap"),
    ]
    return pdf_of(objects)
