"""Options of answers that may be "none of the candidates"."""

from __future__ import annotations

from typing import Annotated

import typer

from byline.errors import UsageError

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
