"""`byline explore`: printed, as JSON, and as files that can be used as input."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.attribution.exploration import DISTANCES
from byline.cli.explore import DistanceChoice

Run = Callable[..., Any]
FEW = ("--mfw", "12", "--mfw-range", "4", "12", "4")
FILES = {
    *("frequencies.csv", "distances.csv", "coordinates.csv", "loadings.csv", "edges.csv"),
    *("tree.nwk", "consensus.nwk", "network.gexf", "features.txt"),
}


def test_texts_are_explored(run: Run, known: Path) -> None:
    ended = run("explore", known, *FEW)
    assert ended.code == 0, ended.err
    assert "8 texts by 2 authors; cosine Delta (Würzburg), 12 words" in ended.out
    assert "Nearest neighbour by the same author: 8 of 8 texts (100 %)" in ended.out
    assert "Adjusted Rand index of the clusters: 1.00" in ended.out


def test_files_are_written_and_can_be_used_as_input(run: Run, known: Path, tmp_path: Path) -> None:
    folder = tmp_path / "csv"
    first = json.loads(run("explore", known, *FEW, "--csv", folder, "--json").out)
    assert {path.name for path in folder.iterdir()} == FILES
    table = list(csv.reader((folder / "distances.csv").read_text("utf-8").splitlines()))
    assert table[0][1:] == [row[0] for row in table[1:]] == [e["name"] for e in first["texts"]]
    assert [[float(cell) for cell in row[1:]] for row in table[1:]] == first["distances"]
    for back in (("--features", folder / "features.txt"), ("--table", folder / "frequencies.csv")):
        again = json.loads(run("explore", known, *FEW, *back, "--json").out)
        assert again["distances"] == first["distances"]
        assert again["consensus"] == first["consensus"]


def test_a_questioned_text_is_added(run: Run, known: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_bytes(next(known.glob("ben/*")).read_bytes())
    found = json.loads(run("explore", known, *FEW, "--text", letter, "--json").out)
    [text] = [each for each in found["texts"] if each["author"] is None]
    assert (text["name"], text["nearest_author"]) == ("Questioned_letter", "ben")
    assert text["nearest_distance"] == pytest.approx(0, abs=1e-9)


def test_texts_are_grouped_by_a_column(run: Run, known: Path, tmp_path: Path) -> None:
    table = tmp_path / "metadata.csv"
    paths = sorted(path.relative_to(known).as_posix() for path in known.glob("*/*"))
    rows = [f"{path},{'letter' if place % 2 else 'poem'}" for place, path in enumerate(paths)]
    table.write_text("\n".join(["text,genre", *rows]), encoding="utf-8")
    more = ("--metadata", table, "--color-by", "genre")
    found = json.loads(run("explore", known, *FEW, *more, "--json").out)
    assert {each["author"] for each in found["texts"]} == {"letter", "poem"}
    ended = run("explore", known, "--metadata", table, "--color-by", "year")
    assert ended.code == 3 and "the column 'year' is missing or empty for ada/" in ended.err


def test_every_distance_has_a_choice() -> None:
    assert set(DistanceChoice) == {*DISTANCES, "cross-perplexity"}


def test_distances_of_characters_and_of_language_models(run: Run, known: Path) -> None:
    for distance, kind in (("char-ngrams", "character 3-grams"), ("cross-perplexity", "words")):
        found = json.loads(run("explore", known, "--distance", distance, "--json").out)
        assert (found["distance"], found["kind"]) == (distance, kind)
        assert found["quality"]["nearest_same"] == 8
    assert found["consensus"] is None  # language models have no number of words


def test_the_same_seed_gives_the_same_bytes(run: Run, known: Path) -> None:
    first, second = (run("explore", known, *FEW, "--json").out for _ in range(2))
    assert first == second


def test_a_table_needs_no_texts(run: Run, known: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    of_texts = json.loads(run("explore", known, "--csv", folder, "--json").out)
    frequencies = folder / "frequencies.csv"
    alone = json.loads(run("explore", "--table", frequencies, "--json").out)
    assert alone["corpus"] == "frequencies.csv"
    assert [each["author"] for each in alone["texts"]] == [
        each["author"] for each in of_texts["texts"]
    ]
    for given in ((), ("--table", frequencies, "--color-by", "genre")):
        assert run("explore", *given).code == 2


def test_invalid_arguments_are_rejected(run: Run, known: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("the\n", encoding="utf-8")
    assert run("explore", known, "--distance", "euclid").code == 2
    assert run("explore", known, "--mfw-range", "9", "3", "1").code == 2
    assert run("explore", known, "--csv", words).code == 7
    assert run("explore", known, "--features", words, "--table", words).code == 2
    assert run("explore", known, "--features", words).code == 2  # texts without "the"
    assert run("explore", tmp_path / "none").code == 3
