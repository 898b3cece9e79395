"""Options and checks of open-set attribution that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.attributor_options import CALIBRATED_METHODS
from byline.cli.options import OPEN_SET_PANEL
from byline.named_settings import setting

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, StackedAttributor

OpenSetEvaluationOption = Annotated[
    bool,
    typer.Option(
        "--open-set",
        help="Leave out authors in turn, and measure how often texts by them are attributed to a "
        "candidate, and how often texts by candidates are missed. KNOWN2 of --test may have texts "
        "by other authors. Needs four authors (three with --reference), and takes about twice as "
        "long.",
        rich_help_panel=OPEN_SET_PANEL,
    ),
]


def open_set_stack(attributor: AuthorshipAttributor | StackedAttributor) -> StackedAttributor:
    """Return an attributor that is to be trained for an open set.

    Raises
    ------
    typer.BadParameter
        It consists of language models alone.
    """
    from byline.attribution import StackedAttributor

    if not isinstance(attributor, StackedAttributor):
        raise typer.BadParameter(
            f"{setting('open_set', True)} needs {setting('method', CALIBRATED_METHODS)}, "
            f"or language models with {setting('calibrate', True)}"
        )
    stack: StackedAttributor = attributor.set_params(open_set=True)
    return stack
