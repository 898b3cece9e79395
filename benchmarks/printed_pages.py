"""Measure how much of a book Byline recovers from a PDF, Word document or e-book.

The text is divided into paragraphs of one to seven sentences at random. Chromium prints them in
four layouts, pandoc writes .docx and .epub, and LibreOffice prints the .docx; programs that are not
installed are skipped. For PDF, the figures of pdftotext are printed for comparison.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from byline.corpus import extract_text, read_text

LAYOUTS = {
    "justified, indented": "p { margin: 0; text-indent: 1.5em; text-align: justify }",
    "ragged, indented": "p { margin: 0; text-indent: 1.5em }",
    "ragged, spaced": "p { margin: 0 0 1em 0 }",
    "two columns": "body { columns: 2; font-size: 10pt } p { margin: 0; text-indent: 1em; "
    "text-align: justify }",
}
CHROMIUM = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SENTENCE_END = re.compile(r"(?<=[.?!]) +(?=[A-Z])")


def paragraphs_of(path: Path, n_characters: int, rng: np.random.Generator) -> list[str]:
    """Divide the beginning of a text into paragraphs."""
    sentences = SENTENCE_END.split(" ".join(read_text(path)[:n_characters].split()))
    paragraphs = []
    while sentences:
        n = int(rng.choice([1, 1, 2, 3, 5, 7]))
        paragraphs.append(" ".join(sentences[:n]))
        sentences = sentences[n:]
    return paragraphs


def written(paragraphs: Sequence[str], folder: Path) -> Iterator[tuple[str, Path]]:
    """Write the paragraphs with each program, and yield its name and its file."""
    body = "\n".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
    for name, style in LAYOUTS.items():
        page = folder / "page.html"
        page.write_text(
            f"<!doctype html><html lang=en><meta charset=utf-8><title>Book</title><style>"
            f"@page {{ size: 14cm 21cm }} {style}</style><body>{body}</body></html>",
            encoding="utf-8",
        )
        if shutil.which("chromium"):
            target = folder / "chromium.pdf"
            run(
                "chromium",
                *CHROMIUM,
                f"--user-data-dir={folder}/c",
                f"--print-to-pdf={target}",
                page,
            )
            yield f"Chromium, {name}", target
    if shutil.which("pandoc"):
        for suffix in (".docx", ".epub"):
            target = folder / f"pandoc{suffix}"
            run("pandoc", "-s", "--metadata", "title=Book", page, "-o", target)
            yield f"pandoc {suffix}", target
        if shutil.which("soffice"):
            run(
                "soffice",
                "--headless",
                "--convert-to",
                "pdf",
                "--outdir",
                folder,
                folder / "pandoc.docx",
            )
            yield "LibreOffice, from the .docx", folder / "pandoc.pdf"


def run(*command: str | Path) -> None:
    """Run a program silently; its settings go to the folder of temporary files."""
    home = {**os.environ, "HOME": tempfile.gettempdir()}
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env=home)


def rates(paragraphs: Sequence[str], text: str, *, has_paragraphs: bool = True) -> str:
    """Return the recall of paragraphs, and the recall and precision of words."""
    found = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    whole = sum((Counter(paragraphs) & Counter(found)).values()) / len(paragraphs)
    words, read = (Counter(" ".join(each).split()) for each in (paragraphs, found))
    right = sum((words & read).values())
    shown = f"{whole:10.1%}" if has_paragraphs else f"{'lines only':>10}"
    return f"{shown} {right / words.total():10.2%} {right / max(1, read.total()):10.2%}"


def main() -> None:
    """Print one row per text and program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", metavar="TEXT", type=Path, nargs="+")
    parser.add_argument("--characters", type=int, default=60_000)
    options = parser.parse_args()
    print(f"{'':48} paragraphs      words  precision")
    for path in options.texts:
        paragraphs = paragraphs_of(path, options.characters, np.random.default_rng(0))
        with tempfile.TemporaryDirectory() as folder:
            for name, target in written(paragraphs, Path(folder)):
                shown = f"{path.stem}: {name}"
                print(f"{shown:48} {rates(paragraphs, extract_text(target).text)}")
                if target.suffix == ".pdf" and shutil.which("pdftotext"):
                    print(f"{'  pdftotext':48} {rates_of_pdftotext(paragraphs, target)}")


def rates_of_pdftotext(paragraphs: Sequence[str], path: Path) -> str:
    """Return the rates of pdftotext, which keeps the lines."""
    done = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True)
    return rates(paragraphs, done.stdout.decode(), has_paragraphs=False)


if __name__ == "__main__":
    main()
