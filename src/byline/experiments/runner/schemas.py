"""Schemas of the JSON documents in the folder of a run, and its files as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from safetensors.numpy import save

from byline.experiments.runner.partitions import Partition

PARTS = ("training", "validation", "test")


# Sums and products of such numbers do not overflow a float.
_Number = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]


class _Stored(BaseModel):
    model_config = ConfigDict(strict=True)


class _Corpus(_Stored):
    digest: str
    n_documents: _Number | None = None
    n_sentences: _Number | None = None
    n_tokens: _Number | None = None


class _RunInfo(_Stored):
    title: str
    quick: bool
    configuration: dict[str, Any]
    authors: list[str]
    corpora: dict[str, _Corpus]
    versions: dict[str, str]
    machine: dict[str, Any]


class _ProfileRow(_Stored):
    author: str
    n_sentences: _Number | None
    n_words: _Number | None
    words_per_sentence: _Number | None
    vocabulary_original: _Number | None
    vocabulary_stemmed: _Number | None
    vocabulary_pruned: _Number | None
    coverage: dict[str, _Number | None]
    unknown_share: _Number | None


class _Profile(_Stored):
    rows: list[_ProfileRow]


class _Execution(_Stored):
    seconds: _Number
    cpu_seconds: _Number
    arrays_bytes: int | None = None


class _Job(_Stored):
    job: str
    split: str
    seed: int
    model: str
    author: str
    trial: int | None


class _Measure(_Stored):
    model_config = ConfigDict(extra="forbid")

    log_prob: _Number | None
    n_tokens: _Number
    n_oov: _Number


class _Epoch(_Stored):
    validation_cost: _Number | None


class _Finished(_Job):
    settings: dict[str, Any]
    n_unk_types: Annotated[int, Field(ge=0, le=2**53)]
    measures: dict[str, dict[str, _Measure]]
    history: list[_Epoch]
    stopped: str | None = None
    failed: Literal[None] = None
    execution: _Execution

    @model_validator(mode="after")
    def _trials_have_costs(self) -> Self:
        if self.trial is not None and any(epoch.validation_cost is None for epoch in self.history):
            raise ValueError("an epoch of a trial has no validation cost")
        return self


class _Failed(_Job):
    failed: str
    execution: dict[str, Any]


_RECORD: TypeAdapter[_Finished | _Failed] = TypeAdapter(_Finished | _Failed)


def read_document(content: bytes) -> Any:
    """Read a JSON document.

    Raises
    ------
    ValueError
        The content is not JSON, or is nested too deeply to be read.
    """
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def error_in_run_info(content: Any) -> str | None:
    """Return the first error in a `run.json`; None if it is valid."""
    return _first_error(_RunInfo, content)


def error_in_profile(content: Any) -> str | None:
    """Return the first error in a `profile.json`; None if it is valid."""
    return _first_error(_Profile, content)


def _first_error(document: type[_Stored], content: Any) -> str | None:
    try:
        document.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else str(first["msg"])
    return None


def is_record(content: Any) -> bool:
    """Whether a document is a valid record of a finished or failed job."""
    try:
        _RECORD.validate_python(content)
    except ValidationError:
        return False
    return True


def partition_to_bytes(parts: Partition) -> bytes:
    """Serialise a split: arrays ``0.training``, ``0.validation`` and ``0.test`` for author 0."""
    return save(
        {
            f"{author}.{part}": numbers
            for part in PARTS
            for author, numbers in enumerate(getattr(parts, part))
        }
    )


def document_to_bytes(content: Mapping[str, Any]) -> bytes:
    """Serialise a JSON document."""
    return (json.dumps(content) + "\n").encode()
