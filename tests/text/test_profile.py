"""Table 1 of Ge & Sun (2016) and the coverage of frequent words."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from byline.errors import UsageError
from byline.text import TextEncoder, profile_texts

# Ge & Sun 2016, Table 1: the course in the order of Table 2, then the printed sentences, words and
# vocabulary sizes (original, stemmed, pruned). Row k of the table does not describe course k.
TABLE_1 = {
    1: (5_672, 121_675, 3_972, 2_702, 1_809),
    16: (8_126, 129_665, 3_815, 2_699, 1_869),
    9: (5_895, 152_100, 3_933, 2_697, 1_918),
    11: (4_395, 100_408, 3_973, 2_605, 1_789),
}


def test_statistics_of_one_author_computed_by_hand() -> None:
    texts = ["The cats sat. The cat ran.", "Cats run."]
    row = profile_texts({"a": texts}).rows[0]
    # the cat sat . / the cat ran . / cat run .   -> 11 tokens and 3 end-of-sentence tokens
    assert (row.author, row.n_documents, row.n_sentences, row.n_words) == ("a", 2, 3, 14)
    assert row.words_per_sentence == 14 / 3
    assert row.vocabulary_original == 7  # the cats sat . cat ran run
    assert row.vocabulary_stemmed == 6  # cats = cat
    assert row.vocabulary_pruned == 4  # <unk> . cat the
    assert row.unknown_share == 3 / 14  # sat ran run
    assert row.coverage == {500: 11 / 14, 1000: 11 / 14, 2000: 11 / 14}  # . 3, cat 3, the 2, end 3


def test_coverage_counts_the_most_frequent_words() -> None:
    # 600 words twice each and one end-of-sentence token are 1,201. 500 words cover 1,000 of these,
    # and 1,000 words cover all.
    text = " ".join(f"w{i} w{i}" for i in range(600))
    row = profile_texts({"a": [text]}).rows[0]
    assert row.n_words == 1201
    assert row.coverage[500] == 1000 / 1201
    assert row.coverage[1000] == row.coverage[2000] == 1.0


def test_without_stemming_there_is_no_stemmed_vocabulary() -> None:
    encoder = TextEncoder(min_count=1)
    row = profile_texts({"a": ["Cats, cat."]}, encoder).rows[0]
    assert row.vocabulary_stemmed is None
    assert row.vocabulary_pruned == 5
    assert not hasattr(encoder, "vocabulary_")


def test_authors_keep_their_order_and_the_dict_is_json() -> None:
    profile = profile_texts({"b": ["One two."], "a": ["Three."], "none": []})
    rows = json.loads(json.dumps(profile.to_dict()))["rows"]
    assert [row["author"] for row in rows] == ["b", "a", "none"]
    assert set(rows[0]["coverage"]) == {"500", "1000", "2000"}


def test_an_author_without_text() -> None:
    row = profile_texts({"none": [""]}).rows[0]
    assert (row.n_documents, row.n_sentences, row.n_words) == (1, 0, 0)
    assert math.isnan(row.words_per_sentence)
    assert math.isnan(row.unknown_share)
    data = json.loads(json.dumps(row.to_dict(), allow_nan=False))
    assert data["words_per_sentence"] is None
    assert data["coverage"] == {"500": None, "1000": None, "2000": None}


def test_a_single_string_per_author_is_rejected() -> None:
    with pytest.raises(UsageError, match="list of texts by a"):
        profile_texts({"a": "text"})


def _lectures(shared: Path, course: int) -> list[str]:
    """Return the transcripts of one course, without subtitle files and with their lines joined."""
    folder = shared / "corpora" / "lectures16" / "raw" / f"course-{course:02d}"
    texts = (path.read_text("utf-8-sig") for path in sorted(folder.glob("*.txt")))
    return [" ".join(text.split()) for text in texts]


@pytest.mark.parametrize("course", sorted(TABLE_1))
def test_table_1_is_reproduced_within_half_a_percent(shared: Path, course: int) -> None:
    row = profile_texts({"a": _lectures(shared, course)}).rows[0]
    sizes = (row.vocabulary_original, row.vocabulary_stemmed, row.vocabulary_pruned)
    measured = (row.n_sentences, row.n_words, *sizes)
    assert measured == pytest.approx(TABLE_1[course], rel=0.005)
    assert row.coverage[500] > 0.85  # "at least 85 %"
    assert 0.004 < row.unknown_share < 0.015  # "0.5-1.5 %"


def test_the_stemmed_lines_of_the_authors_are_reproduced(shared: Path) -> None:
    theirs = (shared / "corpora/lectures16/stemmed/course-16.txt").read_text().splitlines()
    encoder = TextEncoder.like_ge_sun_2016()
    ours = [" ".join(s) for text in _lectures(shared, 16) for s in encoder.tokenize(text)]
    same = (Counter(theirs) & Counter(ours)).total()
    assert same / len(theirs) > 0.99
