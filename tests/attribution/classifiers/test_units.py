"""Units of n-grams: sentences and paragraphs by their classes of length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.classifiers.blocks import NgramBlock, split_units, unit_spans
from byline.attribution.classifiers.ridge import NgramRidge
from byline.attribution.classifiers.units import (
    paragraph_lengths,
    paragraph_spans,
    sentence_lengths,
    sentence_spans,
)
from byline.errors import UsageError
from byline.text import split_sentences
from byline.typography.scripts import WORDS

_WORDS = "one two three four five six seven eight"


def _parts(text: str, spans: list[list[int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_a_sentence_ends_with_its_punctuation_and_closing_quotation_marks() -> None:
    text = 'He said "Go." She (at last!) went.\nIt cost 3.50 at h.left'
    # In "(at last!)", a bracket and white space follow the exclamation mark.
    assert _parts(text, sentence_spans(text).tolist()) == [
        'He said "Go."',
        "She (at last!)",
        "went.",
        "It cost 3.50 at h.left",
    ]


@given(st.text(alphabet='ab .?!")', max_size=60))
def test_the_punctuation_rule_is_that_of_the_encoder(line: str) -> None:
    parts = _parts(line, sentence_spans(line, "punctuation").tolist())
    expected = list(split_sentences(line, rule="punctuation"))
    assert [" ".join(part.split()) for part in parts] == expected


def test_a_block_counts_sentences_by_its_rule() -> None:
    text = 'He said "Go." Then he came back to the mill and slept.'
    by_rule = {
        rule: split_units(
            text, NgramBlock("sentence-length", (1, 1), sentence_rule=rule), frozenset()
        )
        for rule in ("segmenter", "punctuation")
    }
    assert by_rule == {"segmenter": ["0-3", "7-10"], "punctuation": ["11-15"]}
    with pytest.raises(UsageError, match="sentence_rule of a block is 'lines'"):
        NgramBlock("sentence-length", (1, 1), sentence_rule="lines").check()


def test_every_line_is_a_paragraph_and_ends_a_sentence() -> None:
    text = "\n\nFirst. Still first.  \n Second\n\nThird"
    assert _parts(text, paragraph_spans(text).tolist()) == [
        "First. Still first.",
        "Second",
        "Third",
    ]
    assert _parts(text, sentence_spans(text).tolist()) == [
        "First.",
        "Still first.",
        "Second",
        "Third",
    ]


def test_punctuation_of_other_scripts_ends_sentences() -> None:
    text = "他說。「好！」走了 वह गया। फिर"
    assert _parts(text, sentence_spans(text).tolist()) == [
        "他說。",
        "「好！」",
        "走了 वह गया।",
        "फिर",
    ]


def test_length_classes() -> None:
    # 3 and 4 words of a sentence are in different classes, and 7 and 8 words of a paragraph.
    assert sentence_lengths("One two three. One two three four. ...") == ["0-3", "4-6", "0-3"]
    seven, eight = _WORDS.removesuffix(" eight"), _WORDS
    assert paragraph_lengths(f"{seven}\n{eight}\n{'word ' * 95}") == ["0-7", "8-14", "95+"]
    assert sentence_lengths(f"{'word ' * 46}.\n{'word ' * 47}.") == ["37-46", "47+"]


@given(st.text("ab .?。語\n", max_size=60))
def test_a_length_is_the_number_of_words_between_the_bounds(text: str) -> None:
    for spans, classes in (
        (sentence_spans(text), sentence_lengths(text)),
        (paragraph_spans(text), paragraph_lengths(text)),
    ):
        assert len(spans) == len(classes)
        for (start, end), name in zip(spans.tolist(), classes, strict=True):
            low, _, high = name.rstrip("+").partition("-")
            assert int(low) <= len(WORDS.of(text).findall(text, start, end)) <= int(high or 99)


def test_an_empty_text_has_no_lengths() -> None:
    assert sentence_lengths(" \n ") == paragraph_lengths("") == []
    assert sentence_spans("").shape == (0, 2)


@given(st.text(alphabet='ab .?"\n\t)', max_size=60))
def test_spans_contain_everything_except_white_space_in_order(text: str) -> None:
    for spans in (sentence_spans(text), paragraph_spans(text)):
        flat = spans.ravel().tolist()
        assert flat == sorted(flat)
        parts = _parts(text, spans.tolist())
        assert all(part == part.strip() != "" for part in parts)
        assert "".join("".join(parts).split()) == "".join(text.split())


@given(st.text(alphabet="ab .\n", max_size=60), st.sampled_from(["sentence", "paragraph"]))
def test_a_block_has_as_many_spans_as_units(text: str, kind: str) -> None:
    unit = f"{kind}-length"
    block = NgramBlock(unit, (1, 1))
    assert len(split_units(text, block, frozenset())) == len(unit_spans(text, block))


def test_sentence_lengths_alone_discriminate_between_authors() -> None:
    short, long = "Word word. " * 8, ("word " * 20 + ". ") * 4
    block = NgramBlock("sentence-length", (1, 1), value="root-count")
    ridge = NgramRidge((block,)).fit([short, short, long, long], ["a", "a", "b", "b"])
    # The authors share all words, and the questioned texts have others: only lengths can help.
    assert ridge.predict(["Other thing. Here too.", "thing " * 19]).tolist() == ["a", "b"]
