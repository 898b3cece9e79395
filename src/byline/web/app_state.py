"""All that one page has: its folder, its models, its known texts, its jobs."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from byline.corpus.extraction import Keep, excerpt
from byline.errors import UsageError
from byline.formatting import printable, quantity
from byline.web.data_folder import DataFolder
from byline.web.job_queue import JobQueue
from byline.web.jobs import AddResult, JobKind, ListedAuthor, ModelCard, TrainResult
from byline.web.messages import GIVEN, Add, Ask, Check, How, Learn, ModelFile, Upload
from byline.web.model_store import ModelStore
from byline.web.text_store import TextStore
from byline.web.worker.process import Setup
from byline.web.workers import Workers

PrintMessage = Callable[[str, str], None]
SHARE_OF_MEMORY = 0.75  # of the machine's, that all workers may take together
NAME_SHOWN = 200  # bytes of a pasted text that its name is made of


@dataclass(frozen=True, slots=True)
class AppState:
    """What the routes work on.

    Attributes
    ----------
    folder : DataFolder
    board : JobQueue
    workers : Workers
    models : ModelStore
    known : TextStore
    has_known : bool
        Whether the page was started with known texts.
    on_defect : callable
        Takes where a defect was met, and the error's name.
    """

    folder: DataFolder
    board: JobQueue
    workers: Workers
    models: ModelStore
    known: TextStore
    has_known: bool
    on_defect: PrintMessage

    @classmethod
    def open(
        cls,
        model: Path,
        *,
        known: Path | None = None,
        folder: Path | None = None,
        keep: Iterable[Keep] = (),
        n_workers: int = 1,
        while_loading: Callable[[], object] | None = None,
        debug: bool = False,
        print_message: PrintMessage | None = None,
    ) -> AppState:
        """Load the model, start the workers, take up what is in the folder.

        Parameters
        ----------
        model : Path
        known : Path, optional
            The known texts that the model learnt from.
        folder : Path, optional
            Where what is added and learnt is kept; by default a folder that is deleted at the end.
        keep : iterable of Keep
            What is no running text, and is read as text all the same.
        n_workers : int
        while_loading : callable, optional
            Called while the workers load the model.
        debug : bool
            Whether defects are printed; that may quote texts.
        complain : callable, optional
            Takes the kind of a message, and the message.

        Raises
        ------
        ModelFileError
            The model cannot be loaded.
        CorpusError, UsageError
            The known texts cannot be read, or are not the model's.
        OutputError
            The folder cannot be made.
        """
        print_message = print_message or _complain
        own = DataFolder.open(folder)
        discard = own.path if own.is_temporary else None
        given = ModelFile(GIVEN, printable(model.name), model.resolve())
        share = SHARE_OF_MEMORY / n_workers
        setup = Setup(given, known and known.resolve(), discard, frozenset(keep), share, debug)

        def on_defect(where: str, name: str) -> None:
            if debug and sys.exc_info()[0] is not None:
                traceback.print_exc()
            print_message("error", f"a defect in Byline ({name}, {where}); --debug shows where")

        board = JobQueue(own)
        workers = Workers(setup, board, n_workers, on_defect)
        try:
            if while_loading is not None:
                while_loading()
            described = workers.describe(given)
            shelf = ModelStore(own.models, given, described.card)
            for trouble in shelf.take_up(lambda file: workers.describe(file).card):
                print_message("warning", trouble)
            texts = TextStore(own.known, described.known)
        except BaseException:
            workers.close()
            own.close()
            raise
        return cls(own, board, workers, shelf, texts, known is not None, on_defect)

    def close(self) -> None:
        """End all work, and delete what is not to be kept."""
        self.workers.close()
        self.folder.close()

    def ask(
        self, job: str, model: str | None, text: Upload, *, open_set: bool, n_bytes: int
    ) -> None:
        """Ask who wrote a text.

        Raises
        ------
        UsageError
            The model is no longer there.
        BusyError
            As many are waiting as may be.
        """
        file, _ = self.models.get(model)
        title = text.name if text.is_file else _first_words(text.path)
        self.board.submit(job, JobKind.ASK, title, Ask(file, text, open_set), n_bytes=n_bytes)

    def add(self, job: str, author: str, files: list[Upload], n_bytes: int) -> None:
        """Read known texts, and take them in; errors as in `ask`."""
        folder = files[0].path.with_name("read")
        folder.mkdir(mode=0o700)

        def settle(result: AddResult) -> AddResult:
            self.known.take_in(sorted(folder.iterdir()))
            return result

        task = Add(author, tuple(files), folder)
        title = author or quantity(len(files), "file")
        self.board.submit(job, JobKind.ADD, title, task, settle=settle, n_bytes=n_bytes)

    def check(self, job: str, model: str | None) -> None:
        """Check the known texts; errors as in `ask`."""
        file, _ = self.models.get(model)
        task = Check(file, self.known.paths())
        self.board.submit(job, JobKind.CHECK, "the known texts", task)

    def learn(self, job: str, model: str | None, how: How) -> None:
        """Learn a new model, which then answers.

        Raises
        ------
        UsageError
            The model is no longer there, or there is nothing new to learn; or as many models as the
            page keeps.
        BusyError
            As many are waiting as may be.
        """
        base, card = self.models.get(model)
        folder = self.folder.job(job)
        if how is How.ADD:
            new_authors = [each.name for each in self.known.authors(card.authors) if each.is_new]
            texts = self.known.paths(new_authors)
            if not texts:
                raise UsageError(
                    f"all authors here are in {base.name} already; add texts of others"
                )
            new = self.models.new_file(folder, (*base.texts, *texts), with_known=base.with_known)
        else:
            texts = self.known.paths()
            new = self.models.new_file(folder, texts, with_known=True)

        def settle(result: TrainResult) -> TrainResult:
            return TrainResult(self.models.take_in(new, result.model), result.notes, result.seconds)

        self.board.submit(job, JobKind.LEARN, new.name, Learn(base, new, texts, how), settle=settle)

    def known_authors(self, card: ModelCard) -> list[ListedAuthor]:
        """List the known texts by author, as beside a model."""
        return self.known.authors(card.authors)

    def why_not_learn(self, card: ModelCard) -> str | None:
        """Say what stands in the way of learning, or should be known before it; None if nothing."""
        authors = self.known_authors(card)
        missing = sorted(set(card.authors) - {author.name for author in authors})
        if card.can_grow or not missing:
            return None
        return (
            f"The model {card.name} tells its authors from each other, so none can be added to it: "
            "a new model is learnt from all known texts. The texts of "
            f"{_some(missing)} are not here. Add them, or start `byline serve` with --known and "
            "the texts that the model learnt from; else these authors will not be in the new model."
        )


def _some(names: list[str], at_most: int = 5) -> str:
    more = len(names) - at_most
    return ", ".join(names[:at_most]) + (f" and {more} more" if more > 0 else "")


def _first_words(path: Path) -> str:
    """Name a pasted text by how it begins."""
    with path.open("rb") as stream:
        beginning = stream.read(NAME_SHOWN).decode("utf-8", "ignore")
    return printable(f"“{excerpt(beginning)}”")


def _complain(kind: str, message: str) -> None:
    sys.stderr.write(f"{kind}: {message}\n")
    sys.stderr.flush()
