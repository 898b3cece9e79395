"""``byline compare``: the similarity of authors, and the keywords of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from byline.cli.attributor_options import AttributionMethod, AttributorSettings
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KeepNamesOption, KnownTextSettings, reads_known_texts
from byline.cli.model_options import LmKind
from byline.cli.options import (
    JsonOption,
    KnownArgument,
    takes_settings,
)
from byline.cli.output import check_html, console, print_json, reports_unwritten_file, write_report
from byline.cli.progress import show_progress

_KINDS: Mapping[str, str] = {
    LmKind.NGRAM: "n-gram",
    LmKind.FEEDFORWARD: "feed-forward",
    LmKind.RECURRENT: "recurrent",
    LmKind.PRETRAINED: "pretrained",
}


@dataclass(frozen=True, kw_only=True)
class LanguageModelSettings(AttributorSettings):
    """Settings of the authors' language models; the method is fixed."""

    method: ClassVar[str] = AttributionMethod.LANGUAGE_MODELS  # type: ignore[misc]
    classifier: ClassVar[list[str] | None] = None  # type: ignore[misc]


@reads_known_texts
@takes_settings(LanguageModelSettings)
@makes_figures
@reports_unwritten_file("report")
def compare_authors(
    known: KnownArgument,
    folds: Annotated[int, typer.Option(min=2, help="Number of cross-validation folds.")] = 5,
    top: Annotated[int, typer.Option(min=1, help="Number of keywords per author.")] = 10,
    keep_names: KeepNamesOption = False,
    json: JsonOption = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML report with a tree of the authors."),
    ] = None,
    *,
    reading: KnownTextSettings,
    settings: LanguageModelSettings,
    figures: FigureSettings,
) -> None:
    """Compare the styles of known authors: cross-perplexity, a tree, and keywords."""
    from byline.answering import measure_similarity
    from byline.cli.texts import read_known_texts
    from byline.report.figures.studies import similarity_figures
    from byline.report.similarity import (
        names_with_footnotes,
        print_similarity,
        similarity_html,
        similarity_summary,
    )

    check_html(report, known)
    figures.check(known)
    settings.language_models()  # checks the options before work begins
    options = reading.options(settings.normalize)
    unit, language = settings.unit.value, settings.language
    corpus = read_known_texts(known, reading, options, unit=unit, language=language)
    settings = settings.for_texts(corpus.texts)
    models = settings.language_models(jobs=settings.jobs)
    with show_progress("comparing") as progress:
        found = measure_similarity(
            corpus,
            models,
            folds=folds,
            n_keywords=top,
            keep_names=keep_names,
            random_state=settings.seed,
            language_model=_described(settings),
            progress=progress,
        )
    summary = similarity_summary(found)
    if report is not None:
        write_report(report, similarity_html(summary))
    figures.write(lambda: similarity_figures(summary, names_with_footnotes(summary)))
    if json:
        print_json(summary)
    else:
        print_similarity(console(), summary)


def _described(settings: LanguageModelSettings) -> str:
    """Describe the authors' language models."""
    kind = _KINDS.get(settings.lm, settings.lm)
    unit = "characters" if settings.of_characters else "words"
    more = (", mixed with n-grams" * settings.mixture) + (
        ", adapted from a background model" * settings.background
    )
    return f"one {kind} model of {unit} per author{more}"
