"""``--jobs`` and ``--cluster``: which processes do the work of a command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from byline.cli.options import PERFORMANCE_PANEL
from byline.errors import UsageError

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Let the workers of a Dask cluster do the work: the address of its scheduler, "
        "tcp://HOST:PORT, or local:N for N workers on this machine. The results are the same. "
        'This needs Dask: pip install "byline[dask]".',
        show_default=False,
        rich_help_panel=PERFORMANCE_PANEL,
    ),
]


def jobs_option(help: str) -> Any:  # noqa: A002
    """Return the option for the number of processes.

    Parameters
    ----------
    help : str
        What the processes do in this command.
    """
    return typer.Option(
        "--jobs", "-j", min=1, metavar="N", help=help, rich_help_panel=PERFORMANCE_PANEL
    )


def runs_on_cluster(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has ``--jobs`` the option ``--cluster``."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    option = inspect.Parameter(
        "cluster", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=ClusterOption
    )

    @functools.wraps(command)
    def run(*, cluster: str | None, **values: Any) -> None:
        if cluster is None:
            command(**values)
            return
        if values["jobs"] != 1:
            raise UsageError(
                "--jobs and --cluster exclude each other, because the workers of the cluster do "
                "the work; omit one of them"
            )
        from byline.processes.parallel import ALL_WORKERS, on_cluster

        with on_cluster(cluster):
            command(**{**values, "jobs": ALL_WORKERS})

    parameters = [*own, option]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
