"""A dialogue: the turns of several speakers, and the text of each of them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import regex

from byline.corpus.extraction import ExcludedPart, excerpt, merge_excluded
from byline.errors import UsageError
from byline.formatting import join_names, printable, quantity

_WORD = regex.compile(r"\p{L}\p{M}*(?:\p{L}\p{M}*)+|\p{N}+")
_MARKS = regex.compile(r"\p{M}+")


class Turn(NamedTuple):
    """What one speaker says before the next one speaks, or one message.

    Attributes
    ----------
    speaker : str
    text : str
        One paragraph per line, with a blank line between paragraphs.
    title : str
        The subject of an e-mail.
    thread : str
        What identifies the conversation that it belongs to, within one file.
    number : int
        The position of an e-mail in its mailbox, from 1.
    """

    speaker: str
    text: str
    title: str = ""
    thread: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Dialogue:
    r"""The turns of a file with several speakers.

    Attributes
    ----------
    kind : str
        With its article: ``"a WhatsApp chat"``.
    turns : tuple of Turn
    excluded : tuple of ExcludedPart
        What is in the file but not in the turns.
    warnings : tuple of str
    is_certain : bool
        Whether the format states the speakers. If it does not, "NAME:" at the start of lines may
        also mean something else.
    is_one_text_per_turn : bool
        Whether each turn is a text of its own, as an e-mail is.

    Examples
    --------
    >>> from byline.corpus.dialogue.turns import Dialogue, Turn
    >>> turns = (Turn("Ann", "Is it long?"), Turn("Ben", "Very."), Turn("Ann", "Good."))
    >>> dialogue = Dialogue("a chat", turns)
    >>> dialogue.speakers
    {'Ann': 2, 'Ben': 1}
    >>> dialogue.only("Ann").text
    'Is it long?\n\nGood.'
    """

    kind: str
    turns: tuple[Turn, ...]
    excluded: tuple[ExcludedPart, ...] = ()
    warnings: tuple[str, ...] = ()
    is_certain: bool = True
    is_one_text_per_turn: bool = False

    @property
    def speakers(self) -> dict[str, int]:
        """The number of turns of each speaker, in the order in which they first speak."""
        return dict(Counter(turn.speaker for turn in self.turns if turn.speaker))

    @property
    def text(self) -> str:
        """All turns, without the names."""
        return "\n\n".join(turn.text for turn in self.turns if turn.text)

    def only(self, speaker: str) -> Dialogue:
        """Return the turns of one speaker; those of the others are counted as excluded."""
        own = tuple(turn for turn in self.turns if turn.speaker == speaker)
        others = [turn for turn in self.turns if turn.speaker != speaker]
        left_out = (
            [ExcludedPart("turns of other speakers", len(others), excerpt(others[0].text))]
            if others
            else []
        )
        return replace(self, turns=own, excluded=merge_excluded([self.excluded, left_out]))

    def describe_speakers(self) -> str:
        """Return the names with the numbers of their turns, the most talkative first."""
        speakers = sorted(self.speakers.items(), key=lambda each: -each[1])
        return join_names([f"{printable(name)} ({quantity(n, 'turn')})" for name, n in speakers])

    def find_speaker(self, wanted: str, name: str) -> str:
        """Return the speaker of this name, or the only one with a word of it.

        Parameters
        ----------
        wanted : str
        name : str
            What messages call the file.

        Raises
        ------
        UsageError
            No speaker has this name, or several have.
        """
        exact = [each for each in self.speakers if each.casefold() == wanted.strip().casefold()]
        if found := exact[0] if exact else find_own_speaker(wanted, list(self.speakers)):
            return found
        raise UsageError(
            f"{name} has no single speaker called {wanted!r}. Its speakers are "
            f"{self.describe_speakers()}. Name one of them."
        )


def find_own_speaker(author: str, speakers: Sequence[str]) -> str | None:
    """Return the speaker who is an author, by the words of the names.

    Returns
    -------
    str or None
        None if no name shares a word with the author's, or if several do.

    Examples
    --------
    >>> from byline.corpus.dialogue.turns import find_own_speaker
    >>> find_own_speaker("crane", ["Ben", "Ann Crane"])
    'Ann Crane'
    >>> find_own_speaker("crane", ["Tom Crane", "Ann Crane"]) is None
    True
    """
    words = _words(author)
    equal = [speaker for speaker in speakers if words and _words(speaker) == words]
    similar = equal or [speaker for speaker in speakers if words & _words(speaker)]
    return similar[0] if len(similar) == 1 else None


def _words(name: str) -> frozenset[str]:
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", name)).casefold()
    return frozenset(_WORD.findall(plain))
