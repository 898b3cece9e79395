"""Recognise names of speakers in the lines of interviews, captions and plays.

Three forms occur: "ANN CRANE: Is it long?", "MILLER. Is it long?", and a name in capitals that
stands alone above what is said. A form is recognised only if names recur and take turns, because
"Note: ..." or the first word of a sentence looks the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import regex

from byline.corpus.dialogue.turns import Dialogue, Turn
from byline.corpus.extraction import ExclusionCounter, join_paragraphs

KIND = "a dialogue with names of speakers"
_MAX_LABEL = 60  # characters
_WORD = r"(?:\p{Lu}|\p{Lo}|\d)[\p{L}\p{M}\d'’.\-]{0,24}"
_PARTICLES = "of|the|de|del|la|le|du|des|von|van|der|and|et|und|y|à|d'|of"
_NAME = rf"{_WORD}(?: (?:{_WORD}|{_PARTICLES}|\#?\d{{1,3}})){{0,4}}"
_CAPITALS = (
    r"\p{Lu}[\p{Lu}'’\-]{1,24}(?:,? (?:\p{Lu}[\p{Lu}'’.\-]{0,24}|\d|d['’]\p{Lu}{1,24})){0,3}"
)
_ASIDE = r"(?:,? ?[\[(][^()\[\]\n]{1,60}[\])])?"
_COLON = regex.compile(
    rf"[-–—>•*_\[ ]{{0,4}}(?P<name>{_NAME})[*_\]]{{0,3}}{_ASIDE} ?[:：][*_]{{0,3}}"
    r"(?:\s(?P<rest>.*))?"
)
_STOP = regex.compile(
    rf"[_*]{{0,2}}(?P<name>(?:(?:M[rs]s?\.?|Dr\.?|The) )?{_CAPITALS}|[QA])[_*]{{0,2}}{_ASIDE}"
    r"\.\s{0,4}[-—–]{0,2}(?P<rest>[^\d\s].*)"
)
_ABBREVIATION = regex.compile(
    r"_?(?P<name>\p{Lu}\p{Ll}{1,11})\._?(?: |[-—–]{1,2}+)(?P<rest>[^\d\s].*)"
)
_ALONE = regex.compile(rf"(?P<name>{_CAPITALS}){_ASIDE}[.:,]?(?P<rest>)")
_BRACKETED = regex.compile(r"[\[(][^\[\]()]{1,300}[\])][.]?")
_SENTENCE_END = regex.compile(r"[.?!…:;,—\-][\"'”’»)\]]*$|[\])]$")
# What stands before a colon in prose, forms and diaries, and is no speaker.
_NO_SPEAKERS = frozenset(
    """
    mr mrs ms dr st prof sr jr mme mlle herr frau sra no vol art sec cf ibid
    note notes nb ps example examples warning figure fig table chapter section page abstract
    keywords summary title author subject re from to cc bcc date sent tel fax phone email e-mail
    http https www source sources update edit address price time place disclaimer prompt rating
    pairing genre ingredients method result results conclusion background objective
    hinweis beispiel anmerkung abbildung tabelle kapitel quelle betreff von an datum
    remarque exemple chapitre tableau objet de à nota ejemplo capítulo tabla fuente asunto fecha
    para monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch
    donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes
    martes miércoles jueves viernes sábado domingo january february march april may june july august
    september october november december
    """.split()  # noqa: SIM905
)
_MIN_COUNT = {"colon": 2, "stop": 3, "abbreviation": 3, "alone": 3}
_MIN_TURNS = {"colon": 4, "stop": 8, "abbreviation": 20, "alone": 8}
_MIN_SHARE = {"colon": 0.5, "stop": 0.15, "abbreviation": 0.4, "alone": 0.15}
_MANY_TURNS, _MAX_GAP = 8, 30  # or so many turns, with so few lines between them
_MIN_RECURRING = 0.7  # share of the names
_MIN_CHANGES = 0.5  # share of turns after which another one speaks


class _Label(NamedTuple):
    line: int
    name: str
    rest: str


def find_labelled_dialogue(text: str) -> Dialogue | None:
    r"""Return the turns of a text in which names of speakers begin lines, or None.

    Examples
    --------
    >>> from byline.corpus.dialogue.labels import find_labelled_dialogue
    >>> text = "Q: Is it long?\nA: Very.\nQ: And strong?\nA: It holds\nboth boats."
    >>> dialogue = find_labelled_dialogue(text)
    >>> dialogue.speakers, dialogue.only("A").text
    ({'Q': 2, 'A': 2}, 'Very.\n\nIt holds both boats.')
    >>> find_labelled_dialogue("Note: it is long.\nNote: it is strong.") is None
    True
    """
    lines = text.splitlines()
    filled = [index for index, line in enumerate(lines) if line.strip()]
    for form, pattern in _FORMS.items():
        labels = _labels(lines, filled, pattern)
        if _is_dialogue(form, labels, lines, filled):
            return _dialogue(lines, labels)
    return None


def label_length(line: str) -> int:
    """Return the length of "NAME:" at the start of a line, or 0.

    Examples
    --------
    >>> from byline.corpus.dialogue.labels import label_length
    >>> label_length("Ann Crane: Is it long?"), label_length("It is long.")
    (10, 0)
    """
    found = _match(_COLON, line.strip())
    return found.end("name") + 1 if found else 0


_FORMS = {"colon": _COLON, "stop": _STOP, "alone": _ALONE, "abbreviation": _ABBREVIATION}


def _match(pattern: regex.Pattern[str], line: str) -> regex.Match[str] | None:
    """Return the match of a line, whose start alone decides."""
    if pattern is _ALONE and len(line) > _MAX_LABEL:
        return None
    head = line[: 2 * _MAX_LABEL]
    if pattern is _COLON and ":" not in head and "：" not in head:
        return None
    found = pattern.fullmatch(head)
    if found is None or found["name"].casefold().strip(". ") in _NO_SPEAKERS:
        return None
    return found


def _labels(
    lines: Sequence[str], filled: Sequence[int], pattern: regex.Pattern[str]
) -> list[_Label]:
    labels = []
    for index in filled:
        line = lines[index].strip()
        if found := _match(pattern, line):
            name = " ".join(found["name"].strip("*_ .").split())
            rest = line[found.start("rest") :] if found["rest"] is not None else ""
            labels.append(_Label(index, name, rest))
    return labels


def _is_dialogue(
    form: str, labels: Sequence[_Label], lines: Sequence[str], filled: Sequence[int]
) -> bool:
    counts = Counter(label.name.casefold() for label in labels)
    recurring = {name for name, n in counts.items() if n >= _MIN_COUNT[form]}
    turns = [label for label in labels if label.name.casefold() in recurring]
    if len(recurring) < 2 or len(turns) < _MIN_TURNS[form]:
        return False
    if len(turns) < _MIN_RECURRING * len(labels):
        return False
    changes = sum(a.name.casefold() != b.name.casefold() for a, b in pairwise(turns))
    if changes < _MIN_CHANGES * (len(turns) - 1):
        return False
    if form == "alone" and not _stand_between_sentences(turns, lines):
        return False
    paragraphs = 1 + sum(after > before + 1 for before, after in pairwise(filled))
    n_units = len(filled) if paragraphs < len(turns) else paragraphs
    return len(turns) >= _MIN_SHARE[form] * n_units or (
        form == "colon" and _are_close(turns, filled)
    )


def _are_close(turns: Sequence[_Label], filled: Sequence[int]) -> bool:
    """Return whether many turns follow one another from the beginning to the end of a text."""
    gaps = [after.line - before.line for before, after in pairwise(turns)]
    begin, end = filled[0], filled[-1]
    return (
        len(turns) >= _MANY_TURNS
        and median(gaps) <= _MAX_GAP
        and turns[0].line - begin <= 0.2 * (end - begin) + _MAX_GAP
        and end - turns[-1].line <= 0.2 * (end - begin) + _MAX_GAP
    )


def _stand_between_sentences(turns: Sequence[_Label], lines: Sequence[str]) -> bool:
    """Return whether names do not interrupt sentences, as page headers do."""
    n_between = 0
    for turn in turns:
        above = lines[turn.line - 1].strip() if turn.line else ""
        below = next((line for line in lines[turn.line + 1 : turn.line + 4] if line.strip()), "")
        ends = not above or _SENTENCE_END.search(above[-8:]) is not None
        n_between += ends and not below.strip()[:1].islower()
    return n_between >= 0.8 * len(turns)


def _dialogue(lines: Sequence[str], labels: Sequence[_Label]) -> Dialogue:
    shown: dict[str, str] = {}
    excluded = ExclusionCounter()
    before = "\n".join(lines[: labels[0].line])
    if before.strip():
        excluded.add("text before the first speaker", before)
    turns = []
    ends = [label.line for label in labels[1:]] + [len(lines)]
    for label, end in zip(labels, ends, strict=True):
        said = _without_directions([label.rest, *lines[label.line + 1 : end]], excluded)
        text = join_paragraphs(["\n".join(said)])
        if text:
            turns.append(Turn(shown.setdefault(label.name.casefold(), label.name), text))
    return Dialogue(KIND, tuple(turns), excluded.parts(), is_certain=False)


def _without_directions(lines: Sequence[str], excluded: ExclusionCounter) -> list[str]:
    kept = []
    for line in lines:
        stripped = line.strip()
        if len(stripped) <= 300 and _BRACKETED.fullmatch(stripped):
            excluded.add("stage directions", stripped)
        else:
            kept.append(line)
    return kept
