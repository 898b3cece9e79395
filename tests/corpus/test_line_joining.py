from __future__ import annotations

from pathlib import Path

import pytest

from byline.corpus import (
    ExcludedPart,
    ReadingOptions,
    decode_text,
    extract_text,
    read_corpus,
    read_text,
    unwrap,
)
from byline.corpus.line_joining import LineJoiner
from byline.corpus.text_reading import read_texts_alike

DIVIDED = "A con-\nsiderable loss. Was it\nconsiderable? It was."


def half_marked(n_marked: int) -> str:
    return "\n".join(
        f"Nobody heard the river in the year {n}" + ("." if n < n_marked else "") for n in range(40)
    )


@pytest.fixture
def corpus_path(tmp_path: Path) -> Path:
    for number, n_marked in enumerate((24, 26, 28, 30)):
        path = tmp_path / "known" / f"author {number}" / "text.txt"
        path.parent.mkdir(parents=True)
        path.write_text(half_marked(n_marked), encoding="utf-8")
    return tmp_path / "known"


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_all_texts_of_a_corpus_are_read_alike_and_a_questioned_text_too(corpus_path: Path) -> None:
    corpus = read_corpus(corpus_path)
    assert [text.count("\n\n") for text in corpus.texts] == [39] * 4
    questioned = half_marked(25)
    assert unwrap(questioned).count("\n\n") == 0
    data = questioned.encode()
    assert (
        decode_text(data, "q.txt", ReadingOptions(line_rules=corpus.line_rules)).count("\n\n") == 39
    )
    paths = sorted(corpus_path.rglob("*.txt"))
    assert read_texts_alike(paths) == corpus.texts
    assert corpus.select([0]).line_rules == corpus.line_rules == corpus[1:].line_rules


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_the_rows_of_a_table_are_read_alike(tmp_path: Path) -> None:
    rows = "".join(f'author {n},"{half_marked(n)}"\n' for n in (24, 26, 28, 30))
    (tmp_path / "known.csv").write_text(f"author,text\n{rows}", encoding="utf-8")
    corpus = read_corpus(tmp_path / "known.csv")
    assert [text.count("\n\n") for text in corpus.texts] == [39] * 4


def test_the_number_of_joined_words_is_said() -> None:
    extracted = extract_text(DIVIDED.encode(), "a.txt")
    assert extracted.text == "A considerable loss. Was it considerable? It was."
    assert extracted.excluded == (ExcludedPart("hyphens at line ends", 1),)
    assert extracted.lines == DIVIDED


def test_both_rules_can_be_switched_off(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(DIVIDED, encoding="utf-8")
    kept = read_text(path, ReadingOptions(normalization="edition,-line-end-hyphens"))
    assert kept == "A con-siderable loss. Was it considerable? It was."
    lines = read_text(path, ReadingOptions(normalization="edition,-line-wrapping"))
    assert lines == "A considerable\n\nloss. Was it\n\nconsiderable? It was."
    assert read_text(path, ReadingOptions(normalization="none")) == DIVIDED.replace("\n", "\n\n")


def test_rules_of_other_texts_also_say_whether_words_are_divided() -> None:
    known = LineJoiner(["a con-\nsiderable loss, considerable and\nmore"])
    assert known.rules.divides_words
    assert LineJoiner(["magni-\nficent"], rules=known.rules).join("magni-\nficent").text == (
        "magnificent"
    )
