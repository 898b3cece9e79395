"""The command ``byline``: its sub-commands, and how errors end it."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from glob import glob
from itertools import islice
from typing import Annotated, NoReturn

import typer

from byline import __version__
from byline.cli import (
    attribute,
    attribute_table,
    benchmark,
    compare,
    corpus,
    demo,
    evaluate,
    experiment,
    explain,
    explore,
    keywords,
    lm,
    profile,
    rolling,
    serve,
    train,
    verify,
)
from byline.cli.options import PanelCommand
from byline.cli.output import (
    INTERRUPTED,
    CommandGroup,
    open_closed_outputs,
    print_message,
    show_warnings,
)
from byline.errors import BylineError, OutputError
from byline.named_settings import settings_as_options
from byline.processes.threads import VARIABLE, thread_environment
from byline.shortages import MEMORY_ADVICE, is_memory_shortage

INTERNAL = 70

app = typer.Typer(
    name="byline",
    cls=CommandGroup,
    help="Find out who wrote a text by comparing its style with texts of known authorship.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
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
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show tracebacks of errors, and all warnings.")
    ] = False,
    threads: Annotated[
        int,
        typer.Option(
            "--threads",
            metavar="N",
            min=1,
            envvar=VARIABLE,
            help="Number of threads for linear algebra in each process. More than one seldom saves "
            "time: use more processes (-j) where a command offers them.",
        ),
    ] = 1,
) -> None:
    show_warnings(all_of_them=debug)
    os.environ[VARIABLE] = str(threads)
    # The libraries read these when a command imports them, later than this.
    os.environ.update(thread_environment())


app.command("demo")(demo.demo)
app.command("train")(train.train_command)
app.command("add-author")(train.add_author)
app.command("attribute")(attribute.attribute_texts)
app.command("attribute-table")(attribute_table.attribute_table)
app.command("verify")(verify.verify_command)
app.command("explain")(explain.explain_text)
app.command("rolling")(rolling.follow_book)
app.command("evaluate")(evaluate.evaluate_command)
app.command("benchmark")(benchmark.benchmark)
app.command("profile")(profile.profile_corpus)
app.command("compare")(compare.compare_authors)
app.command("explore")(explore.explore)
app.command("keywords")(keywords.find_keywords)
app.command("serve")(serve.serve)
app.add_typer(corpus.app, name="corpus")
app.add_typer(lm.app, name="lm")
app.add_typer(experiment.app, name="experiment")
for typer_app in (app, corpus.app, lm.app, experiment.app):
    for command in typer_app.registered_commands:
        command.cls = PanelCommand


def main(argv: Sequence[str] | None = None) -> None:
    """Run ``byline`` with ``argv``, by default the arguments of the process, and end the process.

    Raises
    ------
    SystemExit
        With 0 for success, 2 for a wrong command line, the ``exit_code`` of the error
        (:mod:`byline.errors`), 70 for a defect in Byline, or 130 for an interruption.

    Examples
    --------
    >>> try:  # doctest: +ELLIPSIS
    ...     main(["--version"])
    ... except SystemExit as end:
    ...     print("exit code", end.code)
    byline ...
    exit code 0
    """
    open_closed_outputs()
    args = list(argv) if argv is not None else _command_line()
    debug = "--debug" in args
    try:
        with settings_as_options():
            _run(_general_options_first(args))
    except BylineError as error:
        _end(str(error), error.exit_code, debug)
    except KeyboardInterrupt:
        print_message("note", "interrupted")
        sys.exit(INTERRUPTED)
    except Exception as error:
        _end_by_error(error, debug)


def _end_by_error(error: Exception, debug: bool) -> None:
    """End the process because of an error that is not one of Byline's own."""
    if is_memory_shortage(error):
        _end(MEMORY_ADVICE, BylineError.exit_code, debug)
    if isinstance(error, OSError):
        # All other modules turn theirs into a BylineError, so this one is of standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(INTERRUPTED)
        message = f"cannot write to standard output: {error.strerror}; write to a file instead"
        _end(message, OutputError.exit_code, debug)
    message = f"a defect in Byline ({type(error).__name__}: {error}); --debug shows where"
    _end(message, INTERNAL, debug)


def _command_line() -> list[str]:
    """Return the arguments of the process; on Windows, no shell has expanded ``*.txt``."""
    return expand_wildcards(sys.argv[1:]) if os.name == "nt" else sys.argv[1:]


def expand_wildcards(args: Iterable[str]) -> list[str]:
    """Replace each argument that contains ``*`` or ``?`` by the files that match it, if any."""
    return [
        name
        for arg in args
        for name in (sorted(glob(arg)) if {"*", "?"} & set(arg) else []) or [arg]  # noqa: PTH207
    ]


def _general_options_first(args: list[str]) -> list[str]:
    """Let --debug and --threads stand after the sub-command too; the parser knows them before it.

    Examples
    --------
    >>> _general_options_first(["lm", "fit", "--threads", "2", "TEXT", "--debug"])
    ['--threads', '2', '--debug', 'lm', 'fit', 'TEXT']
    """
    end = args.index("--") if "--" in args else len(args)
    first, others = [], []
    rest = iter(args[:end])
    for arg in rest:
        if arg == "--threads":
            first += [arg, *islice(rest, 1)]
        elif arg == "--debug" or arg.startswith("--threads="):
            first.append(arg)
        else:
            others.append(arg)
    return [*first, *others, *args[end:]]


def _run(args: list[str]) -> None:
    try:
        app(args, prog_name="byline")
    except SystemExit:
        sys.stdout.flush()  # if it is full or closed, raise the error now, not at the exit
        raise


def _end(message: str, exit_code: int, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    print_message("error", message)
    sys.exit(exit_code)
