"""What was mended of known texts: as a dict, as text, and for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from rich.console import Console

from byline.corpus.findings import count
from byline.corpus.mending import Mended
from byline.corpus.names import printable
from byline.report.terminal import empty_table, plain

SCHEMA = 1
_QUOTED = 200  # characters of a change that the report shows; JSON has all
Summary = dict[str, Any]


def mending_summary(mended: Mended, known: str, files: Sequence[PurePath]) -> Summary:
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
        "schema": SCHEMA,
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


def mending_report(summary: Summary) -> str:
    """Write out every change as text, a line each, from what `mending_summary` returns."""
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


def print_mending(console: Console, summary: Summary, folder: str, report: str) -> None:
    """Print how much was mended, and where the texts and the report are.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `mending_summary` returns it.
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
    n_texts = count(len(summary["texts"]), "text")
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
