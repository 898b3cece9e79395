"""What a benchmark asks: texts to learn from, texts to attribute, and how they were parted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal

from byline.corpus import Corpus
from byline.errors import CorpusError, UsageError
from byline.experiments.splits import Fold, Protocol

Form = Literal["text", "tokenised"]


@dataclass(frozen=True, slots=True)
class NamedFold(Fold):
    """A fold, what it holds out, and texts to choose by.

    Attributes
    ----------
    name : str
        ``"topic C"``.
    validation : Corpus, optional
        Texts that are neither learnt from nor asked about: by these a classifier may weigh what it
        has learnt.
    """

    name: str
    validation: Corpus | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One question of a benchmark, asked by a fixed protocol.

    Attributes
    ----------
    name : str
        ``"test"``; what ``--task`` takes.
    protocol : str
        One sentence: how texts were parted, and what was chosen on which of them.
    folds : tuple of NamedFold
        Of each all candidates have known texts.
    lengths : tuple of int or None
        Questioned texts joined to one, so many consecutive ones of an author; None: as they are.
    form : {"text", "tokenised"}
        Running text; or one sentence a line, tokens between spaces.
    held_out : {"document", "sentence"}
        What stands on one side of the split as a whole.
    full_size : int
        Questioned texts of the corpus that published figures are of.
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
        """Questioned texts of all folds."""
        return sum(len(fold.questioned) for fold in self.folds)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A corpus and the tasks it sets.

    Attributes
    ----------
    name : str
    tasks : mapping of name to function of the corpus's folder and a seed
    usual : tuple of str
        The tasks where nobody names any; the first one's accuracy is the benchmark's.
    """

    name: str
    tasks: Mapping[str, Callable[[Path, int], Task]]
    usual: tuple[str, ...]

    def load(self, data: Path, names: tuple[str, ...], seed: int) -> list[Task]:
        """Read the folder ``data`` and set the tasks ``names``, or the usual ones.

        Raises
        ------
        UsageError
            A task that the benchmark does not set.
        CorpusError
            The folder is not the benchmark's corpus.
        """
        strangers = [name for name in names if name not in self.tasks]
        if strangers:
            raise UsageError(
                f"{self.name} has no task {', '.join(strangers)}; "
                f"its tasks are {', '.join(self.tasks)}"
            )
        tasks = [self.tasks[name](data, seed) for name in dict.fromkeys(names or self.usual)]
        for task in tasks:
            _check_candidates(task, data)
        return tasks


def _check_candidates(task: Task, data: Path) -> None:
    for fold in task.folds:
        known = fold.known.candidates
        strangers = sorted(set(fold.questioned.candidates) - set(known))
        if strangers:
            raise CorpusError(
                f"{data}: no known text by {', '.join(strangers)}, who wrote questioned texts "
                f"({task.name}, {fold.name}); the folder is incomplete"
            )
        if len(known) < 2:
            raise CorpusError(f"{data}: {task.name} needs known texts by two authors or more")


def join_consecutive_texts(texts: Corpus, length: int) -> Corpus:
    """Join runs of ``length`` consecutive texts of one author; a rest that is shorter is left out.

    A text is a line of the joined one, so that language models score it by the sum of its
    sentences' log-probabilities.
    """
    runs = (texts[start : start + length] for start in _starts(texts.authors, length))
    return Corpus((replace(run[0], text="\n".join(run.texts)) for run in runs), texts.name)


def _starts(authors: Sequence[str], length: int) -> Iterator[int]:
    """Give the places where runs of so many texts of one author begin."""
    for _, places in groupby(range(len(authors)), key=authors.__getitem__):
        own = list(places)
        yield from range(own[0], own[-1] + 2 - length, length)
