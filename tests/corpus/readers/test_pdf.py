from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text
from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.pdf import process as pdf_process
from byline.corpus.readers.pdf.lines import HYPHEN, PageCharacters, PdfLine, PdfPage
from byline.corpus.readers.pdf.margins import separate_notes, without_margins
from byline.corpus.readers.pdf.paragraphs import build_paragraphs
from byline.corpus.readers.pdf.process import READER
from byline.errors import CorpusError
from byline.processes.child import ChildProcess

pytest.importorskip("pypdfium2")
Make = Callable[..., bytes]
Placed = tuple[float, float, float, str]
WIDE = "The boats lay on the dark water and nobody counted them"


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {item.kind: item.n for item in extracted.excluded}


def lines(*texts: str, top: float = 500, x: float = 40, size: float = 12) -> list[Placed]:
    return [(x, top - 14 * i, size, text) for i, text in enumerate(texts)]


def laid_out(*rows: tuple[float, str], width: float = 6.0) -> PdfPage:
    """A page of lines 12 points high and 14 apart, by their left ends and texts."""
    placed = []
    for i, (left, text) in enumerate(rows):
        whole, bottom = re.sub(r"(?<=\w)-$", "", text), 500 - 14 * i
        right = left + width * len(text)
        placed.append(PdfLine(whole, left, right, bottom, bottom + 12, is_hyphenated=whole != text))
    return PdfPage(0, 600, tuple(placed))


def test_lines_are_joined_to_paragraphs(make_pdf: Make) -> None:
    page = lines(WIDE, "until the morning came.", "Then the wind turned, and all at once we saw it")
    assert extract_text(make_pdf(page), "a.pdf").text == (
        f"{WIDE} until the morning came.\n\nThen the wind turned, and all at once we saw it"
    )


def test_a_paragraph_continues_across_pages(make_pdf: Make) -> None:
    data = make_pdf(lines(WIDE), lines("until the morning came."))
    assert extract_text(data, "a.pdf").text == f"{WIDE} until the morning came."


def test_a_heading_in_larger_letters_is_a_paragraph(make_pdf: Make) -> None:
    data = make_pdf([(40, 530, 18, "The flood"), *lines(WIDE, "until the morning came.")])
    assert extract_text(data, "a.pdf").text.startswith("The flood\n\nThe boats")


def test_indented_lines_begin_paragraphs() -> None:
    rows = [
        (20, "The river rose in the night, and nobody had thought of it."),
        (20, "We carried the lamps down to the water and counted again."),
        (30, "My aunt was there with a rope, and nobody asked her why."),
        (20, "She never hurried."),
        (30, "Nobody spoke."),
        (30, "It rained."),
    ]
    assert [text.split()[0] for text in build_paragraphs([laid_out(*rows)])] == [
        "The", "My", "Nobody", "It",
    ]  # fmt: skip


def test_a_wider_gap_begins_a_paragraph() -> None:
    page = laid_out((20, WIDE), (20, WIDE), (20, WIDE))
    low = [PdfLine(x.text, x.left, x.right, x.bottom - 10, x.top - 10) for x in page.lines[2:]]
    assert len(build_paragraphs([PdfPage(0, 600, (*page.lines[:2], *low))])) == 2


def test_a_line_with_room_for_the_next_word_ends_a_paragraph() -> None:
    page = laid_out((20, WIDE), (20, "and so it went on for days."), (20, "Then all was quiet."))
    assert len(build_paragraphs([page])) == 2
    ragged = laid_out((20, WIDE), (20, WIDE[:-4]), (20, "misunderstanding it all."))
    assert len(build_paragraphs([ragged])) == 1


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["a misunder-", "standing"], "a misunderstanding"),
        (["of Anglo-", "Saxon"], "of Anglo-Saxon"),
        (["the water-", "side. By the water-side"], "the water-side. By the water-side"),
        (["a well-", "known. It is well, and known"], "a well-known. It is well, and known"),
        (["the wheel-", "house. A wheelhouse"], "the wheelhouse. A wheelhouse"),
        (["in 1914-", "1918"], "in 1914-1918"),
    ],
)
def test_hyphenated_words_are_joined_by_the_document_s_own_spelling(
    rows: Sequence[str], expected: str
) -> None:
    assert build_paragraphs([laid_out(*((20, row) for row in rows))]) == [expected]


def test_hyphens_are_kept_if_the_document_hyphenates_nothing() -> None:
    known = [
        "We met to-morrow and",
        "by a water-",
        "side. The water-side was",
        "a card-",
        "table of",
    ]
    [text] = build_paragraphs([laid_out(*((20, row) for row in known))])
    assert text == "We met to-morrow and by a water-side. The water-side was a card-table of"
    rare = [(20, WIDE)] * 150 + [(20, "by a card-"), (20, "table")]
    assert build_paragraphs([laid_out(*rare)])[-1].endswith("by a card-table")


