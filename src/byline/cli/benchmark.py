"""``byline benchmark``: measure classifiers on a published corpus with a fixed protocol."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.options import JsonOption
from byline.cli.output import (
    check_output,
    console,
    print_json,
    reports_unwritten_file,
    write_report,
)
from byline.cli.pan_benchmarks import run_open_set_command, run_pan14_command
from byline.cli.process_options import runs_on_cluster
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
    PAN19 = "pan19"
    OPEN_SET = "open-set"
    PAN14 = "pan14"


OPEN_SET_BENCHMARKS = (BenchmarkName.PAN19, BenchmarkName.OPEN_SET)
_METHODS = {"--method", "--baseline", "--no-baselines", "--seed"}
# Options that not all benchmarks have: those of the named ones, and of all others.
_OPTIONS = {
    BenchmarkName.SMALL_CASES: {
        *("--grid", "--side", "--settings", "--corpus", "--results", "--figures", "--grey"),
        "--seed",
    },
    BenchmarkName.PAN19: _METHODS | {"--problems", "--side", "--results"},
    BenchmarkName.OPEN_SET: _METHODS | {"--draws", "--task", "--results"},
    BenchmarkName.PAN14: {"--task", "--no-baselines", "--results"},
}
_OPTIONS_OF_OTHERS = _METHODS | {"--task", "--decisions"}


@runs_on_cluster
@makes_figures
@reports_unwritten_file("decisions")
def benchmark(
    name: Annotated[
        BenchmarkName,
        typer.Argument(
            metavar="NAME",
            help="ccat50: 50 Reuters journalists. cmcc: the same people across topics and genres. "
            "federalist: Hamilton or Madison. lectures16: the courses of Ge & Sun (2016). "
            "small-cases: a few candidates with a few known texts, from several corpora. pan19: "
            "fan fiction, in part by unknown authors (PAN 2019). open-set: half of the authors of "
            "ccat50 are candidates, half are unknown. pan14: verification problems of PAN 2014.",
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
            "disputed; lectures16: sentences, lectures, same-instructor; open-set: test (the "
            "default), late, early, mixed; pan14: en_essays, en_novels, gr_articles, sp_articles.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD",
            help="Measure this classifier; may be repeated. The first one is compared with all "
            "others. One of default (Byline's default), delta (the quick mode), profiles, "
            "language-models, stacked-language-models, adapted-mixture, mixture-stack, "
            "ngram-ridge, char-ngram-svm, "
            "burrows-delta, most-frequent-author. pan19, open-set: default, delta, pan19-svm, "
            "char-ngram-svm.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD",
            help="Measure this classifier as the baseline; may be repeated. The default is "
            "most-frequent-author, burrows-delta and char-ngram-svm; of pan19 and open-set, "
            "pan19-svm (the organisers' SVM with rejection) and char-ngram-svm.",
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
            help="small-cases, pan19: the authors on whose texts nothing was chosen (test), the "
            "others, or both. The default of small-cases is test, and that of pan19 is both.",
            show_default=False,
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
            help="small-cases, pan19, open-set, pan14: add the answers to each case (of pan14, to "
            "each fold) as a JSON line. Those whose answers are in the file are not answered "
            "again.",
        ),
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...",
            help="pan19: use only these problems, separated by commas, such as problem07.",
            show_default=False,
        ),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="open-set: number of random choices of the candidates.",
            show_default="12",
        ),
    ] = None,
    *,
    figures: FigureSettings,
) -> None:
    """Run a benchmark and compare the results with published ones."""
    given = {
        "--seed": seed,
        "--task": task,
        "--method": method,
        "--baseline": baseline,
        "--no-baselines": no_baselines,
        "--decisions": decisions,
        "--grid": grid,
        "--side": side,
        "--settings": settings,
        "--corpus": corpus,
        "--results": results,
        "--problems": problems,
        "--draws": draws,
        "--figures": figures.figures,
        "--grey": figures.grey,
    }
    own = _OPTIONS.get(name, _OPTIONS_OF_OTHERS)
    others = {option: value for option, value in given.items() if option not in own}
    check_options_of_benchmark(name.value, others)
    if baseline and no_baselines:
        raise typer.BadParameter("--baseline and --no-baselines exclude each other")
    if name in OPEN_SET_BENCHMARKS:
        run_open_set_command(
            name.value,
            data,
            problems=problems,
            side=side,
            draws=draws,
            tasks=task,
            methods=method,
            baselines=baseline,
            no_baselines=no_baselines,
            seed=seed,
            jobs=jobs,
            json=json,
            results=results,
        )
        return
    if name is BenchmarkName.PAN14:
        run_pan14_command(
            data,
            sets=task,
            no_baselines=no_baselines,
            jobs=jobs,
            json=json,
            results=results,
        )
        return
    if name is BenchmarkName.SMALL_CASES:
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
            figures=figures,
        )
        return
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
        write_report(decisions, benchmark_decisions(result))
    summary = benchmark_summary(result)
    if json:
        print_json(summary)
    else:
        print_benchmark(console(), summary)
