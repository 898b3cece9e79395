"""Preparation of a run: read and tokenise the texts, and check or create the run's folder."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from byline.corpus import Corpus, ReadingOptions, read_corpus
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.config_sections import CorpusSection
from byline.experiments.runner.id_corpus import IdCorpus, corpus_digest, id_corpus
from byline.experiments.runner.job_execution import Workload
from byline.experiments.runner.plan import JobPlan
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.schemas import document_to_bytes, partition_to_bytes
from byline.named_settings import setting
from byline.processes.task import describe_machine, library_versions
from byline.text import PretokenizedEncoder, TextEncoder, profile_texts

MAX_VALUE_LENGTH = 70  # characters of a value in a message
_MISSING = object()


def prepare(
    config: ExperimentConfig, directory: RunDirectory, *, data: Path, quick: bool
) -> tuple[JobPlan, Workload]:
    """Read the texts, and start a run or check that the folder holds the same run.

    Nothing is written before the texts, the plan and the splits have been checked.

    Parameters
    ----------
    config : ExperimentConfig
    directory : RunDirectory
    data : path
        Folder from which the configuration's relative paths start.
    quick : bool
        Whether the configuration is the quick version; this is recorded.

    Raises
    ------
    CorpusError
        Texts cannot be read or used.
    TrainingError
        An author's text is too short to be split.
    UsageError
        The configuration does not fit the texts, or the folder holds another run or other files.
    OutputError
        The folder cannot be written to.
    """
    _check_profile(config)
    old = directory.run_info()
    read = {
        name: _read(name, data / section.path, section) for name, section in config.corpora.items()
    }
    authors = _authors(config, read)
    now: dict[str, Any] = {
        "title": config.title,
        "quick": quick,
        "configuration": config.model_dump(mode="json"),
        "authors": list(authors),
        "corpora": {name: {"digest": corpus_digest(corpus)} for name, corpus in read.items()},
        "versions": library_versions(),
        "machine": describe_machine(),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    resumes = _resumes(directory, old, now)
    plan = JobPlan(config, authors)
    corpora = {
        name: id_corpus(corpus, _encoder(config.corpora[name]), authors)
        for name, corpus in read.items()
    }
    for name, corpus in corpora.items():
        now["corpora"][name] |= _counts(corpus)
    work = Workload(config, corpora)
    materials = {**_splits(work), **_profile(config, read, authors)}
    directory.start(now, replace=old is not None and not resumes)
    for name, content in materials.items():
        directory.write_reproducible(name, content)
    return plan, work


def _read(name: str, path: Path, section: CorpusSection) -> Corpus:
    try:
        return read_corpus(
            path,
            ReadingOptions(normalization=section.normalization),
            min_authors=1,
            columns=section.columns,
            duplicates=section.duplicates,
        )
    except UsageError as error:
        raise UsageError(f"corpora.{name}: {error}") from error


def _encoder(section: CorpusSection) -> TextEncoder | PretokenizedEncoder:
    return PretokenizedEncoder() if section.form == "tokenised" else _paper_encoder(section)


def _paper_encoder(section: CorpusSection) -> TextEncoder:
    encoder = TextEncoder.like_ge_sun_2016()
    encoder.normalization = section.normalization
    return encoder


def _resumes(
    directory: RunDirectory, old: Mapping[str, Any] | None, now: Mapping[str, Any]
) -> bool:
    """Whether the run in the folder is resumed; another run without any job is replaced."""
    if old is None:
        return False
    try:
        check_same_experiment(directory.path, old, now)
    except UsageError:
        if directory.has_jobs():
            raise
        return False
    return True


def check_same_experiment(path: Path, old: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Check that a run is resumed with the same experiment; warn about other versions.

    Parameters
    ----------
    path : path
        The run's folder.
    old, now : mapping
        What the run was started with, and what the experiment is now.

    Raises
    ------
    UsageError
        The folder holds a run of another experiment; the message lists the differences.
    """
    for before, after in zip(_fixed(old, path), _fixed(now, path), strict=True):
        different = list(differences(before, after))
        if different:
            raise UsageError(
                f"{path} holds a run of another experiment. Name another folder, or undo these "
                "changes:\n  " + "\n  ".join(different)
            )
    others = list(differences(old["versions"], now["versions"]))
    if others:
        message = (
            f"{path} was started with other versions, so that its results may not be comparable: "
            f"{'; '.join(others)}. Install those versions, or name another folder"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)


def _fixed(run_info: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    """Return what may not change; a difference in an early part explains those in later parts."""
    config = configuration_of(run_info, path).model_dump(mode="json")
    digests = {name: corpus["digest"] for name, corpus in run_info["corpora"].items()}
    return [
        {setting("quick"): run_info["quick"]},
        {"configuration": config},
        {"authors": run_info["authors"]},
        {"texts": digests},
    ]


def configuration_of(run_info: Mapping[str, Any], where: Path) -> ExperimentConfig:
    """Read the configuration of a run; missing keys take their defaults.

    Raises
    ------
    UsageError
        The configuration is invalid for this version of Byline.
    """
    return parse_config(run_info["configuration"], str(where / "run.json"))


def _check_profile(config: ExperimentConfig) -> None:
    if config.profile is not None and config.corpora[config.profile.corpus].form != "text":
        raise UsageError(
            f"profile.corpus: {config.profile.corpus} is tokenised, so that the original words are "
            "unknown; name a corpus of running text"
        )


def _authors(config: ExperimentConfig, read: Mapping[str, Corpus]) -> tuple[str, ...]:
    """Return the candidates: those of the configuration, or those that all corpora share."""
    if config.authors is not None:
        return config.authors
    found = {name: corpus.candidates for name, corpus in read.items()}
    first = next(iter(found))
    for name, candidates in found.items():
        different = sorted(set(candidates) ^ set(found[first]))
        if different:
            raise CorpusError(
                f"the corpora {first} and {name} have different authors: only one of them has "
                f"{', '.join(different)}. List the candidates in the configuration: authors = [...]"
            )
    return tuple(found[first])


def _counts(corpus: IdCorpus) -> dict[str, int]:
    return {
        "n_documents": int(corpus.document_of[-1]) + 1,
        "n_sentences": corpus.n_sentences,
        "n_tokens": len(corpus.tokens),
    }


def _splits(work: Workload) -> dict[str, bytes]:
    """Draw the parts of every split; the keys are the names of the files."""
    return {
        f"splits/{split}.{seed}.safetensors": partition_to_bytes(work.partition(split, seed))
        for split, section in work.config.splits.items()
        for seed in section.seeds
    }


def _profile(
    config: ExperimentConfig, read: Mapping[str, Corpus], authors: tuple[str, ...]
) -> dict[str, bytes]:
    """Compute Table 1 of the corpus that the configuration names."""
    if config.profile is None:
        return {}
    name = config.profile.corpus
    texts = {author: [d.text for d in read[name] if d.author == author] for author in authors}
    profile = profile_texts(texts, _paper_encoder(config.corpora[name]))
    return {"profile.json": document_to_bytes(profile.figures())}


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Describe each difference: ``models.kn4.settings.order: was 4, is 5``.

    Parameters
    ----------
    old, new : JSON values
        Mappings are compared key by key, other values as a whole.
    place : str
        Keys that lead to the values.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            inner = f"{place}.{key}" if place else str(key)
            yield from differences(old.get(key, _MISSING), new.get(key, _MISSING), inner)
    elif old != new:
        yield f"{place}: was {_shorten(old)}, is {_shorten(new)}"


def _shorten(value: Any) -> str:
    if value is _MISSING:
        return "missing"
    text = json.dumps(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}..."
