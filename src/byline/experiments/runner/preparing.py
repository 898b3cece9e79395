"""Before the first job: texts are read and cut, and the folder says what the run is made from."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from byline.corpus import Corpus, read_corpus
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.experiments.runner.attempts import machine, versions
from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.corpora import IdCorpus, digest, id_corpus
from byline.experiments.runner.differences import differences
from byline.experiments.runner.directory import RunDirectory
from byline.experiments.runner.fitting import Workload
from byline.experiments.runner.stored import (
    corpus_to_bytes,
    partition_to_bytes,
    read_corpus_file,
)
from byline.text import profile_texts


def prepare(
    config: ExperimentConfig, directory: RunDirectory, *, data: Path, quick: bool
) -> Workload:
    """Read the texts, and begin the run or see that it is the one that was begun.

    Parameters
    ----------
    config : ExperimentConfig
    directory : RunDirectory
    data : path
        Where the configuration's relative paths start.
    quick : bool
        Whether the configuration is the quick one; it is noted.

    Raises
    ------
    CorpusError
        Texts cannot be read or used.
    LearningError
        An author's text is too short to be split.
    UsageError
        The folder is of another run, or of none.
    OutputError
        It cannot be written to.
    """
    _check_profile(config)
    old = directory.made_by()
    read = {
        name: read_corpus(data / section.path, min_authors=1)
        for name, section in config.corpora.items()
    }
    authors = _authors(config, read)
    now: dict[str, Any] = {
        "title": config.title,
        "quick": quick,
        "configuration": config.model_dump(mode="json"),
        "authors": list(authors),
        "corpora": {name: {"digest": digest(corpus)} for name, corpus in read.items()},
        "versions": versions(),
        "machine": machine(),
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    if old is not None:
        check_same(directory.path, old, now)
    corpora = {
        name: _id_corpus(directory, name, corpus, config, authors) for name, corpus in read.items()
    }
    for name, corpus in corpora.items():
        now["corpora"][name] |= _counts(corpus)
    directory.begin(now)
    work = Workload(config, corpora)
    _write_materials(directory, work)
    _write_profile(directory, config, read, authors)
    return work


def check_same(path: Path, old: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on with another experiment; warn of other versions.

    Parameters
    ----------
    path : path
        The run's folder.
    old, now : mapping
        What made it, and what it is now.

    Raises
    ------
    UsageError
        The run was made by something else; what differs is named.
    """
    for before, after in zip(_fixed(old, path), _fixed(now, path), strict=True):
        different = differences(before, after, "")
        if different:
            raise UsageError(
                f"{path} is of another experiment; name another folder, or do as it was begun:"
                "\n  " + "\n  ".join(different)
            )
    others = differences(old["versions"], now["versions"], "")
    if others:
        message = f"{path} was begun with other versions: {'; '.join(others)}"
        warnings.warn(message, BylineWarning, stacklevel=2)


def _fixed(made_by: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    """Give what may not change; where an earlier part differs, the later ones follow from that."""
    config = configuration_of(made_by, path).model_dump(mode="json")
    digests = {name: corpus["digest"] for name, corpus in made_by["corpora"].items()}
    return [
        {"--quick": made_by["quick"]},
        {"configuration": config},
        {"authors": made_by["authors"]},
        {"texts": digests},
    ]


def configuration_of(made_by: Mapping[str, Any], where: Path) -> ExperimentConfig:
    """Read the configuration of a run; keys that it does not have yet take their defaults.

    Raises
    ------
    UsageError
        A newer version of Byline has made it.
    """
    return parse_config(made_by["configuration"], str(where / "run.json"))


def _check_profile(config: ExperimentConfig) -> None:
    if config.profile is not None and config.corpora[config.profile.corpus].form != "text":
        raise UsageError(
            f"profile.corpus: {config.profile.corpus} is tokenised; name a corpus of running text, "
            "which alone shows what words there were"
        )


def _authors(config: ExperimentConfig, read: Mapping[str, Corpus]) -> tuple[str, ...]:
    """Find the candidates: those named, or those of the corpora, which must have the same."""
    if config.authors is not None:
        return config.authors
    found = {name: corpus.candidates for name, corpus in read.items()}
    first = next(iter(found))
    for name, candidates in found.items():
        different = sorted(set(candidates) ^ set(found[first]))
        if different:
            raise CorpusError(
                f"the corpora {first} and {name} have not the same authors: {', '.join(different)} "
                "in one alone; name the candidates in the configuration: authors = [...]"
            )
    return tuple(found[first])


def _id_corpus(
    directory: RunDirectory,
    name: str,
    corpus: Corpus,
    config: ExperimentConfig,
    authors: tuple[str, ...],
) -> IdCorpus:
    """Cut a corpus into ids, or read it as it was cut when the run began."""
    path = directory.path / "corpora" / f"{name}.safetensors"
    if path.is_file():
        return read_corpus_file(path, authors)
    return id_corpus(corpus, config.corpora[name].form, authors)


def _counts(corpus: IdCorpus) -> dict[str, int]:
    return {
        "n_documents": int(corpus.document_of[-1]) + 1,
        "n_sentences": corpus.n_sentences,
        "n_tokens": len(corpus.tokens),
    }


def _write_materials(directory: RunDirectory, work: Workload) -> None:
    """Write what jobs work on: sentences of ids, and the parts of every split."""
    for name, corpus in work.corpora.items():
        file = f"corpora/{name}.safetensors"
        if not directory.has(file):
            directory.write(file, corpus_to_bytes(corpus))
    for split, section in work.config.splits.items():
        for seed in section.seeds:
            name = f"splits/{split}.{seed}.safetensors"
            if not directory.has(name):
                directory.write(name, partition_to_bytes(work.partition(split, seed)))


def _write_profile(
    directory: RunDirectory,
    config: ExperimentConfig,
    read: Mapping[str, Corpus],
    authors: tuple[str, ...],
) -> None:
    """Write Table 1 of the corpus that the configuration names."""
    if config.profile is None or directory.has("profile.json"):
        return
    corpus = read[config.profile.corpus]
    texts = {author: [d.text for d in corpus if d.author == author] for author in authors}
    directory.write_json("profile.json", profile_texts(texts).to_dict())
