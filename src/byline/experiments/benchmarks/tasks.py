"""Benchmarks and their tasks: known texts, questioned texts, and the protocol of the split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal

from byline.corpus import Corpus, Document
from byline.corpus.text_reading import read_texts_alike
from byline.errors import CorpusError, UsageError
from byline.experiments.splits import Fold, Protocol
from byline.formatting import join_names, quantity
from byline.typography import Normalization

_LONGEST_NAME = 200


def require_folder(data: Path, benchmark: str, layout: str, *parts: str) -> list[Path]:
    """Return the paths of required folders or files of a corpus.

    Parameters
    ----------
    data : Path
        The folder given by the user.
    benchmark : str
    layout : str
        Description of the layout, for the error message.
    parts : str
        Required paths in the folder.

    Raises
    ------
    CorpusError
        ``data`` is not a folder, or a part is missing.
    """
    try:
        missing = None if not data.is_dir() else [p for p in parts if not (data / p).exists()]
    except OSError as error:  # no permission, or a name that is too long
        reason = error.strerror or type(error).__name__
        raise CorpusError(f"{str(data)[:_LONGEST_NAME]} cannot be opened: {reason}") from error
    if missing is None:
        raise CorpusError(
            f"{data} is not a folder; name the folder of {benchmark}, with the layout {layout}"
        )
    if missing:
        nested = data / benchmark
        hint = f"; did you mean {nested}?" if nested.is_dir() else ""
        raise CorpusError(
            f"{data} is not the folder of {benchmark}: it has no {join_names(missing)}. "
            f"The layout of the corpus is {layout}{hint}"
        )
    return [data / part for part in parts]


def subfolders(folder: Path) -> list[Path]:
    """Return the folders in a folder, sorted by name.

    Raises
    ------
    CorpusError
        There are none.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror or error}") from error
    if not found:
        raise CorpusError(
            f"{folder} has no folders, but needs one per author; download the corpus again"
        )
    return found


def text_files(folder: Path) -> list[Path]:
    """Return the text files in a folder, sorted by name.

    Raises
    ------
    CorpusError
        There are none.
    """
    found = sorted(folder.glob("*.txt"))
    if not found:
        raise CorpusError(f"{folder} has no .txt file; download the corpus again")
    return found


def read_labelled_texts(
    files: Iterable[tuple[str, Path]], data: Path, *, empty: str = "refuse"
) -> Corpus:
    """Read texts with their authors.

    Parameters
    ----------
    files : iterable of (author, Path)
    data : Path
        The folder of the corpus; paths of documents are relative to it.
    empty : {"refuse", "skip"}
        What happens to texts without words.

    Raises
    ------
    CorpusError
        A text cannot be read, or is empty and refused.
    """
    labelled = list(files)
    texts = read_texts_alike(path for _, path in labelled)
    documents = [
        Document(author, text, path.relative_to(data).as_posix())
        for (author, path), text in zip(labelled, texts, strict=True)
    ]
    filled = [document for document in documents if document.text.strip()]
    if len(filled) < len(documents) and empty == "refuse":
        blank = [document.path for document in documents if not document.text.strip()]
        raise CorpusError(
            f"{data}: {quantity(len(blank), 'text')} without words ({join_names(blank)}); "
            "download the corpus again"
        )
    return Corpus(filled, data.resolve().name)


def texts_by_author(folder: Path) -> list[tuple[str, Path]]:
    """List the texts ``AUTHOR/*.txt`` with their authors.

    Raises
    ------
    CorpusError
        There are no folders, or a folder has no texts.
    """
    return [(author.name, path) for author in subfolders(folder) for path in text_files(author)]


Form = Literal["text", "tokenised"]


