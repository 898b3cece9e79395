"""Texts that occur more than once: the policies for tables and folders, and their messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byline.corpus import Corpus, Document, DuplicatePolicy, read_corpus
from byline.corpus.checking import CleaningStep, examine
from byline.corpus.cleaning import clean_corpus
from byline.corpus.duplicates import find_duplicates
from byline.errors import BylineWarning, CorpusError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
LONG = "The same notice about the loom was sent by everybody in the village. " * 10


def posts() -> list[tuple[str, str]]:
    """Posts of three authors: own ones, repeated ones, a greeting, and 62 shared notices."""
    rows = [
        (author, f"{author} saw the {thing} number {number} today and told nobody. " * 20)
        for author in ("ann", "bob", "cid")
        for thing in ("ship", "loom", "hill")
        for number in range(5)
    ]
    rows += [(author, "Thank you!") for author in ("ann", "bob", "ann")]
    rows += [("cid", "I wrote this twice. " * 30)] * 2
    for number in range(62):
        rows += [(author, f"{LONG} {number}") for author in ("ann", "bob")]
    return rows


def write_table(folder: Path, rows: list[tuple[str, str]]) -> Path:
    path = folder / "posts.jsonl"
    path.write_text("\n".join(json.dumps({"author": a, "text": t}) for a, t in rows))
    return path


def write_folder(folder: Path, rows: list[tuple[str, str]]) -> Path:
    for number, (author, text) in enumerate(rows):
        path = folder / "posts" / author / f"{number:03d}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "posts"


def test_tables_are_read_without_duplicates_and_with_a_count(tmp_path: Path) -> None:
    path = write_table(tmp_path, posts())
    with pytest.warns(BylineWarning, match="left out") as caught:
        corpus = read_corpus(path)
    assert len(corpus) == 45 + 1
    assert len(set(corpus.texts)) == len(corpus)
    [message] = [str(w.message) for w in caught if "left out" in str(w.message)]
    assert "128 texts were left out" in message
    assert "127 under several authors, 1 repeated by one author" in message
    assert message.count(" = ") == 3
    assert 'duplicates="keep"' in message


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    rows = posts()
    first = read_corpus(write_table(tmp_path, rows))
    rows = rows[::-2] + rows[-2::-2]
    assert sorted(rows) == sorted(posts())
    second = read_corpus(write_table(tmp_path, rows))
    assert sorted(first.texts) == sorted(second.texts)


def test_the_error_lists_three_examples(tmp_path: Path) -> None:
    for path in (write_table(tmp_path, posts()), write_folder(tmp_path, posts())):
        with pytest.raises(CorpusError, match="62 texts occur under several authors") as error:
            read_corpus(path, duplicates="error")
        assert str(error.value).count(" = ") == 3
        assert str(error.value).endswith('or leave such texts out: duplicates="drop".')


def test_folders_are_read_as_before_unless_a_policy_is_given(tmp_path: Path) -> None:
    path = write_folder(tmp_path, posts())
    with pytest.raises(CorpusError, match="under several authors"):
        read_corpus(path)
    assert len(read_corpus(path, duplicates=DuplicatePolicy.DROP)) == 46
    assert len(read_corpus(path, duplicates="keep")) == len(posts())


def test_a_text_of_many_copies_is_listed_briefly(tmp_path: Path) -> None:
    rows = [(author, LONG) for author in ("ann", "bob") for _ in range(500)]
    with pytest.raises(CorpusError) as error:
        read_corpus(write_table(tmp_path, rows), duplicates="error")
    assert len(str(error.value)) < 1_000


def test_an_author_without_own_texts_is_an_error(tmp_path: Path) -> None:
    rows = [("ann", LONG), ("bob", LONG), ("bob", "A text of his own. " * 30)]
    with pytest.raises(CorpusError, match="by ann also occur under other authors"):
        read_corpus(write_table(tmp_path, rows))


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="possible values are error, drop, keep"):
        read_corpus(tmp_path, duplicates="all")


def test_cleaning_leaves_a_corpus_that_can_be_read(tmp_path: Path) -> None:
    documents = [Document(author, text, f"{n}") for n, (author, text) in enumerate(posts())]
    cleaned = clean_corpus(Corpus(documents, "posts"), [CleaningStep.DUPLICATES])
    assert not find_duplicates(list(cleaned.corpus))
    assert not [f for f in examine(cleaned.corpus).findings if f.severity == "error"]
    folder = write_folder(tmp_path, [(d.author, d.text) for d in cleaned.corpus])
    assert len(read_corpus(folder)) == len(cleaned.corpus)
    codes = [change.code for change in cleaned.changes]
    assert codes.count("duplicate-across-authors") == 127
    assert codes.count("duplicate-within-author") == 1
