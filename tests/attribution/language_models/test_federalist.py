"""End-to-end test on real text: two authors with unequal amounts, whole essays held out."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from byline.attribution import AuthorshipAttributor, explain, load_attributor, save_attributor


@pytest.fixture(scope="module")
def essays(shared: Path) -> tuple[list[str], list[str]]:
    paths = [
        path
        for author in ("Hamilton", "Madison")
        for path in sorted((shared / "corpora/federalist/known" / author).rglob("*.txt"))
    ]
    return [path.read_text(encoding="utf-8") for path in paths], [p.parent.name for p in paths]


def test_held_out_essays_are_attributed_correctly(essays: tuple[list[str], list[str]]) -> None:
    """Hamilton has three times as much text; without balance, nearly all essays go to him."""
    texts, authors = essays
    named = cross_val_predict(AuthorshipAttributor(), texts, authors, cv=StratifiedKFold(5))
    right = {
        author: [name == author for name, by in zip(named, authors, strict=True) if by == author]
        for author in ("Hamilton", "Madison")
    }
    assert all(sum(hits) >= 0.8 * len(hits) for hits in right.values())


def test_a_saved_model_explains_its_answer(
    essays: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    texts, authors = essays
    questioned, by = texts.pop(), authors.pop()
    save_attributor(AuthorshipAttributor().fit(texts, authors), tmp_path / "model")
    attributor = load_attributor(tmp_path / "model")
    [answer] = attributor.attribute([questioned])
    evidence = explain(attributor, questioned)
    assert answer.ranking[0].author == by == evidence.first
    first, second = (candidate.log_likelihood for candidate in answer.ranking[:2])
    assert first is not None
    assert second is not None
    assert evidence.log_lr == pytest.approx(first - second, abs=1e-9)
