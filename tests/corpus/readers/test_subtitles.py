from __future__ import annotations

import io
import json
from collections import Counter
from datetime import timedelta
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import extract_text, read_text, unwrap
from byline.corpus.readers.plain_text import decode_plain_text, read_lines
from byline.corpus.readers.subtitles import (
    find_invalid_timing,
    is_amara,
    is_subtitles,
    read_amara,
    read_speech,
    read_subtitles,
)
from byline.text import TextEncoder

srt: Any = import_module("srt")
webvtt: Any = import_module("webvtt")

SRT = """1
00:00:01,000 --> 00:00:03,500
Good morning, and welcome
to the <i>second</i> lecture.

2
00:00:03,500 --> 00:00:05,000
{\\an8}Today x < y, and y > z
in <font color="#ffffff">every</font> case.
"""

WEBVTT = """\ufeffWEBVTT - a lecture
Kind: captions

STYLE
::cue { color: yellow }

NOTE
Nobody says this.

intro
00:01.000 --> 00:03.500 align:start position:0%
<v Ann>Good <00:00:02.000><c.loud>morning</c> &amp; welcome

00:03.500 --> 00:05.000
to the second
lecture.
"""


def test_srt_is_read_without_numbers_timings_and_tags() -> None:
    assert is_subtitles(SRT)
    assert read_subtitles(SRT).splitlines() == [
        "Good morning, and welcome",
        "to the second lecture.",
        "Today x < y, and y > z",
        "in every case.",
    ]


def test_webvtt_is_read_without_header_notes_styles_and_names() -> None:
    assert read_subtitles(WEBVTT.lstrip("\ufeff")).splitlines() == [
        "Good morning & welcome",
        "to the second",
        "lecture.",
    ]


def paragraphs(text: str, suffix: str = ".txt") -> str:
    return unwrap(read_lines(text, suffix))


def test_subtitles_become_running_text_whatever_the_file_is_called() -> None:
    assert (
        paragraphs(WEBVTT.lstrip("\ufeff"), ".txt")
        == "Good morning & welcome to the second lecture."
    )
    assert paragraphs(SRT, ".SRT").startswith(
        "Good morning, and welcome to the second lecture. Today"
    )


def test_windows_line_ends_change_nothing() -> None:
    assert read_subtitles(SRT.replace("\n", "\r\n")) == read_subtitles(SRT)


def test_blank_lines_inside_an_srt_cue_lose_no_text() -> None:
    broken = SRT.replace("welcome\nto", "welcome\n\nto")
    assert read_subtitles(broken) == read_subtitles(SRT)


def test_cues_without_blank_lines_between_them_are_separated() -> None:
    tight = "1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo."
    assert read_subtitles(tight) == "One.\nTwo."


def test_words_above_the_first_cue_are_kept() -> None:
    assert read_subtitles("A lecture\n\n" + SRT).startswith("A lecture\nGood morning")


def test_a_spoken_number_is_kept() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n42\n\n00:02.000 --> 00:03.000\nIt is."
    assert read_subtitles(text) == "42\nIt is."


def test_text_on_the_line_of_the_timing_is_kept() -> None:
    text = "00:09:08,400 --> 00:09:14,800And finally we\nare done."
    assert read_subtitles(text) == "And finally we\nare done."


def test_a_stray_timing_in_a_transcript_is_removed() -> None:
    text = (
        "So that is one sound. And what\nabout many?\nWell. It is this one now\n"
        "4\n00:09:08,400 --> 00:09:14,800\nthat we study next."
    )
    assert paragraphs(text) == (
        "So that is one sound. And what about many? Well. It is this one now that we study next."
    )


def test_a_stray_cue_does_not_split_a_sentence() -> None:
    # as in two lectures: the number of the cue directly follows the speech before it
    text = (
        "We have three points. We\nlook at each\nof them. We begin here.\nThe first of the points "
        "is\n\n1, 58\n00:05:08,400 --> 00:05:13,340\n because it lies in "
        "the plane.\nAnd then the zero\n\nvector,49\n00:05:14,000 --> 00:05:20,000\n does nothing "
        "to it.\nThis is version 6.\n\n00:05:21,000 --> 00:05:24,000\nIt is a failure, in 3.14\n"
        "00:05:25,000 --> 00:05:26,000\nways, we know."
    )
    assert paragraphs(text) == (
        "We have three points. We look at each of them. We begin here. The first of the points is "
        "1, because it lies in the plane. And then the zero vector, does nothing to it. This is "
        "version 6. It is a failure, in 3.14 ways, we know."
    )


def test_captions_that_roll_up_are_read_once() -> None:
    lines = ["so the first", "thing we do", "is to count", "all the words"]
    cues = [[lines[0]], *([a, b] for a, b in pairwise(lines))]
    text = "WEBVTT\n\n" + "\n\n".join(
        f"00:0{i}.000 --> 00:0{i + 1}.000\n" + "\n".join(cue) for i, cue in enumerate(cues)
    )
    assert read_subtitles(text).splitlines() == lines


