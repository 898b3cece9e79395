"""The part of ``byline benchmark`` that runs pan19, open-set and pan14."""

from __future__ import annotations

from pathlib import Path

import typer

from byline.cli.output import CommandInterrupted, check_output, console, print_json
from byline.cli.progress import show_progress
from byline.cli.small_cases import SideName, after_interruption

DEFAULT_DRAWS = 12


def run_open_set_command(
    benchmark: str,
    data: Path,
    *,
    problems: str | None,
    side: SideName | None,
    draws: int | None,
    tasks: list[str] | None,
    methods: list[str] | None,
    baselines: list[str] | None,
    no_baselines: bool,
    seed: int,
    jobs: int,
    json: bool,
    results: Path | None,
) -> None:
    """Run the benchmark and print its result.

    Parameters
    ----------
    benchmark : str
        pan19 or open-set.
    data : Path
    problems : str or None
        Names of problems of pan19, separated by commas; by default all of a side.
    side : SideName or None
        By default, both.
    draws : int or None
        Of open-set.
    tasks : list of str or None
        One task of open-set.
    methods, baselines : list of str or None
        Names of methods; by default, Byline's default and all baselines.
    no_baselines : bool
    seed, jobs : int
    json : bool
        Print one JSON document.
    results : Path or None
        File for the answers to each case.
    """
    from byline.experiments.benchmarks import DEFAULT
    from byline.experiments.open_set.benchmark import run_open_set_benchmark
    from byline.experiments.open_set.cases import PAN19, draw_ccat50, read_pan19
    from byline.experiments.open_set.methods import OPEN_SET_BASELINES
    from byline.report.open_set_benchmark import (
        open_set_benchmark_summary,
        print_open_set_benchmark,
    )

    if len(tasks or ()) > 1:
        raise typer.BadParameter(f"{benchmark} runs one task at a time; give --task once")
    check_output(results, data)
    if benchmark == PAN19:
        names = [name.strip() for name in (problems or "").split(",") if name.strip()]
        cases = read_pan19(data, names, (side or SideName.BOTH).value)
    else:
        task = tasks[0] if tasks else "test"
        cases = draw_ccat50(data, task, draws or DEFAULT_DRAWS, seed)
    chosen = () if no_baselines else tuple(baselines or OPEN_SET_BASELINES)
    try:
        with show_progress(benchmark) as progress:
            result = run_open_set_benchmark(
                benchmark,
                data,
                cases,
                methods=(*(methods or (DEFAULT,)), *chosen),
                seed=seed,
                jobs=jobs,
                results=results,
                progress=progress,
            )
    except KeyboardInterrupt as interruption:
        raise CommandInterrupted(after_interruption(results)) from interruption
    summary = open_set_benchmark_summary(result)
    if json:
        print_json(summary)
    else:
        print_open_set_benchmark(console(), summary)


def run_pan14_command(
    data: Path,
    *,
    sets: list[str] | None,
    no_baselines: bool,
    jobs: int,
    json: bool,
    results: Path | None,
) -> None:
    """Run the benchmark of verification and print its result.

    Parameters
    ----------
    data : Path
    sets : list of str or None
    no_baselines : bool
    jobs : int
    json : bool
        Print one JSON document.
    results : Path or None
        File for the answers to each fold.
    """
    from byline.experiments.pan14.benchmark import run_verification_benchmark
    from byline.report.pan14 import print_verification_benchmark, verification_benchmark_summary

    check_output(results, data)
    try:
        with show_progress("pan14") as progress:
            result = run_verification_benchmark(
                data,
                sets=tuple(sets or ()),
                baselines=not no_baselines,
                jobs=jobs,
                results=results,
                progress=progress,
            )
    except KeyboardInterrupt as interruption:
        raise CommandInterrupted(after_interruption(results)) from interruption
    summary = verification_benchmark_summary(result)
    if json:
        print_json(summary)
    else:
        print_verification_benchmark(console(), summary)
