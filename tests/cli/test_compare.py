"""`byline compare`: matrix, tree and keywords, printed, as JSON and as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
QUICK = ("--order", "2", "--samples", "1", "--folds", "2")


def test_authors_are_compared(run: Run, known: Path, tmp_path: Path) -> None:
    report = tmp_path / "similarity.html"
    ended = run("compare", known, *QUICK, "--report", report)
    assert ended.code == 0, ended.err
    assert (
        "8 documents by 2 authors, 2-fold cross-validation; one n-gram model of words" in ended.out
    )
    ada, ben = (re.search(rf"{name} +([\d.]+) +([\d.]+) *\n", ended.out) for name in ("ada", "ben"))
    assert ada and ben
    assert float(ada[1]) < float(ada[2])
    assert float(ben[2]) < float(ben[1])
    assert "├── ada\n└── ben" in ended.out
    assert re.search(r"sails +[\d,.]+ +0\.0 ", ended.out)
    page = report.read_text(encoding="utf-8")
    assert "Similarity of authors: " in page
    assert page.count('class="kwic "') == len(
        re.findall(r'<tr><th scope="row" class="name short"', page)
    )


def test_json_has_all(run: Run, known: Path) -> None:
    ended = run("compare", known, *QUICK, "--json", "--top", "3")
    found = json.loads(ended.out)
    assert found["authors"] == ["ada", "ben"]
    assert found["excess"][0][0] == found["excess"][1][1] == 0
    assert found["perplexity"][0][1] > 5 * found["perplexity"][0][0]
    height = found["tree"]["joins"][0]["height"]
    assert height == found["distances"][0][1] == found["nearest"][0]["others"][0]["distance"]
    assert [len(entry["ngrams"]) for entry in found["keywords"]] == [3, 3]
    assert {ngram["other_count"] for e in found["keywords"] for ngram in e["ngrams"]} == {0}


def test_the_same_seed_gives_the_same_bytes(run: Run, known: Path) -> None:
    first, second = (run("compare", known, *QUICK, "--json").out for _ in range(2))
    assert first == second


def test_invalid_arguments_are_rejected(run: Run, known: Path, tmp_path: Path) -> None:
    assert run("compare", known, "--method", "stacked").code == 2
    assert run("compare", known, "--folds", "1").code == 2
    assert run("compare", known, "--report", tmp_path / "no" / "page.html").code == 7
    assert run("compare", tmp_path).code == 3
