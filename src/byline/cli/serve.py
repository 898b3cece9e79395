"""``byline serve``: the local web page, in a browser on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import KeepOption, ModelArgument
from byline.cli.output import print_message

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from byline.web.access_policy import AccessPolicy
    from byline.web.app_state import AppState

PORT = 8470


def serve(
    context: typer.Context,
    model: ModelArgument,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page; 0 means any free port.")
    ] = PORT,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="KNOWN",
            help="The texts that the model was trained on. The page quotes them as evidence, and "
            "uses them again when you train a model there.",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep added texts and trained models in this folder. By default they are "
            "deleted when Byline ends.",
        ),
    ] = None,
    keep: KeepOption = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            help="Number of jobs that run at the same time. Each needs memory for the model.",
        ),
    ] = 1,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Network address of the page. With any other address than the default, other "
            "machines can reach the page, too. The connection is not encrypted. At every address, "
            "only whoever has the token that Byline prints can use the page.",
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = False,
) -> None:
    """Attribute, verify and explore texts, and train models, in a browser on this machine."""
    from byline.web import check_extra

    check_extra()
    from byline.corpus import Keep
    from byline.web.app_state import AppState
    from byline.web.server import bind, run_server

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
            opening = state.folder.opening_page if browser else None
            run_server(page, listening, lambda: _announce(policy.address, opening))
        finally:
            state.close()
    print_message("note", "the page was stopped")


def _load_page() -> Callable[[AppState, AccessPolicy], ASGIApp]:
    """Import the application, which takes about as long as loading a model."""
    from byline.web.server import make_app

    return make_app


def _announce(address: str, opening: Path | None) -> None:
    """Print the address of the page, and open it in a browser through the file ``opening``.

    The arguments of a browser are visible to all users of the machine, so the address with the
    token is written to a file that only this user can read, which leads the browser there.
    """
    typer.echo(
        f"Byline runs at {address}\n"
        "The address contains a token: whoever has it can use the page.\n"
        "Press Ctrl-C to stop it."
    )
    if opening is not None:
        import webbrowser

        from byline.web.access_policy import forwarding_page

        opening.write_text(forwarding_page(address), encoding="utf-8")
        webbrowser.open(opening.as_uri())
