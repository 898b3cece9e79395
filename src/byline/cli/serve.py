"""``byline serve``: the local page, in a browser on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import KeepOption
from byline.cli.output import print_message

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from byline.web.access_policy import AccessPolicy
    from byline.web.app_state import AppState

PORT = 8470


def serve(
    context: typer.Context,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model of `byline train`.")],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the page answers; 0: any that is free.")
    ] = PORT,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="KNOWN",
            help="The texts the model learnt from: quoted in the reasons, and learnt from again "
            "with those added on the page.",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep what is added and learnt on the page there; else it is deleted at the end.",
        ),
    ] = None,
    keep: KeepOption = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Processes, each with the model, that do jobs at a time."),
    ] = 1,
    host: Annotated[
        str,
        typer.Option(
            help="Address to answer at. Other machines can reach any but the usual one, without "
            "encryption; whoever has the token that is printed may then ask."
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = False,
) -> None:
    """Ask, learn and check in the browser, on a page of this machine alone."""
    from byline.web.extra import check_extra

    check_extra()
    from byline.corpus import Keep
    from byline.web.app_state import AppState
    from byline.web.server import bind
    from byline.web.server import serve as answer

    debug = bool(context.find_root().params.get("debug"))
    listening, policy = bind(host, port)
    with listening:
        state = AppState.open(
            model,
            known=known,
            folder=folder,
            keep=map(Keep, keep or ()),
            n_workers=workers,
            while_loading=_load_page,
            debug=debug,
            print_message=print_message,
        )
        try:
            page = _load_page()(state, policy)
            answer(page, listening, lambda: _begin(policy.address, browser))
        finally:
            state.close()
    print_message("note", "the page has ended")


def _load_page() -> Callable[[AppState, AccessPolicy], ASGIApp]:
    """Import what makes the page, which takes about as long as loading a model."""
    from byline.web.app import make_app

    return make_app


def _begin(address: str, browser: bool) -> None:
    """Say where the page is, and open it where that is wanted."""
    typer.echo(f"Byline answers at {address}\nCtrl-C ends it.")
    if browser:
        import webbrowser

        webbrowser.open(address)
