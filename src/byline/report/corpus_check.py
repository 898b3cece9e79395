"""What an examination of known texts found: as a dict, and for the terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding

from byline.corpus.checking import Examination, Kind
from byline.corpus.findings import Finding, count
from byline.corpus.names import printable
from byline.report.terminal import empty_table, plain, short_name

SCHEMA = 1
# In the terminal.
MOST_AUTHORS = 60
MOST_OF_MESSAGE = 800  # characters
Summary = dict[str, Any]


def examination_summary(examination: Examination, known: str) -> Summary:
    """Summarise an examination.

    Parameters
    ----------
    examination : Examination
    known : str
        Where the texts lie, for the command that mends.

    Returns
    -------
    dict
        "schema", "corpus", "language" (ISO 639-1 or None), "n_texts", "n_words", "sizes" (a list
        of "author", "n_texts", "n_words", "n_characters", "shortest", "longest"), "findings" (a
        list of "severity", "code", "message", "paths", "mended_by": None or a kind), "left_out" (a
        list of "what", "n", "example"), and "command": None, or what mends all that a command can.
    """
    return {
        "schema": SCHEMA,
        "corpus": examination.corpus,
        "language": examination.language,
        "n_texts": sum(size.n_texts for size in examination.sizes),
        "n_words": sum(size.n_words for size in examination.sizes),
        "sizes": [asdict(size) for size in examination.sizes],
        "findings": [_finding(finding) for finding in examination.findings],
        "left_out": [asdict(left_out) for left_out in examination.left_out],
        "command": mending_command(examination.mendable, known),
    }


def mending_command(kinds: Sequence[Kind], known: str) -> str | None:
    """Write the command that mends these kinds as one would type it; None where there are none."""
    if not kinds:
        return None
    options = [f"--{kind}" for kind in kinds]
    mended = _beside(known)
    words = ["byline", "corpus", "mend", "-o", mended, *options, "--", known]
    if not known.startswith("-"):
        words = ["byline", "corpus", "mend", known, "-o", mended, *options]
    return printable(shlex.join(words))


def print_examination(console: Console, summary: Summary) -> None:
    """Print sizes, findings by severity, and the command that mends.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `examination_summary` returns it.
    """
    language = f", in the language {summary['language']}" if summary["language"] else ""
    console.print(
        plain(
            f"{summary['corpus']}: {count(summary['n_texts'], 'text')} by "
            f"{count(len(summary['sizes']), 'author')}, {count(summary['n_words'], 'word')}"
            f"{language}"
        )
    )
    _print_sizes(console, summary["sizes"])
    findings = summary["findings"]
    errors = [each for each in findings if each["severity"] == "error"]
    warnings = [each for each in findings if each["severity"] != "error"]
    mendable = [each for each in warnings if each["mended_by"]]
    others = [each for each in warnings if not each["mended_by"]]
    _print_findings(console, "Errors: nothing can be learnt before they are mended", errors)
    _print_findings(console, "Warnings that a command mends", mendable)
    _print_findings(console, "Warnings that ask for your judgement", others)
    for left_out in summary["left_out"]:
        example = f", as “{left_out['example']}”" if left_out["example"] else ""
        console.print(
            plain(f"Left out of the texts: {left_out['n']:,} {left_out['what']}{example}")
        )
    if not findings:
        console.print("Nothing was found that should be mended.")
    if summary["command"]:
        begin = "Once the errors are mended, this" if errors else "This"
        console.print(f"{begin} mends what a command can, and writes the texts to a new folder:")
        console.print(plain(f"  {summary['command']}"), soft_wrap=True)


def _beside(known: str) -> str:
    """Name a folder where the command is typed, but never within the known texts."""
    path = os.path.normpath(known)
    if path.strip("./\\"):
        return f"{Path(path).stem}-mended"
    return os.path.normpath(f"{path}/../known-mended")


def _finding(finding: Finding) -> Summary:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": finding.message,
        "paths": list(finding.paths),
        "mended_by": None if finding.mended_by is None else str(finding.mended_by),
    }


def _print_sizes(console: Console, sizes: Sequence[Summary]) -> None:
    table = empty_table("author", "texts", "words", "characters", "shortest", "longest", texts=1)
    for size in sizes[:MOST_AUTHORS]:
        figures = ("n_texts", "n_words", "n_characters", "shortest", "longest")
        table.add_row(short_name(size["author"]), *(f"{size[figure]:,}" for figure in figures))
    if sizes:
        console.print(table)
        more = len(sizes) - MOST_AUTHORS
        rest = f"and {count(more, 'more author')} (--json lists them); " if more > 0 else ""
        console.print(f"{rest}shortest and longest text in words\n")


def _print_findings(console: Console, title: str, findings: Sequence[Summary]) -> None:
    if not findings:
        return
    console.print(f"{title} ({len(findings)})", style="bold")
    for finding in findings:
        mended_by = f" (--{finding['mended_by']})" if finding["mended_by"] else ""
        message = finding["message"]
        if len(message) > MOST_OF_MESSAGE:  # names of many texts
            message = f"{message[:MOST_OF_MESSAGE].rpartition(' ')[0]} … (--json has all)"
        text = plain(f"{finding['code']}{mended_by}: {message}")
        console.print(Padding(text, (0, 0, 0, 2), expand=False))
    console.print()
