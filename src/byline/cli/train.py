"""``byline train`` and ``byline add-author``: from known texts to a model file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.interruption import reports_unwritten_file
from byline.cli.model_options import AttributorSettings
from byline.cli.options import KeepOption, KnownArgument, takes_settings
from byline.cli.output import check_output
from byline.cli.progress import show_progress

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, StackedAttributor

ModelOutput = Annotated[
    Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")
]


@dataclass(frozen=True, kw_only=True)
class TrainSettings(AttributorSettings):
    """How the authors' models are learnt, and whether the author may be none of them."""

    open_set: Annotated[
        bool,
        typer.Option(
            "--open-set",
            help="Learn also when to name nobody, from three authors or more, left out in turn: "
            "takes about twice as long. For `byline attribute --open-set`.",
        ),
    ] = False

    def attributor(self) -> AuthorshipAttributor | StackedAttributor:
        """Make the unfitted attributor these settings describe."""
        attributor = super().attributor()
        if not self.open_set:
            return attributor
        from byline.attribution import StackedAttributor

        if not isinstance(attributor, StackedAttributor):
            raise typer.BadParameter(
                "--open-set goes with --method stacked, or with language models and --calibrate"
            )
        return attributor.set_params(open_set=True)


@takes_settings(TrainSettings)
@reports_unwritten_file("output")
def train(
    known: KnownArgument,
    output: ModelOutput,
    keep: KeepOption = None,
    *,
    settings: TrainSettings,
) -> None:
    """Learn from known texts how each author writes."""
    from byline.attribution import save_attributor
    from byline.cli.texts import read_known_texts

    check_output(output, known)
    settings.attributor()  # whose options may be refused, before work begins
    corpus = read_known_texts(known, unit=settings.unit.value, keep=keep)
    attributor = settings.for_texts(corpus.texts).attributor()
    with show_progress("learning") as progress:
        attributor.fit(corpus.texts, corpus.authors, groups=corpus.works, progress=progress)
    save_attributor(attributor, output)
    _print_learnt(attributor, output)


@reports_unwritten_file("output")
def add_author(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model of `byline train`.")],
    known: KnownArgument,
    output: ModelOutput,
    keep: KeepOption = None,
) -> None:
    """Learn further authors; the others' models stay as they are."""
    from byline.attribution import load_attributor, save_attributor
    from byline.attribution.language_models.adding import add_authors, check_can_add_authors
    from byline.cli.texts import read_known_texts

    check_output(output, known)
    attributor = check_can_add_authors(load_attributor(model), model)
    corpus = read_known_texts(known, min_authors=1, unit=attributor.encoder_.unit, keep=keep)
    with show_progress("learning") as progress:
        attributor = add_authors(attributor, corpus, model=model, known=known, progress=progress)
    save_attributor(attributor, output)
    _print_learnt(attributor, output)


def _print_learnt(attributor: AuthorshipAttributor | StackedAttributor, output: Path) -> None:
    typer.echo(f"{output}: {len(attributor.classes_)} authors: {', '.join(attributor.classes_)}")
    rejection = getattr(attributor, "rejection_rule_", None)
    if rejection is not None:
        typer.echo(rejection.describe())
