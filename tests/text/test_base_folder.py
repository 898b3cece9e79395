"""The folder of a pretrained model: its files, and the checksum of their contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from byline.errors import UsageError
from byline.text.base_folder import files_digest, model_files, tokenizer_file

FILES = ("config.json", "model-1.safetensors", "model-2.safetensors", "tokenizer.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*FILES, "README.md"):
        (tmp_path / name).write_text(name)
    return tmp_path


def test_the_files_of_a_model(folder: Path) -> None:
    assert model_files(str(folder)) == [folder / name for name in FILES]
    assert tokenizer_file(str(folder)) == folder / "tokenizer.json"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tokenizer.json", r"has no tokenizer \(tokenizer.json\)"),
        ("config.json", r"has no model \(config.json\)"),
        ("model-*", r"has no weights in the format safetensors \(\*.safetensors\)"),
    ],
)
def test_a_missing_file_is_named(folder: Path, name: str, message: str) -> None:
    for file in folder.glob(name):
        file.unlink()
    with pytest.raises(UsageError, match=message):
        model_files(str(folder))


@pytest.mark.parametrize("base", ["", "no such folder"])
def test_a_missing_folder(base: str) -> None:
    with pytest.raises(UsageError, match=f'base="{base}": there is no such folder'):
        model_files(base)


def test_the_checksum_is_that_of_the_contents_and_names(folder: Path) -> None:
    before = files_digest(model_files(str(folder)))
    (folder / "README.md").write_text("changed")
    (folder / "config.json").write_text("config.json")  # the time changes, but not the content
    assert files_digest(model_files(str(folder))) == before
    (folder / "config.json").write_text("changed")
    assert files_digest(model_files(str(folder))) != before
