"""The inputs of a case report: the known texts, and the origin of all files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from byline.cli.output import check_output
from byline.cli.provenance import command_line, hash_inputs
from byline.errors import OutputError

if TYPE_CHECKING:
    from byline.attribution.model_files.saving import Attributor
    from byline.attribution.training_record.record import RecordDifferences
    from byline.corpus import Corpus
    from byline.report.case import CaseOrigin


def check_report(path: Path | None, known: Path | None, *inputs: Path) -> None:
    """Check, before work begins, that a report can be written without replacing other files.

    Raises
    ------
    OutputError
        See `check_output`; or the report is not a regular file, or would be among the known texts.
    """
    check_output(path, known, *inputs)
    if path is None:
        return
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is not a regular file; give another name for the report")
    if known is not None and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(known)):
        raise OutputError(
            f"{path} would be among the known texts in {known}; give another name for the report"
        )


def read_known(known: Path, attributor: Attributor, keep: Iterable[str] | None = None) -> Corpus:
    """Read the known texts as `byline train` does.

    Raises
    ------
    CorpusError
        The texts cannot be read.
    UsageError
        There is no text by one of the candidates.
    """
    from byline.answering import check_known_texts
    from byline.cli import texts

    corpus = texts.read_known_texts(known, min_authors=1, unit=attributor.encoder_.unit, keep=keep)
    check_known_texts(corpus, attributor, known)
    return corpus


def origin(
    context: typer.Context,
    model: Path,
    paths: Sequence[Path],
    texts: Sequence[str],
    corpus: Corpus | None,
    differences: RecordDifferences | None,
) -> CaseOrigin:
    """Collect what another examiner needs to repeat the attribution."""
    from byline.report.case import CaseOrigin

    return CaseOrigin(
        command=command_line(context),
        inputs=hash_inputs(model, paths, texts),
        known=None if corpus is None else corpus.name,
        differences=differences,
    )