def test_dashes_at_line_ends_keep_their_spacing() -> None:
    rows = ["He was cheerful--", "always--and he —", "so it seemed—", "laughed."]
    [text] = build_paragraphs([laid_out(*((20, row) for row in rows))])
    assert text == "He was cheerful--always--and he — so it seemed—laughed."


def test_list_items_are_paragraphs_without_bullets() -> None:
    page = laid_out((20, WIDE), (20, "• " + WIDE), (20, "and seven more"), (20, "\uf095 " + WIDE))
    assert build_paragraphs([page]) == [WIDE, f"{WIDE} and seven more", WIDE]


def test_a_word_hyphenated_across_pages_is_joined(make_pdf: Make) -> None:
    data = make_pdf(lines("It was a misunder-"), lines("standing of the sort that lasts."))
    assert extract_text(data, "a.pdf").text == "It was a misunderstanding of the sort that lasts."


def body(n: int) -> list[Placed]:
    words = ("boat", "lamp", "rope", "wall", "bell", "reed", "gate", "cart")[n]
    return lines(f"There was a {words} by the water and it stayed there", "for a year.", top=400)


def test_headers_footers_and_page_numbers_are_excluded(make_pdf: Make) -> None:
    pages = [
        [(40, 570, 10, f"The River {n + 1}"), *body(n), (200, 20, 10, f"- {n + 7} -")]
        for n in range(5)
    ]
    found = extract_text(make_pdf(*pages), "a.pdf")
    assert excluded(found) == {"page headers": 5, "page numbers": 5}
    assert found.excluded[0].example == "The River 1"
    assert "River" not in found.text
    assert "7" not in found.text


def test_alternating_headers_are_excluded(make_pdf: Make) -> None:
    heads = ["Ann Brook", "The River"]
    pages = [[(40, 570, 10, heads[n % 2]), *body(n)] for n in range(8)]
    assert excluded(extract_text(make_pdf(*pages), "a.pdf")) == {"page headers": 8}


def test_the_margins_of_a_page_printed_by_a_browser_are_excluded(make_pdf: Make) -> None:
    head = [(20, 585, 8, "11/28/26, 8:41 PM"), (200, 585, 8, "The River")]
    foot = [(20, 12, 8, "http://127.0.0.1/river.html"), (370, 12, 8, "1/1")]
    found = extract_text(make_pdf([*head, *body(0), *foot]), "a.pdf")
    assert excluded(found) == {"page headers": 2, "page footers": 2}
    letter = extract_text(make_pdf([(20, 585, 8, "28.11.2026, at home"), *body(0)]), "a.pdf")
    assert letter.text.startswith("28.11.2026, at home")


def test_repetitions_within_the_text_are_kept(make_pdf: Make) -> None:
    refrain = "And the river rose."
    pages = [
        [(40, 570, 12, f"{'abcde'[n]} verse"), (40, 550, 12, refrain), *body(n)] for n in range(5)
    ]
    assert extract_text(make_pdf(*pages), "a.pdf").text.count(refrain) == 5


def test_numbers_that_do_not_count_pages_are_kept(make_pdf: Make) -> None:
    pages = [[*body(n), (200, 20, 10, year)] for n, year in enumerate(["1914", "1871", "1763"])]
    assert "1871" in extract_text(make_pdf(*pages), "a.pdf").text


def test_footnotes_are_excluded_unless_they_are_kept(make_pdf: Make) -> None:
    note = [
        (40, 60, 8, "1 There were seven."),
        (40, 50, 8, "2 Two leaked."),
        (40, 40, 8, "7 of 9."),
    ]
    marked = [(40, 300, 12, "The boats."), (100, 305, 7, "1"), (40, 280, 12, "They leaked.")]
    data = make_pdf([*body(0), *marked, *note], body(1))
    found = extract_text(data, "a.pdf")
    assert excluded(found) == {"note marks": 1, "footnotes": 2}
    assert "The boats. They leaked." in " ".join(found.text.split())
    assert "seven" not in found.text
    kept = extract_text(data, "a.pdf", ReadingOptions(keep=["notes"])).text
    assert kept.endswith("1 There were seven.\n\n2 Two leaked. 7 of 9.")


def test_small_text_at_the_foot_without_a_note_mark_is_kept(make_pdf: Make) -> None:
    data = make_pdf([*body(0), (40, 60, 8, "1 There were seven."), (40, 50, 8, "2 Two leaked.")])
    assert "1 There were seven." in extract_text(data, "a.pdf").text


