"""The options ``--speakers`` and ``--speaker``, which divide chats and other dialogues."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def _chat(one: str, other: str) -> str:
    said = [(one, "our ship sails north"), (other, "the engine weaves numbers")] * 20
    return "".join(
        f"01/03/2024, 08:{n + 10} - {who}: {words}\n" for n, (who, words) in enumerate(said)
    )


@pytest.fixture
def known(tmp_path: Path) -> Path:
    for author in ("ann", "ben"):
        (tmp_path / "known" / author).mkdir(parents=True)
        (tmp_path / "known" / author / "chat.txt").write_text(_chat("Ann", "Ben"), encoding="utf-8")
    return tmp_path / "known"


def test_known_chats_are_read_as_the_authors_words_or_split(run: Run, known: Path) -> None:
    own = json.loads(run("corpus", "show", known, "--json").out)
    assert ["ship" in text["text"] for text in own["texts"]] == [True, False]
    split = json.loads(run("corpus", "show", known, "--speakers", "split", "--json").out)
    assert [text["path"] for text in split["texts"]] == [
        "ann/chat.txt, Ann", "ann/chat.txt, Ben", "ben/chat.txt, Ann", "ben/chat.txt, Ben",
    ]  # fmt: skip


def test_cleaning_writes_one_folder_per_speaker(run: Run, known: Path, tmp_path: Path) -> None:
    (known / "zoe").mkdir()
    (known / "zoe" / "a.txt").write_text("Q: Is it long?\nA: Very long.\n" * 4, encoding="utf-8")
    checked = run("corpus", "check", known)
    assert "several-speakers" in checked.out
    assert "zoe/a.txt" in checked.out
    cleaned = run("corpus", "clean", known, "-o", tmp_path / "out", "--speakers", "split",
                  "--boilerplate")  # fmt: skip
    assert cleaned.code == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"ann", "ben", "Q", "A"}


def test_a_questioned_chat_needs_a_speaker(run: Run, known: Path, tmp_path: Path) -> None:
    model, chat = tmp_path / "m.byline", tmp_path / "chat.txt"
    chat.write_text(_chat("Ann", "Dan"), encoding="utf-8")
    assert run("train", known, "-o", model, "--method", "language-models").code == 0
    refused = run("attribute", model, chat)
    assert refused.code == 3
    assert "Ann (20 turns) and Dan (20 turns). Select one with --speaker NAME" in refused.err
    for command in ("attribute", "explain"):
        ended = run(command, model, chat, "--speaker", "ann", "--json")
        assert ended.code == 0
    assert run("attribute", model, chat, "--speaker", "zoe").code == 2
