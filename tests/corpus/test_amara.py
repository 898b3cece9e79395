from __future__ import annotations

import json

from byline.corpus.readers.plain_text import normalize_paragraphs
from byline.corpus.readers.subtitles import is_amara, read_amara

CUES = [
    {"end": 2000, "meta": {"new_paragraph": True}, "position": 1, "text": "We begin<br>with what"},
    {"end": 4000, "meta": {}, "position": 2, "text": "we have: x &lt; y."},
    {"end": 5000, "meta": {}, "position": 3, "text": None},
    {"end": 6000, "meta": {}, "position": 4, "text": "Then we end."},
]
EXPORT = json.dumps(
    {"description": "", "language": {"code": "en"}, "subtitles": CUES, "title": "a"}
)


def test_what_is_said_is_all_that_is_read() -> None:
    assert is_amara(EXPORT)
    assert read_amara(EXPORT) == "We begin\nwith what\nwe have: x < y.\nThen we end."
    assert normalize_paragraphs(EXPORT) == "We begin with what we have: x < y. Then we end."


def test_a_file_that_ends_early_keeps_its_whole_subtitles() -> None:
    cut = EXPORT[: EXPORT.index("Then we")]
    assert read_amara(cut) == "We begin\nwith what\nwe have: x < y."


def test_other_braces_are_text() -> None:
    for text in ("{a set} is what we call it.", '{"text": "no list"}', '{"subtitles": 3}', ""):
        assert not is_amara(text)
        assert normalize_paragraphs(text) == text
