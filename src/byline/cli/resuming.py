"""Training of networks that can be interrupted and resumed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from byline.cli.output import CommandInterrupted, check_output, print_message
from byline.errors import BylineWarning, DivergenceError, UsageError
from byline.progress import Progress

if TYPE_CHECKING:
    from byline.lm import FeedForwardLM, PretrainedLM, RecurrentLM
    from byline.lm.base import Sentence

    NetworkModel = FeedForwardLM | RecurrentLM | PretrainedLM


def checkpoint_path_for(output: Path, inputs: Iterable[Path], *, resume: bool) -> Path:
    """Return the path of the checkpoint for a model file, and check it before training starts.

    Parameters
    ----------
    output : path
        The model file that will be written.
    inputs : paths
        The files that the command reads.
    resume : bool
        Whether to resume from an existing checkpoint. Without it, an existing checkpoint is neither
        used nor replaced.

    Raises
    ------
    OutputError
        The checkpoint is not a regular file, or it is an input.
    UsageError
        The checkpoint exists, and ``resume`` is false.
    """
    path = output.with_name(f"{output.name}.checkpoint")
    check_output(path, *inputs)
    if path.exists() and not resume:
        raise UsageError(
            f"{path} is left from an interrupted training; add --resume to continue after its last "
            "finished epoch, or delete it to start again"
        )
    if resume and not path.exists():
        print_message("note", f"{path} does not exist, so training starts with epoch 1")
    return path


def fit_with_checkpoint(
    model: NetworkModel,
    sentences: Sequence[Sentence],
    *,
    vocabulary_size: int,
    validation: Sequence[Sentence] | None,
    progress: Progress,
    checkpoint: Path,
) -> None:
    """Fit a network, and save the state of its training in ``checkpoint`` after each epoch.

    If training diverges, the checkpoint is deleted, because a resumed run would diverge again.

    Raises
    ------
    BylineError
        As `NetworkLM.fit`.
    CommandInterrupted
        The user interrupted training, and it can be resumed.
    """
    try:
        model.fit(
            sentences,
            vocabulary_size=vocabulary_size,
            validation=validation,
            progress=progress,
            checkpoint=checkpoint,
        )
    except DivergenceError as error:
        delete_checkpoint(checkpoint)
        raise DivergenceError(f"{error}; no model was written") from error
    except KeyboardInterrupt as interruption:
        if not checkpoint.exists():
            raise
        message = f"{checkpoint} contains the finished epochs; use --resume to continue"
        raise CommandInterrupted(message) from interruption


def delete_checkpoint(checkpoint: Path) -> None:
    """Delete the checkpoint of a finished training; warn if this fails."""
    try:
        checkpoint.unlink(missing_ok=True)
    except OSError as error:
        message = (
            f"{checkpoint} is no longer needed, but cannot be deleted ({error.strerror}); delete it"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
