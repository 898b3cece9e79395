"""``byline attribute``: rank the candidates for questioned texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.feature_options import QuestionedFeaturesOption, give_questioned_features
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KeepNamesOption, KnownTextSettings, reads_known_texts
from byline.cli.options import (
    PERFORMANCE_PANEL,
    CaseOption,
    FalseAttributionRateOption,
    JsonOption,
    ModelArgument,
    OpenSetOption,
    SpeakerOption,
    open_set_criterion,
)
from byline.cli.output import (
    CommandInterrupted,
    check_html,
    check_outside,
    console,
    print_json,
    print_message,
    reports_unwritten_file,
    write_report,
)
from byline.cli.process_options import jobs_option, runs_on_cluster
from byline.cli.progress import show_progress
from byline.cli.provenance import command_line, hash_inputs, read_details
from byline.errors import UsageError
from byline.formatting import quantity

if TYPE_CHECKING:
    from byline.answering import Answer, KnownCorpus
    from byline.attribution.model_files.saving import Attributor
    from byline.corpus import Corpus, ReadingOptions
    from byline.report.case import CaseOrigin
    from byline.report.case_details import CaseDetails


def check_report(path: Path | None, known: Path | None, *inputs: Path | None) -> None:
    """Check, before work begins, that a report can be written without replacing other files.

    Raises
    ------
    OutputError
        See `check_html`; or the report would be among the known texts.
    """
    check_html(path, known, *inputs)
    if path is not None:
        check_outside(path, known)


def read_known(
    known: Path,
    attributor: Attributor,
    reading: KnownTextSettings,
    options: ReadingOptions,
) -> Corpus:
    """Read the known texts as `byline train` does.

    Raises
    ------
    CorpusError
        The texts cannot be read.
    UsageError
        There is no text by one of the candidates.
    """
    from byline.answering import check_known_texts
    from byline.cli.texts import read_known_texts

    unit = attributor.encoder_.unit
    corpus = read_known_texts(known, reading, options, min_authors=1, unit=unit)
    check_known_texts(corpus, attributor, known)
    return corpus


def case_origin(
    context: typer.Context,
    model: Path,
    paths: Sequence[Path],
    texts: Sequence[str],
    known: KnownCorpus | None,
    details: CaseDetails,
) -> CaseOrigin:
    """Collect what another examiner needs to repeat the attribution."""
    from byline.report.case import CaseOrigin

    return CaseOrigin(
        command=command_line(context),
        inputs=hash_inputs(model, paths, texts),
        known=None if known is None else known.counts.corpus.name,
        differences=None if known is None else known.differences,
        details=details,
    )


@runs_on_cluster
@reads_known_texts
@makes_figures
@reports_unwritten_file("report")
def attribute_texts(
    context: typer.Context,
    model: ModelArgument,
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT", help="Files with questioned texts; - reads standard input."),
    ],
    json: JsonOption = False,
    top: Annotated[
        int | None,
        typer.Option(min=1, help="Show N candidates (default: 5; all with --json)."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a case report as one HTML file."),
    ] = None,
    stated: CaseOption = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="KNOWN",
            help="Check that the model was trained on these known texts, and show keywords.",
        ),
    ] = None,
    keep_names: KeepNamesOption = False,
    open_set: OpenSetOption = False,
    false_attribution_rate: FalseAttributionRateOption = None,
    speaker: SpeakerOption = None,
    features: QuestionedFeaturesOption = None,
    no_evidence: Annotated[
        bool,
        typer.Option(
            "--no-evidence",
            help="Leave out the evidence, which takes longer than the rest of the answer. Use this "
            "for many texts.",
            rich_help_panel=PERFORMANCE_PANEL,
        ),
    ] = False,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="Train the model again without each known text, with other random samples, with "
            "rare words masked and with other sets of candidates, and show whether the answer "
            "changes. This needs --known and takes as long as training many models.",
        ),
    ] = False,
    jobs: Annotated[
        int,
        jobs_option("Set the number of processes for --sensitivity."),
    ] = 1,
    *,
    reading: KnownTextSettings,
    figures: FigureSettings,
) -> None:
    """Rank the candidate authors of questioned texts, with probabilities and evidence."""
    from byline.answering import KnownCorpus, answer, check_trained_on, reading_options
    from byline.attribution import load_attributor
    from byline.cli.texts import read_questioned_texts
    from byline.formatting import printable
    from byline.report import print_attribution
    from byline.report.case import answers_summary, case_summary

    rate = open_set_criterion(open_set, false_attribution_rate)
    is_shown = report is not None or figures.figures is not None
    if no_evidence and is_shown:
        raise UsageError("--report and --figures show the evidence; omit --no-evidence")
    check_report(report, known, model, stated, *texts)
    figures.check(known, model, stated, *texts)
    details = read_details(stated, is_shown=report is not None)
    if known is None:
        refuse_without_known(keep_names=keep_names, sensitivity=sensitivity)
    attributor = load_attributor(model)
    if rate is None:
        mention_open_set(attributor, model)
    options = reading_options(attributor, reading.keep or ())
    corpus = None if known is None else read_known(known, attributor, reading, options)
    if sensitivity and corpus is not None:
        check_trained_on(corpus, attributor, model)
    given = None if corpus is None else KnownCorpus.of(corpus, attributor, model)
    questioned = read_questioned_texts(texts, options, speaker)
    contents = [each.text for each in questioned]
    give_questioned_features(attributor, features, contents, texts)
    if sensitivity and features is not None:
        raise UsageError("--sensitivity cannot train models with --features again; omit it")
    paths = [printable(path) for path in texts]
    answers = answer(
        attributor,
        contents,
        given,
        rate,
        evidence=not no_evidence,
        paths=paths,
        model=model,
        left_out=[each.left_out for each in questioned],
        chapters=[each.chapters() for each in questioned],
        keep_names=keep_names,
    )
    if sensitivity and corpus is not None:
        answers = vary(attributor, corpus, answers, paths, jobs)
    if json:
        print_json(answers_summary(answers, top=top))
    case = None
    if is_shown:
        origin = case_origin(context, model, texts, contents, given, details)
        case = case_summary(answers, origin, corpus)
        write_case(case, report, figures)
    if not json:
        print_attribution(console(), case or answers_summary(answers), top=top or 5)
    end_if_interrupted(answers)


def refuse_without_known(*, keep_names: bool, sensitivity: bool) -> None:
    """Refuse options that need the known texts, which were not given.

    Raises
    ------
    UsageError
    """
    if keep_names:
        raise UsageError(
            "--keep-names is about keywords, which need the known texts; give them with --known"
        )
    if sensitivity:
        raise UsageError(
            "--sensitivity trains models again, which needs the known texts; give them with --known"
        )


def mention_open_set(attributor: Attributor, model: Path) -> None:
    """Mention ``--open-set`` if the model was trained with it and the option was not given."""
    if getattr(attributor, "rejection_rule_", None) is not None:
        print_message(
            "note",
            f"{model} was trained with --open-set; add this option if the author may be none of "
            "the candidates",
        )


def write_case(summary: dict[str, Any], report: Path | None, figures: FigureSettings) -> None:
    """Write the report of a case and its figures, if they were asked for."""
    from byline.report.case import case_html
    from byline.report.figures.cases import case_figures

    if report is not None:
        write_report(report, case_html(summary))
    figures.write(lambda: case_figures(summary))


def vary(
    attributor: Attributor,
    corpus: Corpus,
    answers: Sequence[Answer],
    paths: Sequence[str],
    jobs: int,
) -> list[Answer]:
    """Repeat the answers in variations, after stating how many models are trained."""
    from byline.answering import plan_sensitivity, run_variations

    plan = plan_sensitivity(attributor, corpus, [each.text for each in answers], paths)
    number = quantity(len(plan.variations), "model")
    print_message("note", f"--sensitivity trains {number} like this one; Ctrl-C ends it early")
    with show_progress("sensitivity", epochs=True) as progress:
        varied = run_variations(plan, n_jobs=jobs, progress=progress)
    pairs = zip(answers, varied, strict=True)
    return [replace(each, sensitivity=found) for each, found in pairs]


def end_if_interrupted(answers: Sequence[Answer]) -> None:
    """End the command as interrupted if not all variations were computed.

    Raises
    ------
    CommandInterrupted
    """
    varied = [each.sensitivity for each in answers if each.sensitivity is not None]
    if any(len(each.varied) < each.n_planned for each in varied):
        raise CommandInterrupted("interrupted: the answer has only the variations until then")
