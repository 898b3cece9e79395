"""Before the first job: texts are read and cut, and the folder says what the run is made from."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from byline.corpus import Corpus, read_corpus
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.id_corpus import IdCorpus, digest, id_corpus
from byline.experiments.runner.job_execution import Workload
from byline.experiments.runner.plan import Plan
from byline.experiments.runner.run_directory import RunDirectory
from byline.experiments.runner.schemas import document_to_bytes, partition_to_bytes
from byline.processes.task import describe_machine, library_versions
from byline.text import profile_texts


def prepare(
    config: ExperimentConfig, directory: RunDirectory, *, data: Path, quick: bool
) -> tuple[Plan, Workload]:
    """Read the texts, and begin the run or see that it is the one that was begun.

    Nothing is written before all is known to be well: what jobs there are, what they work on.

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
    TrainingError
        An author's text is too short to be split.
    UsageError
        The configuration does not suit the texts; or the folder is of another run, or of none.
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
        "versions": library_versions(),
        "machine": describe_machine(),
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    goes_on = _goes_on(directory, old, now)
    plan = Plan(config, authors)
    corpora = {
        name: id_corpus(corpus, config.corpora[name].form, authors) for name, corpus in read.items()
    }
    for name, corpus in corpora.items():
        now["corpora"][name] |= _counts(corpus)
    work = Workload(config, corpora)
    materials = {**_splits(work), **_profile(config, read, authors)}
    directory.begin(now, anew=old is not None and not goes_on)
    for name, content in materials.items():
        directory.restore(name, content)
    return plan, work


def _goes_on(
    directory: RunDirectory, old: Mapping[str, Any] | None, now: Mapping[str, Any]
) -> bool:
    """Whether the run that was begun goes on; one that has come to nothing gives way."""
    if old is None:
        return False
    try:
        check_same(directory.path, old, now)
    except UsageError:
        if directory.has_jobs():
            raise
        return False
    return True


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


def _counts(corpus: IdCorpus) -> dict[str, int]:
    return {
        "n_documents": int(corpus.document_of[-1]) + 1,
        "n_sentences": corpus.n_sentences,
        "n_tokens": len(corpus.tokens),
    }


def _splits(work: Workload) -> dict[str, bytes]:
    """Draw the parts of every split, by the names of their files."""
    return {
        f"splits/{split}.{seed}.safetensors": partition_to_bytes(work.partition(split, seed))
        for split, section in work.config.splits.items()
        for seed in section.seeds
    }


def _profile(
    config: ExperimentConfig, read: Mapping[str, Corpus], authors: tuple[str, ...]
) -> dict[str, bytes]:
    """Work out Table 1 of the corpus that the configuration names."""
    if config.profile is None:
        return {}
    corpus = read[config.profile.corpus]
    texts = {author: [d.text for d in corpus if d.author == author] for author in authors}
    return {"profile.json": document_to_bytes(profile_texts(texts).to_dict())}


LONGEST = 70
_NOTHING = object()


def differences(old: Any, new: Any, where: str) -> list[str]:
    """Say what differs, a place each: ``models.kn4.settings.order: 4 there, 5 here``.

    Parameters
    ----------
    old, new : JSON values
        Mappings are gone into; all else is compared whole.
    where : str
        The place they are at.
    """
    return list(_differences(old, new, where))


def _differences(old: Any, new: Any, where: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            place = f"{where}.{key}" if where else str(key)
            yield from _differences(old.get(key, _NOTHING), new.get(key, _NOTHING), place)
    elif old != new:
        yield f"{where}: {_shown(old)} there, {_shown(new)} here"


def _shown(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
