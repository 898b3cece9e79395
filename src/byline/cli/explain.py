"""``byline explain``: the evidence for two candidates, and the rolling attribution of a text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.feature_options import QuestionedFeaturesOption, give_questioned_features
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.options import JsonOption, KeepOption, ModelArgument, SpeakerOption
from byline.cli.output import check_html, console, print_json, reports_unwritten_file, write_report

if TYPE_CHECKING:
    from byline.attribution import Attribution, AuthorshipAttributor, Evidence, StackedAttributor


@makes_figures
@reports_unwritten_file("report")
def explain_text(
    model: ModelArgument,
    text: Annotated[
        Path, typer.Argument(metavar="TEXT", help="A questioned text; - reads standard input.")
    ],
    first: Annotated[
        str | None,
        typer.Option(metavar="AUTHOR", help="The first candidate (default: the best one)."),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(metavar="AUTHOR", help="The second candidate (default: the next best one)."),
    ] = None,
    against_all: Annotated[
        bool, typer.Option("--all", help="Compare with the mean of all other candidates.")
    ] = False,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Print a long text completely, not only its strongest sentences."
        ),
    ] = False,
    json: JsonOption = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")
    ] = None,
    keep: KeepOption = None,
    speaker: SpeakerOption = None,
    features: QuestionedFeaturesOption = None,
    *,
    figures: FigureSettings,
) -> None:
    """Show which words favour one candidate over another, and where the author may change."""
    from byline.answering import answer_caveats, reading_options
    from byline.attribution import load_attributor
    from byline.attribution.rolling import rolling_attribution
    from byline.cli.texts import display_name, read_questioned_texts
    from byline.report.case_evidence import frequent_words
    from byline.report.evidence import MAX_TOKENS
    from byline.report.explanation import (
        MAX_PRINTED,
        explanation_html,
        explanation_summary,
        print_explanation,
    )
    from byline.report.figures.cases import explanation_figures

    check_html(report, model, text)
    figures.check(model, text)
    attributor = load_attributor(model)
    options = reading_options(attributor, keep or ())
    [questioned] = read_questioned_texts([text], options, speaker)
    content = questioned.text
    give_questioned_features(attributor, features, [content], [text])
    evidence, answer = _explain(attributor, content, first, second, against_all=against_all)
    declined = answer.declined
    caveats = answer_caveats(attributor, answer, content, left_out=questioned.left_out)
    rolling = rolling_attribution(attributor, content)
    given = display_name(text), declined, evidence, rolling, content, attributor.encoder_
    frequent = frequent_words(attributor)
    summarise = partial(explanation_summary, *given, frequent=frequent, caveats=caveats)
    if report is not None:
        write_report(report, explanation_html(summarise(at_most=MAX_TOKENS)))
    figures.write(lambda: explanation_figures(summarise(at_most=MAX_TOKENS)))
    if json:
        print_json(summarise(at_most=None))
    else:
        print_explanation(console(), summarise(at_most=None if whole else MAX_PRINTED))


def _explain(
    attributor: AuthorshipAttributor | StackedAttributor,
    text: str,
    first: str | None,
    second: str | None,
    *,
    against_all: bool,
) -> tuple[Evidence, Attribution]:
    """Return the evidence, and the answer of the model."""
    from byline.attribution import explain

    evidence = explain(attributor, text, first=first, second=second, against_all=against_all)
    [answer] = attributor.attribute([text])
    return evidence, answer
