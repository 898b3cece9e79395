"""Further classifiers of a stack: ``--features`` (the user's own numbers), and ``--classifier``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import CLASSIFIER_PANEL
from byline.errors import UsageError
from byline.named_settings import setting

if TYPE_CHECKING:
    from byline.attribution.model_files.saving import Attributor
    from byline.corpus import Corpus

FEATURES = "features"  # the name of the base classifier

ClassifierOption = Annotated[
    list[str] | None,
    typer.Option(
        "--classifier",
        metavar="PLUGIN",
        help="Add a classifier of another installed package to the stack; may be repeated.",
        show_default=False,
        rich_help_panel=CLASSIFIER_PANEL,
    ),
]
KnownFeaturesOption = Annotated[
    Path | None,
    typer.Option(
        "--features",
        metavar="TABLE",
        help="Also use your own numeric features of the texts: a CSV file with one row per text. "
        "Its first column is the path of the text in KNOWN, or its id in a table of texts; all "
        "other columns are numbers.",
        show_default=False,
        rich_help_panel=CLASSIFIER_PANEL,
    ),
]
QuestionedFeaturesOption = Annotated[
    Path | None,
    typer.Option(
        "--features",
        metavar="TABLE",
        help="Read the numeric features of each TEXT from this table, if the model was trained "
        "with --features. It has the same columns; the first one contains TEXT or its file name.",
        show_default=False,
    ),
]


def check_features(
    features: Path | None, attributor: Attributor, reference: Path | None = None
) -> None:
    """Check that a model can use features, before texts are read.

    Raises
    ------
    typer.BadParameter
        Language models alone, or models with a reference population, cannot.
    """
    from byline.attribution import StackedAttributor

    if features is None:
        return
    if not isinstance(attributor, StackedAttributor):
        raise typer.BadParameter(
            f"{setting('features')} needs a method that combines classifiers: use "
            f"{setting('method', 'stacked')}, or {setting('calibrate', True)}"
        )
    if reference is not None:
        raise typer.BadParameter(
            f"{setting('features')} cannot be combined with {setting('reference')}, because the "
            "reference texts have no values of the features"
        )


def add_features(attributor: Attributor, features: Path | None, *corpora: Corpus | None) -> None:
    """Add a base classifier of numeric features to an unfitted stack.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
    features : Path or None
        None to add nothing.
    *corpora : Corpus or None
        The known texts, and the texts that are tested, all of which need a row.

    Raises
    ------
    CorpusError
        The table cannot be read, or a text has no row.
    """
    from byline.attribution import NumericFeatures, StackedAttributor, TextFeatures
    from byline.corpus import read_feature_table

    if features is None or not isinstance(attributor, StackedAttributor):
        return
    table = read_feature_table(features)
    documents = [document for corpus in corpora if corpus is not None for document in corpus]
    names = [[each.path, *filter(None, [each.metadata.get("id")])] for each in documents]
    values = table.values_of(names)
    own = TextFeatures.of([each.text for each in documents], values, table.columns)
    base_classifiers = attributor.base_classifiers or ()
    attributor.set_params(base_classifiers=[*base_classifiers, (FEATURES, NumericFeatures(own))])


def give_questioned_features(
    attributor: Attributor, features: Path | None, texts: Sequence[str], paths: Sequence[Path]
) -> None:
    """Give a fitted model the numeric features of questioned texts.

    Raises
    ------
    CorpusError
        The table cannot be read, or a text has no row.
    UsageError
        The model uses features and there is no table, or the other way round; or the table lacks a
        column.
    """
    from byline.attribution import TextFeatures
    from byline.attribution.stacking.linked_features import features_of, give_features
    from byline.corpus import read_feature_table
    from byline.formatting import join_names, printable

    classifier = features_of(getattr(attributor, "base_classifiers_", None))
    if classifier is None:
        if features is not None:
            raise UsageError(
                f"{setting('features', str(features))}: the model was trained without features; "
                "omit them"
            )
        return
    if features is None:
        needed = join_names(classifier.feature_names_in_.tolist(), 5)
        raise UsageError(
            f"the model was trained with features ({needed}); give {setting('features')}, a table "
            "that has a row for each questioned text"
        )
    table = read_feature_table(features)
    values = table.values_of([[printable(path), printable(path.name)] for path in paths])
    own = TextFeatures.of(texts, values, table.columns)
    give_features(classifier, own)
