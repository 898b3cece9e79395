"""Read chats that programs export as plain text: WhatsApp, Signal, and lines like theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import regex

from byline.corpus.dialogue.turns import Dialogue, Turn
from byline.corpus.extraction import ExclusionCounter, join_paragraphs

_MIN_MESSAGES = 3
_HEAD_LINES = 3  # one of the first lines is a message
_MIN_SHARE = 0.2  # of all lines; the others continue a message
_MAX_LINE = 400  # characters in which the date, the time and the name stand
_MARKS = "\u200e\u200f\u202a\u202c\ufeff"  # marks of direction, which WhatsApp writes

_DATE = (
    r"(?:\d{1,4}\u200f?[./-]\d{1,2}\u200f?[./-]\d{1,4}\.?|\d{1,2}-[A-Z][a-z]{2}-\d{2,4}"
    r"|\d{4}(?:年|년 )\d{1,2}(?:月|월 )\d{1,2}[日일]|\d{4}\. \d{1,2}\. \d{1,2}\.)"
)
_PERIOD = (
    r"(?:[ \u00a0\u202f]?(?:[AaPp]\.?[ \u00a0\u202f]?[Mm]\.?|[AP]M|Uhr|上午|下午|오전|오후|[صم]))"
)
_TIME = rf"(?:(?:上午|下午|오전|오후)[ \u00a0]?)?\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?{_PERIOD}?"
_STAMP = rf"{_DATE}(?:[,،]| à| um| at| a las| klo)?[ \u00a0]{{1,2}}{_TIME}"
_PREFIX = regex.compile(
    rf"(?:\[(?P<stamp>{_STAMP})\][ \u00a0]{{1,2}}"
    rf"|(?P<stamp>{_STAMP})(?:[ \u00a0]{{1,2}}[-–]|,)[ \u00a0]"
    # Without a date: IRC, LINE, Zoom, and transcripts with times.
    r"|\[(?P<stamp>\d{1,2}:\d\d(?::\d\d)?)\][ \t]|(?P<stamp>\d{1,2}:\d\d:\d\d)[ \t]{1,2}(?:From )?"
    r"|(?P<stamp>\d{1,2}:\d\d)(?: (?=<)|\t(?=[^\t]{1,80}\t)))"
)
# A name has no colon, except inside a number of a server. A message of the program has no name.
_NAME = regex.compile(
    r"<[ @+~&%]?(?P<name>[^<>\n]{1,40})>[ ]|(?P<name>[^:\t\n]{1,80}+)(?::(?:[ \u00a0\t]|$)|\t)"
)
_QUOTATION = regex.compile(r"[\"“”„«»]")  # in 'Ann named the group "Boats: 2024"'
# Lines above the words: Telegram Desktop copies "Ann Crane, [04.03.2024 10:12]"; Teams and exports
# of Discord have "[3/4/2024 10:12 AM] Ann Crane"; Slack and transcripts "Ann Crane  10:12 AM"; and
# Messenger "Ann says (10:12):".
_HEAD_LINE = regex.compile(
    rf"(?P<name>[^\[\]\n]{{1,80}}), \[(?P<stamp>{_STAMP})\]"
    rf"|\[(?P<stamp>{_STAMP})\][ ](?P<name>[^\[\]:\n]{{1,80}})"
    rf"|(?P<name>[^\[\]:\n\t ][^\[\]:\n\t]{{0,60}}?)(?:[ ]{{2}}|\t)(?P<stamp>{_TIME})"
    rf"|(?P<name>[^\[\]:\n]{{1,60}}) (?:says|wrote|schreibt|dit|dice) \((?P<stamp>{_TIME})\):"
)

_MEDIA = regex.compile(
    r"<(?:Media omitted|Medien ausgeschlossen|Médias? omis|Multimedia omitido|Archivo omitido"
    r"|Media omessi|Mídia oculta|Media weggelaten|attached: [^<>]{1,200}|Anhang: [^<>]{1,200}"
    r"|pièce jointe : [^<>]{1,200}|adjunto: [^<>]{1,200})>"
    r"|(?:image|video|audio|sticker|GIF|document|Contact card|video note) omitted"
    r"|(?:Bild|Video|Audio|Sticker|GIF|Dokument|Kontaktkarte) weggelassen"
    r"|(?:image|vidéo|audio|sticker|GIF|document|fiche contact) (?:absente?|omise?)"
    r"|(?:imagen|video|Video|audio|sticker|GIF|documento|Tarjeta de contacto) omitid[oa]"
    r"|[^\n<>]{1,120}\.\w{2,5} \((?:file attached|Datei angehängt|fichier joint|archivo adjunto)\)"
    r"|(?:location|Standort|position|ubicación)\s?: https?://\S{1,200}|null|\[?no text\]?",
    regex.IGNORECASE,
)
_DELETED = regex.compile(
    r"(?:This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht"
    r"|Du hast diese Nachricht gelöscht|Ce message a été supprimé|Vous avez supprimé ce message"
    r"|Se eliminó este mensaje|Eliminaste este mensaje"
    r"|Waiting for this message\b[^\n]{0,80}|Missed (?:voice|video) call\b[^\n]{0,60}"
    r"|(?:Voice|Video) call\b[^\n]{0,60}|Verpasster (?:Sprach|Video)anruf\b[^\n]{0,60}"
    r"|Appel (?:vocal|vidéo) manqué\b[^\n]{0,60}|(?:Llamada|Videollamada) perdida\b[^\n]{0,60})"
    r"[.!]?",
    regex.IGNORECASE,
)
_EDITED = regex.compile(
    r"[ \u200e]{0,3}<(?:This message was edited|Diese Nachricht wurde bearbeitet"
    r"|Ce message a été modifié|Se editó este mensaje)>$"
)
_NOTICE = regex.compile(
    r"[^\n]{0,60}(?:end-to-end encrypted|Ende-zu-Ende-verschlüsselt|chiffrés de bout en bout"
    r"|cifrad[oa]s de extremo a extremo)",
    regex.IGNORECASE,
)


class Message(NamedTuple):
    """One message of a chat; ``speaker`` is empty if the program wrote it."""

    speaker: str
    text: str


def message_prefix(line: str) -> int:
    """Return where the words of a message begin in a line, or 0 if it begins no message.

    Examples
    --------
    >>> from byline.corpus.dialogue.chats import message_prefix
    >>> message_prefix("01/03/2024, 08:18 - Ann: Is it long?")
    25
    >>> message_prefix("On 01/03/2024, 08:18, Ann came.")
    0
    """
    line = line[:_MAX_LINE].lstrip(_MARKS) if line[:1] in _MARKS else line[:_MAX_LINE]
    if not line[:1].isdigit() and not line.startswith("["):
        return 0
    prefix = _PREFIX.match(line)
    name = _NAME.match(line, prefix.end()) if prefix else None
    return name.end() if name else 0


def find_chat(text: str) -> Dialogue | None:
    r"""Return the chat that a text is, or None if it is none.

    Examples
    --------
    >>> from byline.corpus.dialogue.chats import find_chat
    >>> lines = ["1/3/24, 08:18 - Ann: Is it", "long?", "1/3/24, 08:19 - Ben: Very.",
    ...          "1/3/24, 08:20 - Ann: Good."]
    >>> chat = find_chat("\n".join(lines))
    >>> chat.kind, [turn.text for turn in chat.turns]
    ('a chat export', ['Is it long?', 'Very.', 'Good.'])
    """
    lines = text.splitlines()
    for read in (_read_stamped, _read_head_lines):
        if any(_begins(line, read) for line in _head(lines)):
            messages, n_lines = read(lines)
            n_messages = sum(1 for message in messages if message.speaker)
            if n_messages >= max(_MIN_MESSAGES, _MIN_SHARE * n_lines):
                return chat_of("a chat export", messages)
    return None


def may_be_chat(head: str) -> bool:
    """Return whether the beginning of a text looks like a chat, which `find_chat` confirms."""
    return any(
        _begins(line, read)
        for line in _head(head.splitlines())
        for read in (_read_stamped, _read_head_lines)
    )


def _head(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines[:100]:
        if line.strip():
            found.append(line)
        if len(found) == _HEAD_LINES:
            break
    return found


def _begins(line: str, read: object) -> bool:
    line = line[:_MAX_LINE].lstrip(_MARKS)
    if read is _read_stamped:
        return _PREFIX.match(line) is not None
    return _HEAD_LINE.fullmatch(line.strip()) is not None


def _read_stamped(lines: Sequence[str]) -> tuple[list[Message], int]:
    """Read lines that begin with date, time and name, and those that continue them."""
    messages: list[list[str]] = []
    n_lines = 0
    for full in lines:
        line = full.lstrip(_MARKS)
        n_lines += bool(line.strip())
        prefix = _PREFIX.match(line[:_MAX_LINE])
        if prefix is None:
            if messages:
                messages[-1].append(line)
            continue
        name = _NAME.match(line[:_MAX_LINE], prefix.end())
        if name and not _QUOTATION.search(name["name"]):
            messages.append([_clean_name(name["name"]), line[name.end() :]])
        else:
            messages.append(["", line[prefix.end() :]])
    return [Message(name, "\n".join(said)) for name, *said in messages], n_lines


def _read_head_lines(lines: Sequence[str]) -> tuple[list[Message], int]:
    """Read names with a date above the words."""
    messages: list[list[str]] = []
    n_lines = 0
    for line in lines:
        n_lines += bool(line.strip())
        head = _HEAD_LINE.fullmatch(line.strip()) if len(line) <= _MAX_LINE else None
        if head:
            messages.append([_clean_name(head["name"])])
        elif messages:
            messages[-1].append(line)
    return [Message(name, "\n".join(said).strip()) for name, *said in messages], n_lines


def _clean_name(name: str) -> str:
    return " ".join(name.strip(_MARKS + " ~\u00a0\u202f").split()).removesuffix(" to Everyone")


def chat_of(kind: str, messages: Sequence[Message]) -> Dialogue:
    """Return a chat without the program's own messages, media and deleted messages.

    Parameters
    ----------
    kind : str
        What messages call such a file, with its article.
    messages : sequence of Message
    """
    excluded = ExclusionCounter()
    turns: list[Turn] = []
    for speaker, said in messages:
        text, kind_of_rest = _own_words(speaker, said)
        if kind_of_rest:
            excluded.add(kind_of_rest, said)
        if text:
            turns.append(Turn(speaker, join_paragraphs(text.split("\n"))))
    return Dialogue(kind, tuple(turns), excluded.parts())


def _own_words(speaker: str, said: str) -> tuple[str, str]:
    """Return what a person wrote in a message, and the kind of what the program wrote instead."""
    if not speaker or _NOTICE.match(said):
        return "", "messages of the chat program"
    bare = said.strip(_MARKS + " \n")
    if _DELETED.fullmatch(bare):
        return "", "deleted messages and calls"
    lines = bare.split("\n")
    kept = [line for line in lines if not _is_media(line)]
    text = "\n".join(_EDITED.sub("", line).strip(_MARKS + " ") for line in kept)
    return text.strip(), "pictures and other media" if len(kept) < len(lines) else ""


def _is_media(line: str) -> bool:
    return len(line) <= _MAX_LINE and _MEDIA.fullmatch(line.strip(_MARKS + " ")) is not None
