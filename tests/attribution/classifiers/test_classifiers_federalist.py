"""End-to-end test on real text: every fourth essay of Hamilton and Madison is held out."""

from __future__ import annotations

from pathlib import Path

import pytest

from byline.attribution.classifiers import BurrowsDelta, NgramBlock, NgramRidge, TextClassifier

RIDGE = NgramRidge((NgramBlock("word", (1, 2)), NgramBlock("masked", (1, 3), keep=200)))


@pytest.fixture(scope="module")
def essays(shared: Path) -> list[tuple[str, str]]:
    known = shared / "corpora/federalist/known"
    return [
        (path.read_text(encoding="utf-8"), author)
        for author in ("Hamilton", "Madison")
        for path in sorted((known / author).rglob("*.txt"))
    ]


@pytest.mark.parametrize("classifier", [BurrowsDelta(150), RIDGE], ids=["delta", "ridge"])
def test_held_out_essays_are_attributed_correctly(
    classifier: TextClassifier, essays: list[tuple[str, str]]
) -> None:
    known = [essay for i, essay in enumerate(essays) if i % 4]
    texts, authors = zip(*essays[::4], strict=True)
    classifier.fit(*zip(*known, strict=True))
    named = classifier.predict(texts)
    wrong = [truth for truth, name in zip(authors, named, strict=True) if truth != name]
    assert len(wrong) <= 1
