r"""Extract the text of RTF (Rich Text Format 1.9): as printed, without headers and notes.

An RTF file is ASCII: groups in braces, control words such as ``\par``, and text. A control word at
the beginning of a group states where the text of the group belongs (its destination). What is not
running text is collected by itself and counted, as in Word documents.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field, replace

import regex

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.errors import CorpusError

MAX_DEPTH = 10_000
_TOKEN = regex.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?[0-9]{1,10})? ?|\\'(?P<hex>[0-9A-Fa-f]{2})"
    r"|\\(?P<symbol>.)|(?P<brace>[{}])|[\r\n]++|(?P<text>[^\\{}\r\n]++)|\\",
    regex.DOTALL,
)
_FOOTNOTES, _ENDNOTES, _CONTENTS = "footnotes", "endnotes", "tables of contents"
_FIELD_CODES = "field codes"
_EXCLUDED = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "page headers"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "page footers"),
    "footnote": _FOOTNOTES,
    "annotation": "comments",
    "fldinst": _FIELD_CODES,
    "mmath": "formulas",
}
_HIDDEN = {"v": "hidden text", "deleted": "deleted text"}
_PROPERTIES = ("author", "title")
_TEXT_BOX = "shptxt"
# Groups that old programs ignore begin with "\*". These are the ones that contain text.
_READ_AFTER_STAR = frozenset({*_EXCLUDED, _TEXT_BOX, "shpinst"})
_NAMES_WITHOUT_TEXT = (
    "fonttbl colortbl stylesheet info pict object listtext pntext pn nonshppict shprslt xe tc rxe "
    "bkmkstart bkmkend ftnsep ftnsepc aftnsep aftnsepc atnid atnauthor atndate sp template "
    "generator comment upr filetbl listtable listoverridetable revtbl datafield"
)
_NO_TEXT = frozenset(_NAMES_WITHOUT_TEXT.split())
_FIELDS_OF_CONTENTS = ("TOC", "INDEX", "TOA")
_ENDS_PARAGRAPH = frozenset({"par", "sect", "page", "column", "cell", "nestcell", "row"})
_CHARACTERS = {
    "line": "\n",
    "lbr": "\n",
    "tab": " ",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
_SYMBOLS = {"~": "\xa0", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_BULLET = regex.compile(r"[•◦▪‣·]\s++")
_CODE_PAGES = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_CHARACTER_SETS = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}


def extract_rtf(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of an RTF document.

    Raises
    ------
    CorpusError
        The content is not RTF, or its groups are nested more than ``MAX_DEPTH`` levels deep.
    """
    if not data.startswith(b"{\\rtf"):
        raise CorpusError(
            f"{name} is not an RTF document: it does not begin with {{\\rtf. Rename it to the "
            "suffix of its format."
        )
    reader = _RtfReader(keep)
    try:
        is_complete = reader.read(data.decode("latin-1"))
    except RecursionError as error:
        raise CorpusError(
            f"{name} has groups that are nested more than {MAX_DEPTH:,} levels deep. Save it as "
            ".docx or as plain text."
        ) from error
    return ExtractedText(
        join_paragraphs(reader.paragraphs),
        clean_name(reader.properties.get("author")),
        clean_name(reader.properties.get("title")),
        reader.excluded.parts(),
        () if is_complete else ("the end of the file is missing",),
    )


@dataclass(slots=True)
class _Target:
    """Where text goes: to the body, to something that is excluded, or nowhere.

    Attributes
    ----------
    kind : str
        What is excluded; empty for the body and for text boxes.
    is_text : bool
        Whether the text is collected at all.
    """

    kind: str = ""
    is_text: bool = True
    paragraphs: list[str] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)

    def end_paragraph(self) -> None:
        text = "".join(self.fragments)
        self.fragments.clear()
        if not text.isascii():  # characters beyond U+FFFF are written as two surrogates
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.paragraphs.append(_BULLET.sub("", text.strip(), count=1))

    def text(self) -> str:
        self.end_paragraph()
        return " ".join(filter(None, self.paragraphs))


@dataclass(slots=True)
class _State:
    """What a group inherits from the group that contains it, and what it has read so far."""

    target: _Target
    encoding: str = ""
    n_replacements: int = 1  # characters for old programs after each Unicode character
    hidden_as: str = ""
    field_code: str = ""
    is_new: bool = True
    has_star: bool = False


