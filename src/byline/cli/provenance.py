"""Provenance of a result, for reproduction by others: the command line and hashes of the inputs."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from byline.cli.texts import STANDARD_INPUT

if TYPE_CHECKING:
    from byline.corpus import Document
    from byline.report.case import CaseInput
    from byline.report.case_details import CaseDetails
    from byline.report.verification_case import MaterialText

_BLOCK_SIZE = 1 << 20  # bytes read at a time


def command_line(context: typer.Context) -> str:
    """Return the running command as a line for a shell, with all options that were given."""
    from byline.formatting import printable

    options: list[str] = []
    arguments: list[str] = []
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.param_type_name == "argument":
            several = value if isinstance(value, list | tuple) else [value]
            arguments += map(str, several)
        elif _was_given(context, parameter.name or ""):
            options += _option(parameter, value)
    if any(each.startswith("-") and each != str(STANDARD_INPUT) for each in arguments):
        words = [*options, "--", *arguments]
    else:
        words = [*arguments, *options]
    return printable(shlex.join([*context.command_path.split(), *words]))


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _option(parameter: Any, value: Any) -> Iterator[str]:
    name = max(parameter.opts, key=len)
    if parameter.is_flag:
        yield name if value else max(parameter.secondary_opts, key=len)
        return
    for each in value if isinstance(value, list | tuple) else [value]:
        yield name
        yield str(getattr(each, "value", each))


def hash_inputs(model: Path, paths: Sequence[Path], texts: Sequence[str]) -> tuple[CaseInput, ...]:
    """Hash a model file and questioned texts: files by their bytes, other texts as they were read.

    Raises
    ------
    CorpusError
        A file can no longer be read.
    """
    from byline.attribution.training_record.record import text_sha256
    from byline.formatting import printable
    from byline.report.case import CaseInput

    inputs = [CaseInput("model", printable(model), file_sha256(model), "file")]
    for path, text in zip(paths, texts, strict=True):
        if path != STANDARD_INPUT and path.is_file():
            inputs.append(CaseInput("questioned text", printable(path), file_sha256(path), "file"))
        else:
            named = "standard input" if path == STANDARD_INPUT else printable(path)
            inputs.append(CaseInput("questioned text", named, text_sha256(text), "text"))
    return tuple(inputs)


def read_details(path: Path | None, *, is_shown: bool) -> CaseDetails:
    """Read what the examiner states about the case; without a file, nothing is stated.

    Raises
    ------
    UsageError
        The file is invalid, or there is no report to show its content.
    """
    from byline.errors import UsageError
    from byline.report.case_details import CaseDetails, read_case_details

    if path is not None and not is_shown:
        raise UsageError("--case is shown in a report; give --report FILE.html, too")
    return CaseDetails() if path is None else read_case_details(path)


def material(
    role: str, root: Path, documents: Sequence[Document], *, named: bool = True
) -> list[MaterialText]:
    """Describe texts of a corpus: files of a folder by their bytes, others as they were read.

    Parameters
    ----------
    role : str
        See `MaterialText`.
    root : Path
        The corpus, as it was named on the command line.
    documents : sequence of Document
    named : bool
        Whether their authors are known.

    Raises
    ------
    CorpusError
        A file can no longer be read.
    """
    from byline.report.verification_case import MaterialText

    found = []
    for document in documents:
        text = MaterialText.of(role, document if named else replace(document, author=""))
        if _is_file(path := root / document.path):
            text = replace(text, sha256=file_sha256(path), hashed="file")
        found.append(text)
    return sorted(found, key=lambda each: (each.author or "", each.name))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no file can have this name
        return False


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, 64 hexadecimal digits."""
    from byline.errors import CorpusError
    from byline.formatting import printable

    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK_SIZE):
                digest.update(block)
    except OSError as error:
        raise CorpusError(
            f"{printable(path)} can no longer be read: {error.strerror}; run the command again"
        ) from error
    return digest.hexdigest()
