"""Sample texts are attributed with a model of their authors, which is trained the first time."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import StackedAttributor
from byline.corpus import Corpus, Document
from byline.web.app_state import AppState
from byline.web.data_folder import DataFolder
from byline.web.job_queue import JobQueue
from byline.web.jobs import AskResult
from byline.web.messages import AskSamples, ModelFile, RollSample
from byline.web.model_store import ModelStore
from byline.web.samples import CORPUS_NAME, SAMPLE_TEXTS
from byline.web.text_store import TextStore
from byline.web.worker.attribution import ask_samples
from byline.web.worker.loaded_models import LoadedModels
from byline.web.worker.rolling import follow_sample

Sentences = Callable[[str, int, int], str]


@pytest.fixture(scope="module")
def models(language_models: Path, sentences: Sentences) -> LoadedModels:
    """The models of a worker, with invented sample texts."""
    known = [
        Document(author, sentences(author, 12, number), f"{number}-{author}.txt")
        for author in ("ada", "ben")
        for number in range(12)
    ]
    questioned = {
        "1814": Document("ada", sentences("ada", 60, 50), "1814.txt"),
        "1794": Document("ben", sentences("ben", 60, 51), "1794.txt"),
        "1804": Document("ada", sentences("ada", 60, 52), "1804.txt"),
        "1822": Document("ben", sentences("ben", 60, 53), "1822.txt"),
    }
    models = LoadedModels(ModelFile("given", "models.byline", language_models), None)
    models.__dict__["samples"] = Corpus(known, CORPUS_NAME), questioned
    return models


@pytest.fixture(scope="module")
def trained(
    models: LoadedModels, tmp_path_factory: pytest.TempPathFactory
) -> tuple[ModelFile, AskResult, list[str]]:
    """A new model of the sample texts, the first answer, and the steps of the job."""
    path = tmp_path_factory.mktemp("job") / "trained-1.byline"
    file = ModelFile("1", path.name, path, with_known=False, with_samples=True)
    steps: list[str] = []
    with warnings.catch_warnings(action="ignore"):  # of so little text
        task = AskSamples(file, ("1814",), is_new=True)
        result = ask_samples(task, models, lambda done, total, what: steps.append(what))
    return file, result, steps


def test_the_first_answer_comes_with_a_new_model(
    trained: tuple[ModelFile, AskResult, list[str]], models: LoadedModels
) -> None:
    file, result, steps = trained
    [entry] = result.case["questioned"]
    assert entry["ranking"][0]["author"] == "ada"
    assert entry["path"] == "Address to Congress of 1814"
    assert result.notes == (("This is a sample text. Its actual author is ada.",),)
    assert result.model.of_samples
    assert result.model.authors == ("ada", "ben")
    assert "1814-Madison-1.txt" in result.case["done"]["command"]
    assert entry["keywords"] is not None  # so the known texts are those of the model
    assert steps[-2:] == [
        "comparing with every candidate",
        "finding the evidence in Address to Congress of 1814",
    ]
    assert isinstance(models.model(file).attributor, StackedAttributor)


def test_a_model_trained_at_the_same_time_is_the_only_one(
    trained: tuple[ModelFile, AskResult, list[str]], tmp_path: Path
) -> None:
    """Two windows ask before there is a model: both jobs train one, and the first one is kept."""
    file, result, _ = trained
    folder = DataFolder.open(tmp_path / "page")
    given = ModelFile("given", "given.byline", tmp_path / "given.byline")
    models = ModelStore(folder.models, given, replace(result.model, id="given"))
    queue = JobQueue(folder)
    workers: Any = None
    state = AppState(folder, queue, workers, models, TextStore(folder.known), lambda *_: None)
    child: Any = None
    jobs = []
    for _ in range(2):
        job = queue.open_job()
        state.ask_samples(job, SAMPLE_TEXTS[:1])
        jobs.append(queue.take(child))
    cards = []
    for entry in jobs:
        assert entry is not None and entry.finish is not None
        assert isinstance(entry.task, AskSamples)
        entry.task.model.path.write_bytes(file.path.read_bytes())
        done = entry.finish(result)
        assert isinstance(done, AskResult)
        cards.append(done.model)
    assert cards[0].id == cards[1].id == "1"
    assert [card.id for card in models.cards] == ["given", "1"]
    assert models.current == "given"
    folder.close()


def test_further_answers_use_the_same_model(
    trained: tuple[ModelFile, AskResult, list[str]], models: LoadedModels
) -> None:
    task = AskSamples(trained[0], ("1794", "1814"), is_new=False)
    result = ask_samples(task, models, lambda *_: None)
    firsts = [each["ranking"][0]["author"] for each in result.case["questioned"]]
    assert firsts == ["ada", "ben"]  # in the order of the list of samples
    assert result.model.sha256 == trained[1].model.sha256


def test_the_sample_book_has_one_sample_per_chapter(
    trained: tuple[ModelFile, AskResult, list[str]], models: LoadedModels
) -> None:
    result = follow_sample(RollSample(trained[0], is_new=False), models, lambda *_: None)
    assert result.summary["path"] == "Sample book"
    chapters = result.summary["chapters"]
    assert [each["name"] for each in chapters] == [f"CHAPTER {n}" for n in ("I", "II", "III", "IV")]
    assert [each["author"] for each in chapters[2:]] == ["ada", "ben"]
    assert result.notes == (
        "This book consists of 4 sample texts: chapter I by ada, II by ben, III by ada and IV by "
        "ben.",
    )
    assert result.model.of_samples


def test_the_model_of_samples_is_kept_and_not_chosen(
    trained: tuple[ModelFile, AskResult, list[str]], tmp_path: Path
) -> None:
    file, result, _ = trained
    given = ModelFile("given", "given.byline", tmp_path / "given.byline")
    (tmp_path / "models").mkdir()
    store = ModelStore(tmp_path / "models", given, replace(result.model, id="given"))
    assert store.of_samples() is None
    copy = tmp_path / file.name
    copy.write_bytes(file.path.read_bytes())
    card = store.add(replace(file, path=copy), result.model, choose=False)
    assert store.current == "given"
    assert store.get(card.id)[1].of_samples

    again = ModelStore(tmp_path / "models", given, replace(result.model, id="given"))
    assert again.of_samples() is None
    found: list[Any] = []

    def describe(each: ModelFile) -> Any:
        found.append(each.with_samples)
        return result.model

    assert again.load_existing(describe) == []
    assert found == [True]
    kept = again.of_samples()
    assert kept is not None
    assert kept.id == card.id
