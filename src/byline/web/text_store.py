"""Known texts that were added on the page: one file each, under names of the page's own."""

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
from byline.web.jobs import ListedAuthor, ListedText

MOST_TEXTS = 5_000
MOST_BYTES = 512 * 2**20
SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class StoredText:
    """A known text, as it is stored.

    Attributes
    ----------
    author, name, text : str
    work : str
        The work that it is a part of; empty where it is one of its own.
    n_words : int
    excluded : sequence of (kind, n, example)
        What its file has and the text has not.
    lines : str or None
        The text with the lines of its file, where these tell more.
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
        """Read what `write` wrote.

        Raises
        ------
        FileNotFoundError
            It was removed.
        CorpusError
            It is no such file.
        """
        try:
            return cls(**json.loads(path.read_bytes()))
        except (TypeError, ValueError) as error:
            raise CorpusError(f"{path} is no known text of the page's; delete it") from error

    def document(self, *, with_lines: bool = False) -> Document:
        """Return it as a document of a corpus; with the lines of its file, to be checked."""
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
        What is in it already is taken up.
    given : iterable of (author, name, number of words)
    """

    def __init__(self, folder: Path, given: Iterable[tuple[str, str, int]] = ()) -> None:
        self._folder = folder
        self._given = list(given)
        self._lock = Lock()
        self._entries = {
            path.stem: _entry(path) for path in sorted(folder.glob(f"*{SUFFIX}"), key=_age)
        }

    def take_in(self, paths: Iterable[Path]) -> None:
        """Move stored texts into the folder.

        Raises
        ------
        UsageError
            There would be more than the page keeps; none is taken in.
        """
        new = [_entry(path) for path in paths]
        with self._lock:
            entries = [*self._entries.values(), *new]
            if len(entries) > MOST_TEXTS or sum(each.n_bytes for each in entries) > MOST_BYTES:
                raise UsageError(
                    f"the page keeps at most {MOST_TEXTS:,} known texts, and of these "
                    f"{MOST_BYTES // 2**20} MiB; remove some, or use `byline train` on a folder"
                )
            for entry in new:
                moved = entry.path.rename(self._folder / entry.path.name)
                self._entries[moved.stem] = _Entry(
                    moved, entry.author, entry.name, entry.n_words, entry.n_bytes
                )

    def remove(self, text: str) -> str | None:
        """Delete a text; return its name, or None where there is none of this id."""
        with self._lock:
            entry = self._entries.pop(text, None)
        if entry is None:
            return None
        entry.path.unlink(missing_ok=True)
        return entry.name

    def remove_author(self, author: str) -> int:
        """Delete all added texts of an author; return how many there were."""
        with self._lock:
            ids = [text for text, entry in self._entries.items() if entry.author == author]
        return sum(self.remove(text) is not None for text in ids)

    def paths(self, authors: Iterable[str] | None = None) -> tuple[Path, ...]:
        """Where the added texts are; of ``authors``, or all."""
        wanted = None if authors is None else set(authors)
        with self._lock:
            return tuple(
                entry.path
                for entry in self._entries.values()
                if wanted is None or entry.author in wanted
            )

    def authors(self, in_model: Iterable[str]) -> list[ListedAuthor]:
        """List authors by name, each with given texts before added ones.

        Parameters
        ----------
        in_model : iterable of str
            Authors that the model knows.
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