def test_captions_with_a_settled_line_between_are_read_once() -> None:
    # as video sites write them: a line grows word by word, and is then shown alone for a moment
    text = """WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
\x20
so<00:00:00.500><c> the</c> first

00:00:02.000 --> 00:00:02.010 align:start position:0%
so the first
\x20

00:00:02.010 --> 00:00:04.000 align:start position:0%
so the first
thing<00:00:03.000><c> we do</c>

00:00:04.000 --> 00:00:04.010 align:start position:0%
thing we do
\x20
"""
    assert read_subtitles(text) == "so the first\nthing we do"


def test_two_people_may_say_the_same() -> None:
    cues = ["Who is it?", "Me.", "Me.", "Come in.", "Thank you."]
    text = "\n\n".join(
        f"{i}\n00:00:0{i},000 --> 00:00:0{i},900\n{cue}" for i, cue in enumerate(cues, start=1)
    )
    assert read_subtitles(text).splitlines() == cues


def test_ordinary_text_is_not_subtitles() -> None:
    assert not is_subtitles("WEBVTT is a format for captions.")
    assert not is_subtitles("A --> B. At 10:30 we left.")
    assert read_subtitles("Named .srt, yet plain.") == "Named .srt, yet plain."


def test_webvtt_without_a_cue_is_empty() -> None:
    assert paragraphs("WEBVTT\n", ".vtt") == ""


AMARA_CUES = [
    {"end": 2000, "meta": {"new_paragraph": True}, "position": 1, "text": "We begin<br>with what"},
    {"end": 4000, "meta": {}, "position": 2, "text": "we have: x &lt; y."},
    {"end": 5000, "meta": {}, "position": 3, "text": None},
    {"end": 6000, "meta": {}, "position": 4, "text": "Then we end."},
]
AMARA = json.dumps(
    {"description": "", "language": {"code": "en"}, "subtitles": AMARA_CUES, "title": "a"}
)


def test_amara_speech_is_read_without_other_keys() -> None:
    assert is_amara(AMARA)
    assert read_amara(AMARA) == "We begin\nwith what\nwe have: x < y.\nThen we end."
    assert paragraphs(AMARA) == "We begin with what we have: x < y. Then we end."


def test_an_incomplete_amara_file_keeps_its_complete_subtitles() -> None:
    cut = AMARA[: AMARA.index("Then we")]
    assert read_amara(cut) == "We begin\nwith what\nwe have: x < y."


def test_other_text_with_braces_is_not_amara() -> None:
    for text in ("{a set} is what we call it.", '{"text": "no list"}', '{"subtitles": 3}', ""):
        assert not is_amara(text)
        assert paragraphs(text) == text


LINE = st.text("abcDEF ,.?!é", min_size=1, max_size=40).filter(lambda line: line.strip())
CUES = st.lists(st.lists(LINE, min_size=1, max_size=3), min_size=1, max_size=8)


def _numbered(cues: list[list[str]]) -> list[list[str]]:
    """Make every line different, so that none seems to be repeated."""
    return [[f"a{i}{j}{line.strip()}" for j, line in enumerate(cue)] for i, cue in enumerate(cues)]


def _as_srt(cues: list[list[str]]) -> str:
    subtitles = [
        srt.Subtitle(i, timedelta(seconds=i), timedelta(seconds=i + 1), "\n".join(cue))
        for i, cue in enumerate(cues, start=1)
    ]
    return str(srt.compose(subtitles))


@given(CUES)
@settings(deadline=None)
def test_subtitles_of_the_package_srt_are_read_as_it_reads_them(cues: list[list[str]]) -> None:
    text = _as_srt(_numbered(cues))
    parsed = " ".join(subtitle.content for subtitle in srt.parse(text))
    assert read_subtitles(text).split() == parsed.split()


@given(CUES)
@settings(deadline=None)
def test_subtitles_of_the_package_webvtt_are_read_as_it_reads_them(cues: list[list[str]]) -> None:
    file = webvtt.WebVTT()
    for i, cue in enumerate(_numbered(cues)):
        file.captions.append(
            webvtt.Caption(f"00:00:{i:02d}.000", f"00:00:{i + 1:02d}.000", "\n".join(cue))
        )
    text = str(file.content)
    parsed = webvtt.from_buffer(io.StringIO(text))
    assert read_subtitles(text).split() == " ".join(caption.text for caption in parsed).split()


@given(st.text(max_size=200))
@settings(deadline=None)
def test_no_text_makes_the_reader_fail(text: str) -> None:
    paragraphs(text, ".srt")
    paragraphs("WEBVTT\n\n00:01.000 --> 00:02.000\n" + text, ".vtt")


# For each course, the minimum share of the paper's sentences and words that Byline's text contains.
# The paper's text of course 12 was made from subtitles in JSON including the keys, of which Byline
# reads only the speech. The other differences are pi, and words like "technology", which a later
# variant of the stemmer stems differently.
COURSES_WITH_SUBTITLES = [(3, 0.99, 0.999), (7, 0.985, 0.999), (8, 0.985, 0.998), (12, 0.90, 0.90)]


