"""``byline corpus``: known texts before anything is learnt from them."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="Look at known texts, check and mend them, before anything is learnt.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _group() -> None:
    """Keep this a group of commands however many there are."""
