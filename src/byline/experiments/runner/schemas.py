"""What lies in the folder of a run: what must be in its documents, and a split as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from safetensors.numpy import save

from byline.experiments.runner.partitions import Partition

PARTS = ("training", "validation", "test")


# No sum or product of such figures is beyond what a float holds.
_Figure = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]


class _Stored(BaseModel):
    model_config = ConfigDict(strict=True)


class _Corpus(_Stored):
    digest: str
    n_documents: _Figure | None = None
    n_sentences: _Figure | None = None
    n_tokens: _Figure | None = None


class _MadeBy(_Stored):
    title: str
    quick: bool
    configuration: dict[str, Any]
    authors: list[str]
    corpora: dict[str, _Corpus]
    versions: dict[str, str]
    machine: dict[str, Any]


class _ProfileRow(_Stored):
    author: str
    n_sentences: _Figure | None
    n_words: _Figure | None
    words_per_sentence: _Figure | None
    vocabulary_original: _Figure | None
    vocabulary_stemmed: _Figure | None
    vocabulary_pruned: _Figure | None
    coverage: dict[str, _Figure | None]
    unknown_share: _Figure | None


class _Profile(_Stored):
    rows: list[_ProfileRow]


class _Made(_Stored):
    seconds: _Figure
    cpu_seconds: _Figure
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

    log_prob: _Figure | None
    n_tokens: _Figure
    n_oov: _Figure


class _Epoch(_Stored):
    validation_cost: _Figure | None


class _Finished(_Job):
    settings: dict[str, Any]
    n_lacking: Annotated[int, Field(ge=0, le=2**53)]
    measures: dict[str, dict[str, _Measure]]
    history: list[_Epoch]
    stopped: str | None = None
    failed: Literal[None] = None
    made: _Made

    @model_validator(mode="after")
    def _trials_have_costs(self) -> Self:
        if self.trial is not None and any(epoch.validation_cost is None for epoch in self.history):
            raise ValueError("a trial without a validation cost")
        return self


class _Failed(_Job):
    failed: str
    made: dict[str, Any]


_RECORD: TypeAdapter[_Finished | _Failed] = TypeAdapter(_Finished | _Failed)


def read_document(content: bytes) -> Any:
    """Read a JSON document.

    Raises
    ------
    ValueError
        It is none, or one that no run writes: lists within lists, deeper than Python reads.
    """
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def error_in_run_info(content: Any) -> str | None:
    """Say what is wrong with a `run.json`; None where nothing is."""
    return _fault(_MadeBy, content)


def error_in_profile(content: Any) -> str | None:
    """Say what is wrong with a `profile.json`; None where nothing is."""
    return _fault(_Profile, content)


def _fault(document: type[_Stored], content: Any) -> str | None:
    try:
        document.model_validate(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        return f"{place}: {fault['msg']}" if place else str(fault["msg"])
    return None


def is_record(content: Any) -> bool:
    """Whether a document is the record of a job, finished or failed."""
    try:
        _RECORD.validate_python(content)
    except ValidationError:
        return False
    return True


def partition_to_bytes(parts: Partition) -> bytes:
    """Store one split: arrays ``0.training``, ``0.validation``, ``0.test``, an author each."""
    return save(
        {
            f"{author}.{part}": numbers
            for part in PARTS
            for author, numbers in enumerate(getattr(parts, part))
        }
    )


def document_to_bytes(content: Mapping[str, Any]) -> bytes:
    """Store a JSON document."""
    return (json.dumps(content) + "\n").encode()
