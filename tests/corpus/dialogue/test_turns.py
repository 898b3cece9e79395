from __future__ import annotations

import pytest

from byline.corpus.dialogue.turns import Dialogue, Turn, find_own_speaker
from byline.errors import UsageError

DIALOGUE = Dialogue("a chat", (Turn("Ann Crane", "Yes."), Turn("Tom Crane", "No.")))


@pytest.mark.parametrize(
    ("author", "speaker"),
    [("ann", "Ann Crane"), ("Crane, Ann", "Ann Crane"), ("anne", None), ("crane", None),
     ("TOM", "Tom Crane"), ("", None), ("Zoe", None)],
)  # fmt: skip
def test_an_author_is_the_only_speaker_with_a_word_of_the_name(
    author: str, speaker: str | None
) -> None:
    assert find_own_speaker(author, list(DIALOGUE.speakers)) == speaker


def test_accents_do_not_distinguish_names() -> None:
    assert find_own_speaker("Zoe", ["Zoé Martin", "Ben"]) == "Zoé Martin"


def test_a_speaker_who_is_not_there_is_an_error_that_lists_the_speakers() -> None:
    with pytest.raises(UsageError, match=r"Ann Crane \(1 turn\) and Tom Crane \(1 turn\)"):
        DIALOGUE.find_speaker("Zoe", "chat.txt")
    assert DIALOGUE.find_speaker("tom crane", "chat.txt") == "Tom Crane"


def test_turns_of_other_speakers_are_counted() -> None:
    assert [(part.kind, part.n) for part in DIALOGUE.only("Tom Crane").excluded] == [
        ("turns of other speakers", 1)
    ]
