"""Known texts that were added on the page: one file each, with names that Byline chooses."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock

from byline.corpus import Document
from byline.corpus.extraction import ExcludedPart
from byline.errors import CorpusError, UsageError
from byline.formatting import file_size
from byline.web.jobs import ListedAuthor, ListedText

MAX_TEXTS = 5_000
MAX_BYTES = 512 * 2**20
SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class StoredText:
    """A known text, as it is stored.

    Attributes
    ----------
    author, name, text : str
    work : str
        The work that it is a part of; empty if it is a work of its own.
    n_words : int
    excluded : sequence of (kind, n, example)
        The parts of its file that were excluded from the text.
    lines : str or None
        The text with the line breaks of its file, if these are known.
    """

    author: str
    name: str
    work: str
    text: str
    n_words: int
    excluded: Sequence[tuple[str, int, str]] = ()
    lines: str | None = None

    def write(self, folder: Path) -> Path:
        """Write it to a new file in ``folder``."""
        path = folder / f"{secrets.token_hex(8)}{SUFFIX}"
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path

    @classmethod
    def read(cls, path: Path) -> StoredText:
        """Read a file that `write` wrote.

        Raises
        ------
        FileNotFoundError
            The text was removed.
        CorpusError
            The file is not a stored text.
        """
        try:
            return cls(**json.loads(path.read_bytes()))
        except (TypeError, ValueError) as error:
            raise CorpusError(f"{path} is not a known text of the page; delete it") from error

    def document(self, *, with_lines: bool = False) -> Document:
        """Return it as a document of a corpus; ``with_lines`` as the check of a corpus needs it."""
        return Document(
            self.author,
            self.lines if with_lines and self.lines is not None else self.text,
            path=f"{self.author}/{self.name}",
            work=self.work,
            excluded=tuple(ExcludedPart(*each) for each in self.excluded),
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    author: str
    name: str
    n_words: int
    n_bytes: int


class TextStore:
    """The known texts in a folder, with those that `byline serve` was started with.

    Parameters
    ----------
    folder : Path
        Texts that it already holds are included.
    given : iterable of (author, name, number of words)
        The texts that `byline serve` was started with.
    """

    def __init__(self, folder: Path, given: Iterable[tuple[str, str, int]] = ()) -> None:
        self._folder = folder
        self._given = list(given)
        self._lock = Lock()
        self._entries = {
            path.stem: _entry(path) for path in sorted(folder.glob(f"*{SUFFIX}"), key=_age)
        }

    def add(self, paths: Iterable[Path]) -> None:
        """Move stored texts into the folder.

        Raises
        ------
        UsageError
            There would be more texts than the page keeps; none is added.
        """
        new = [_entry(path) for path in paths]
        with self._lock:
            entries = [*self._entries.values(), *new]
            if len(entries) > MAX_TEXTS or sum(each.n_bytes for each in entries) > MAX_BYTES:
                raise UsageError(
                    f"the page keeps at most {MAX_TEXTS:,} known texts and {file_size(MAX_BYTES)}; "
                    "remove some, or use `byline train` on a folder"
                )
            for entry in new:
                moved = entry.path.rename(self._folder / entry.path.name)
                self._entries[moved.stem] = _Entry(
                    moved, entry.author, entry.name, entry.n_words, entry.n_bytes
                )

    def remove(self, text: str) -> str | None:
        """Delete a text and return its name; None if no text has this id."""
        with self._lock:
            entry = self._entries.pop(text, None)
        if entry is None:
            return None
        entry.path.unlink(missing_ok=True)
        return entry.name

    def remove_author(self, author: str) -> int:
        """Delete all added texts by an author, and return their number."""
        with self._lock:
            ids = [text for text, entry in self._entries.items() if entry.author == author]
        return sum(self.remove(text) is not None for text in ids)

    def paths(self, authors: Iterable[str] | None = None) -> tuple[Path, ...]:
        """Return the files of the added texts by ``authors``, by default of all."""
        wanted = None if authors is None else set(authors)
        with self._lock:
            return tuple(
                entry.path
                for entry in self._entries.values()
                if wanted is None or entry.author in wanted
            )

    def authors(self, in_model: Iterable[str]) -> list[ListedAuthor]:
        """List the authors by name, each with the given texts before the added ones.

        Parameters
        ----------
        in_model : iterable of str
            Authors whom the model includes.
        """
        texts: dict[str, list[ListedText]] = {}
        for author, name, n_words in self._given:
            texts.setdefault(author, []).append(ListedText(None, name, n_words))
        with self._lock:
            for text, entry in self._entries.items():
                shown = ListedText(text, entry.name, entry.n_words)
                texts.setdefault(entry.author, []).append(shown)
        present = set(in_model)
        return [
            ListedAuthor(author, tuple(texts[author]), author not in present)
            for author in sorted(texts)
        ]


def _entry(path: Path) -> _Entry:
    text = StoredText.read(path)
    return _Entry(path, text.author, text.name, text.n_words, path.stat().st_size)


def _age(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, path.name
