"""Preparation of a run: its folder records the configuration and the texts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from byline.errors import BylineWarning, CorpusError, TrainingError, UsageError
from byline.experiments.runner.config import merge_settings, parse_config
from byline.experiments.runner.job_execution import Workload
from byline.experiments.runner.partitions import partition
from byline.experiments.runner.preparation import prepare
from byline.experiments.runner.run_directory import RunDirectory

Prepare = Callable[..., Workload]
CONFIG: dict[str, Any] = {
    "title": "t",
    "scoring": {"sentence_start": False, "sentence_end": False},
    "corpora": {
        "tokens": {"path": "tokens", "form": "tokenised"},
        "texts": {"path": "texts", "form": "text"},
    },
    "splits": {
        "s": {"corpus": "tokens", "unit": "sentence", "seeds": [0, 1]},
        "d": {"corpus": "texts", "unit": "document", "seeds": [3]},
    },
    "models": {"kn": {"label": "n-grams", "kind": "ngram"}},
    "profile": {"corpus": "texts"},
}
WORDS = {
    "ann": "a hedge of ash and beech grows behind the old garden wall",
    "bob": "the ants carried their eggs over a stone before it rained",
}
N_DOCUMENTS, N_SENTENCES = 12, 20


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Texts of two authors, running and tokenised."""
    rng = np.random.default_rng(0)
    for author, words in WORDS.items():
        for folder in ("tokens", "texts"):
            (tmp_path / "data" / folder / author).mkdir(parents=True)
        for number in range(N_DOCUMENTS):
            drawn = [" ".join(rng.choice(words.split(), 8)) for _ in range(N_SENTENCES)]
            text = " ".join(f"{sentence.capitalize()}." for sentence in drawn)
            for folder, content in (("tokens", "\n".join(drawn)), ("texts", text)):
                path = tmp_path / "data" / folder / author / f"{number:02}.txt"
                path.write_text(f"{content}\n")
    return tmp_path / "data"


