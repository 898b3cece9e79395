from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.classifiers.blocks import NgramBlock, split_units, unit_spans
from byline.attribution.classifiers.ridge import NgramRidge
from byline.attribution.classifiers.units import (
    paragraph_spans,
    paragraph_lengths,
    sentence_spans,
    sentence_lengths,
)

_WORDS = "one two three four five six seven eight"


def _pieces(text: str, bounds: list[list[int]]) -> list[str]:
    return [text[start:end] for start, end in bounds]


def test_a_sentence_ends_at_its_mark_and_what_closes_with_it() -> None:
    text = 'He said "Go." She (at last!) went.\nIt cost 3.50 at h.left'
    # The mark in "(at last!)" has its bracket behind it and white space after that.
    assert _pieces(text, sentence_spans(text).tolist()) == [
        'He said "Go."',
        "She (at last!)",
        "went.",
        "It cost 3.50 at h.left",
    ]


def test_every_line_is_a_paragraph_and_ends_its_sentence() -> None:
    text = "\n\nFirst. Still first.  \n Second\n\nThird"
    assert _pieces(text, paragraph_spans(text).tolist()) == [
        "First. Still first.",
        "Second",
        "Third",
    ]
    assert _pieces(text, sentence_spans(text).tolist()) == [
        "First.",
        "Still first.",
        "Second",
        "Third",
    ]


def test_marks_of_other_scripts_end_sentences() -> None:
    text = "他說。「好！」走了 वह गया। फिर"
    assert _pieces(text, sentence_spans(text).tolist()) == [
        "他說。",
        "「好！」",
        "走了 वह गया।",
        "फिर",
    ]


def test_classes_of_lengths() -> None:
    # 3 and 4 words are on either side of a bound, so are 7 and 8 words of a paragraph.
    assert sentence_lengths("One two three. One two three four. ...") == ["0-3", "4-6", "0-3"]
    seven, eight = _WORDS.removesuffix(" eight"), _WORDS
    assert paragraph_lengths(f"{seven}\n{eight}\n{'word ' * 95}") == ["0-7", "8-14", "95+"]
    assert sentence_lengths(f"{'word ' * 46}.\n{'word ' * 47}.") == ["37-46", "47+"]


def test_nothing_has_no_length() -> None:
    assert sentence_lengths(" \n ") == paragraph_lengths("") == []
    assert sentence_spans("").shape == (0, 2)


@given(st.text(alphabet='ab .?"\n\t)', max_size=60))
def test_pieces_hold_all_but_white_space_in_order(text: str) -> None:
    for bounds in (sentence_spans(text), paragraph_spans(text)):
        flat = bounds.ravel().tolist()
        assert flat == sorted(flat)
        pieces = _pieces(text, bounds.tolist())
        assert all(piece == piece.strip() != "" for piece in pieces)
        assert "".join("".join(pieces).split()) == "".join(text.split())


@given(st.text(alphabet="ab .\n", max_size=60), st.sampled_from(["sentence", "paragraph"]))
def test_a_block_has_as_many_bounds_as_units(text: str, kind: str) -> None:
    unit = f"{kind}-length"
    assert len(split_units(text, NgramBlock(unit, (1, 1)), frozenset())) == len(unit_spans(text, learnt.block))


def test_authors_are_told_apart_by_lengths_alone() -> None:
    short, long = "Word word. " * 8, ("word " * 20 + ". ") * 4
    block = NgramBlock("sentence-length", (1, 1), value="root-count")
    ridge = NgramRidge((block,)).fit([short, short, long, long], ["a", "a", "b", "b"])
    # The words are the same, and other ones: nothing but the lengths can tell.
    assert ridge.predict(["Other thing. Here too.", "thing " * 19]).tolist() == ["a", "b"]
