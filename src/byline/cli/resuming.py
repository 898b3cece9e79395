"""Training a network so that a run that is killed, or interrupted, can go on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from byline.cli.interruption import CommandInterrupted
from byline.cli.output import check_output, print_message
from byline.errors import BylineWarning, DivergenceError, OutputError, UsageError
from byline.progress import Progress

if TYPE_CHECKING:
    from byline.lm import FeedForwardLM, RecurrentLM
    from byline.lm.base import Sentence

    NetworkModel = FeedForwardLM | RecurrentLM


def checkpoint_path_for(output: Path, inputs: Iterable[Path], *, resume: bool) -> Path:
    """Name the file that holds the state of training, before work begins.

    Parameters
    ----------
    output : path
        The model to be written.
    inputs : paths
        What the command reads.
    resume : bool
        Whether to go on from a file that is there; it is neither gone on from nor replaced unasked.

    Raises
    ------
    OutputError
        Something is there that is no file, or is an input.
    UsageError
        An unfinished run's file is there, and ``resume`` is false.
    """
    if output.exists() and not output.is_file():
        raise OutputError(f"{output} is no regular file; name another model to write")
    path = output.with_name(f"{output.name}.checkpoint")
    keeps = f"{path}, where training keeps its state,"
    check_output(path)
    if path.exists() and not path.is_file():
        raise OutputError(f"{keeps} is no file; move it away, or name another model to write")
    if path.exists() and any(given.exists() and given.samefile(path) for given in inputs):
        raise OutputError(f"{keeps} is read by this command; name another model to write")
    if path.exists() and not resume:
        raise UsageError(
            f"{path} is left from a training that did not end; add --resume to go on from its last "
            "epoch, or delete it to start anew"
        )
    if resume and not path.exists():
        print_message("note", f"there is no {path} to go on from: training starts with epoch 1")
    return path


def train(
    model: NetworkModel,
    sentences: Sequence[Sentence],
    *,
    vocabulary_size: int,
    validation: Sequence[Sentence] | None,
    progress: Progress,
    checkpoint: Path,
) -> None:
    """Fit a network, keeping its state in ``checkpoint``; errors as those of its `fit`.

    Of a run that diverges the file is deleted: it would diverge again.
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
        delete(checkpoint)
        raise DivergenceError(f"{error}; no model is written") from error
    except KeyboardInterrupt as interruption:
        if not checkpoint.exists():
            raise
        message = f"{checkpoint} holds the finished epochs; --resume goes on from there"
        raise CommandInterrupted(message) from interruption


def delete(checkpoint: Path) -> None:
    """Delete the file, which has served."""
    try:
        checkpoint.unlink(missing_ok=True)
    except OSError as error:
        message = f"{checkpoint} cannot be deleted ({error.strerror}), and has no use any more"
        warnings.warn(message, BylineWarning, stacklevel=2)
