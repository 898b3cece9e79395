"""The record of known texts: digests, fingerprints, and passages shared with a text."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.training_record.record import TrainingDocument, TrainingRecord, text_sha256
from byline.corpus.fingerprints import (
    GUARANTEED_WORDS,
    PASSAGE_WORDS,
    WordHasher,
    hash_passages,
    word_spans,
)
from byline.errors import ModelFileError, UsageError

COPIED = (
    "When the tide had gone out we found a small blue boat, half buried in the sand, and nobody "
    "in the village could say whose it was or how long it had been lying there."
)
laws = settings(max_examples=60, deadline=None)


def numbered(prefix: str, n: int) -> str:
    """Return words that no other prefix shares."""
    return " ".join(f"{prefix}{number}" for number in range(n))


def test_a_document_is_identified_but_not_contained() -> None:
    known = TrainingRecord.of(["One two, three!"], ["ada"], ["letters"])
    digest = hashlib.sha256(b"One two, three!").hexdigest()
    assert known.documents == (TrainingDocument("ada", "letters", digest, 15, 3),)
    assert known.fingerprints["ada"].size == 0  # three words are too few for a passage


def test_a_text_with_surrogates_has_a_digest() -> None:
    assert len(text_sha256("a\ud83d")) == 64


def test_case_punctuation_and_apostrophes_do_not_matter() -> None:
    hasher = WordHasher()
    one, other = hasher.hash_words("Don't SAY so."), hasher.hash_words("don’t — say, so")
    assert one.tolist() == other.tolist()


def test_a_character_of_a_script_without_spaces_is_a_word() -> None:
    assert len(WordHasher().hash_words("海辺の船 boat")) == 5
    assert word_spans("海辺 boat").tolist() == [[0, 7], [1, 7], [3, 7]]


@pytest.mark.parametrize(
    ("characters", "least"),
    [("山川草木風雨雪月花鳥魚虫人手足", 15), ("กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมย", 31)],
)
def test_passages_in_scripts_without_spaces_are_longer(characters: str, least: int) -> None:
    """`PASSAGE_WORDS` words, each hashed with its successors: 8 + 7, and 8 + 23 characters."""
    assert len(characters) == least
    assert _first_passage(f"{characters} end") == _first_passage(f"{characters}口")
    assert _first_passage(f"{characters[:-1]}口") != _first_passage(characters)


def _first_passage(text: str) -> int:
    return int(hash_passages(WordHasher().hash_words(text))[0])


def test_a_copied_passage_is_located() -> None:
    known = TrainingRecord.of(
        [numbered("a", 40) + " " + COPIED, numbered("b", 90)], ["ada", "ben"], ["diary", "log"]
    )
    text = numbered("q", 30) + " " + COPIED.upper() + " " + numbered("r", 30)
    shared = known.passages_shared_with(text)
    [passage] = shared.passages
    assert passage.author == "ada"
    assert passage.n_words > len(COPIED.split()) - 2 * PASSAGE_WORDS
    assert text[passage.start : passage.end] in COPIED.upper()
    assert shared.of("ada") == shared.passages
    assert shared.of("ben") == ()
    assert shared.share("ada") == passage.n_words / (60 + len(COPIED.split()))


def test_passages_of_two_authors_are_left_out() -> None:
    known = TrainingRecord.of([COPIED + " " + numbered("a", 9), COPIED], ["ada", "ben"])
    assert known.passages_shared_with(COPIED).passages == ()


def test_counts_works() -> None:
    known = TrainingRecord.of(["a", "b", "c", "d"], ["ada"] * 4, ["x", "x", "", ""])
    assert known.n_works("ada") == 3
    assert len(known.by("ada")) == 4


@given(st.integers(0, 40), st.integers(0, 3), st.integers(0, 30), st.integers(0, 30))
@laws
def test_long_passages_are_found_and_short_ones_are_not(
    n_shared: int, author: int, before: int, after: int
) -> None:
    shared = numbered("shared", n_shared)
    texts = [numbered(f"known{number}x", 30) for number in range(4)]
    texts[author] = f"{texts[author]} {shared} {numbered('end', 20)}"
    known = TrainingRecord.of(texts, list("abcd"))
    questioned = f"{numbered('q', before)} {shared} {numbered('r', after)}"
    found = known.passages_shared_with(questioned).passages
    if n_shared >= GUARANTEED_WORDS:
        [passage] = found
        assert passage.author == "abcd"[author]
        assert n_shared - 2 * PASSAGE_WORDS < passage.n_words <= n_shared
        assert "q" not in questioned[passage.start : passage.end]
    elif n_shared < PASSAGE_WORDS:
        assert found == ()


@given(st.permutations(range(5)))
@laws
def test_the_order_of_texts_does_not_matter(order: list[int]) -> None:
    texts = [numbered(prefix, 30) for prefix in "abcde"]
    authors, works = list("xxyyz"), ["1", "2", "1", "1", "3"]
    straight = TrainingRecord.of(texts, authors, works)
    mixed = TrainingRecord.of(*([each[i] for i in order] for each in (texts, authors, works)))
    assert mixed.to_dict() == straight.to_dict()
    for name, array in straight.to_arrays().items():
        assert mixed.to_arrays()[name].tolist() == array.tolist()


words = st.lists(st.sampled_from(["sea", "Wind", "rope,", "海", "\ud83d", "<b>"]), max_size=40)


@given(st.lists(st.tuples(words, st.sampled_from(["ada", "ben"])), min_size=1, max_size=5))
@laws
def test_a_record_is_restored_from_its_data(entries: list[tuple[list[str], str]]) -> None:
    texts = [" ".join(each) for each, _ in entries]
    known = TrainingRecord.of(texts, [author for _, author in entries])
    again = TrainingRecord.from_dict(known.to_dict(), known.to_arrays())
    assert again.documents == known.documents
    assert again.authors == known.authors
    assert again.frequency_profile.words == known.frequency_profile.words
    assert again.frequency_profile.distances.tolist() == known.frequency_profile.distances.tolist()
    for text in texts:
        assert again.passages_shared_with(text) == known.passages_shared_with(text)


def test_differences_between_records() -> None:
    record = TrainingRecord.of(["a", "b", "b", "c"], ["ada", "ada", "ada", "ben"], list("1234"))
    same = TrainingRecord.of(["c", "b", "a", "b"], ["ben", "ada", "ada", "ada"], list("wxyz"))
    other = TrainingRecord.of(["a", "b", "c"], ["ada", "ada", "ada"], list("123"))
    assert record.sha256 == same.sha256 != other.sha256
    # one line per text, such as: ada<TAB>digest of "a"
    lines = f"ada\t{text_sha256('a')}\n"
    assert TrainingRecord.of(["a"], ["ada"]).sha256 == text_sha256(lines)
    alike, differing = record.differences(same), record.differences(other)
    assert (alike.missing, alike.added) == ((), ())
    missing = [(each.author, each.work) for each in differing.missing]
    assert missing == [("ada", "3"), ("ben", "4")]
    assert [(each.author, each.work) for each in differing.added] == [("ada", "3")]


def test_integer_authors_become_their_digits() -> None:
    assert TrainingRecord.of(["a", "b"], [10, 9]).authors == ["10", "9"]


def test_lists_of_different_lengths_are_rejected() -> None:
    with pytest.raises(UsageError, match="2 texts, 1 authors and 2 works"):
        TrainingRecord.of(["a", "b"], ["ada"])
    with pytest.raises(UsageError, match="1 texts, 1 authors and 0 works"):
        TrainingRecord.of(["a"], ["ada"], [])


def _stored() -> tuple[dict[str, Any], dict[str, Any]]:
    known = TrainingRecord.of([numbered("a", 60), numbered("b", 60)], ["ada", "ben"], ["x", "y"])
    return known.to_dict(), known.to_arrays()


def _documents(**changes: Any) -> dict[str, Any]:
    documents = _stored()[0]["documents"]
    return {"documents": [documents[0] | changes, documents[1]]}


@pytest.mark.parametrize(
    "changes",
    [
        {"passage": 9},
        {"window": None},
        {"authors": "ada"},
        {"authors": ["ada", 7]},
        {"authors": ["ada"]},
        {"authors": ["ben", "ada"]},
        {"documents": {}},
        {"documents": [None]},
        {"documents": []},
        {"documents": _stored()[0]["documents"][::-1]},
        _documents(author=None),
        _documents(sha256="0" * 63),
        _documents(sha256="g" * 64),
        _documents(sha256=5),
        _documents(n_words=-1),
        _documents(n_words=True),
        _documents(n_characters=1.5),
        _documents(other=1),
        {"frequency_profile": None},
        {"frequency_profile": ["the", 1]},
        {"frequency_profile": ["the"]},
    ],
)
def test_invalid_data_are_rejected(changes: dict[str, Any]) -> None:
    data, arrays = _stored()
    TrainingRecord.from_dict(data, arrays)
    with pytest.raises(ModelFileError):
        TrainingRecord.from_dict(data | changes, arrays)


@pytest.mark.parametrize(
    "changes",
    [
        {"fingerprints": np.zeros(0, dtype=np.uint64)},
        {"fingerprints": _stored()[1]["fingerprints"].astype(np.int64)},
        {"fingerprints": _stored()[1]["fingerprints"][::-1].copy()},
        {"fingerprints": _stored()[1]["fingerprints"].reshape(1, -1)},
        {"fingerprint_counts": np.array([-1, 2], dtype=np.int64)},
        {"fingerprint_counts": np.array([1, 1], dtype=np.int64)},
        {"fingerprint_counts": np.array([2**62, 2**62], dtype=np.int64)},
        {"fingerprint_counts": np.zeros(0, dtype=np.int64)},
        {"profile_means": np.ones(1)},
        {"profile_variances": np.ones((1, 1))},
        {"profile_distances": np.array([-1.0])},
        {"profile_distances": np.array([np.inf])},
        {"profile_distances": np.array([1], dtype=np.int64)},
    ],
)
def test_invalid_arrays_are_rejected(changes: dict[str, Any]) -> None:
    data, arrays = _stored()
    with pytest.raises(ModelFileError):
        TrainingRecord.from_dict(data, arrays | changes)
    for name in changes:
        with pytest.raises(ModelFileError, match=name):
            TrainingRecord.from_dict(data, {key: arrays[key] for key in arrays if key != name})


@given(st.lists(st.sampled_from(["Ada", "Ben", "Benno", "Ému"]), min_size=1, max_size=12))
def test_the_documents_of_an_author_are_found(authors: list[str]) -> None:
    texts = [f"text number {number}" for number in range(len(authors))]
    record = TrainingRecord.of(texts, authors)
    for author in ("Ada", "Ben", "Benno", "Cleo", "Ému"):
        expected = [each for each in record.documents if each.author == author]
        assert record.by(author) == expected
        assert len(expected) == authors.count(author)