@pytest.mark.parametrize(("course", "exactly", "by_words"), COURSES_WITH_SUBTITLES)
def test_sentences_of_subtitles_agree_with_the_paper_s(
    shared: Path, course: int, exactly: float, by_words: float
) -> None:
    folder = shared / "corpora/lectures16"
    theirs = (folder / f"stemmed/course-{course:02}.txt").read_text("utf-8").splitlines()
    encoder = TextEncoder.like_ge_sun_2016()
    ours, of_subtitles = [], []
    for path in sorted((folder / f"raw/course-{course:02}").glob("*.txt")):
        sentences = [" ".join(words) for words in encoder.tokenize(read_text(path))]
        ours += sentences
        content = path.read_text("utf-8-sig")
        of_subtitles += sentences if "-->" in content or '"subtitles"' in content else []
    assert (Counter(theirs) & Counter(ours)).total() / len(theirs) > exactly
    words, our_words = (Counter(" ".join(each).split()) for each in (theirs, ours))
    assert (words & our_words).total() / words.total() > by_words
    assert of_subtitles
    assert not any("-->" in sentence or "posit <num>" in sentence for sentence in of_subtitles)
    met = (Counter(theirs) & Counter(of_subtitles)).total() / len(of_subtitles)
    assert met > 0.97 or course == 12


@pytest.mark.parametrize(
    ("line", "is_broken"),
    [
        ("00:00:xx --> 00:00:04,000", True),
        ("00:00:01,000 --> 00:00:xx", True),
        ("00:00:01 --> 00:00:02", True),
        ("00:00:01,000 -> 00:00:02,000", True),
        ("--> 00:00:02,000", True),
        ("00:00:01,000 -->", True),
        ("00:00:01,000 --> 00:00:02,000", False),
        ("  00:01.000 --> 00:02.000 align:start", False),
        ("f maps A --> B, at 10:30", False),
        ("x1 --> x2", False),
    ],
)
def test_invalid_timings_are_found(line: str, is_broken: bool) -> None:
    assert find_invalid_timing(f"1\n\n{line}\nWords.") == (3 if is_broken else None)


def test_invalid_timings_are_reported_only_for_subtitles() -> None:
    broken = SRT.replace("00:00:03,500 -->", "00:00:0x,500 -->").encode()
    assert decode_plain_text(broken, "a.srt", ".srt").invalid_timing == 7
    assert decode_plain_text(broken, "a.txt", ".txt").invalid_timing == 7
    assert decode_plain_text(b"Prose. See 10:30 --> later.", "a.txt").invalid_timing is None


@pytest.mark.parametrize(
    ("text", "suffix", "lacks"),
    [
        ("Only some words.", ".srt", True),
        ("Only some words.", ".VTT", True),
        ("Only some words.", ".txt", False),
        (SRT, ".srt", False),
        (SRT.replace("\n", "\r"), ".srt", False),
        ("00:00:xx --> 00:00:yy\nWords.", ".srt", False),
        ("WEBVTT\n\nNOTE nothing", ".vtt", False),
        ("", ".srt", False),
    ],
)
def test_prose_with_the_suffix_of_subtitles_is_reported(
    text: str, suffix: str, lacks: bool
) -> None:
    assert decode_plain_text(text.encode(), "a", suffix).lacks_cues is lacks


def test_descriptions_of_sounds_music_and_credits_are_left_out_and_counted() -> None:
    cues = [
        "[thunder rumbling]", "(door slams)", "Who is\nthere?", "♪ the river rose ♪",
        "- [sighs] It is me.", "JOHN (whispering): Come in.", "(wind\nhowls)", "(SHOUTING) Come!",
        "Subtitles by Ann Quill", "f(x) is (in a way) long.", "Synced and corrected by ben",
        "# a song #", "Untertitel von Zoe", "[1]",
    ]  # fmt: skip
    text = "".join(
        f"{n}\n00:00:{n:02d},000 --> 00:00:{n:02d},900\n{cue}\n\n" for n, cue in enumerate(cues, 1)
    )
    extracted = extract_text(text.encode(), "film.srt")
    words = " ".join(extracted.text.split())
    assert words == (
        "Who is there? - It is me. JOHN (whispering): Come in. Come! f(x) is (in a way) long. [1]"
    )
    assert {part.kind: part.n for part in extracted.excluded} == {
        "descriptions of sounds": 5, "music": 2, "credits of captions": 3,
    }  # fmt: skip


def test_the_voices_of_webvtt_are_turns() -> None:
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann Crane>Is it\nlong?\n\n"
        "00:02.000 --> 00:03.000\n<v.loud Roger>Very.</v>\n<v Ann Crane>Good.</v>\n\n"
        "00:03.000 --> 00:04.000\nNobody says this.\n"
    )
    assert read_subtitles(text) == "Is it\nlong?\nVery.\nGood.\nNobody says this."
    dialogue = read_speech(text).dialogue()
    assert dialogue is not None
    assert dialogue.speakers == {"Ann Crane": 2, "Roger": 1}
    assert dialogue.only("Ann Crane").text == "Is it long?\n\nGood."
