"""What lies in the folder of a run: what must be in its documents, and a split as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from safetensors.numpy import save

from byline.experiments.runner.partitions import Partition

PARTS = ("training", "validation", "test")


class _Stored(BaseModel):
    model_config = ConfigDict(strict=True)


class _Corpus(_Stored):
    digest: str


class _MadeBy(_Stored):
    title: str
    quick: bool
    configuration: dict[str, Any]
    authors: list[str]
    corpora: dict[str, _Corpus]
    versions: dict[str, str]
    machine: dict[str, Any]


class _Made(_Stored):
    seconds: float
    cpu_seconds: float
    arrays_bytes: int | None = None


class _Job(_Stored):
    job: str
    split: str
    seed: int
    model: str
    author: str
    trial: int | None


class _Finished(_Job):
    settings: dict[str, Any]
    n_lacking: int
    measures: dict[str, Any]
    history: list[dict[str, Any]]
    failed: Literal[None] = None
    made: _Made


class _Failed(_Job):
    failed: str
    made: dict[str, Any]


_RECORD: TypeAdapter[_Finished | _Failed] = TypeAdapter(_Finished | _Failed)


def fault_of_run(content: Any) -> str | None:
    """Say what is wrong with a `run.json`; None where nothing is."""
    try:
        _MadeBy.model_validate(content)
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
