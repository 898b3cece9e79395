"""The tasks of each benchmark, and the errors for folders that are not its corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byline.corpus.text_reading import read_texts_alike
from byline.errors import CorpusError, UsageError
from byline.experiments.benchmarks import BENCHMARKS, Task
from byline.experiments.runner.partitions import by_sentence

LayOut = Callable[[str], Path]


def load(data: Path, task: str) -> Task:
    [loaded] = BENCHMARKS[data.name].load(data, (task,), seed=0)
    return loaded


def numbers(paths: list[str]) -> set[str]:
    return {Path(path).stem for path in paths}


def test_ccat50_is_trained_on_the_listed_texts(lay_out: LayOut) -> None:
    [fold] = load(lay_out("ccat50"), "test").folds
    assert numbers(fold.known.paths) == {str(number) for number in range(95, 103)}
    assert len(fold.known) == 16
    assert all(path.startswith("train/") for path in fold.known.paths)
    assert numbers(fold.questioned.paths) == {"500", "501", "502"}
    assert all(path.startswith("test/") for path in fold.questioned.paths)


def test_ccat50_is_validated_on_the_other_texts(lay_out: LayOut) -> None:
    [fold] = load(lay_out("ccat50"), "validation").folds
    assert numbers(fold.known.paths) == {str(number) for number in range(95, 103)}
    assert numbers(fold.questioned.paths) == {"103", "104"}


def test_ccat50_holds_out_the_first_or_last_texts_by_number(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    # 12 of 50 texts are 2 of 10.
    [late] = load(data, "validation-late").folds
    assert numbers(late.questioned.paths) == {"103", "104"}
    [early] = load(data, "validation-early").folds
    assert numbers(early.questioned.paths) == {"95", "96"}
    assert numbers(early.known.paths) == {str(number) for number in range(97, 105)}


@pytest.mark.parametrize(
    ("task", "held_out"), [("topic", ["C", "G", "I"]), ("genre", ["Blogs", "Essays"])]
)
def test_cmcc_leaves_one_out(lay_out: LayOut, task: str, held_out: list[str]) -> None:
    folds = load(lay_out("cmcc"), task).folds
    assert [fold.name for fold in folds] == [f"{task} {value}" for value in held_out]
    for fold, value in zip(folds, held_out, strict=True):
        assert all(value in Path(path).with_suffix("").parts for path in fold.questioned.paths)
        assert not any(value in Path(path).with_suffix("").parts for path in fold.known.paths)
        assert len(fold.known) + len(fold.questioned) == 12


def test_federalist_holds_out_each_essay_and_ignores_jay(lay_out: LayOut) -> None:
    folds = load(lay_out("federalist"), "leave-one-out").folds
    assert len(folds) == 7
    for fold in folds:
        assert len(fold.known) == 6
        assert not set(fold.known.paths) & set(fold.questioned.paths)
        assert fold.known.candidates == ["Hamilton", "Madison"]
    assert len({path for fold in folds for path in fold.questioned.paths}) == 7


def test_federalist_expects_madison_for_the_disputed_essays(lay_out: LayOut) -> None:
    [fold] = load(lay_out("federalist"), "disputed").folds
    assert len(fold.known) == 7
    assert fold.questioned.authors == ["Madison", "Madison"]


def test_lectures16_uses_the_split_of_the_paper(lay_out: LayOut) -> None:
    data = lay_out("lectures16")
    [fold] = load(data, "sentences").folds
    training, validation, test = by_sentence(40, seed=0)
    lines = (data / "stemmed/course-02.txt").read_text(encoding="utf-8").split("\n")
    assert fold.validation is not None
    alone = fold.validation.select(range(16))
    for part, places in ((fold.known, training), (alone, validation), (fold.questioned, test)):
        own = [document.text for document in part if document.author == "course-02"]
        assert "\n".join(own).split("\n") == [lines[place] for place in places]
    # 32 sentences in documents of 20
    assert Counter(fold.known.authors) == dict.fromkeys(
        ("course-01", "course-02", "course-07", "course-16"), 2
    )
    assert Counter(fold.questioned.authors) == {"course-01": 4, "course-02": 4}


def test_lectures16_validates_on_texts_of_the_same_lengths(lay_out: LayOut) -> None:
    [fold] = load(lay_out("lectures16"), "sentences").folds
    assert fold.validation is not None
    # four sentences per course: single, and three joined; too few for five
    assert [text.count("\n") + 1 for text in fold.validation.texts] == [1] * 16 + [3] * 4
    assert set(Counter(fold.validation.authors).values()) == {5}
    joined = fold.validation[16]
    assert joined.text.split("\n") == fold.validation.select(range(3)).texts
    used = {*fold.known.paths, *fold.questioned.paths}
    assert not used & set(fold.validation.paths)


def test_lectures16_holds_out_every_lecture_once(lay_out: LayOut) -> None:
    folds = load(lay_out("lectures16"), "lectures").folds
    asked = [path for fold in folds for path in fold.questioned.paths]
    assert len(folds) == 5
    assert len(asked) == len(set(asked)) == 20


def test_lectures16_questions_an_instructor_on_another_subject(lay_out: LayOut) -> None:
    [fold] = load(lay_out("lectures16"), "same-instructor").folds
    assert fold.known.candidates == ["course-01", "course-02", "course-07"]
    assert set(fold.questioned.authors) == {"course-07"}
    assert all("course-16" in path for path in fold.questioned.paths)


def test_default_tasks_exist() -> None:
    for benchmark in BENCHMARKS.values():
        assert set(benchmark.default_tasks) <= set(benchmark.tasks)


def test_an_unknown_task_is_an_error(lay_out: LayOut) -> None:
    with pytest.raises(UsageError, match=r"no task tset; use test, validation"):
        load(lay_out("ccat50"), "tset")


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("ccat50", "test"),
        ("ccat50", "train40.tsv"),
        ("federalist", "known/Madison"),
        ("lectures16", "stemmed"),
        ("cmcc", "Blogs"),
    ],
)
def test_a_missing_part_is_an_error(lay_out: LayOut, name: str, missing: str) -> None:
    data = lay_out(name)
    task = BENCHMARKS[name].default_tasks[0]
    (data / missing).rename(data.parent / "elsewhere")
    if name == "cmcc":  # one genre is left, which cannot be left out
        with pytest.raises(CorpusError, match="all texts have the same genre, Essays"):
            load(data, "genre")
        return
    with pytest.raises(
        CorpusError, match=rf"{name} is not the folder of {name}: it has no {missing}\. "
    ):
        load(data, task)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_missing_folder_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match=rf"absent is not a folder; name the folder of {name}"):
        BENCHMARKS[name].load(tmp_path / "absent", (), seed=0)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_name_that_is_too_long(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="cannot be opened: File name too long"):
        BENCHMARKS[name].load(tmp_path / ("x" * 5000), (), seed=0)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_an_empty_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match=str(tmp_path)):
        BENCHMARKS[name].load(tmp_path, (), seed=0)


def test_the_folder_above_is_recognised(lay_out: LayOut) -> None:
    data = lay_out("federalist")
    with pytest.raises(CorpusError, match=rf"did you mean {data}\?"):
        BENCHMARKS["federalist"].load(data.parent, (), seed=0)


def test_a_listed_text_that_is_missing(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    (data / "train/AnnLee/95.txt").unlink()
    with pytest.raises(
        CorpusError, match=r"lists 1 texts that do not exist, the first is train/AnnLee/95.txt"
    ):
        load(data, "test")


def test_a_malformed_list(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    (data / "train40.tsv").write_text("AnnLee\t95.txt\nAnnLee 96.txt\n")
    with pytest.raises(
        CorpusError, match=r"line 2: the line is not AUTHOR, tab, FILE: 'AnnLee 96\.txt'"
    ):
        load(data, "test")


def test_a_list_of_all_texts_leaves_none_to_validate_on(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    files = sorted((data / "train").rglob("*.txt"))
    (data / "train40.tsv").write_text("".join(f"{f.parent.name}\t{f.name}\n" for f in files))
    with pytest.raises(CorpusError, match="lists 20 of 20 texts in train"):
        load(data, "validation")


def test_a_text_without_an_item_number(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    (data / "train/AnnLee/104.txt").rename(data / "train/AnnLee/last.txt")
    with pytest.raises(
        CorpusError, match=r"train/AnnLee/last\.txt of ccat50 has no Reuters item number"
    ):
        load(data, "validation-late")


def test_an_author_without_known_texts(lay_out: LayOut) -> None:
    data = lay_out("ccat50")
    (data / "test/AnnLee").rename(data / "test/CydPoe")
    with pytest.raises(CorpusError, match="questioned texts but no known texts by CydPoe"):
        load(data, "test")


def test_a_single_author_is_refused(lay_out: LayOut, tmp_path: Path) -> None:
    data = lay_out("cmcc")
    for genre in ("Blogs", "Essays"):
        (data / genre / "S2").rename(tmp_path / genre)
    with pytest.raises(CorpusError, match="topic requires known texts by two or more authors"):
        load(data, "topic")


def test_empty_texts_are_refused(lay_out: LayOut) -> None:
    data = lay_out("federalist")
    (data / "known/Madison/01.txt").write_text(" \n")
    with pytest.raises(CorpusError, match=r"1 text without words \(known/Madison/01\.txt\)"):
        load(data, "leave-one-out")


def test_lectures_without_words_are_left_out(lay_out: LayOut) -> None:
    data = lay_out("lectures16")
    (data / "raw/course-01/lecture-001.txt").write_text("")
    assert load(data, "lectures").n_questioned == 19


def test_a_course_too_short_for_the_split(lay_out: LayOut) -> None:
    data = lay_out("lectures16")
    (data / "stemmed/course-01.txt").write_text("a sentence .\nand one more .\n")
    with pytest.raises(
        CorpusError, match=r"course-01\.txt has 2 sentences, but a split 8:1:1 requires 10"
    ):
        load(data, "sentences")


@pytest.fixture(scope="module")
def _texts_are_read_once() -> Iterator[None]:
    """Keep the texts of a corpus for its next task, because reading takes most of the time."""
    kept: dict[tuple[Path, ...], Any] = {}

    def read_once(paths: Iterable[Path]) -> Any:
        asked = tuple(paths)
        if asked not in kept:
            kept[asked] = read_texts_alike(asked)
        return kept[asked]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("byline.experiments.benchmarks.tasks.read_texts_alike", read_once)
        yield


# One text of ccat50 is an interview of questions and answers.
@pytest.mark.filterwarnings("ignore:.*several speakers")
@pytest.mark.usefixtures("_texts_are_read_once")
@pytest.mark.parametrize(
    ("name", "task", "n_folds", "n_known", "n_authors"),
    [
        ("ccat50", "test", 1, 2000, 50),
        ("ccat50", "validation", 1, 2000, 50),
        ("ccat50", "validation-late", 1, 1900, 50),
        ("cmcc", "topic", 6, 630, 21),
        ("cmcc", "genre", 6, 630, 21),
        ("federalist", "leave-one-out", 65, 64, 2),
        ("federalist", "disputed", 1, 65, 2),
        ("lectures16", "sentences", 1, 5242, 16),
        ("lectures16", "same-instructor", 1, 1252, 15),
    ],
)
def test_the_real_corpora_have_the_sizes_of_their_protocols(
    shared: Path, name: str, task: str, n_folds: int, n_known: int, n_authors: int
) -> None:
    loaded = load(shared / "corpora" / name, task)
    assert loaded.n_questioned == loaded.full_size
    assert len(loaded.folds) == n_folds
    assert len(loaded.folds[0].known) == n_known
    assert len(loaded.folds[0].known.candidates) == n_authors
