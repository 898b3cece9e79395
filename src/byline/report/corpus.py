"""Summarise and print the results of ``byline corpus check`` and ``byline corpus clean``."""

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
from byline.corpus.document import Finding
from byline.formatting import number, printable, quantity
from byline.report.terminal import empty_table, plain, shorten_name

CHECK_SCHEMA = 2
CLEANING_SCHEMA = 1
# Limits of the terminal output.
MAX_AUTHORS = 60
MAX_MESSAGE = 800  # characters
_MAX_QUOTE = 200  # characters of a change in the text report; the JSON report has all of them
Summary = dict[str, Any]


def examination_summary(
    examination: Examination, known: str, reading: Sequence[str] = ()
) -> Summary:
    """Summarise an examination as JSON values.

    Parameters
    ----------
    examination : Examination
    known : str
        The path of the texts, for the command that cleans them.
    reading : sequence of str
        The options with which the texts were read, for the same command.

    Returns
    -------
    dict
        It has these keys:

        * "schema", "corpus", "language" (ISO 639-1 code or None), "n_texts", "n_words"
        * "sizes": a list of "author", "n_texts", "n_words", "n_characters", "shortest", "longest"
        * "findings": a list of "severity", "code", "message", "paths" and "cleaning_step" (None or
          the name of a step)
        * "excluded": a list of "kind", "n" and "example"
        * "command": the command that fixes what needs no decision, or None

    See Also
    --------
    print_examination : Print the summary.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.checking import examine
    >>> from byline.report.corpus import examination_summary
    >>> document = Document("Ada", "The loom &amp; the ship.", "ada/1.txt")
    >>> summary = examination_summary(examine(Corpus([document], "letters")), "letters")
    >>> summary["n_texts"], summary["command"]
    (1, 'byline corpus clean letters -o letters-cleaned --mojibake')
    """
    return {
        "schema": CHECK_SCHEMA,
        "corpus": examination.corpus,
        "language": examination.language,
        "n_texts": sum(size.n_texts for size in examination.sizes),
        "n_words": sum(size.n_words for size in examination.sizes),
        "sizes": [asdict(size) for size in examination.sizes],
        "findings": [_finding(finding) for finding in examination.findings],
        "excluded": [asdict(excluded) for excluded in examination.excluded],
        "command": cleaning_command(examination.cleaning_steps, known, reading),
    }


def cleaning_command(
    steps: Sequence[CleaningStep], known: str, reading: Sequence[str] = ()
) -> str | None:
    """Return the command line that runs these cleaning steps, or None if there are none.

    Parameters
    ----------
    steps : sequence of CleaningStep
    known : str
        The path of the texts.
    reading : sequence of str
        The options with which the texts were read.

    Examples
    --------
    >>> from byline.corpus.checking import CleaningStep
    >>> from byline.report.corpus import cleaning_command
    >>> cleaning_command([CleaningStep.EMAIL], "my letters")
    "byline corpus clean 'my letters' -o 'my letters-cleaned' --email"
    """
    if not steps:
        return None
    options = [*reading, *(f"--{step}" for step in steps)]
    output = _output_folder(known)
    words = ["byline", "corpus", "clean", "-o", output, *options, "--", known]
    if not known.startswith("-"):
        words = ["byline", "corpus", "clean", known, "-o", output, *options]
    return printable(shlex.join(words))


def print_examination(console: Console, summary: Summary) -> None:
    """Print the sizes, the findings by severity, and the command that cleans the texts.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        The result of `examination_summary`.
    """
    language = f", language: {summary['language']}" if summary["language"] else ""
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
    warnings = [each for each in findings if each["severity"] == "warning"]
    notes = [each for each in findings if each["severity"] == "note"]
    fixable = [each for each in warnings if each["cleaning_step"]]
    others = [each for each in warnings if not each["cleaning_step"]]
    _print_findings(console, "Errors that you must fix before training", errors)
    _print_findings(console, "Warnings that `byline corpus clean` can fix", fixable)
    _print_findings(console, "Warnings that need your decision", others)
    _print_findings(console, "Notes about the texts", notes)
    for excluded in summary["excluded"]:
        example = f", for example “{excluded['example']}”" if excluded["example"] else ""
        console.print(
            plain(
                f"Excluded from the texts: {excluded['kind']} ({number(excluded['n'], 0)}){example}"
            )
        )
    if not errors and not warnings:
        console.print("No problems were found.")
    if summary["command"]:
        begin = "After you have fixed the errors, this" if errors else "This"
        console.print(f"{begin} command writes cleaned copies of the texts to a new folder:")
        console.print(plain(f"  {summary['command']}"), soft_wrap=True)