def test_a_header_that_occurs_once_is_recognised_by_its_number(make_pdf: Make) -> None:
    heads = ["The flood 3", "The flood 4", "The flood 5", "The wall 6", "7 The wall", "The 1914"]
    pages = [[(40, 570, 10, head), *body(n)] for n, head in enumerate(heads)]
    found = extract_text(make_pdf(*pages), "a.pdf")
    assert excluded(found) == {"page headers": 5}
    assert "The 1914" in found.text


def test_entries_of_contents_with_leaders_are_excluded(make_pdf: Make) -> None:
    data = make_pdf([*lines("The flood ........ 1", "The wall . . . . . . 12"), *body(0)])
    found = extract_text(data, "a.pdf")
    assert excluded(found) == {"entries of contents": 2}
    assert found.text.startswith("There was a boat")


def test_columns_are_read_one_after_the_other(files: Path) -> None:
    found = extract_text(files / "chromium-columns.pdf")
    whole = extract_text(files / "chromium.pdf")
    assert found.text == whole.text
    assert found.text.count("\n\n") == 20  # 3 headings and 18 paragraphs
    assert "misunderstanding about the harbour" in found.text
    assert "the water-side, one after another" in found.text
    assert excluded(found) == {"page headers": 4, "page numbers": 2, "page footers": 2}


def test_a_pdf_of_libreoffice(files: Path) -> None:
    found = extract_text(files / "libreoffice.pdf")
    assert (found.author, found.title) == ("Ann Brook", "The River")
    assert excluded(found) == {
        "page headers": 4, "page numbers": 4, "note marks": 2, "footnotes": 1,
    }  # fmt: skip
    assert found.text.endswith("i The harbour is older than the village.")  # on a later page
    assert "extraordinarily quiet day; the misunderstanding about" in found.text
    assert "thought of the boats. We carried" in found.text
    assert "a bell that belonged to no church we knew." in found.text
    kept = extract_text(files / "libreoffice.pdf", options=ReadingOptions(keep=["notes"]))
    assert "1 There were seven boats, and two of them leaked." in kept.text.split("\n\n")


def test_right_to_left_text_keeps_its_paragraphs_and_letters(files: Path) -> None:
    found = extract_text(files / "chromium-leftward.pdf")
    source = (files / "sources" / "leftward.html").read_text(encoding="utf-8")
    assert found.text.split("\n\n") == re.findall("<p lang=..>(.*)</p>", source)
    assert "letters of words in Arabic script may be in the wrong order" in found.warnings[0]


def test_columns_drawn_line_by_line_are_read_one_after_the_other(make_pdf: Make) -> None:
    left = ["The river rose in the dark night", "and nobody in the village had", "thought"]
    right = ["We carried the lamps down there", "to the water and counted what", "was left."]
    rows = [
        (x, 500 - 14 * (3 * n + i), 10, text)
        for n in range(2)
        for i in range(3)
        for x, text in ((30, left[i]), (230, right[i]))
    ]
    text = extract_text(
        make_pdf([(30, 550, 10, "A heading over both of the columns here"), *rows]), "a.pdf"
    ).text
    assert text.replace("\n\n", " ") == (
        f"A heading over both of the columns here {' '.join(left * 2)} {' '.join(right * 2)}"
    )


def test_cells_are_read_row_by_row(make_pdf: Make) -> None:
    rows = [(x, 500 - 14 * i, 10, f"cell {x} {i}") for i in range(6) for x in (30, 230)]
    text = extract_text(make_pdf(rows), "a.pdf").text
    assert text.split()[:6] == ["cell", "30", "0", "cell", "230", "0"]


