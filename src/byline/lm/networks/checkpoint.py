"""Where a training run stands, in a file: what a killed run goes on from.

The file is one of safetensors: the weights and what the next update needs beside them as arrays;
the history, the state of the generator of random numbers and what the run is made from as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from byline.errors import ModelFileError, UsageError
from byline.files import atomic_write
from byline.lm.networks.training_run import EpochRecord, StopRule, TrainingRun
from byline.progress import Progress

FORMAT = "byline training run 1"
_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    SafetensorError,
    TypeError,
    ValueError,
)
_KINDS = tuple(get_type_hints(EpochRecord).items())


def array_digest(arrays: Sequence[NDArray[Any]]) -> str:
    """SHA-256 of arrays, in their order."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(f"{array.shape} {array.dtype.str}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()


def array_name(place: int) -> str:
    """Name of an array in the file."""
    return f"{place:03}"


def checksum(text: str, arrays: Sequence[NDArray[Any]]) -> str:
    """SHA-256 of a run's state: its text and its arrays."""
    return hashlib.sha256((text + array_digest(arrays)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file of one training run.

    Attributes
    ----------
    path : path
    trained_from : mapping of str to JSON values
        The settings and digests of the texts; a run goes on only from its own.
    """

    path: str | os.PathLike[str]
    trained_from: Mapping[str, Any]

    def save(self, run: TrainingRun) -> None:
        """Write where the run stands, whole or not at all.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        arrays = run.state() + ([] if run.history[-1].kept else run.best)
        state = {
            "format": FORMAT,
            "trained_from": dict(self.trained_from),
            "history": [asdict(record) for record in run.history],
            "random": run.rng.bit_generator.state,
        }
        text = json.dumps(state)
        named = {array_name(i): array for i, array in enumerate(arrays)}
        with atomic_write(self.path) as file:
            file.write(save(named, {"state": text, "sha256": checksum(text, arrays)}))

    def restore(self, run: TrainingRun) -> None:
        """Bring a new run to where the file says it stands; without a file do nothing.

        Raises
        ------
        ModelFileError
            The file is damaged, or no checkpoint.
        UsageError
            The file is of a run with other settings or on other texts.
        """
        try:
            Path(self.path).open("rb").close()
        except FileNotFoundError:
            return
        except OSError as error:
            reason = error.strerror or error
            raise ModelFileError(f"checkpoint {self.path} cannot be read: {reason}") from error
        try:
            state, arrays = self._read()
            self._check_same(state["trained_from"])
            self._put(run, state, arrays)
        except _UNREADABLE as error:
            if isinstance(error, UsageError):
                raise
            raise ModelFileError(
                f"{self.path} is no checkpoint of a training run, or a damaged one "
                f"({type(error).__name__}: {error}); delete it to start from the first epoch"
            ) from error

    def _read(self) -> tuple[dict[str, Any], list[NDArray[Any]]]:
        """Read the state and the arrays; any error of `_UNREADABLE` where they are not whole."""
        with safe_open(self.path, framework="numpy") as file:
            text, sha256 = (file.metadata()[name] for name in ("state", "sha256"))
            arrays = [file.get_tensor(array_name(i)) for i in range(len(file.keys()))]
        if sha256 != checksum(text, arrays):
            raise ValueError("its content is not what was written")
        state = json.loads(text)
        if state["format"] != FORMAT:
            raise ValueError(f"it says {state['format']!r}, not {FORMAT!r}")
        return state, arrays

    def _check_same(self, trained_from: Mapping[str, Any]) -> None:
        ours = json.loads(json.dumps(dict(self.trained_from)))
        different = [name for name in ours if trained_from.get(name) != ours[name]]
        if "kind" in different:
            different = ["kind"]
        if different or trained_from.keys() != ours.keys():
            raise UsageError(
                f"{self.path} is of another training run: {', '.join(different) or 'settings'} "
                "differ; go on with the same texts and settings, or delete it to start anew"
            )

    @staticmethod
    def _put(run: TrainingRun, state: Mapping[str, Any], arrays: Sequence[NDArray[Any]]) -> None:
        history = [_epoch(record) for record in state["history"]]
        n_state, n_weights = len(run.state()), len(run.weights())
        n_best = 0 if history[-1].kept else n_weights
        if len(arrays) != n_state + n_best:
            raise ValueError(f"it has {len(arrays)} arrays, not {n_state + n_best}")
        if n_best:
            run.restore(arrays[n_state:])  # sees whether they fit
        run.restore(arrays[:n_state])
        run.best = list(arrays[n_state:] if n_best else arrays[:n_weights])
        run.rng.bit_generator.state = state["random"]
        run.history[:] = history


def _epoch(record: Mapping[str, Any]) -> EpochRecord:
    """Take an epoch's record; TypeError where it is none."""
    epoch = EpochRecord(**record)
    for name, kind in _KINDS:
        if not isinstance(getattr(epoch, name), kind | int):  # a whole number for a fraction
            raise TypeError(f"{name} of an epoch is {getattr(epoch, name)!r:.60}")
    return epoch


def run_from_checkpoint(
    run: TrainingRun,
    path: str | os.PathLike[str] | None,
    trained_from: Mapping[str, Any],
    progress: Progress | None,
    stop: StopRule | None = None,
) -> None:
    """Train from where the file says, and keep it up to date; without a path, from the start.

    Errors are those of `TrainingRun.run`, `Checkpoint.restore` and `Checkpoint.save`.
    """
    if path is None:
        run.run(progress, stop=stop)
        return
    checkpoint = Checkpoint(path, trained_from)
    checkpoint.restore(run)
    run.run(progress, lambda: checkpoint.save(run), stop)
