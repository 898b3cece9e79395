"""Options of networks: their shape and their training."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

_DEVICE = re.compile(r"cpu|cuda(:\d{1,3})?")


def _step_size(given: float | None) -> float | None:
    if given is not None and not 0 < given < math.inf:
        raise typer.BadParameter(f"{given} is not a number above 0")
    return given


def _share(given: float | None) -> float | None:
    if given is not None and not 0 <= given < 1:
        raise typer.BadParameter(f"{given} is not a number from 0 to below 1")
    return given


def _device(given: str | None) -> str | None:
    if given is not None and not _DEVICE.fullmatch(given):
        raise typer.BadParameter(f"{given!r} is neither cpu nor cuda, nor cuda:1 or the like")
    return given


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """How a network is shaped and trained; what is not given is left to the model."""

    context: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=99,
            help="Tokens a prediction is made from: one less than --order (feedforward).",
            show_default=False,
        ),
    ] = None
    target_position: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Place of the predicted token among context and itself, from 1; the last. "
            "Elsewhere the text on both sides predicts it (feedforward).",
            show_default=False,
        ),
    ] = None
    embedding_dim: Annotated[
        int | None,
        typer.Option(min=1, help="Dimensions of a word (feedforward).", show_default=False),
    ] = None
    hidden_dim: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="Units of a hidden layer (feedforward); repeat for more layers.",
            show_default=False,
        ),
    ] = None
    units: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Values of a state, and dimensions of a word (recurrent).",
            show_default=False,
        ),
    ] = None
    learning_rate: Annotated[
        float | None,
        typer.Option(
            callback=_step_size,
            help="Step size of the first epoch (feedforward), or the largest (recurrent).",
            show_default=False,
        ),
    ] = None
    momentum: Annotated[
        float | None,
        typer.Option(
            callback=_share, help="Share of the last step kept (feedforward).", show_default=False
        ),
    ] = None
    dropout: Annotated[
        float | None,
        typer.Option(
            callback=_share,
            help="Share of the inputs of each layer (feedforward), or of the states (recurrent), "
            "left out at random in training.",
            show_default=False,
        ),
    ] = None
    batch_size: Annotated[
        int | None,
        typer.Option(min=1, help="N-grams in a mini-batch (feedforward).", show_default=False),
    ] = None
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="Epochs at most (feedforward, recurrent).", show_default=False),
    ] = None
    device: Annotated[
        str | None,
        typer.Option(
            metavar="[cpu|cuda]",
            callback=_device,
            help="Where it is trained: the CPU, or a GPU by PyTorch (feedforward).",
            show_default=False,
        ),
    ] = None

    def feedforward_parameters(self) -> dict[str, Any]:
        """Return the parameters of a `FeedForwardLM` that are given."""
        values = {name: getattr(self, name) for name in FEEDFORWARD_OPTIONS}
        values["hidden_dims"] = tuple(values.pop("hidden_dim") or ()) or None
        return {name: value for name, value in values.items() if value is not None}

    def recurrent_parameters(self) -> dict[str, Any]:
        """Return the parameters of a `RecurrentLM` that are given."""
        values = {name: getattr(self, name) for name in RECURRENT_OPTIONS}
        return {name: value for name, value in values.items() if value is not None}


NETWORK_OPTIONS = tuple(field.name for field in fields(NetworkSettings))
FEEDFORWARD_OPTIONS = tuple(name for name in NETWORK_OPTIONS if name != "units")
RECURRENT_OPTIONS = ("units", "learning_rate", "dropout", "epochs")
