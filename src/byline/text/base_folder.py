"""The folder of a pretrained model: which files it must have, and how they are identified."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from byline.errors import UsageError
from byline.named_settings import setting

CONFIGURATION = "config.json"
TOKENIZER = "tokenizer.json"
WEIGHTS = "*.safetensors"
INSTALL = 'which is not installed; run pip install "byline[transformers]"'

Stamp = tuple[tuple[str, int, int], ...]


def tokenizer_file(base: str) -> Path:
    """Return the path of the tokenizer in a folder.

    Raises
    ------
    UsageError
        There is no such folder, or it has no tokenizer.
    """
    folder = _folder(base)
    if not (folder / TOKENIZER).is_file():
        raise UsageError(
            f"{setting('base', base)}: the folder has no tokenizer ({TOKENIZER}). Load the "
            "tokenizer with transformers (AutoTokenizer.from_pretrained), and write it with "
            "save_pretrained into this folder"
        )
    return folder / TOKENIZER


def model_files(base: str) -> list[Path]:
    """Return the files of a folder that determine the model, sorted by name.

    Raises
    ------
    UsageError
        There is no such folder, or it has no configuration, weights or tokenizer.
    """
    tokenizer, folder = tokenizer_file(base), _folder(base)
    if not (folder / CONFIGURATION).is_file():
        raise UsageError(
            f"{setting('base', base)}: the folder has no model ({CONFIGURATION}). Give the folder "
            "that the method save_pretrained of a model of transformers wrote"
        )
    weights = sorted(folder.glob(WEIGHTS))
    if not weights:
        raise UsageError(
            f"{setting('base', base)}: the folder has no weights in the format safetensors "
            f"({WEIGHTS}). Byline reads no other format, because files of other formats can "
            "contain programs. Load the model with transformers, and write it with save_pretrained"
        )
    return sorted([folder / CONFIGURATION, tokenizer, *weights])


def files_digest(files: list[Path]) -> str:
    """Compute the SHA-256 of the names and contents of files.

    The files are read again only if the size or the time of one of them has changed.
    """
    return _digest(tuple(map(_stamp, files)))


def _folder(base: str) -> Path:
    if not base or not Path(base).is_dir():
        raise UsageError(
            f"{setting('base', base)}: there is no such folder. Give the folder of a causal "
            "language model in the format of Hugging Face transformers, on this computer"
        )
    return Path(base)


def _stamp(file: Path) -> tuple[str, int, int]:
    status = file.stat()
    return str(file.resolve()), status.st_size, status.st_mtime_ns


@lru_cache(maxsize=8)
def _digest(stamps: Stamp) -> str:
    digest = hashlib.sha256()
    for name, *_ in stamps:
        digest.update(f"{Path(name).name}\0".encode())
        with Path(name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