@pytest.fixture
def prepared(data: Path, tmp_path: Path) -> Prepare:
    """Prepare the run in ``tmp_path / run``, with changes to the configuration."""

    def run(changes: dict[str, Any] | None = None, *, quick: bool = False) -> Workload:
        config = parse_config(merge_settings(CONFIG, changes or {}), "test")
        plan, work = prepare(config, RunDirectory(tmp_path / "run"), data=data, quick=quick)
        assert (plan.config, plan.authors) == (config, work.corpora["texts"].authors)
        return work

    return run


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_folder_records_what_the_run_was_started_with(
    prepared: Prepare, tmp_path: Path
) -> None:
    work, run = prepared(), tmp_path / "run"
    run_info = json.loads((run / "run.json").read_text())
    assert run_info["title"] == "t"
    assert run_info["quick"] is False
    assert run_info["authors"] == ["ann", "bob"]
    assert parse_config(run_info["configuration"], "run.json") == work.config
    n_sentences = 2 * N_DOCUMENTS * N_SENTENCES
    counts = {"n_documents": 2 * N_DOCUMENTS, "n_sentences": n_sentences}
    assert run_info["corpora"]["tokens"].items() >= {**counts, "n_tokens": 8 * n_sentences}.items()
    assert run_info["corpora"]["texts"].items() >= counts.items()
    assert all(len(corpus["digest"]) == 64 for corpus in run_info["corpora"].values())
    rows = json.loads((run / "profile.json").read_text())["rows"]
    assert [(row["author"], row["n_sentences"]) for row in rows] == [
        ("ann", n_sentences // 2),
        ("bob", n_sentences // 2),
    ]


def test_stored_splits_are_those_of_the_jobs(prepared: Prepare, tmp_path: Path) -> None:
    work = prepared()
    for split, unit, seed in (("s", "sentence", 0), ("s", "sentence", 1), ("d", "document", 3)):
        stored = load_file(tmp_path / "run" / "splits" / f"{split}.{seed}.safetensors")
        parts = partition(work.corpus(split), unit, seed)
        for author in (0, 1):
            for name in ("training", "validation", "test"):
                wanted = getattr(parts, name)[author]
                assert (stored[f"{author}.{name}"] == wanted).all()
                assert stored[f"{author}.{name}"].dtype == np.int32


def test_resuming_changes_no_file(prepared: Prepare, tmp_path: Path) -> None:
    prepared()
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    before = {path: path.stat().st_mtime_ns for path in files}
    prepared()
    assert {path: path.stat().st_mtime_ns for path in files} == before


def test_missing_files_are_restored(prepared: Prepare, tmp_path: Path) -> None:
    prepared()
    kept = contents(tmp_path / "run")
    for name in ("splits/s.1.safetensors", "profile.json"):
        (tmp_path / "run" / name).unlink()
    prepared()
    assert contents(tmp_path / "run") == kept


@pytest.mark.parametrize("name", ["splits/s.1.safetensors", "profile.json"])
@pytest.mark.parametrize("damage", [lambda content: content[:-7], lambda content: b"?" + content])
def test_damaged_files_are_written_again(
    prepared: Prepare, tmp_path: Path, name: str, damage: Callable[[bytes], bytes]
) -> None:
    prepared()
    kept = contents(tmp_path / "run")
    (tmp_path / "run" / name).write_bytes(damage(kept[name]))
    with pytest.warns(BylineWarning, match=f"{name} was damaged"):
        prepared()
    assert contents(tmp_path / "run") == kept


def test_a_run_without_any_job_is_replaced(prepared: Prepare, tmp_path: Path) -> None:
    prepared()
    work = prepared({"seed": 5, "splits": {"s": {"seeds": [0]}}})
    assert json.loads((tmp_path / "run" / "run.json").read_text())["configuration"]["seed"] == 5
    assert work.config.seed == 5
    splits = sorted(path.name for path in (tmp_path / "run" / "splits").iterdir())
    assert splits == ["d.3.safetensors", "s.0.safetensors"]


def test_changes_are_listed(prepared: Prepare, data: Path, tmp_path: Path) -> None:
    prepared()
    (tmp_path / "run" / "jobs" / "s.0.kn.ann.json").touch()
    kept = contents(tmp_path / "run")
    with pytest.raises(UsageError, match=r"configuration\.seed: was 0, is 5"):
        prepared({"seed": 5})
    with pytest.raises(UsageError, match=r"authors: was null, is \[\"bob\", \"ann\"\]"):
        prepared({"authors": ["bob", "ann"]})
    with pytest.raises(UsageError, match=r"quick: was false, is true$"):
        prepared({"seed": 5}, quick=True)
    (data / "texts" / "bob" / "99.txt").write_text("Here is a sentence. " * 20)
    with pytest.raises(UsageError, match=r"texts\.texts: was \"[0-9a-f]+\", is \"[0-9a-f]+\""):
        prepared()
    assert contents(tmp_path / "run") == kept


def test_a_missing_key_of_a_run_takes_its_default(prepared: Prepare, tmp_path: Path) -> None:
    prepared()
    path = tmp_path / "run" / "run.json"
    run_info = json.loads(path.read_text())
    del run_info["configuration"]["seed"]
    path.write_text(json.dumps(run_info))
    assert prepared().config.seed == 0


def test_corpora_must_have_the_same_authors(prepared: Prepare, data: Path) -> None:
    shutil.copytree(data / "texts" / "bob", data / "texts" / "eve")
    for path in (data / "texts" / "eve").iterdir():
        path.write_text(path.read_text().replace("ants", "bees"))
    with pytest.raises(
        CorpusError, match=r"tokens and texts have different authors: only one of them has eve"
    ):
        prepared()
    assert prepared({"authors": ["ann", "bob"]}).corpora["texts"].authors == ("ann", "bob")


def test_missing_or_short_texts_are_refused(prepared: Prepare, data: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="elsewhere"):
        prepared({"corpora": {"texts": {"path": "elsewhere", "form": "text"}}})
    assert not (tmp_path / "run").exists()
    documents = sorted((data / "texts" / "bob").iterdir())
    documents[0].write_text(" ".join(path.read_text() for path in documents))
    for path in documents[1:]:
        path.unlink()
    with pytest.raises(TrainingError, match="bob has too few documents"):
        prepared()
    assert not (tmp_path / "run").exists()


def test_unknown_authors_are_refused(prepared: Prepare, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"evaluation\.highlighted_author: there is no author eve"):
        prepared({"evaluation": {"highlighted_author": "eve"}})
    assert not (tmp_path / "run").exists()


def test_a_profile_needs_running_text(prepared: Prepare, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"profile\.corpus: tokens is tokenised"):
        prepared({"profile": {"corpus": "tokens"}})
    assert not (tmp_path / "run").exists()


def test_tables_and_normalisation_are_read_as_the_configuration_says(
    prepared: Prepare, data: Path
) -> None:
    rows = [
        {"user": path.parent.name, "body": path.read_text(), "thread": str(path)}
        for path in sorted((data / "texts").rglob("*.txt"))
    ]
    rows.append(rows[0])
    table = "\n".join(map(json.dumps, rows))
    (data / "posts.jsonl").write_text(f"{table}\n", encoding="utf-8")
    corpus = {
        "path": "posts.jsonl",
        "columns": {"author": "user", "text": "body", "group": "thread"},
        "duplicates": "keep",
    }
    with pytest.warns(BylineWarning, match="more than once under one author"):
        kept = prepared({"corpora": {"texts": corpus}})
    assert kept.corpora["texts"].document_of[-1] == 2 * N_DOCUMENTS
    corpus |= {"duplicates": "drop", "columns": "author=user,text=body"}
    with pytest.warns(BylineWarning, match="left out"):
        dropped = prepared({"corpora": {"texts": corpus}})
    assert dropped.corpora["texts"].document_of[-1] == 2 * N_DOCUMENTS - 1
    with pytest.raises(CorpusError, match="has no column writer"):
        prepared({"corpora": {"texts": corpus | {"columns": "author=writer,text=body"}}})
    with pytest.raises(UsageError, match=r"corpora\.tokens: .*tokens is not a table"):
        prepared({"corpora": {"tokens": {"columns": "author=user,text=body"}}})


def test_running_text_is_normalised_as_the_configuration_says(
    prepared: Prepare, data: Path
) -> None:
    for path in (data / "texts").rglob("*.txt"):
        path.write_text(path.read_text().replace("a ", "_a_ "), encoding="utf-8")
    types = {
        rules: prepared(
            {"corpora": {"texts": {"normalization": rules}}}
        ).corpora["texts"].n_types
        for rules in ("edition", "none")
    }  # fmt: skip
    assert types["edition"] != types["none"]
