"""What an examination of known texts found: as a dict, and for the terminal."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Any

from rich.console import Console
from rich.padding import Padding

from byline.corpus.checking import CleaningStep, Examination
from byline.corpus.cleaning import CleanedCorpus
from byline.corpus.findings import Finding
from byline.formatting import printable, quantity
from byline.report.terminal import empty_table, plain, shorten_name

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
        list of "severity", "code", "message", "paths", "cleaning_step": None or a kind),
        "excluded" (a
        list of "kind", "n", "example"), and "command": None, or what mends all that a command can.
    """
    return {
        "schema": SCHEMA,
        "corpus": examination.corpus,
        "language": examination.language,
        "n_texts": sum(size.n_texts for size in examination.sizes),
        "n_words": sum(size.n_words for size in examination.sizes),
        "sizes": [asdict(size) for size in examination.sizes],
        "findings": [_finding(finding) for finding in examination.findings],
        "excluded": [asdict(excluded) for excluded in examination.excluded],
        "command": cleaning_command(examination.cleaning_steps, known),
    }


def cleaning_command(kinds: Sequence[CleaningStep], known: str) -> str | None:
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
            f"{summary['corpus']}: {quantity(summary['n_texts'], 'text')} by "
            f"{quantity(len(summary['sizes']), 'author')}, {quantity(summary['n_words'], 'word')}"
            f"{language}"
        )
    )
    _print_sizes(console, summary["sizes"])
    findings = summary["findings"]
    errors = [each for each in findings if each["severity"] == "error"]
    warnings = [each for each in findings if each["severity"] != "error"]
    cleaning_steps = [each for each in warnings if each["cleaning_step"]]
    others = [each for each in warnings if not each["cleaning_step"]]
    _print_findings(console, "Errors: nothing can be learnt before they are mended", errors)
    _print_findings(console, "Warnings that a command mends", cleaning_steps)
    _print_findings(console, "Warnings that ask for your judgement", others)
    for excluded in summary["excluded"]:
        example = f", as “{excluded['example']}”" if excluded["example"] else ""
        console.print(
            plain(f"Left out of the texts: {excluded['n']:,} {excluded['kind']}{example}")
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
        "cleaning_step": None if finding.cleaning_step is None else str(finding.cleaning_step),
    }


def _print_sizes(console: Console, sizes: Sequence[Summary]) -> None:
    table = empty_table("author", "texts", "words", "characters", "shortest", "longest", texts=1)
    for size in sizes[:MOST_AUTHORS]:
        figures = ("n_texts", "n_words", "n_characters", "shortest", "longest")
        table.add_row(shorten_name(size["author"]), *(f"{size[figure]:,}" for figure in figures))
    if sizes:
        console.print(table)
        more = len(sizes) - MOST_AUTHORS
        rest = f"and {quantity(more, 'more author')} (--json lists them); " if more > 0 else ""
        console.print(f"{rest}shortest and longest text in words\n")


def _print_findings(console: Console, title: str, findings: Sequence[Summary]) -> None:
    if not findings:
        return
    console.print(f"{title} ({len(findings)})", style="bold")
    for finding in findings:
        cleaning_step = f" (--{finding['cleaning_step']})" if finding["cleaning_step"] else ""
        message = finding["message"]
        if len(message) > MOST_OF_MESSAGE:  # names of many texts
            message = f"{message[:MOST_OF_MESSAGE].rpartition(' ')[0]} … (--json has all)"
        text = plain(f"{finding['code']}{cleaning_step}: {message}")
        console.print(Padding(text, (0, 0, 0, 2), expand=False))
    console.print()


CLEANING_SCHEMA = 1
_QUOTED = 200  # characters of a change that the report shows; JSON has all


def cleaning_summary(mended: CleanedCorpus, known: str, files: Sequence[PurePath]) -> Summary:
    """Summarise what was mended.

    Parameters
    ----------
    mended : Mended
    known : str
        Where the texts came from.
    files : sequence of path
        Where each text that stayed was written, below the folder; ``(n_documents,)``.

    Returns
    -------
    dict
        "schema", "corpus", "known", "n_changes" (by code), "changes" (a list of "path", "code",
        "line", "before", "after"), and "texts": a list of "author", "path" (where it came from),
        "file" (where it is now), "work", "topic" and "metadata".
    """
    return {
        "schema": CLEANING_SCHEMA,
        "corpus": mended.corpus.name,
        "known": known,
        "n_changes": dict(sorted(Counter(change.code for change in mended.changes).items())),
        "changes": [asdict(change) for change in mended.changes],
        "texts": [
            {
                "author": document.author,
                "path": document.path,
                "file": str(file),
                "work": document.work,
                "topic": document.topic,
                "metadata": dict(document.metadata),
            }
            for document, file in zip(mended.corpus, files, strict=True)
        ],
    }


def cleaning_report(summary: Summary) -> str:
    """Write out every change as text, a line each, from what `cleaning_summary` returns."""
    lines = [f"What was mended of {summary['known']}", ""]
    lines += [f"{n:>8,}  {code}" for code, n in summary["n_changes"].items()] or ["nothing"]
    renamed = [
        f"{text['author']} is written to the folder {text['file'].partition('/')[0]}"
        for text in summary["texts"]
        if text["author"] != text["file"].partition("/")[0]
    ]
    lines += ["", *dict.fromkeys(renamed)] if renamed else []
    lines += ["", *(_change(change) for change in summary["changes"])]
    return "\n".join(lines).rstrip("\n") + "\n"


def print_cleaning(console: Console, summary: Summary, folder: str, report: str) -> None:
    """Print how much was mended, and where the texts and the report are.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `cleaning_summary` returns it.
    folder, report : str
        Where the texts were written, and all changes.
    """
    if summary["n_changes"]:
        table = empty_table("mended", "places", "texts", texts=1)
        for code, n in summary["n_changes"].items():
            paths = {each["path"] for each in summary["changes"] if each["code"] == code}
            table.add_row(code, f"{n:,}", f"{len(paths):,}")
        console.print(table)
    else:
        console.print("Nothing was found to mend; the texts are as they were.")
    n_texts = quantity(len(summary["texts"]), "text")
    console.print(plain(f"{n_texts} written to {folder}; every change is in {report}"))


def _change(change: Summary) -> str:
    where = change["path"] if change["line"] is None else f"{change['path']}, line {change['line']}"
    if change["line"] is None:
        source = f": its words are in {change['after']}" if change["after"] else ""
        return f"{where}: left out ({change['code']}){source}"
    before, after = (_shown(change[side]) for side in ("before", "after"))
    replaced = f" became {after}" if change["after"].strip() else " left out"
    return f"{where}: {change['code']}: {before}{replaced}"


def _shown(text: str) -> str:
    cut = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}… ({len(text):,} characters)"
    return printable(f"“{' '.join(cut.split()) or cut.strip(' ')}”")
