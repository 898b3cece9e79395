"""Extract the text of Markdown (CommonMark, with tables, notes and formulas): without its markup.

Front matter, code, tables, formulas, notes and HTML tags are excluded; links keep their text.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from byline.corpus.decoding import decode
from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Front matter is YAML between "---", or TOML between "+++", at the very beginning.
_FRONT_MATTER = regex.compile(
    r"\s*+(?:-{3}|\+{3})[ \t]*+\n(?P<lines>(?:(?!(?:-{3}|\.{3}|\+{3})[ \t]*+\n)[^\n]*+\n)*+)"
    r"(?:-{3}|\.{3}|\+{3})[ \t]*+(?:\n|$)"
)
_TITLE_BLOCK = regex.compile(r"\s*+% (?P<title>[^\n]*+)\n(?:% (?P<author>[^\n]*+)\n)?")  # by pandoc
_KEY = regex.compile(r"(?P<key>[\w-]++)[ \t]*+[:=][ \t]*+(?P<value>[^\n]*+)")
_LIST_ITEM = regex.compile(r"[ \t]*+-[ \t]++(?:name[ \t]*+:[ \t]*+)?(?P<value>[^\n]++)")
_OTHER_LINE = regex.compile(r"\s|#|-[ \t]|$")  # indented, a comment, an item of a list, or blank
_QUOTES = "\"' \t"
_NO_TEXT_TAGS = ("<script", "<style", "<?", "<!")
_COMMENT = regex.compile(r"<!--(?:(?!-->).)*+(?:-->|$)", regex.DOTALL)
_INLINE_TAG = regex.compile(
    r"</?+(?:a|b|i|u|em|strong|span|sup|sub|code|font|small|mark|kbd)\b[^<>]*+>", regex.IGNORECASE
)
_TAG = regex.compile(r"<[^<>]*+>")
_SPACES = regex.compile(r"[ \t]{2,}+")
_CODE, _FORMULAS = "program code", "formulas"
_TOKENS = {
    "fence": _CODE,
    "code_block": _CODE,
    "math_block": _FORMULAS,
    "math_block_label": _FORMULAS,
    "math_inline": _FORMULAS,
    "math_inline_double": _FORMULAS,
    "image": "pictures",
}
_ELEMENTS = {"table": "tables", "footnote": "footnotes", "s": "deleted text"}


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    footnote_plugin(parser)
    # "$5 and $6" is no formula.
    dollarmath_plugin(parser, allow_space=False, allow_digits=False)
    return parser


class _About(NamedTuple):
    """What the front matter states."""

    author: str | None = None
    title: str | None = None


def extract_markdown(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of a Markdown file.

    Raises
    ------
    CorpusError
        The content cannot be decoded, or is not text.
    """
    decoded = decode(data, name)
    source = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    excluded = ExclusionCounter()
    about, source = _split_front_matter(source, excluded)
    collector = _Collector(keep, excluded)
    collector.read(_parser().parse(source))
    guessed = decoded.guessed_encoding
    return ExtractedText(
        join_paragraphs(collector.paragraphs),
        about.author,
        about.title,
        excluded.parts(),
        (f"the encoding is guessed as {guessed}",) if guessed else (),
    )


def _split_front_matter(source: str, excluded: ExclusionCounter) -> tuple[_About, str]:
    """Return what the front matter states, and the rest of the file."""
    if match := _TITLE_BLOCK.match(source):
        excluded.add("front matter", match[0])
        return _About(clean_name(match["author"]), clean_name(match["title"])), source[
            match.end() :
        ]
    match = _FRONT_MATTER.match(source)
    lines = match["lines"].splitlines() if match else []
    keys = [line for line in lines if _KEY.match(line)]
    if not match or not keys or any(not _is_front_matter(line) for line in lines):
        return _About(), source
    excluded.add("front matter", match["lines"])
    stated = dict(_stated(lines))
    author = stated.get("author") or stated.get("authors")
    return _About(clean_name(author), clean_name(stated.get("title"))), source[match.end() :]


def _is_front_matter(line: str) -> bool:
    return bool(_KEY.match(line) or _OTHER_LINE.match(line))


def _stated(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each key with its value; the items of a list are joined.

    YAML itself refuses what many files contain, such as a title with a colon.
    """
    key, values = "", list[str]()
    for line in [*lines, "end:"]:
        if match := _KEY.match(line):
            if key and values:
                yield key, " and ".join(values)
            key, value = match["key"].lower(), match["value"].strip()
            given = value.strip("[]").split(",") if value.startswith("[") else [value]
            values = [name for each in given if (name := each.strip(_QUOTES))]
        elif match := _LIST_ITEM.match(line):
            values.append(match["value"].strip(_QUOTES))


class _Collector:
    """Collects the paragraphs of a parsed text, and counts what is excluded."""

    def __init__(self, keep: frozenset[Keep], excluded: ExclusionCounter) -> None:
        self.paragraphs: list[str] = []
        self._excluded = excluded
        kept = {"footnotes"} if Keep.NOTES in keep else set()
        self._kinds = {name: kind for name, kind in _ELEMENTS.items() if kind not in kept}
        self._fragments: list[str] = []
        self._n_open = 0  # excluded elements around the current token
        self._removed: list[str] = []

    def read(self, tokens: Iterable[Token]) -> None:
        """Read the tokens of a text, or of one of its paragraphs."""
        for token in tokens:
            kind = self._kinds.get(token.type.rpartition("_")[0]) if token.nesting else None
            if kind:
                self._enter_or_leave(kind, token.nesting)
            elif token.type in _TOKENS:
                if not self._n_open:
                    self._excluded.add(_TOKENS[token.type], token.content)
            elif token.type == "inline":
                self.read(token.children or [])
                self._end_paragraph()
            elif token.type == "html_block":
                self._add(_text_of_html(token.content))
                self._end_paragraph()
            else:
                self._add(_text_of_inline(token))

    def _enter_or_leave(self, kind: str, nesting: int) -> None:
        self._n_open += nesting
        if not self._n_open:
            self._excluded.add(kind, "".join(self._removed))
            self._removed.clear()

    def _add(self, text: str) -> None:
        (self._removed if self._n_open else self._fragments).append(text)

    def _end_paragraph(self) -> None:
        if self._n_open:
            self._removed.append(" ")
            return
        self.paragraphs.append(_SPACES.sub(" ", "".join(self._fragments)))
        self._fragments.clear()


def _text_of_inline(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "hardbreak" or token.content.startswith(("<br", "<BR")):
        return "\n"
    return token.content if token.type in ("text", "code_inline") else ""


def _text_of_html(block: str) -> str:
    """Return the text between the tags of a block of HTML."""
    text = _COMMENT.sub(" ", block)
    is_text = not text.lstrip().lower().startswith(_NO_TEXT_TAGS)
    return html.unescape(_TAG.sub(" ", _INLINE_TAG.sub("", text))) if is_text else ""
