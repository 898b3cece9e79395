"""Problems of PAN 2014: reading, numbers of texts, and folds that share no text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from byline.attribution.verification import VerificationProblem
from byline.errors import BylineError, CorpusError, UsageError
from byline.experiments.pan14.problem_sets import ProblemSet, folds, number_texts, read_sets

LONG = "the rain fell on the roofs of the old town all night long"


def _write(data: Path, name: str = "en_essays", truth: str = "P1\tY\nP2\tN\n") -> Path:
    folder = data / name / "train"
    for number in (1, 2):
        (folder / f"P{number}").mkdir(parents=True)
        (folder / f"P{number}" / "known01.txt").write_text("A known text.", encoding="utf-8")
        (folder / f"P{number}" / "unknown.txt").write_text(f"Text {number}.", encoding="utf-8")
    (folder / "truth.tsv").write_text(truth, encoding="utf-8")
    return data


def test_sets_are_read_with_their_language_and_answers(tmp_path: Path) -> None:
    _write(tmp_path)
    _write(tmp_path, "gr_articles", "\ufeffP2\tY\nP1\tN\n")
    essays, greek = read_sets(tmp_path)
    assert (essays.name, essays.language, greek.language) == ("en_essays", "en", "el")
    assert essays.names == ["P1", "P2"]
    assert essays.same.tolist() == [True, False]
    assert (greek.names, greek.same.tolist()) == (["P2", "P1"], [True, False])
    assert essays.problems[0] == VerificationProblem(("A known text.",), "Text 1.")
    assert len(essays.texts[0] & essays.texts[1]) == 1  # the known text
    assert [each.name for each in read_sets(tmp_path, ["gr_articles"])] == ["gr_articles"]


@pytest.mark.parametrize(
    ("change", "names", "error", "words"),
    [
        (lambda data: None, ["dutch"], UsageError, "pan14 has no task dutch; use en_essays"),
        (lambda data: None, ["en_novels"], CorpusError, "it has no en_novels"),
        (lambda data: (data / "en_essays").rename(data / "x"), [], CorpusError, "has no folder"),
        (
            lambda data: (data / "en_essays/train/P1/unknown.txt").unlink(),
            [],
            CorpusError,
            r"P1 has no file unknown\.txt",
        ),
        (
            lambda data: (data / "en_essays/train/truth.tsv").write_text("P1\tmaybe\n"),
            [],
            CorpusError,
            "the answer to P1 is neither Y nor N",
        ),
        (
            lambda data: (data / "en_essays/train/truth.tsv").write_text("P1 Y\n"),
            [],
            CorpusError,
            "row 1: there is no tab",
        ),
    ],
)
def test_incomplete_sets_are_refused(
    tmp_path: Path, change: object, names: list[str], error: type[BylineError], words: str
) -> None:
    change(_write(tmp_path))  # type: ignore[operator]
    with pytest.raises(error, match=words):
        read_sets(tmp_path, names)


def test_nearly_equal_texts_have_one_number() -> None:
    # LONG has 13 words, thus 6 sequences of eight; 5 of them are in its first 12 words.
    shorter = LONG.rpartition(" ")[0]
    numbers = number_texts([LONG, shorter, LONG.upper() + "\n", "other words altogether"])
    assert numbers[LONG] == numbers[shorter] == numbers[LONG.upper()]
    assert len(set(numbers.values())) == 2


def test_numbers_are_joined_along_chains() -> None:
    words = [f"w{n}" for n in range(20)]
    first, middle, last = (" ".join(words[start : start + 14]) for start in (0, 3, 6))
    assert len(set(number_texts([first, last]).values())) == 2  # share 1 of 7 sequences
    assert len(set(number_texts([first, middle, last]).values())) == 1


def test_folds_share_no_text() -> None:
    texts = [frozenset({n // 3, 100 + n}) for n in range(30)]  # three problems share each text
    problems = [VerificationProblem((f"known {n}",), f"asked {n}") for n in range(30)]
    names = [f"P{n}" for n in range(30)]
    data = ProblemSet("en_essays", "en", names, problems, np.arange(30) % 2 == 0, texts)
    found = list(folds(data))
    assert len(found) == 10
    assert sorted(np.concatenate([held_out for _, held_out in found]).tolist()) == list(range(30))
    for training, held_out in found:
        of_fold = frozenset[int]().union(*(texts[n] for n in held_out))
        assert not any(texts[n] & of_fold for n in training)
        assert len(training) == 27  # problems that share texts are in one fold
