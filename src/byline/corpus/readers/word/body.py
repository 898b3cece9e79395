"""The paragraphs within a part of a Word document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.markup import Element, local_name

_LEFT_OUT = {
    "del": "deleted text",
    "moveFrom": "deleted text",
    "oMath": "formulas",
    "oMathPara": "formulas",
    "rt": "readings beside characters",
}
_CHARACTERS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# Of two forms of one thing, the second is for older programs.
_PASSED_OVER = {
    "Fallback",
    "sectPr",
    "tblPr",
    "trPr",
    "tcPr",
    "tblGrid",
    "sdtPr",
    "delText",
    "pPr",
    "rPr",
}
_CONTENTS = ("TOC", "INDEX", "TOA")
_OFF = ("0", "false", "off", "none")


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute by its name without namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def read_paragraphs(root: Element, excluded: ExclusionCounter) -> list[str]:
    """Return the paragraphs below ``root``, and count what is no text."""
    reader = _Reader(excluded)
    reader.read(root)
    reader.end()
    return reader.paragraphs


@dataclass(slots=True)
class _Field:
    """A field: a code, and what the code came to when the document was last printed."""

    code: str = ""
    has_result: bool = False
    result: str = ""

    @property
    def is_contents(self) -> bool:
        return self.code.upper().split()[:1] in [[code] for code in _CONTENTS]


class _Reader:
    def __init__(self, excluded: ExclusionCounter) -> None:
        self.paragraphs: list[str] = []
        self._left_out = excluded
        self._said: list[str] = []
        # Those open; one begins and ends anywhere, often some paragraphs apart.
        self._fields: list[_Field] = []

    def read(self, element: Element) -> None:
        for child in element:
            name = local_name(child)
            if name in _LEFT_OUT:
                self._leave_out(child, _LEFT_OUT[name])
            elif name in _CHARACTERS:
                self._say(_CHARACTERS[name])
            elif name not in _PASSED_OVER:
                _READ.get(name, _Reader.read)(self, child)

    def end(self) -> None:
        """End the last paragraph, and fields that nothing ends."""
        self._end_paragraph()
        while self._fields:
            self._end_field(self._fields.pop())

    def _end_paragraph(self) -> None:
        self.paragraphs.append("".join(self._said))
        self._said = []
        while self._fields and not self._fields[-1].has_result:  # no code goes on from here
            self._end_field(self._fields.pop())

    def _say(self, text: str) -> None:
        contents = next((field for field in self._fields if field.is_contents), None)
        if contents:
            contents.result += text
        elif all(field.has_result for field in self._fields):
            self._said.append(text)

    def _leave_out(self, element: Element, what: str) -> None:
        said = "".join(
            child.text or "" for child in element.iter("*") if local_name(child) in ("t", "delText")
        )
        if said.strip():
            self._left_out.add(what, said)

    def _paragraph(self, element: Element) -> None:
        self.read(element)
        if not _has_deleted_end(element):
            self._end_paragraph()

    def _run(self, element: Element) -> None:
        if _is_hidden(element):
            self._leave_out(element, "hidden text")
        else:
            self.read(element)

    def _text(self, element: Element) -> None:
        self._say(element.text or "")

    def _field_code(self, element: Element) -> None:
        if self._fields:
            self._fields[-1].code += element.text or ""

    def _field_mark(self, element: Element) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].has_result = True
        elif kind == "end" and self._fields:
            self._end_field(self._fields.pop())

    def _simple_field(self, element: Element) -> None:
        self._fields.append(_Field(attribute(element, "instr") or "", has_result=True))
        self.read(element)
        self._end_field(self._fields.pop())

    def _end_field(self, field: _Field) -> None:
        if field.is_contents:
            self._left_out.add("tables of contents", field.result)
        else:
            self._left_out.add("field codes", field.code)

    def _filled_in(self, element: Element) -> None:
        """Read a part that Word fills in, unless that is a table of contents."""
        if _is_contents(element):
            self._leave_out(element, "tables of contents")
        else:
            self.read(element)

    def _drawing(self, element: Element) -> None:
        """Read the text boxes in a drawing, before the paragraph in which they stand."""
        outer, self._said = self._said, []
        for child in element.iter("*"):
            if local_name(child) == "txbxContent" and not _is_within_another(child, element):
                self.read(child)
        self._said = outer


_READ: Mapping[str, Callable[[_Reader, Element], None]] = {
    "p": _Reader._paragraph,
    "r": _Reader._run,
    "t": _Reader._text,
    "instrText": _Reader._field_code,
    "fldChar": _Reader._field_mark,
    "fldSimple": _Reader._simple_field,
    "sdt": _Reader._filled_in,
    "drawing": _Reader._drawing,
    "pict": _Reader._drawing,
    "object": _Reader._drawing,
}


def _is_hidden(run: Element) -> bool:
    return any(
        local_name(mark) == "vanish" and attribute(mark, "val") not in _OFF
        for looks in run
        if local_name(looks) == "rPr"
        for mark in looks
    )


def _has_deleted_end(paragraph: Element) -> bool:
    """Whether the end of a paragraph was deleted while changes were tracked: the next joins it."""
    return any(
        local_name(mark) == "del"
        for looks in paragraph
        if local_name(looks) == "pPr"
        for run in looks
        if local_name(run) == "rPr"
        for mark in run
    )


def _is_contents(part: Element) -> bool:
    return any(
        local_name(element) == "docPartGallery" and attribute(element, "val") == "Table of Contents"
        for about in part
        if local_name(about) == "sdtPr"
        for element in about.iter("*")
    )


def _is_within_another(box: Element, drawing: Element) -> bool:
    """Whether a text box is read with the one it stands in, or is a form for older programs."""
    above = box.getparent()
    while above is not drawing:
        if local_name(above) in ("Fallback", "txbxContent"):
            return True
        above = above.getparent()
    return False
