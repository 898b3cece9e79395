"""The command ``byline``: its sub-commands, and how an error ends it."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from glob import glob
from typing import Annotated

import typer

from byline import __version__
from byline.cli import (
    attribute,
    benchmark,
    compare,
    corpus,
    demo,
    evaluate,
    experiment,
    explain,
    lm,
    profile,
    serve,
    train,
    verify,
)
from byline.cli.interruption import INTERRUPTED, CommandGroup
from byline.cli.output import open_closed_outputs, print_message, show_warnings
from byline.errors import BylineError, OutputError

INTERNAL = 70

app = typer.Typer(
    name="byline",
    cls=CommandGroup,
    help="Who wrote this? Language models and n-grams of candidate authors, with reasons.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"byline {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error, and all warnings.")
    ] = False,
) -> None:
    show_warnings(all_of_them=debug)


app.command("demo")(demo.demo)
app.command("train")(train.train)
app.command("add-author")(train.add_author)
app.command("attribute")(attribute.attribute)
app.command("verify")(verify.verify)
app.command("explain")(explain.explain)
app.command("evaluate")(evaluate.evaluate)
app.command("benchmark")(benchmark.benchmark)
app.command("profile")(profile.profile_corpus)
app.command("compare")(compare.compare)
app.command("serve")(serve.serve)
app.add_typer(corpus.app, name="corpus")
app.add_typer(lm.app, name="lm")
app.add_typer(experiment.app, name="experiment")


def main(argv: Sequence[str] | None = None) -> None:
    """Run ``byline`` with ``argv`` (default: the process's own) and end the process.

    Raises
    ------
    SystemExit
        0 done; 2 the command line is wrong; ``exit_code`` of the family of a user's error
        (:mod:`byline.errors`); 70 a defect of Byline's own; 130 interrupted.
    """
    open_closed_outputs()
    args = list(argv) if argv is not None else _command_line()
    debug = "--debug" in args
    try:
        # --debug is welcome before and after the sub-command; the parser knows it before alone.
        _run(["--debug", *(arg for arg in args if arg != "--debug")] if debug else args)
    except BylineError as error:
        _end(str(error), error.exit_code, debug)
    except KeyboardInterrupt:
        print_message("note", "interrupted")
        sys.exit(INTERRUPTED)
    except OSError as error:
        # The layers turn their own into a BylineError: what is left is standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(INTERRUPTED)
        message = f"cannot write to standard output: {error.strerror}; mend that, or name a file"
        _end(message, OutputError.exit_code, debug)
    except MemoryError:
        _end("out of memory; try fewer or shorter texts, or a smaller model", 1, debug)
    except Exception as error:
        message = f"a defect in Byline ({type(error).__name__}: {error}); --debug shows where"
        _end(message, INTERNAL, debug)


def _command_line() -> list[str]:
    """Return the process's arguments; on Windows no shell has expanded ``*.txt`` in them."""
    return expand_wildcards(sys.argv[1:]) if os.name == "nt" else sys.argv[1:]


def expand_wildcards(args: Iterable[str]) -> list[str]:
    """Put the names of files for each argument with ``*`` or ``?`` that some match."""
    return [
        name
        for arg in args
        for name in (sorted(glob(arg)) if {"*", "?"} & set(arg) else []) or [arg]  # noqa: PTH207
    ]


def _run(args: list[str]) -> None:
    try:
        app(args, prog_name="byline")
    except SystemExit:
        sys.stdout.flush()  # where it is full or closed, an error now and not at the exit
        raise


def _end(message: str, exit_code: int, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    print_message("error", message)
    sys.exit(exit_code)
