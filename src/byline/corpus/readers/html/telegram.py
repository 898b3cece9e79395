"""Read the pages ``messages.html`` that Telegram exports."""

from __future__ import annotations

from byline.corpus.dialogue.chat_json import TELEGRAM
from byline.corpus.dialogue.chats import Message, chat_of
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.readers.markup import Element


def is_telegram_html(head: bytes) -> bool:
    """Return whether a page begins like an export of Telegram."""
    return b"page_wrap" in head and b"Exported Data" in head


def read_telegram_html(root: Element) -> Dialogue:
    """Return the messages of a page; a message without a name is by the one before.

    Parameters
    ----------
    root : lxml element
        As `byline.corpus.readers.markup.parse_html` returns it.
    """
    from lxml import etree

    messages: list[Message] = []
    speaker = ""
    walker = etree.iterwalk(root, events=("start",), tag="div")
    for _, element in walker:
        classes = element.get("class", "").split()
        if "message" not in classes:
            continue
        walker.skip_subtree()
        if "service" in classes:
            messages.append(Message("", _text(element)))
            continue
        speaker = _first(element, "from_name") or speaker
        is_forwarded = any("forwarded" in each.get("class", "").split() for each in element.iter())
        said = _first(element, "text")
        if said:
            messages.append(Message("" if is_forwarded else speaker, said))
    return chat_of(TELEGRAM, messages)


def _first(message: Element, name: str) -> str:
    """Return the text of the first element of a class in a message; empty if there is none."""
    for element in message.iter("div"):
        if name in element.get("class", "").split():
            return _text(element)
    return ""


def _text(element: Element) -> str:
    from lxml import etree

    said: list[str] = []
    for event, each in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            said += ["\n" if each.tag == "br" else "", each.text or ""]
        elif each is not element:
            said.append(each.tail or "")
    lines = "".join(said).split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip()