class _TextPage:
    """A page whose boxes state the index under which PDFium finds a character."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_text_range(self) -> str:
        return self._text

    def get_charbox(self, place: int, loose: bool) -> tuple[float, float, float, float]:
        return float(place), 0.0, place + 1.0, float(loose)


def test_characters_beyond_the_first_plane_do_not_shift_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pypdfium2 import raw

    asked: list[int] = []

    def index_of(_: object, index: int) -> int:
        asked.append(index)
        return index

    monkeypatch.setattr(raw, "FPDFText_GetCharIndexFromTextIndex", index_of)
    page = _TextPage("a\U0001d504b\U0001d505c")  # UTF-16: a, 2, b, 2, c
    letters = PageCharacters(page)
    for index in range(5):
        letters.box(index)
    assert asked == [0, 1, 3, 4, 6]


@pytest.mark.parametrize(
    "run", ["a", ".", ". ", "·…", "1 ", "://", ". 1", "a-", '."', "xi ", HYPHEN + "a", "- 1 -"]
)
def test_long_lines_are_read_in_linear_time(run: str) -> None:
    text = run * (60_000 // len(run))
    places = PdfLine(text, 20, 300, 500, 512), PdfLine("b", 20, 30, 480, 492, is_hyphenated=True)
    pages = [PdfPage(n, 600, places) for n in range(3)]
    start = time.process_time()
    kept, notes = separate_notes(without_margins(pages, ExclusionCounter()), ExclusionCounter())
    build_paragraphs(kept)
    assert time.process_time() - start < 3
    assert notes == []


PICTURE = b"q 300 0 0 300 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"


def test_a_scan_without_text_is_an_error(make_pdf: Make) -> None:
    with pytest.raises(CorpusError, match=r"^a\.pdf has no text: its pages are pictures\. Run OCR"):
        extract_text(make_pdf(PICTURE, PICTURE), "a.pdf")
    with pytest.raises(CorpusError, match=r"^a\.pdf has no text: its pages contain no letters"):
        extract_text(make_pdf(b""), "a.pdf")


def test_pages_without_text_give_a_warning_unless_they_are_blank(make_pdf: Make) -> None:
    found = extract_text(make_pdf(body(0), PICTURE, b"", body(1)), "a.pdf")
    assert found.warnings == (
        "a.pdf: 1 of 4 pages (2) have no text, because they are pictures; run OCR on the PDF first",
    )


def test_unknown_characters_give_a_warning(unnamed_letters: bytes) -> None:
    [note] = extract_text(unnamed_letters, "a.pdf").warnings
    assert note.startswith(
        "a.pdf: 100 % of the characters are unknown, because the fonts do not state"
    )


def test_an_encrypted_pdf_is_an_error(files: Path) -> None:
    with pytest.raises(
        CorpusError, match=r"encrypted\.pdf is encrypted\. Open it with its password"
    ):
        extract_text(files / "libreoffice-encrypted.pdf")


@pytest.mark.parametrize("data", [b"%PDF-1.7", b"%PDF-1.4\n" + b"x" * 5000, b"no PDF at all"])
def test_content_that_is_not_a_pdf_is_an_error(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"^a\.pdf cannot be read as a PDF: it is damaged"):
        extract_text(data, "a.pdf")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_an_incomplete_pdf_is_an_error_or_read_in_part(files: Path, share: float) -> None:
    data = (files / "libreoffice.pdf").read_bytes()
    try:
        found = extract_text(data[: int(share * len(data))], "a.pdf")
    except CorpusError as error:
        assert str(error).startswith("a.pdf ")
    else:
        assert found.text


def test_a_pdf_bomb_ends_in_time_and_the_next_pdf_is_read(
    exploding_pdf: bytes, make_pdf: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_process, "MAX_SECONDS_PER_PAGE", 1.0)
    with pytest.raises(CorpusError, match=r"^a\.pdf cannot be read: it takes more time or memory"):
        extract_text(exploding_pdf, "a.pdf")
    monkeypatch.undo()
    assert extract_text(make_pdf(body(0)), "b.pdf").text.startswith("There was a boat")


def test_the_process_is_started_once_and_ends_when_it_is_told(make_pdf: Make) -> None:
    extract_text(make_pdf(body(0)), "a.pdf")
    child = READER._child
    extract_text(make_pdf(body(1)), "b.pdf")
    assert READER._child is child
    READER.close()
    assert child is not None
    assert not child.is_alive


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks are Unix's")
def test_a_process_that_a_fork_inherits_is_not_used(make_pdf: Make) -> None:
    extract_text(make_pdf(body(0)), "a.pdf")
    first = READER._child
    READER._owner = -1
    extract_text(make_pdf(body(0)), "a.pdf")
    assert READER._child is not first
    assert first is not None
    first.end()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_memory_is_limited_in_the_process() -> None:
    import resource

    program = (
        "import resource; from byline.corpus.readers.pdf.process import _limit_memory; "
        "_limit_memory(); print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(printed.stdout) == pdf_process.MAX_MEMORY_BYTES
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != pdf_process.MAX_MEMORY_BYTES


def test_a_defect_in_the_process_is_not_blamed_on_the_file(make_pdf: Make, tmp_path: Path) -> None:
    (tmp_path / "pypdfium2.py").write_text("class PdfiumError(Exception): pass\n")
    reader = pdf_process.PdfReader()
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(tmp_path)
        with pytest.raises(RuntimeError, match="has no attribute 'PdfDocument'"):
            reader.read(make_pdf(body(0)), "a.pdf")
    assert reader.read(make_pdf(body(0)), "a.pdf")[-1] == {"end": True}
    reader.close()


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="alarms are Unix's")
def test_a_process_that_nobody_waits_for_ends_by_itself(exploding_pdf: bytes) -> None:
    child = ChildProcess(pdf_process.serve_pdfs, -4, silent=True)
    child.pipe.send_bytes(exploding_pdf)
    child.wait(60)
    assert child.end() == "its process was killed (SIGALRM)"
