"""The corpora are read side by side, with topics, genres, languages and roles."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from byline.errors import CorpusError, UsageError
from byline.experiments.small_cases.sources import Source, read_sources


def test_the_sides_have_different_authors(corpora: Path) -> None:
    [test] = read_sources(corpora, "test", ["cmcc"])
    [development] = read_sources(corpora, "development", ["cmcc"])
    assert (test.name, test.corpus, test.language) == ("cmcc", "cmcc", "en")
    assert test.authors == ["S11", "S12", "S13"]
    assert development.authors == ["S1", "S3", "S4"]


def test_topics_and_genres(corpora: Path) -> None:
    [source] = read_sources(corpora, "test", ["cmcc"])
    first = source.texts[0]
    assert (first.work, first.genre, first.topic) == ("Blogs/S11/C.txt", "Blogs", "C")
    assert first.n_words == 100


def test_each_problem_of_pan19_is_a_source(corpora: Path) -> None:
    [development] = read_sources(corpora, "development", ["pan19"])
    [test] = read_sources(corpora, "test", ["pan19"])
    assert (development.name, development.language) == ("pan19/problem01", "en")
    assert (test.name, test.corpus, test.language) == ("pan19/problem07", "pan19", "fr")
    assert [(each.author, each.role) for each in test.texts] == [
        ("candidate1", "known"),
        ("candidate1", "known"),
        ("candidate2", "known"),
        ("candidate2", "known"),
        ("candidate1", "questioned"),
        ("candidate2", "questioned"),
    ]


def test_corpora_that_are_missing_are_left_out(corpora: Path) -> None:
    assert [each.corpus for each in read_sources(corpora, "test")] == ["cmcc", "pan19"]
    shutil.rmtree(corpora / "cmcc")
    assert [each.corpus for each in read_sources(corpora, "test")] == ["pan19"]
    with pytest.raises(CorpusError, match="has no folder cmcc; give the folder"):
        read_sources(corpora, "test", ["cmcc"])


def test_wrong_names_and_folders(corpora: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no corpus ccat10; use british_fiction, .* and pan19$"):
        read_sources(corpora, "test", ["ccat10"])
    with pytest.raises(CorpusError, match=r"has no folder british_fiction, .* and pan19; give"):
        read_sources(tmp_path / "cmcc", "test")
    with pytest.raises(CorpusError, match="missing is not a folder; give the folder"):
        read_sources(tmp_path / "missing", "test")


def test_a_side_without_authors_is_an_error(corpora: Path) -> None:
    for author in ("Hamilton", "Madison"):
        folder = corpora / "federalist" / "known" / author
        folder.mkdir(parents=True)
        (folder / "1.txt").write_text("We, the people.", encoding="utf-8")
    assert [each.authors for each in read_sources(corpora, "test", ["federalist"])]
    with pytest.raises(CorpusError, match=r"fewer than two authors on this side \(development\)"):
        read_sources(corpora, "development", ["federalist"])


def test_damaged_tables_are_errors(corpora: Path) -> None:
    (corpora / "pan19" / "problem01" / "truth.tsv").write_text("unknown1.txt\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"truth\.tsv, row 1: there is no tab"):
        read_sources(corpora, "development", ["pan19"])
    (corpora / "pan19" / "problems.tsv").write_text("problem\tlanguage\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="does not have the language of problem07"):
        read_sources(corpora, "test", ["pan19"])
    (corpora / "pan19" / "problems.tsv").unlink()
    with pytest.raises(CorpusError, match=r"problems\.tsv cannot be read"):
        read_sources(corpora, "test", ["pan19"])


def test_a_passage_has_whole_words(source: Source) -> None:
    text = source.texts[0]
    assert text.passage(0, 300) == text.text
    assert text.passage(10, 5).split() == text.text.split()[10:15]
