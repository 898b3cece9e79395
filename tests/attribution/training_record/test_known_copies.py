"""Questioned texts that are among the known texts: how much of a text is copied."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.known_copy import MIN_COPIED, KnownCopy
from byline.attribution.training_record import shared_passages
from byline.attribution.training_record.known_copies import find_known_copy
from byline.attribution.training_record.record import TrainingRecord
from byline.attribution.training_record.shared_passages import FingerprintTable
from byline.corpus.fingerprints import Hashes, WordHasher, hash_passages, select_fingerprints

ADA = [f"a{n}" for n in range(200)]
BEN = [f"b{n}" for n in range(200)]
NEW = [f"new{n}" for n in range(200)]
RECORD = TrainingRecord.of(
    [" ".join(ADA), " ".join(BEN), " ".join(BEN[50:])], ["Ada", "Ben", "Ada"], ["sea", "ship", ""]
)


def _share(words: list[str], known: list[str]) -> float:
    hasher = WordHasher()
    fingerprints = np.unique(select_fingerprints(hasher.hash_words(" ".join(known))))
    table = FingerprintTable.of({"Ada": fingerprints})
    return table.copied_shares(hasher.hash_words(" ".join(words))).get("Ada", 0.0)


@given(st.integers(0, 180), st.integers(20, 200))
def test_a_passage_of_a_known_text_is_copied_completely(start: int, length: int) -> None:
    assert _share(ADA[start : start + length], ADA) == 1


@given(st.integers(15, 180), st.integers(20, 180))
def test_the_share_of_a_quotation_is_that_of_its_words(n_quoted: int, n_new: int) -> None:
    # At most 7 words at each end of a passage are not found, and 7 new ones are taken to be copied.
    found = _share([*NEW[:n_new], *ADA[:n_quoted]], ADA) * (n_new + n_quoted)
    assert n_quoted - 14 <= found <= n_quoted + 7


def test_a_text_without_a_passage_of_eight_words_is_not_copied() -> None:
    assert _share(ADA[:7], ADA) == _share(NEW, ADA) == _share([], ADA) == 0


WORDS = st.lists(st.sampled_from("abc"), max_size=60)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_all_authors_are_compared_at_once_as_each_alone(
    asked: list[str], texts: list[list[str]]
) -> None:
    hasher = WordHasher()
    words = hasher.hash_words(" ".join(asked))
    fingerprints = {
        f"author {number}": np.unique(select_fingerprints(hasher.hash_words(" ".join(text))))
        for number, text in enumerate(texts)
    }
    table = FingerprintTable.of(fingerprints)
    alone: dict[str, float] = {}
    for author, own in fingerprints.items():
        alone |= FingerprintTable.of({author: own}).copied_shares(words)
    assert table.copied_shares(words) == alone
    passages = hash_passages(words)
    owners = [set(np.flatnonzero(np.isin(passages, own))) for own in fingerprints.values()]
    places, numbers = table.find(passages)
    assert set(zip(places.tolist(), numbers.tolist(), strict=True)) == {
        (place, number) for number, own in enumerate(owners) for place in own
    }


def test_the_passages_of_a_text_are_hashed_once_for_all_authors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hashed: list[int] = []

    def count(words: Hashes) -> Hashes:
        hashed.append(len(words))
        return hash_passages(words)

    monkeypatch.setattr(shared_passages, "hash_passages", count)
    find_known_copy(" ".join(BEN[60:160]), RECORD)
    assert hashed == [100]


def test_a_known_text_is_named_by_its_author_and_work() -> None:
    assert find_known_copy(" ".join(BEN), RECORD) == KnownCopy("Ben", 1.0, "ship")
    assert find_known_copy(" ".join(BEN[50:]), RECORD) == KnownCopy("Ada", 1.0, "")


def test_a_passage_that_several_authors_have_is_copied_too() -> None:
    found = find_known_copy(" ".join(BEN[60:160]), RECORD)
    assert found is not None and found.work is None and found.share == 1


@pytest.mark.parametrize(("n_new", "is_copy"), [(10, True), (60, False)])
def test_a_text_with_enough_other_words_is_no_copy(n_new: int, is_copy: bool) -> None:
    # 120 copied words of 130 are 92 %, and of 180 they are 67 %
    text = " ".join([*NEW[:n_new], *ADA[:120]])
    assert (find_known_copy(text, RECORD) is not None) is is_copy
    assert 120 / 180 < MIN_COPIED < 120 / 130


def test_the_headline_states_where_the_text_occurs_and_what_is_withheld() -> None:
    assert KnownCopy("Ada", 0.975).headline.startswith(
        "98 % of the text is also in the known texts by Ada, word for word. The model was trained"
    )
    named = KnownCopy("Ada", 1.0, "sea")
    assert named.headline.startswith("The text is one of the known texts by Ada (sea). The model")
    assert named.reason.startswith("the text is one of the known texts by Ada (sea), so the model")
