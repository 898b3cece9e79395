"""Cases of PAN 2019 and CCAT50: who is a candidate, and incomplete corpora."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from byline.errors import CorpusError, UsageError
from byline.experiments.open_set.cases import draw_ccat50, read_pan19


def test_problems_have_candidates_and_unnamed_unknown_authors(pan19: Path) -> None:
    first, second = read_pan19(pan19)
    assert (first.name, first.language, second.language) == ("problem01", "en", "fr")
    assert first.known.candidates == ["candidate1", "candidate2", "candidate3"]
    assert len(first.known) == 12
    assert first.questioned.authors.count(first.unnamed) == 4
    assert [each.name for each in read_pan19(pan19, ["problem07"])] == ["problem07"]
    assert [each.name for each in read_pan19(pan19, side="development")] == ["problem01"]
    assert [each.name for each in read_pan19(pan19, side="test")] == ["problem07"]


def test_the_digest_depends_on_texts_and_settings(pan19: Path) -> None:
    first, second = read_pan19(pan19)
    assert first.digest("delta", 0) == read_pan19(pan19)[0].digest("delta", 0)
    digests = {first.digest("delta", 0), first.digest("delta", 1), second.digest("delta", 0)}
    assert len(digests) == 3


def test_wrong_problems_are_refused(pan19: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no problem problem99; use problem01 and problem07"):
        read_pan19(pan19, ["problem99"])
    data = shutil.copytree(pan19, tmp_path / "pan19")
    truth = data / "problem01" / "truth.tsv"
    truth.write_text(truth.read_text().replace("<UNK>", "candidate1"))
    with pytest.raises(CorpusError, match="problem01: open-set attribution needs 3 candidates"):
        read_pan19(data)
    truth.write_text(truth.read_text() + "missing.txt\tcandidate1\n")
    with pytest.raises(CorpusError, match=r"missing\.txt"):
        read_pan19(data)
    (data / "problems.tsv").unlink()
    with pytest.raises(CorpusError, match=r"it has no problems\.tsv"):
        read_pan19(data)


def test_half_of_the_authors_are_candidates(ccat50: Path) -> None:
    cases = draw_ccat50(ccat50, draws=3)
    assert [case.name for case in cases] == ["test 0", "test 1", "test 2"]
    for case in cases:
        assert len(case.known.candidates) == 3
        assert len(case.known) == 12
        assert len(case.questioned.candidates) == 6
        assert all(path.startswith("test/") for path in case.questioned.paths)
    assert len({tuple(case.known.candidates) for case in cases}) > 1
    # A draw depends on its seed alone.
    [second] = draw_ccat50(ccat50, draws=1, seed=1)
    assert second.digest() == cases[1].digest()


@pytest.mark.parametrize(("task", "first", "last"), [("late", 95, 99), ("early", 99, 95)])
def test_tasks_within_the_training_part(
    ccat50: Path, monkeypatch: pytest.MonkeyPatch, task: str, first: int, last: int
) -> None:
    monkeypatch.setattr("byline.experiments.open_set.cases.N_KNOWN", 3)
    monkeypatch.setattr("byline.experiments.open_set.cases.N_QUESTIONED", 2)
    [case] = draw_ccat50(ccat50, task, 1)
    numbers = {int(Path(path).stem) for path in case.known.paths}
    asked = {int(Path(path).stem) for path in case.questioned.paths}
    assert len(case.known) == 9
    assert len(case.questioned) == 12
    assert (first in numbers, last in asked) == (True, True)
    assert not numbers & asked


def test_there_is_no_such_task(ccat50: Path) -> None:
    with pytest.raises(UsageError, match="open-set has no task tset; use test, late"):
        draw_ccat50(ccat50, "tset")
