"""``byline evaluate``: estimate the accuracy on held-out texts."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from byline.cli.attributor_options import AttributorSettings
from byline.cli.feature_options import KnownFeaturesOption, add_features, check_features
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.learning_curve import (
    LearningCurveSettings,
    evaluate_learning_curve_command,
    takes_learning_curve,
)
from byline.cli.open_set import OpenSetEvaluationOption, open_set_stack
from byline.cli.options import (
    FalseAttributionRateOption,
    JsonOption,
    KnownArgument,
    open_set_criterion,
    takes_settings,
)
from byline.cli.output import check_html, console, print_json, reports_unwritten_file, write_report
from byline.cli.process_options import runs_on_cluster
from byline.cli.progress import show_progress
from byline.cli.reference import ReferenceOption, check_reference, read_reference

if TYPE_CHECKING:
    from byline.attribution import StackedAttributor
    from byline.attribution.open_set import Criterion
    from byline.corpus import Corpus

LEAVE_ONE_OUT: Literal["leave-one-out"] = "leave-one-out"


class SplitProtocol(StrEnum):
    """The unit that a split holds out as a whole."""

    DOCUMENT = "document"
    SENTENCE = "sentence"
    WORK = "work"


def _folds(value: str | None) -> str | None:
    if value not in (None, LEAVE_ONE_OUT) and not (value.isdecimal() and int(value) >= 1):
        raise typer.BadParameter(
            f"{value!r} is not a number of folds; give a number of 1 or more, or {LEAVE_ONE_OUT}"
        )
    return value


@runs_on_cluster
@reads_known_texts
@takes_settings(AttributorSettings)
@takes_learning_curve
@makes_figures
@reports_unwritten_file("report")
def evaluate_command(
    known: KnownArgument,
    test: Annotated[
        Path | None,
        typer.Option(
            metavar="KNOWN2",
            help="Test on these texts by authors of KNOWN, instead of splitting KNOWN.",
        ),
    ] = None,
    split: Annotated[
        SplitProtocol | None,
        typer.Option(
            metavar="UNIT",
            help="Hold out this unit as a whole: document (the default), work or sentence. "
            "Sentence is the protocol of Ge & Sun (2016); its accuracy is too high.",
            show_default=False,
        ),
    ] = None,
    folds: Annotated[
        str | None,
        typer.Option(
            callback=_folds,
            metavar="N",
            help="Hold out N parts in turn, or each text (leave-one-out). The default is 5, "
            "or fewer if no author has 5 documents (or works); 1 holds out one fifth once.",
            show_default=False,
        ),
    ] = None,
    sentences: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Also attribute passages of N consecutive sentences; may be repeated.",
            show_default=False,
        ),
    ] = None,
    reference: ReferenceOption = None,
    features: KnownFeaturesOption = None,
    baselines: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD,...",
            help="Compare with simple methods on the same held-out texts: delta (Burrows's Delta), "
            "cosine-delta, svm (of character n-grams), language-models, separated by commas; or "
            "all. The base classifiers of the method are shown too.",
            show_default=False,
        ),
    ] = None,
    open_set: OpenSetEvaluationOption = False,
    false_attribution_rate: FalseAttributionRateOption = None,
    json: JsonOption = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")
    ] = None,
    *,
    reading: KnownTextSettings,
    settings: AttributorSettings,
    curve: LearningCurveSettings,
    figures: FigureSettings,
) -> None:
    """Estimate the accuracy by cross-validation on the known texts."""
    from byline import experiments
    from byline.cli.texts import read_known_texts
    from byline.experiments.simple_methods import find_simple_methods
    from byline.report import (
        evaluation_html,
        evaluation_summary,
        print_calibration,
        print_evaluation,
    )
    from byline.report.baselines import print_baselines
    from byline.report.figures.performance import evaluation_figures

    if test is not None and (split or folds):
        raise typer.BadParameter(
            "--test cannot be combined with --split or --folds, because KNOWN is not split then"
        )
    rate = open_set_criterion(open_set, false_attribution_rate)
    if open_set:
        _check_open_set(split, sentences, baselines)
    not_in_curves = {
        "--split sentence": split is SplitProtocol.SENTENCE,
        "--sentences": bool(sentences),
        "--baselines": baselines is not None,
        "--features": features is not None,
        "--open-set": open_set,
    }
    curve.check(not_in_curves, report, known, test, reference)
    check_html(report, known, test, reference)
    figures.check(known, test, reference)
    attributor = settings.attributor()  # refuses impossible options first
    check_reference(reference, attributor)
    check_features(features, attributor, reference)
    if open_set:
        open_set_stack(attributor)
    names = [name.strip() for name in (baselines or "").split(",") if name.strip()]
    if baselines is not None:
        find_simple_methods(names)
    options = reading.options(settings.normalize)
    unit, language = settings.unit.value, settings.language
    corpus = read_known_texts(known, reading, options, unit=unit, language=language)
    settings = settings.for_authors(corpus.authors, corpus.works).for_texts(corpus.texts)
    attributor = settings.attributor()
    questioned = (
        None
        if test is None
        else read_known_texts(
            test,
            reading.of_other(test),
            replace(options, line_rules=corpus.line_rules),
            min_authors=1,
            unit=settings.unit.value,
        )
    )
    add_features(attributor, features, corpus, questioned)
    others = read_reference(reference, corpus, reading, options, unit=unit, language=language)
    shared: dict[str, Any] = {
        "split": split.value if split else "document",
        "folds": int(folds) if folds and folds.isdecimal() else LEAVE_ONE_OUT if folds else None,
        "test": questioned,
        "reference": others,
        "random_state": settings.seed,
    }
    if rate is not None:
        stack = open_set_stack(attributor)
        _evaluate_open_set(corpus, stack, rate, shared, report, figures, json=json)
        return
    if curve.learning_curve:
        evaluate_learning_curve_command(
            corpus, attributor, curve, shared, report, figures, jobs=settings.jobs, json=json
        )
        return
    with show_progress("evaluating") as progress:
        evaluation = experiments.evaluate(
            corpus,
            attributor,
            sentences=tuple(sentences or ()),
            baselines=names,
            progress=progress,
            **shared,
        )
    summary = evaluation_summary(evaluation)
    if report is not None:
        write_report(report, evaluation_html(summary))
    figures.write(lambda: evaluation_figures(summary))
    if json:
        print_json(summary)
    else:
        print_evaluation(console(), summary)
        print_baselines(console(), summary)
        print_calibration(console(), summary)


def _check_open_set(
    split: SplitProtocol | None, sentences: list[int] | None, baselines: str | None
) -> None:
    """Refuse options that an open-set evaluation does not have (`typer.BadParameter`)."""
    given = {
        "--split sentence": split is SplitProtocol.SENTENCE,
        "--sentences": bool(sentences),
        "--baselines": baselines is not None,
    }
    names = [option for option, is_given in given.items() if is_given]
    if names:
        raise typer.BadParameter(f"--open-set cannot be combined with {', '.join(names)}")


def _evaluate_open_set(
    corpus: Corpus,
    stack: StackedAttributor,
    rate: Criterion,
    shared: dict[str, Any],
    report: Path | None,
    figures: FigureSettings,
    *,
    json: bool,
) -> None:
    from byline.experiments.open_set.evaluation import evaluate_open_set
    from byline.report.figures.performance import open_set_figures
    from byline.report.open_set import open_set_html, open_set_summary, print_open_set, rate_name

    with show_progress("evaluating") as progress:
        evaluation = evaluate_open_set(
            corpus, stack, false_attribution_rate=rate, progress=progress, **shared
        )
    summary = open_set_summary(evaluation)
    if report is not None:
        write_report(report, open_set_html(summary))
    figures.write(lambda: open_set_figures(summary, list(map(rate_name, summary["by_rate"]))))
    if json:
        print_json(summary)
    else:
        print_open_set(console(), summary)
