"""Checkpoints: files with the state of a training run, from which an interrupted run resumes.

A checkpoint is a safetensors file. It stores the weights, and what the next update needs besides
them, as arrays. It stores the history, the state of the random number generator, and the settings
and digests of the texts as JSON.
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
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from byline.errors import ModelFileError, UsageError
from byline.files import atomic_write
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.callbacks import NO_CALLBACKS, Callbacks
from byline.lm.networks.history import EpochRecord, StopRule
from byline.lm.networks.training_run import TrainingRun
from byline.progress import Progress

CHECKPOINT_FORMAT = "byline training run 2"
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
_RECORD_TYPES = tuple(get_type_hints(EpochRecord).items())


def array_digest(arrays: Sequence[NetworkArray]) -> str:
    """Compute the SHA-256 of arrays, in their order.

    Examples
    --------
    >>> array_digest([np.zeros(2)])[:8] == array_digest([np.zeros(3)])[:8]
    False
    """
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.shape} {array.dtype.str}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def array_name(number: int) -> str:
    """Return the name of an array in the file.

    Examples
    --------
    >>> array_name(7)
    '007'
    """
    return f"{number:03}"


def checksum(text: str, arrays: Sequence[NetworkArray]) -> str:
    """Compute the SHA-256 of the state of a run: its JSON text and its arrays.

    Examples
    --------
    >>> len(checksum("{}", []))
    64
    """
    return hashlib.sha256((text + array_digest(arrays)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The checkpoint file of one training run.

    Attributes
    ----------
    path : path
    trained_from : mapping of str to JSON values
        The settings, and digests of the texts. A run resumes only if they are the same as when the
        file was written.

    See Also
    --------
    run_with_checkpoint : trains and keeps the file up to date

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from byline.lm import FeedForwardLM, FeedForwardTraining
    >>> text = [np.array([1, 2, 3, 1, 2], dtype=np.int32)] * 5
    >>> model = FeedForwardLM(training=FeedForwardTraining(epochs=2))
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "checkpoint"
    ...     first = model.fit(text, vocabulary_size=4, checkpoint=file).network_
    ...     resumed = model.fit(text, vocabulary_size=4, checkpoint=file).network_
    >>> bool((first.embedding == resumed.embedding).all())
    True
    """

    path: str | os.PathLike[str]
    trained_from: Mapping[str, Any]

    def save(self, run: TrainingRun) -> None:
        """Write the state of a run; the file is replaced only after all is written.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        arrays = run.state() + ([] if run.history[-1].kept else run.best)
        state = {
            "format": CHECKPOINT_FORMAT,
            "trained_from": dict(self.trained_from),
            "history": [asdict(record) for record in run.history],
            "random": run.rng.bit_generator.state,
        }
        text = json.dumps(state)
        named = {array_name(i): array for i, array in enumerate(arrays)}
        with atomic_write(self.path) as file:
            file.write(save(named, {"state": text, "sha256": checksum(text, arrays)}))

    def restore(self, run: TrainingRun) -> None:
        """Restore the state of a run from the file; do nothing if the file does not exist.

        Raises
        ------
        ModelFileError
            The file is damaged or not a checkpoint.
        UsageError
            The file belongs to a run with other settings or other texts.
        """
        try:
            Path(self.path).open("rb").close()
        except FileNotFoundError:
            return
        except OSError as error:
            reason = error.strerror or error
            raise ModelFileError(f"the checkpoint {self.path} cannot be read: {reason}") from error
        try:
            state, arrays = self._read()
            self._check_same(state["trained_from"])
            self._apply(run, state, arrays)
        except _UNREADABLE as error:
            if isinstance(error, UsageError):
                raise
            raise ModelFileError(
                f"{self.path} is not a checkpoint of this version of Byline, or it is damaged "
                f"({type(error).__name__}: {error}); delete it to start from the first epoch"
            ) from error

    def _read(self) -> tuple[dict[str, Any], list[NetworkArray]]:
        """Read the state and the arrays; raise an error of `_UNREADABLE` if they are damaged."""
        with safe_open(self.path, framework="numpy") as file:
            text, sha256 = (file.metadata()[name] for name in ("state", "sha256"))
            arrays = [file.get_tensor(array_name(i)) for i in range(len(file.keys()))]
        if sha256 != checksum(text, arrays):
            raise ValueError("its content does not match its checksum")
        state = json.loads(text)
        if state["format"] != CHECKPOINT_FORMAT:
            raise ValueError(f"its format is {state['format']!r}, not {CHECKPOINT_FORMAT!r}")
        return state, arrays

    def _check_same(self, trained_from: Mapping[str, Any]) -> None:
        ours = json.loads(json.dumps(dict(self.trained_from)))
        different = [name for name in ours if trained_from.get(name) != ours[name]]
        if "kind" in different:
            different = ["kind"]
        if different or trained_from.keys() != ours.keys():
            raise UsageError(
                f"{self.path} belongs to another training run: "
                f"{', '.join(different) or 'settings'} differ; use the same texts and settings, or "
                "delete the file to start again"
            )

    @staticmethod
    def _apply(run: TrainingRun, state: Mapping[str, Any], arrays: Sequence[NetworkArray]) -> None:
        history = [_epoch_record(record) for record in state["history"]]
        n_state, n_weights = len(run.state()), len(run.weights())
        n_best = 0 if history[-1].kept else n_weights
        if len(arrays) != n_state + n_best:
            raise ValueError(f"it has {len(arrays)} arrays, not {n_state + n_best}")
        if n_best:
            run.restore(arrays[n_state:])  # checks their form
        run.restore(arrays[:n_state])
        run.best = list(arrays[n_state:] if n_best else arrays[:n_weights])
        run.rng.bit_generator.state = state["random"]
        run.history[:] = history


def _epoch_record(record: Mapping[str, Any]) -> EpochRecord:
    """Rebuild the record of an epoch; TypeError if a value has the wrong type."""
    epoch = EpochRecord(**record)
    for name, expected in _RECORD_TYPES:
        if not isinstance(
            getattr(epoch, name), expected | int
        ):  # JSON may hold an integer where a float is expected
            raise TypeError(f"{name} of an epoch is {getattr(epoch, name)!r:.60}")
    return epoch


def run_with_checkpoint(
    run: TrainingRun,
    path: str | os.PathLike[str] | None,
    trained_from: Mapping[str, Any],
    progress: Progress | None,
    stop: StopRule | None = None,
    callbacks: Callbacks = NO_CALLBACKS,
) -> None:
    """Train from the state in the file, and update the file after each epoch.

    Parameters
    ----------
    run : TrainingRun
    path : path, optional
        By default, training starts with the first epoch and no file is written.
    trained_from : mapping of str to JSON values
        See `Checkpoint`.
    progress : Progress, optional
    stop, callbacks : optional
        See `TrainingRun.run`.

    Raises
    ------
    DivergenceError
        Training diverged.
    ModelFileError, OutputError, UsageError
        The file cannot be read or written, or belongs to another run.

    See Also
    --------
    Checkpoint : the file
    """
    if path is None:
        run.run(progress, stop=stop, callbacks=callbacks)
        return
    checkpoint = Checkpoint(path, trained_from)
    checkpoint.restore(run)
    run.run(progress, lambda: checkpoint.save(run), stop, callbacks)
