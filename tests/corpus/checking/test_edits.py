from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus.checking.edits import (
    Edit,
    apply_edits,
    line_number,
    quote,
    remove_lines,
    without_overlaps,
)


def test_edits_are_applied_in_the_order_of_the_text() -> None:
    # "ab|cd|ef": cd becomes X, f is removed
    assert apply_edits("abcdef", [Edit(5, 6, "", "b"), Edit(2, 4, "X", "a")]) == "abXe"


def test_of_overlapping_edits_the_first_is_applied_and_the_rest_of_removals() -> None:
    edits = [Edit(1, 4, "", "a"), Edit(3, 5, "Y", "b"), Edit(3, 5, "", "c")]
    assert apply_edits("abcdef", edits) == "af"
    assert apply_edits("abcdef", edits[:2]) == "aef"


def test_a_text_without_edits_is_the_same_object() -> None:
    text = "the rope is long"
    assert apply_edits(text, []) is text


def test_a_line_is_removed_with_the_break_after_it() -> None:
    text = "one\ntwo\nthree"
    assert apply_edits(text, [remove_lines(text, 4, 7, "x")]) == "one\nthree"


def test_the_last_line_is_removed_with_the_break_before_it() -> None:
    text = "one\ntwo \n"
    assert apply_edits(text, [remove_lines(text, 4, 7, "x")]) == "one\n"
    assert apply_edits("one\ntwo", [remove_lines("one\ntwo", 4, 7, "x")]) == "one"


@given(st.lists(st.tuples(st.sampled_from(["a", "> b", "  c "]), st.booleans())), st.booleans())
def test_any_lines_can_be_removed(lines: list[tuple[str, bool]], is_ended: bool) -> None:
    text, kept = "", ""
    found: list[tuple[int, int]] = []
    for index, (line, is_removed) in enumerate(lines):
        start = len(text)
        text += line + "\n" * (is_ended or index + 1 < len(lines))
        if is_removed:
            found.append((start, start + len(line)))
        else:
            kept += text[start:]
    edits = [remove_lines(text, start, end, "x") for start, end in found]
    assert apply_edits(text, edits).rstrip("\n") == kept.rstrip("\n")


def test_lines_are_numbered_from_one() -> None:
    assert [line_number("a\nb\nc", place) for place in (0, 1, 2, 4)] == [1, 2, 2, 3]


def test_a_quotation_is_one_line_with_control_characters_as_escapes() -> None:
    assert quote(" two\n lines \x85") == "“two lines \\x85”"
    assert quote("x" * 61) == "“" + "x" * 60 + "…”"


edits = st.builds(
    lambda start, length, new: Edit(start, start + length, new, "x"),
    st.integers(0, 20),
    st.integers(0, 5),
    st.text("xyz", max_size=2),
)


@settings(deadline=None, max_examples=100)
@given(st.lists(edits, max_size=6))
def test_text_outside_the_edits_stays(found: list[Edit]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz"
    kept = set(text)
    for edit in without_overlaps(found):
        kept -= set(text[edit.start : edit.end])
    after = apply_edits(text, found)
    assert [char for char in after if char in kept - set("xyz")] == sorted(kept - set("xyz"))
