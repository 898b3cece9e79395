"""Words of a text, and passages of so many words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from byline.experiments.word_passages import WordText
from byline.typography.scripts import count_words


def test_passages_keep_punctuation_and_inner_white_space() -> None:
    text = WordText(" “The cat, sat.\n\nIt slept.” ")
    assert text.n_words == 5
    assert text.passage(1, 3) == "cat, sat.\n\nIt"
    assert text.passage(3, 9) == "It slept.”"  # as many as there are


def test_each_character_of_a_script_without_spaces_is_a_word() -> None:
    text = WordText("河水涨了。没有人")
    assert text.n_words == 7  # the full stop belongs to the character before it
    assert text.passage(3, 2) == "了。没"


@given(st.text(alphabet="ab .,\n\u6cb3\u6c34\u3002", max_size=60))
def test_the_number_of_words_is_that_of_all_other_counts(text: str) -> None:
    assert WordText(text).n_words == count_words(text)


@given(st.lists(st.sampled_from(["cat", "sat.", "“mat”"]), min_size=1), st.data())
def test_consecutive_passages_are_the_text(words: list[str], data: st.DataObject) -> None:
    text = WordText(" ".join(words))
    cut = data.draw(st.integers(0, len(words) - 1))
    parts = [text.passage(0, cut), text.passage(cut, len(words))] if cut else [text.text]
    assert " ".join(parts) == text.text
