"""Options of answers that may be "none of the candidates"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.errors import UsageError

if TYPE_CHECKING:
    from byline.attribution import Attribution
    from byline.attribution.store import Attributor

OpenSetOption = Annotated[
    bool,
    typer.Option(
        "--open-set",
        help="The author may be none of the candidates: name nobody who does not stand out. For "
        "models of `byline train --open-set`.",
    ),
]
FalseAttributionsOption = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Of texts by none of the candidates, the share that may be given to somebody; 0.05 "
        "(with --open-set).",
        show_default=False,
    ),
]


def rate_asked(open_set: bool, false_attributions: float | None) -> float | None:
    """Return the wished rate of false attributions, or None where a candidate is the author.

    Raises
    ------
    UsageError
        It is no share, or was given without ``--open-set``.
    """
    from byline.attribution.open_set import DEFAULT_RATE, check_rate

    if not open_set:
        if false_attributions is not None:
            raise UsageError("--false-attributions goes with --open-set only")
        return None
    rate = DEFAULT_RATE if false_attributions is None else false_attributions
    check_rate(rate)
    return rate


def attribute_texts(
    attributor: Attributor,
    model: Path,
    texts: Sequence[str],
    paths: Sequence[str],
    rate: float | None,
) -> list[Attribution]:
    """Attribute texts whose author may be none of the candidates, unless ``rate`` is None.

    Raises
    ------
    UsageError
        The model has not learnt when to name nobody, or the rate is too low for it to tell.
    """
    if rate is None:
        return attributor.attribute(texts, paths=paths)
    from byline.attribution import StackedAttributor

    if not isinstance(attributor, StackedAttributor) or attributor.rejection_ is None:
        raise UsageError(
            f"{model} has not learnt which texts are by none of its authors; train it with: "
            f"byline train KNOWN -o {model} --open-set"
        )
    return attributor.attribute(texts, paths=paths, false_attributions=rate)
