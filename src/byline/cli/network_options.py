"""Command-line options for the form and the training of neural networks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

import typer

from byline.cli.options import MODEL_PANEL, PERFORMANCE_PANEL

_DEVICE = re.compile(r"cpu|cuda(:\d{1,3})?")


def _positive(given: float | None) -> float | None:
    if given is not None and not 0 < given < math.inf:
        raise typer.BadParameter(f"{given} is not a number above 0")
    return given


def _below_one(given: float | None) -> float | None:
    if given is not None and not 0 <= given < 1:
        raise typer.BadParameter(f"{given} is not a number from 0 to below 1")
    return given


def _device(given: str | None) -> str | None:
    if given is not None and not _DEVICE.fullmatch(given):
        raise typer.BadParameter(
            f"{given!r} is not a device; use cpu, cuda, or cuda:N for the GPU with number N"
        )
    return given


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """The form and the training of a network; options that are not given keep their defaults."""

    context: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=99,
            metavar="N",
            help="Predict each token from N context tokens (feedforward). This is another way to "
            "give --order, which is N + 1.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    target_position: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Predict the N-th token of each n-gram from the other tokens (feedforward). By "
            "default the last token is predicted.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    embedding_dim: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Set the number of dimensions of the token embeddings (feedforward).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    hidden_dim: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Set the number of units of a hidden layer (feedforward). Repeat the option to "
            "add layers.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    units: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Set the number of dimensions of the states and of the token embeddings "
            "(recurrent).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    learning_rate: Annotated[
        float | None,
        typer.Option(
            callback=_positive,
            metavar="RATE",
            help="Set the learning rate of the first epoch (feedforward) or step (pretrained), or "
            "the highest learning rate (recurrent).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    momentum: Annotated[
        float | None,
        typer.Option(
            callback=_below_one,
            metavar="FACTOR",
            help="Set the momentum of gradient descent (feedforward).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    dropout: Annotated[
        float | None,
        typer.Option(
            callback=_below_one,
            metavar="PROBABILITY",
            help="Set the dropout probability of the inputs of each layer (feedforward), or of the "
            "states (recurrent).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    batch_size: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Train on mini-batches of N n-grams (feedforward) or of N windows of text "
            "(pretrained).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Train for at most N epochs (feedforward, recurrent, pretrained).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    base: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Read the pretrained model and its tokenizer from this folder, in the format of "
            "Hugging Face transformers (pretrained). Nothing is downloaded.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    tuning: Annotated[
        Literal["lora", "full"] | None,
        typer.Option(
            help="Train two small matrices per layer for each author (lora, the default), or all "
            "weights (full); the model file then contains a whole network per author, such as "
            "500 MB for the smallest GPT-2 (pretrained).",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    device: Annotated[
        str | None,
        typer.Option(
            metavar="DEVICE",
            callback=_device,
            help="Train on this device: cpu, or cuda for a GPU with PyTorch (feedforward, "
            "pretrained). By default, feedforward uses the CPU, and pretrained a GPU if there is "
            "one.",
            show_default=False,
            rich_help_panel=PERFORMANCE_PANEL,
        ),
    ] = None

    def feedforward_parameters(self) -> dict[str, Any]:
        """Return the given options as parameters of a `FeedForwardLM`, by short name."""
        values = {name: getattr(self, name) for name in FEEDFORWARD_OPTIONS}
        values["hidden_dims"] = tuple(values.pop("hidden_dim") or ()) or None
        return {name: value for name, value in values.items() if value is not None}

    def pretrained_parameters(self) -> dict[str, Any]:
        """Return the given options as parameters of a `PretrainedLM`."""
        return self._given(PRETRAINED_OPTIONS)

    def recurrent_parameters(self) -> dict[str, Any]:
        """Return the given options as parameters of a `RecurrentLM`, by short name."""
        return self._given(RECURRENT_OPTIONS)

    def _given(self, names: Iterable[str]) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None}


NETWORK_OPTIONS = tuple(field.name for field in fields(NetworkSettings))
PRETRAINED_OPTIONS = ("base", "tuning", "learning_rate", "batch_size", "epochs", "device")
FEEDFORWARD_OPTIONS = tuple(
    name for name in NETWORK_OPTIONS if name not in ("units", "base", "tuning")
)
RECURRENT_OPTIONS = ("units", "learning_rate", "dropout", "epochs")
