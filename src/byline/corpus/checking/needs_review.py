"""Find what a person must review: HTML tags, speaker changes, and lines common to many texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from byline.corpus.checking.edits import Edit, remove_lines
from byline.corpus.dialogue.chats import find_chat, message_prefix
from byline.corpus.dialogue.labels import find_labelled_dialogue, label_length
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.document import Document
from byline.corpus.fingerprints import find_own_name
from byline.corpus.text_lines import TextLine, split_lines

_MAX_CHARACTERS = 100
_MAX_NAME_WORDS = 12
_END_LINES = 6
_SENTENCE_PUNCTUATION = (".", "?", "!", "…", ",", ";", "”", '"')
_LABEL = regex.compile(r"\p{N}")
_BY = frozenset({"by", "von", "par", "de", "di", "por", "door", "av", "af"})


def find_own_name_lines(document: Document) -> list[Edit]:
    """Find short lines with the author's own name at either end (code ``own-name-line``).

    A sentence with the name is not reported, because it may be about somebody else of that name. A
    label such as ``S4`` is not reported either, because it may precede a speaker's words.
    """
    if _LABEL.search(document.author):
        return []
    lines = split_lines(document.text)
    indices = range(len(lines))
    named = {*_named(document, lines, indices), *_named(document, lines, indices[::-1])}
    return [_with_by(document.text, lines, index) for index in sorted(named)]


def _named(document: Document, lines: Sequence[TextLine], indices: Iterable[int]) -> Iterator[int]:
    """Yield the lines with the name from one end on, until enough other lines were passed."""
    n_kept = 0
    for index in indices:
        line = lines[index]
        own_name = _is_separate(line) and find_own_name(replace(document, text=line.text))
        if own_name and not _speaks(document, line.text):
            yield index
        else:
            n_kept += 1
        if n_kept == _END_LINES:
            return


def _speaks(document: Document, line: str) -> bool:
    """Return whether words follow the name, as in "Ann: It holds" or in a line of a chat."""
    start = message_prefix(line) or label_length(line)
    words = line[start:].strip() if start else ""
    return bool(words) and not find_own_name(replace(document, text=words))


def _with_by(text: str, lines: Sequence[TextLine], index: int) -> Edit:
    """Return the edit that removes a line together with a "by" above it."""
    has_by = index > 0 and lines[index - 1].text.casefold().strip(" :") in _BY
    return remove_lines(text, lines[index - has_by].start, lines[index].end, "own-name-line")


def _is_separate(line: TextLine) -> bool:
    """Return whether a line is short and not a part of a sentence."""
    words = line.text.split()
    if len(line.text) > _MAX_CHARACTERS or len(words) > _MAX_NAME_WORDS:
        return False
    is_title = words[0].casefold() in _BY or line.text.isupper()
    return is_title or not line.text.endswith(_SENTENCE_PUNCTUATION)


_TAG = regex.compile(
    r"</?(?:p|br|i|b|em|strong|u|s|div|span|a|font|table|tr|td|th|ul|ol|li|h[1-6]|img|hr|sup|sub"
    r"|blockquote|body|html|head|script|style|pre|code)(?:\s[^<>\n]{0,100}=[^<>\n]{0,100})?\s?/?>",
    regex.IGNORECASE,
)
_MIN_TAGS = 3
_SPEAKER_CHANGE = regex.compile(r"(?<!>)>>(?!>)[ \t]*\p{Lu}")
_MIN_TURNS = 2
_MIN_TEXTS = 3
_MIN_SHARE = 0.1  # of an author's texts
_MIN_WORDS = 4
_MAX_WORDS = 30
_DIGITS = regex.compile(r"\d+")


def find_tags(document: Document) -> list[int]:
    """Find the positions of HTML tags. A text with very few tags may be about HTML and has none."""
    if "<" not in document.text:
        return []
    found = [match.start() for match in _TAG.finditer(document.text)]
    return found if len(found) >= _MIN_TAGS else []


def find_speakers(document: Document) -> Dialogue | None:
    """Return the turns of a text with names of speakers, or None if it has none."""
    dialogue = find_chat(document.text) or find_labelled_dialogue(document.text)
    return dialogue if dialogue is not None and len(dialogue.speakers) > 1 else None


def count_speaker_turns(document: Document) -> int:
    """Count the speaker changes (``>>``) in captions. A single one does not count."""
    if ">>" not in document.text:
        return 0
    n_turns = len(_SPEAKER_CHANGE.findall(document.text))
    return n_turns if n_turns >= _MIN_TURNS else 0


@dataclass(frozen=True, slots=True)
class CommonLine:
    """A line that opens or closes several texts of one author and no text by anyone else.

    Attributes
    ----------
    author : str
    line : str
        The line in the first of these texts.
    texts : tuple of int
        The indices of the texts in the corpus.
    """

    author: str
    line: str
    texts: tuple[int, ...]


def find_common_lines(documents: Sequence[Document]) -> list[CommonLine]:
    """Find lines that open or close at least a tenth of one author's texts.

    Lines that differ only in numbers count as the same line.
    """
    indices: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for index, document in enumerate(documents):
        lines = document.text.strip().partition("\n")[0], document.text.strip().rpartition("\n")[2]
        for is_last, line in enumerate(lines):
            if _MIN_WORDS <= len(line.split()) <= _MAX_WORDS:
                indices[bool(is_last), _key(line)].append(index)
    n_texts = Counter(document.author for document in documents)
    found = []
    for (is_last, _), texts in indices.items():
        authors = {documents[index].author for index in texts}
        if len(authors) == 1 and len(texts) >= _MIN_TEXTS:
            (author,) = authors
            if len(texts) >= _MIN_SHARE * n_texts[author]:
                text = documents[texts[0]].text.strip()
                line = text.rpartition("\n")[2] if is_last else text.partition("\n")[0]
                found.append(CommonLine(author, line, tuple(texts)))
    return sorted(found, key=lambda each: (-len(each.texts), each.author, each.line))


def _key(line: str) -> str:
    return str(_DIGITS.sub("#", " ".join(line.casefold().split())))