@dataclass(frozen=True, slots=True)
class NamedFold(Fold):
    """A fold with a name and validation texts.

    Attributes
    ----------
    name : str
        What is held out, e.g. ``"topic C"``.
    validation : Corpus, optional
        Texts that are neither training texts nor questioned texts. A classifier may use them to
        weight its components.
    """

    name: str
    validation: Corpus | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a benchmark, with a fixed protocol.

    Attributes
    ----------
    name : str
        Name for ``--task``, e.g. ``"test"``.
    protocol : str
        How texts were divided, and which settings were chosen on which of them.
    folds : tuple of NamedFold
        All candidates have known texts in each fold.
    full_size : int
        Number of questioned texts in the full corpus, to which published results refer.
    lengths : tuple of int or None
        Number of consecutive texts of an author that are joined to one questioned text; None for
        texts as they are.
    form : {"text", "tokenised"}
        Running text; or one sentence per line, with spaces between the tokens.
    held_out : {"document", "sentence"}
        The unit that is held out as a whole.

    See Also
    --------
    Benchmark : A corpus with its tasks.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> texts = [("Ann", "The cat sat."), ("Bob", "A dog ran."), ("Ann", "The cat slept.")]
    >>> corpus = Corpus([Document(*each, f"{n}.txt") for n, each in enumerate(texts)], "toy")
    >>> fold = NamedFold(corpus.select([0, 1]), corpus.select([2]), "test")
    >>> Task("test", "One text per author for training.", (fold,), full_size=1).n_questioned
    1
    """

    name: str
    protocol: str
    folds: tuple[NamedFold, ...]
    full_size: int
    lengths: tuple[int | None, ...] = (None,)
    form: Form = "text"
    held_out: Protocol = "document"

    @property
    def n_questioned(self) -> int:
        """Number of questioned texts in all folds."""
        return sum(len(fold.questioned) for fold in self.folds)

    def normalized(self) -> Task:
        """Return the task with running texts as Byline reads them, for all classifiers alike."""
        if self.form == "tokenised":
            return self
        apply = Normalization.parse("edition").apply
        return replace(
            self,
            folds=tuple(
                replace(
                    fold,
                    known=fold.known.map_texts(apply),
                    questioned=fold.questioned.map_texts(apply),
                    validation=fold.validation and fold.validation.map_texts(apply),
                )
                for fold in self.folds
            ),
        )


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A corpus with its tasks.

    Attributes
    ----------
    name : str
    tasks : mapping of name to function of the corpus's folder and a seed
    default_tasks : tuple of str
        Tasks that are run by default; the first gives the headline result.

    See Also
    --------
    run_benchmark : Run a benchmark.

    Examples
    --------
    >>> from byline.experiments.benchmarks import BENCHMARKS
    >>> sorted(BENCHMARKS)
    ['ccat50', 'cmcc', 'federalist', 'lectures16']
    >>> BENCHMARKS["cmcc"].default_tasks
    ('topic', 'genre')
    """

    name: str
    tasks: Mapping[str, Callable[[Path, int], Task]]
    default_tasks: tuple[str, ...]

    def load(self, data: Path, names: tuple[str, ...], seed: int) -> list[Task]:
        """Read the corpus in the folder ``data`` for the tasks ``names``, or the default tasks.

        Raises
        ------
        UsageError
            The benchmark has no such task.
        CorpusError
            The folder is not the benchmark's corpus.
        """
        unknown = [name for name in names if name not in self.tasks]
        if unknown:
            raise UsageError(
                f"{self.name} has no task {', '.join(unknown)}; use {', '.join(self.tasks)}"
            )
        chosen = dict.fromkeys(names or self.default_tasks)
        tasks = [self.tasks[name](data, seed) for name in chosen]
        for task in tasks:
            _check_candidates(task, data)
        return tasks


def _check_candidates(task: Task, data: Path) -> None:
    for fold in task.folds:
        known = fold.known.candidates
        unknown = sorted(set(fold.questioned.candidates) - set(known))
        if unknown:
            raise CorpusError(
                f"{data}: there are questioned texts but no known texts by {', '.join(unknown)} "
                f"({task.name}, {fold.name}). The folder is incomplete; download the corpus again"
            )
        if len(known) < 2:
            raise CorpusError(
                f"{data}: {task.name} requires known texts by two or more authors; "
                "download the corpus again"
            )


def join_consecutive_texts(texts: Corpus, length: int) -> Corpus:
    """Join each ``length`` consecutive texts of an author to one; a shorter rest is left out.

    Each text becomes a line of the joined one, so that language models score it by the sum of the
    log-probabilities of its lines.
    """
    groups = (texts[start : start + length] for start in _starts(texts.authors, length))
    return Corpus((replace(group[0], text="\n".join(group.texts)) for group in groups), texts.name)


def _starts(authors: Sequence[str], length: int) -> Iterator[int]:
    """Yield the positions at which ``length`` consecutive texts of one author start."""
    for _, positions in groupby(range(len(authors)), key=authors.__getitem__):
        own = list(positions)
        yield from range(own[0], own[-1] + 2 - length, length)