def _output_folder(known: str) -> str:
    """Name a folder in the current directory, but never inside the known texts."""
    path = os.path.normpath(known)
    if path.strip("./\\"):
        return f"{Path(path).stem}-cleaned"
    return os.path.normpath(f"{path}/../known-cleaned")


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
    columns = ("n_texts", "n_words", "n_characters", "shortest", "longest")
    for size in sizes[:MAX_AUTHORS]:
        table.add_row(shorten_name(size["author"]), *(number(size[key], 0) for key in columns))
    if sizes:
        console.print(table)
        n_more = len(sizes) - MAX_AUTHORS
        more = f"{quantity(n_more, 'more author')} (--json lists all); " if n_more > 0 else ""
        console.print(f"{more}shortest and longest text in words\n")


def _print_findings(console: Console, title: str, findings: Sequence[Summary]) -> None:
    if not findings:
        return
    console.print(f"{title} ({len(findings)})", style="bold")
    for finding in findings:
        option = f" (--{finding['cleaning_step']})" if finding["cleaning_step"] else ""
        message = finding["message"]
        if len(message) > MAX_MESSAGE:  # it names many texts
            message = f"{message[:MAX_MESSAGE].rpartition(' ')[0]} … (--json shows all)"
        text = plain(f"{finding['code']}{option}: {message}")
        console.print(Padding(text, (0, 0, 0, 2), expand=False))
    console.print()


def cleaning_summary(cleaned: CleanedCorpus, known: str, files: Sequence[PurePath]) -> Summary:
    """Summarise the changes that cleaning made as JSON values.

    Parameters
    ----------
    cleaned : CleanedCorpus
    known : str
        The path that the texts were read from.
    files : sequence of path, (n_documents,)
        The path of each cleaned text in the new folder.

    Returns
    -------
    dict
        It has these keys:

        * "schema", "corpus", "known"
        * "n_changes": the number of changes by code
        * "changes": a list of "path", "code", "line", "before" and "after"
        * "texts": a list of "author", "path" (the original one), "file" (the new one), "work",
          "topic" and "metadata"

    See Also
    --------
    cleaning_report : Write the summary as text.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.cleaning import clean_corpus
    >>> from byline.report.corpus import cleaning_summary
    >>> document = Document("Ada", "The loom &amp; the ship.", "letters.csv, row 2")
    >>> cleaned = clean_corpus(Corpus([document], "letters.csv"))
    >>> summary = cleaning_summary(cleaned, "letters.csv", ["Ada/000002.txt"])
    >>> summary["n_changes"], summary["texts"][0]["file"]
    ({'html-entity': 1}, 'Ada/000002.txt')
    """
    return {
        "schema": CLEANING_SCHEMA,
        "corpus": cleaned.corpus.name,
        "known": known,
        "n_changes": dict(sorted(Counter(change.code for change in cleaned.changes).items())),
        "changes": [asdict(change) for change in cleaned.changes],
        "texts": [
            {
                "author": document.author,
                "path": document.path,
                "file": str(file),
                "work": document.work,
                "topic": document.topic,
                "metadata": dict(document.metadata),
            }
            for document, file in zip(cleaned.corpus, files, strict=True)
        ],
    }


def cleaning_report(summary: Summary) -> str:
    """Write the result of `cleaning_summary` as text, with one line per change."""
    lines = [f"Changes to {summary['known']}", ""]
    lines += [f"{n:>8,}  {code}" for code, n in summary["n_changes"].items()] or ["none"]
    renamed = [
        f"The texts by {text['author']} are in the folder {text['file'].partition('/')[0]}"
        for text in summary["texts"]
        if text["author"] != text["file"].partition("/")[0]
    ]
    lines += ["", *dict.fromkeys(renamed)] if renamed else []
    lines += ["", *(_change(change) for change in summary["changes"])]
    return "\n".join(lines).rstrip("\n") + "\n"


def print_cleaning(console: Console, summary: Summary, folder: str, report: str) -> None:
    """Print the number of changes, and where the cleaned texts and the report are.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        The result of `cleaning_summary`.
    folder, report : str
        The paths of the cleaned texts and of the report of all changes.
    """
    if summary["n_changes"]:
        table = empty_table("finding", "changes", "texts", texts=1)
        for code, n in summary["n_changes"].items():
            paths = {each["path"] for each in summary["changes"] if each["code"] == code}
            table.add_row(code, number(n, 0), number(len(paths), 0))
        console.print(table)
    else:
        console.print("Nothing that cleaning can change was found. The texts are unchanged.")
    n_texts = quantity(len(summary["texts"]), "text")
    console.print(plain(f"Wrote {n_texts} to {folder}. All changes are listed in {report}."))


def _change(change: Summary) -> str:
    if change["line"] is None:
        source = f", because {change['after']} contains its words" if change["after"] else ""
        return f"{change['path']}: removed ({change['code']}){source}"
    before, after = (_quote(change[side]) for side in ("before", "after"))
    result = f"replaced by {after}" if change["after"].strip() else "removed"
    return f"{change['path']}, line {change['line']}: {change['code']}: {before} {result}"


def _quote(text: str) -> str:
    shown = text
    if len(text) > _MAX_QUOTE:
        shown = f"{text[:_MAX_QUOTE]}… ({quantity(len(text), 'character')})"
    return printable(f"“{' '.join(shown.split()) or shown.strip(' ')}”")
