"""``byline train`` and ``byline add-author``: train a model on known texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.attributor_options import AttributorSettings
from byline.cli.feature_options import KnownFeaturesOption, add_features, check_features
from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.open_set import open_set_stack
from byline.cli.options import (
    OPEN_SET_PANEL,
    KnownArgument,
    ModelArgument,
    takes_settings,
)
from byline.cli.output import check_output, reports_unwritten_file
from byline.cli.process_options import runs_on_cluster
from byline.cli.progress import show_progress
from byline.cli.reference import ReferenceOption, check_reference, read_reference
from byline.formatting import quantity

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
    from byline.corpus import Corpus

ModelOutput = Annotated[
    Path, typer.Option("--output", "-o", metavar="MODEL", help="Write the model to this file.")
]

_MOST_NAMES = 50  # of authors that are listed


@dataclass(frozen=True, kw_only=True)
class TrainSettings(AttributorSettings):
    """How the authors' models are trained, and whether the author may be none of them."""

    open_set: Annotated[
        bool,
        typer.Option(
            "--open-set",
            help="Prepare the model for `byline attribute --open-set`, where the author may be "
            "none of the candidates. This needs at least three authors, or --reference, and "
            "training takes about twice as long.",
            rich_help_panel=OPEN_SET_PANEL,
        ),
    ] = False

    def attributor(self) -> AuthorshipAttributor | StackedAttributor:
        """Return an unfitted attributor with these settings."""
        attributor = super().attributor()
        return open_set_stack(attributor) if self.open_set else attributor


@runs_on_cluster
@reads_known_texts
@takes_settings(TrainSettings)
@reports_unwritten_file("output")
def train_command(
    known: KnownArgument,
    output: ModelOutput,
    reference: ReferenceOption = None,
    features: KnownFeaturesOption = None,
    *,
    reading: KnownTextSettings,
    settings: TrainSettings,
) -> None:
    """Train a model of each author's style from texts of known authorship."""
    from byline.attribution import save_attributor
    from byline.cli.texts import read_known_texts

    check_output(output, known, reference, features)
    check_reference(reference, settings.attributor())  # refuses contradictory options first
    check_features(features, settings.attributor(), reference)
    options = reading.options(settings.normalize)
    unit, language = settings.unit.value, settings.language
    corpus = read_known_texts(known, reading, options, unit=unit, language=language)
    others = read_reference(reference, corpus, reading, options, unit=unit, language=language)
    attributor = train_with_progress(corpus, settings, reference=others, features=features)
    save_attributor(attributor, output)
    _print_model(attributor, output)


def train_with_progress(
    corpus: Corpus,
    settings: TrainSettings,
    *,
    reference: ReferencePopulation | None = None,
    features: Path | None = None,
) -> AuthorshipAttributor | StackedAttributor:
    """Train a model on the texts of a corpus, and show the progress."""
    from byline.experiments.fitting import fit_corpus

    attributor = (
        settings.for_authors(corpus.authors, corpus.works).for_texts(corpus.texts).attributor()
    )
    add_features(attributor, features, corpus)
    with show_progress("training") as progress:
        fit_corpus(attributor, corpus, reference=reference, progress=progress)
    return attributor.set_line_rules(corpus.line_rules)


@reads_known_texts
@reports_unwritten_file("output")
def add_author(
    model: ModelArgument,
    known: KnownArgument,
    output: ModelOutput,
    *,
    reading: KnownTextSettings,
) -> None:
    """Add authors to a model; the models of the other authors do not change."""
    from byline.answering import reading_options
    from byline.attribution import load_attributor, save_attributor
    from byline.attribution.language_models.adding import add_authors, check_can_add_authors
    from byline.cli.texts import read_known_texts

    check_output(output, known)
    attributor = check_can_add_authors(load_attributor(model), model)
    encoder, options = attributor.encoder_, reading_options(attributor, reading.keep or ())
    corpus = read_known_texts(
        known, reading, options, min_authors=1, unit=encoder.unit, language=encoder.language
    )
    with show_progress("training") as progress:
        attributor = add_authors(attributor, corpus, model=model, known=known, progress=progress)
    save_attributor(attributor, output)
    _print_model(attributor, output)


def _print_model(attributor: AuthorshipAttributor | StackedAttributor, output: Path) -> None:
    authors = attributor.classes_.tolist()
    shown = ", ".join(authors[:_MOST_NAMES])
    more = f" and {len(authors) - _MOST_NAMES:,} more" if len(authors) > _MOST_NAMES else ""
    typer.echo(f"{output}: {quantity(len(authors), 'author')}: {shown}{more}")
    validation = getattr(attributor, "reference_validation_", None)
    if validation is not None:
        typer.echo(validation.describe())
    rejection = getattr(attributor, "rejection_rule_", None)
    if rejection is not None:
        typer.echo(rejection.describe())