class _RtfReader:
    """Reads one document.

    Attributes
    ----------
    excluded : ExclusionCounter
    properties : dict of str to str
        The author and the title.
    """

    def __init__(self, keep: frozenset[Keep]) -> None:
        self.excluded = ExclusionCounter()
        self.properties: dict[str, str] = {}
        self._keeps_notes = Keep.NOTES in keep
        self._body = _Target()
        self._state = _State(self._body)
        self._stack: list[_State] = []
        self._asides: list[str] = []  # text boxes and notes of the current paragraph
        self._bytes = bytearray()
        self._n_to_skip = 0
        self._encoding, self._fonts, self._font = "cp1252", dict[int, str](), 0
        self._hidden: tuple[str, list[str]] = ("", [])
        self._margins: set[tuple[str, str]] = set()

    @property
    def paragraphs(self) -> list[str]:
        return self._body.paragraphs

    def read(self, text: str) -> bool:
        """Read a document, and return whether all its groups are closed."""
        position = 0
        while match := _TOKEN.match(text, position):
            position = match.end()
            if data := match["text"]:
                self._add_bytes(data.encode("latin-1"))
            elif data := match["hex"]:
                self._add_bytes(bytes.fromhex(data))
            else:
                self._flush()
                position += self._control(match)
            if match["brace"] == "}" and not self._stack:
                break
        self._flush()
        is_complete = not self._stack
        while self._stack:
            self._close()
        self._end_body_paragraph()
        return is_complete

    def _control(self, match: regex.Match[str]) -> int:
        """Follow a control word, a symbol or a brace; return how many bytes of data follow it."""
        word, number = match["word"], int(match["number"]) if match["number"] else None
        if word:
            self._word(word, number)
        elif match["symbol"]:
            self._symbol(match["symbol"])
        elif match["brace"] == "{":
            self._open()
        elif match["brace"]:
            self._close()
        return max(0, number or 0) if word == "bin" else 0

    def _open(self) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise RecursionError
        self._stack.append(self._state)
        self._state = replace(self._state, is_new=True, has_star=False)

    def _close(self) -> None:
        if not self._stack:
            return
        closed, self._state = self._state, self._stack.pop()
        if closed.target is not self._state.target:
            self._end_target(closed.target)

    def _end_target(self, target: _Target) -> None:
        if not target.is_text:
            return
        text = target.text()
        if target.kind == _FIELD_CODES:
            self._state.field_code = text
            if not text.upper().startswith(_FIELDS_OF_CONTENTS):
                self.excluded.add(target.kind, text)
        elif target.kind in _PROPERTIES:
            self.properties[target.kind] = text
        elif not target.kind or (target.kind in (_FOOTNOTES, _ENDNOTES) and self._keeps_notes):
            self._asides += target.paragraphs
        elif text and (target.kind, text) not in self._margins:
            if target.kind.startswith("page "):  # one per section and page style
                self._margins.add((target.kind, text))
            self.excluded.add(target.kind, text)

    def _word(self, word: str, number: int | None) -> None:
        self._n_to_skip = 0
        state, is_new = self._state, self._state.is_new
        state.is_new = False
        if is_new and (target := self._destination(word)):
            state.target = target
        elif word in _ENDS_PARAGRAPH:
            self._end_paragraph()
        elif word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif word == "u" and number is not None:
            self._add(chr(number % 0x10000))
            self._n_to_skip = state.n_replacements
        elif word == "uc":
            state.n_replacements = max(0, number or 0)
        elif word in _HIDDEN:
            state.hidden_as = "" if number == 0 else _HIDDEN[word]
        elif word == "plain":
            state.hidden_as, state.encoding = "", ""
        elif word == "ftnalt" and state.target.kind == _FOOTNOTES:
            state.target.kind = _ENDNOTES
        else:
            self._encoding_word(word, number)

    def _encoding_word(self, word: str, number: int | None) -> None:
        if word == "f" and number is not None:
            self._font = number
            self._state.encoding = self._fonts.get(number, "")
        elif word == "fcharset":
            self._fonts[self._font] = _CHARACTER_SETS.get(number or 0, "")
        elif word in _CODE_PAGES:
            self._encoding = _CODE_PAGES[word]
        elif word == "ansicpg":
            self._encoding = _code_page(number) or self._encoding

    def _destination(self, word: str) -> _Target | None:
        """Return where the text of a group goes that begins with a control word."""
        if self._state.has_star and word not in _READ_AFTER_STAR:
            return _Target(is_text=False)
        if word in _PROPERTIES:
            return _Target(word)
        if not self._state.target.is_text and word != _TEXT_BOX:
            return None
        if word in _NO_TEXT:
            return _Target(is_text=False)
        if word == "fldrslt" and self._state.field_code.upper().startswith(_FIELDS_OF_CONTENTS):
            return _Target(_CONTENTS)
        return _Target(_EXCLUDED.get(word, "")) if word in (*_EXCLUDED, _TEXT_BOX) else None

    def _symbol(self, symbol: str) -> None:
        self._n_to_skip = 0
        if symbol == "*":
            self._state.has_star = True
            return
        self._state.is_new = False
        if symbol in "\r\n":
            self._end_paragraph()
        elif symbol in _SYMBOLS:
            self._add(_SYMBOLS[symbol])

    def _add_bytes(self, data: bytes) -> None:
        self._state.is_new = False
        n_skipped = min(self._n_to_skip, len(data))
        self._n_to_skip -= n_skipped
        self._bytes += data[n_skipped:]

    def _flush(self) -> None:
        """Decode the bytes that were read since the last control word."""
        if self._bytes:
            encoding = self._state.encoding or self._encoding
            self._add(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()

    def _add(self, text: str) -> None:
        if not self._state.target.is_text:
            return
        if self._hidden[0] != self._state.hidden_as:
            self._end_hidden()
        if self._state.hidden_as:
            self._hidden = (self._state.hidden_as, [*self._hidden[1], text][:100])
        else:
            self._state.target.fragments.append(text)

    def _end_hidden(self) -> None:
        kind, run = self._hidden
        if kind and (text := "".join(run).strip()):
            self.excluded.add(kind, text)
        self._hidden = ("", [])

    def _end_paragraph(self) -> None:
        """End a paragraph, unless its end was deleted."""
        if self._state.hidden_as or not self._state.target.is_text:
            return
        if self._state.target is self._body:
            self._end_body_paragraph()
        else:
            self._state.target.end_paragraph()

    def _end_body_paragraph(self) -> None:
        self._end_hidden()
        self._body.end_paragraph()
        self._body.paragraphs += self._asides
        self._asides.clear()


def _code_page(number: int | None) -> str:
    """Return the encoding of a code page of Windows; empty if Python does not know it."""
    name = {65001: "utf-8", 10000: "mac_roman"}.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
