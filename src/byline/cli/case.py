"""What the report of a case is made from: the known texts again, and where all came from."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from byline.cli.output import check_output
from byline.cli.repeating import command_line, hash_inputs
from byline.errors import BylineWarning, OutputError, UsageError

if TYPE_CHECKING:
    from byline.attribution import Attribution, Evidence
    from byline.attribution.known_texts import Differences
    from byline.attribution.store import Attributor
    from byline.corpus import Corpus
    from byline.report.case import CaseOrigin


def check_report(path: Path | None, known: Path | None, *inputs: Path) -> None:
    """Refuse, before work begins, a report that cannot be written, or not without harm.

    Raises
    ------
    OutputError
        As of `check_output`; or it is no regular file, or would stand among the known texts.
    """
    check_output(path, known, *inputs)
    if path is None:
        return
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is no regular file; name another report")
    if known is not None and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(known)):
        raise OutputError(f"{path} would stand among the known texts in {known}; name another")


def read_known(known: Path, attributor: Attributor) -> Corpus:
    """Read the known texts as `byline train` does.

    Raises
    ------
    CorpusError
        They cannot be read.
    UsageError
        They have no text of a candidate.
    """
    from byline.corpus import read_corpus

    corpus = read_corpus(known, min_authors=1, unit=attributor.encoder_.unit)
    strangers = sorted(set(map(str, attributor.classes_)) - set(corpus.candidates))
    if strangers:
        some = ", ".join(strangers[:5]) + (" ..." if len(strangers) > 5 else "")
        raise UsageError(
            f"{known} has no text of {some}; name the texts that the model learnt from"
        )
    return corpus


def compare(corpus: Corpus, attributor: Attributor, model: Path) -> Differences | None:
    """Compare known texts with those the model learnt from; None where it has no record of them.

    Warns
    -----
    BylineWarning
        They are not the same, or that cannot be told.
    """
    from byline.attribution.known_texts import KnownTexts

    record: KnownTexts | None = getattr(attributor, "known_texts_", None)
    if record is None:
        message = (
            f"{model} has no record of the texts it learnt from, so {corpus.name} may be others"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
        return None
    given = KnownTexts.of(corpus.texts, corpus.authors, corpus.works)
    differences = record.differences(given)
    if differences.missing or differences.added:
        message = (
            f"{corpus.name} has other texts than {model} learnt from: {len(differences.missing):,} "
            f"of the model's are missing, and {len(differences.added):,} are not the model's; "
            "counts and quotations are of these others"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return differences


def reasons(
    attributor: Attributor, found: Sequence[Attribution], texts: Sequence[str]
) -> list[Evidence | None]:
    """Explain each answer's first place against its second; None of a declined one."""
    from byline.attribution import explain_answer

    return [
        explain_answer(attributor, attribution, text)
        for attribution, text in zip(found, texts, strict=True)
    ]


def telling(
    corpus: Corpus | None,
    attributor: Attributor,
    found: Sequence[Attribution],
    texts: Sequence[str],
) -> list[list[dict[str, Any]] | None]:
    """Tell what of each text parts its first two candidates in the known texts, if these are given.

    None of a declined text.
    """
    from byline.attribution.telling import KnownCounts, telling_in_text
    from byline.report.telling import telling_summary

    if corpus is None:
        return []
    counts = KnownCounts.of(corpus, attributor.encoder_)
    told: list[list[dict[str, Any]] | None] = []
    for answer, text in zip(found, texts, strict=True):
        if answer.declined is not None:
            told.append(None)
        else:
            first, second = (place.author for place in answer.ranking[:2])
            pair = telling_in_text(counts, text, first, second, path=answer.path)
            told.append(telling_summary(pair))
    return told


def origin(
    context: typer.Context,
    model: Path,
    paths: Sequence[Path],
    texts: Sequence[str],
    corpus: Corpus | None,
    differences: Differences | None,
) -> CaseOrigin:
    """Gather what another examiner needs to do the same."""
    from byline.report.case import CaseOrigin

    return CaseOrigin(
        command=command_line(context),
        inputs=hash_inputs(model, paths, texts),
        known=None if corpus is None else corpus.name,
        differences=differences,
    )
