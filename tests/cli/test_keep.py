"""The option ``--keep``: parts outside the running text that are read on request."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lxml")
Run = Callable[..., Any]
FILES = Path(__file__).parents[1] / "corpus" / "files"


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder of one author whose only text is a Word document with two notes."""
    (tmp_path / "letters" / "brook").mkdir(parents=True)
    shutil.copy(FILES / "libreoffice.docx", tmp_path / "letters" / "brook" / "a.docx")
    return tmp_path / "letters"


def test_kept_notes_are_read(run: Run, letters: Path) -> None:
    plain = run("profile", letters)
    assert (
        "note: Excluded from 1 file: tables of contents (1), deleted text (1), footnotes (1), "
        in plain.err
    )
    kept = run("profile", letters, "--keep", "notes")
    assert kept.code == 0
    assert "footnotes" not in kept.err
    assert "page headers (1)" in kept.err


def test_questioned_and_known_documents_are_read_alike(run: Run, tmp_path: Path) -> None:
    shutil.copy(FILES / "pandoc.docx", tmp_path / "a.docx")
    model = tmp_path / "model.byline"
    assert run("lm", "fit", tmp_path / "a.docx", "-o", model, "--keep", "notes").code == 0
    with_notes, without_notes = (
        json.loads(run("lm", "perplexity", model, tmp_path / "a.docx", "--json", *option).out)
        for option in (("--keep", "notes"), ())
    )
    assert with_notes["n_tokens"] > without_notes["n_tokens"]


def test_tokenised_texts_reject_the_option_keep(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("it rose\nit fell\n" * 20, encoding="utf-8")
    ended = run("lm", "fit", text, "-o", tmp_path / "m", "--tokenised", "--keep", "notes")
    assert ended.code == 2
    assert "--keep cannot be combined with --tokenised" in ended.err


def test_an_unknown_part_to_keep_is_rejected(run: Run, letters: Path) -> None:
    ended = run("profile", letters, "--keep", "headers")
    assert ended.code == 2
    assert "'notes', 'stage'" in ended.err
