"""Read an e-mail in HTML, without the quoted messages and signatures that its tags mark."""

from __future__ import annotations

import re

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.html.paragraphs import read_chapter
from byline.corpus.readers.markup import Element, parse_html

_QUOTED = "quoted messages"
_SIGNATURES = "e-mail signatures"
# Classes and ids that programs give to what they quote, and to signatures.
_KIND_OF_NAME = {
    name: kind
    for kind, names in {
        _QUOTED: "gmail_quote gmail_quote_container gmail_extra yahoo_quoted yahoo-quoted "
        "moz-cite-prefix protonmail_quote zmail_extra tutanota_quote outlookmessageheader "
        "moz-forward-container wordsection_quoted ms-outlook-mobile-reference-message",
        _SIGNATURES: "gmail_signature moz-signature protonmail_signature_block signature "
        "ms-outlook-mobile-signature applemailsignature moz-signature-separator",
    }.items()
    for name in names.split()
}
# Elements after which everything in the message is quoted.
_BEGINS_QUOTATION = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container"}
_LETTER = re.compile(r"\w")


def read_html_message(text: str, name: str, excluded: ExclusionCounter) -> str:
    """Return the paragraphs of a message, with blank lines between them.

    Raises
    ------
    CorpusError
        The HTML cannot be parsed.
    MissingExtraError
        lxml is not installed.
    """
    root = parse_html(b"\xef\xbb\xbf" + text.encode("utf-8", "replace"), name).root
    for element, kind in _marked(root):
        if kind:
            _remove(element, kind, excluded)
        else:
            _remove_from(element, excluded)
    paragraphs = read_chapter(root, (), excluded)
    return "\n\n".join(paragraphs)


def _marked(root: Element) -> list[tuple[Element, str]]:
    """Return the outermost elements to remove; no kind if everything after one goes as well."""
    from lxml import etree

    found: list[tuple[Element, str]] = []
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        names = _names(element)
        if names & _BEGINS_QUOTATION:
            return [*found, (element, "")]
        kind = next((_KIND_OF_NAME[each] for each in names if each in _KIND_OF_NAME), "")
        if element.tag == "blockquote" and element.get("type") == "cite":
            kind = _QUOTED
        if kind and element is not root:
            found.append((element, kind))
            walker.skip_subtree()
    return found


def _names(element: Element) -> set[str]:
    stated = f"{element.get('class', '')[:500]} {element.get('id', '')[:100]}"
    return {each.removeprefix("x_") for each in stated.lower().split()}


def _remove(element: Element, kind: str, excluded: ExclusionCounter) -> None:
    """Empty an element, and count it if it has any word."""
    text = "".join(element.itertext())
    element.clear(keep_tail=True)
    element.tag = "span"
    if _LETTER.search(text):
        excluded.add(kind, text)


def _remove_from(element: Element, excluded: ExclusionCounter) -> None:
    """Remove an element and everything after it in the message."""
    texts = ["".join(element.itertext())]
    place = element
    while (parent := place.getparent()) is not None:
        for following in list(place.itersiblings()):
            texts.append("".join(following.itertext()))
            parent.remove(following)
        place.tail = None
        place = parent
    element.clear()
    element.tag = "span"
    excluded.add(_QUOTED, " ".join(texts))
