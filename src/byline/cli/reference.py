"""The option ``--reference``: texts by other people, with which cases are simulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.attributor_options import CALIBRATED_METHODS
from byline.named_settings import setting

if TYPE_CHECKING:
    from byline.attribution import ReferencePopulation
    from byline.cli.known_options import KnownTextSettings
    from byline.corpus import Corpus, ReadingOptions

ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        "--reference",
        metavar="CORPUS",
        help="Simulate cases like yours with these texts by other people of the same genre, in any "
        "format of KNOWN. They calibrate the probabilities, and show how often such cases are "
        "answered correctly. Training takes several times as long.",
        show_default=False,
    ),
]


def check_reference(path: Path | None, attributor: object) -> None:
    """Check that an attributor can use a reference population.

    Raises
    ------
    typer.BadParameter
        It consists of language models alone.
    """
    from byline.attribution import StackedAttributor

    if path is not None and not isinstance(attributor, StackedAttributor):
        raise typer.BadParameter(
            f"{setting('reference')} needs {setting('method', CALIBRATED_METHODS)}, "
            f"or language models with {setting('calibrate', True)}, "
            "because simulated cases are used to calibrate probabilities"
        )


def read_reference(
    path: Path | None,
    known: Corpus,
    reading: KnownTextSettings,
    options: ReadingOptions,
    *,
    unit: str,
    language: str,
) -> ReferencePopulation | None:
    """Read the texts of a reference population as the known texts were read.

    Parameters
    ----------
    path : Path or None
    known : Corpus
        The known texts, whose line rules are used.
    reading : KnownTextSettings
    options : ReadingOptions
        Of the known texts.
    unit, language : str

    Raises
    ------
    CorpusError
        The texts cannot be read, or have fewer than two authors.
    """
    if path is None:
        return None
    from byline.attribution import ReferencePopulation
    from byline.cli.texts import read_known_texts

    corpus = read_known_texts(
        path,
        reading.of_other(path),
        replace(options, line_rules=known.line_rules),
        unit=unit,
        language=language,
    )
    return ReferencePopulation(corpus.texts, corpus.authors, corpus.works, corpus.name)
