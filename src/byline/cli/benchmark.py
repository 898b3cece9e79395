"""``byline benchmark``: measure classifiers on a published corpus with a fixed protocol."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from byline.cli.options import JsonOption
from byline.cli.output import check_output, console, print_json, reports_unwritten_file, write_text
from byline.cli.progress import show_progress
from byline.cli.small_cases import (
    GridName,
    SideName,
    check_options_of_benchmark,
    run_small_cases_command,
)


class BenchmarkName(StrEnum):
    """Benchmarks by name."""

    CCAT50 = "ccat50"
    CMCC = "cmcc"
    FEDERALIST = "federalist"
    LECTURES16 = "lectures16"
    SMALL_CASES = "small-cases"


@reports_unwritten_file("decisions")
def benchmark(
    name: Annotated[
        BenchmarkName,
        typer.Argument(
            metavar="NAME",
            help="ccat50: 50 Reuters journalists. cmcc: the same people across topics and genres. "
            "federalist: Hamilton or Madison. lectures16: the courses of Ge & Sun (2016). "
            "small-cases: a few candidates with a few known texts, from several corpora.",
        ),
    ],
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="Folder of the corpus; of small-cases, the folder that contains the corpora. "
            "If it is not complete, the error message has the layout.",
        ),
    ],
    task: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TASK",
            help="Run only this task; may be repeated. ccat50: test, validation, "
            "validation-late, validation-early; cmcc: topic, genre; federalist: leave-one-out, "
            "disputed; lectures16: sentences, lectures, same-instructor.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD",
            help="Measure this classifier; may be repeated. The first one is compared with all "
            "others. One of default (Byline's default), delta (the quick mode), language-models, "
            "stacked-language-models, adapted-mixture, mixture-stack, ngram-ridge, char-ngram-svm, "
            "burrows-delta, most-frequent-author.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD",
            help="Measure this classifier as the baseline; may be repeated. The default is "
            "most-frequent-author, burrows-delta and char-ngram-svm.",
            show_default=False,
        ),
    ] = None,
    no_baselines: Annotated[
        bool, typer.Option("--no-baselines", help="Measure no baseline, which saves time.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random numbers.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    json: JsonOption = False,
    decisions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the attribution of each text as a JSON line."),
    ] = None,
    grid: Annotated[
        GridName | None,
        typer.Option(
            help="small-cases: a selection of about 20 settings per corpus, or all combinations.",
            show_default="short",
        ),
    ] = None,
    side: Annotated[
        SideName | None,
        typer.Option(
            help="small-cases: the authors on whose texts nothing was chosen (test), the others, "
            "or both.",
            show_default="test",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="small-cases: use these settings, such as 3x6x150/topic, instead of a grid; may "
            "be repeated.",
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="small-cases: use only this corpus; may be repeated. One of british_fiction, "
            "ccat50, cmcc, federalist, french_theatre17, lectures16, pan19.",
            show_default=False,
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="small-cases: add the answers to each case as a JSON line. Cases whose answers "
            "are in the file are not answered again.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg", help="small-cases: write a heat map of differences in accuracy."
        ),
    ] = None,
) -> None:
    """Run a benchmark and compare the results with published ones."""
    of_small_cases = {
        "--grid": grid,
        "--side": side,
        "--settings": settings,
        "--corpus": corpus,
        "--results": results,
        "--picture": picture,
    }
    of_others = {
        "--task": task,
        "--method": method,
        "--baseline": baseline,
        "--no-baselines": no_baselines,
        "--decisions": decisions,
    }
    is_small = name is BenchmarkName.SMALL_CASES
    check_options_of_benchmark(name.value, of_others if is_small else of_small_cases)
    if is_small:
        run_small_cases_command(
            data,
            grid=grid,
            side=side,
            settings=settings,
            corpora=corpus,
            seed=seed,
            jobs=jobs,
            json=json,
            results=results,
            picture=picture,
        )
        return
    if baseline and no_baselines:
        raise typer.BadParameter("--baseline and --no-baselines exclude each other")
    from byline.experiments.benchmarks import BASELINES, BENCHMARKS, DEFAULT, run_benchmark
    from byline.report.evaluation import benchmark_decisions, benchmark_summary, print_benchmark

    check_output(decisions, data)
    with show_progress(name.value) as progress:
        result = run_benchmark(
            BENCHMARKS[name.value],
            data,
            tasks=tuple(task or ()),
            methods=tuple(method or (DEFAULT,)),
            baselines=() if no_baselines else tuple(baseline or BASELINES),
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if decisions is not None:
        write_text(decisions, benchmark_decisions(result))
    summary = benchmark_summary(result)
    if json:
        print_json(summary)
    else:
        print_benchmark(console(), summary)
