"""Everything that one server has: its folder, its jobs and workers, its models and known texts."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from byline.corpus.extraction import Keep, excerpt
from byline.errors import UsageError
from byline.formatting import join_names, printable, quantity
from byline.web.data_folder import DataFolder
from byline.web.job_queue import JobQueue
from byline.web.jobs import (
    AddResult,
    AskResult,
    JobKind,
    ListedAuthor,
    ModelCard,
    RollResult,
    TrainResult,
)
from byline.web.messages import (
    GIVEN,
    Add,
    Ask,
    AskSamples,
    Check,
    Explore,
    ModelFile,
    Roll,
    RollSample,
    Train,
    TrainingMode,
    Upload,
    Verify,
    WorkerSettings,
)
from byline.web.model_store import ModelStore
from byline.web.samples import BOOK_NAME, SampleText
from byline.web.text_store import TextStore
from byline.web.workers import Workers

SampleResult = TypeVar("SampleResult", AskResult, RollResult)
PrintMessage = Callable[[str, str], None]
MEMORY_SHARE = 0.75  # of the machine's memory, for all workers together
TITLE_BYTES = 200  # from the beginning of a pasted text


@dataclass(frozen=True, slots=True)
class AppState:
    """What the routes work on.

    Attributes
    ----------
    folder : DataFolder
    queue : JobQueue
    workers : Workers
    models : ModelStore
    texts : TextStore
    on_defect : callable
        Called with the place of a defect and the error's name.
    """

    folder: DataFolder
    queue: JobQueue
    workers: Workers
    models: ModelStore
    texts: TextStore
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
        """Load the model, start the workers, and load what an earlier run left in the folder.

        Parameters
        ----------
        model : Path
        known : Path, optional
            The known texts that the model was trained on.
        folder : Path, optional
            Keeps the texts that are added and the models that are trained; by default a temporary
            folder that is deleted at the end.
        keep : iterable of Keep
            Parts of files that are not running text, but are read as text.
        n_workers : int
        while_loading : callable, optional
            Called while the workers load the model.
        debug : bool
            Whether defects are printed; this may quote texts.
        print_message : callable, optional
            Called with the kind of a message and the message.

        Raises
        ------
        ModelFileError
            The model cannot be loaded.
        CorpusError, UsageError
            The known texts cannot be read, or are not those of the model.
        OutputError
            The folder cannot be made.
        """
        print_message = print_message or _print_message
        data = DataFolder.open(folder)
        discard = data.path if data.is_temporary else None
        given = ModelFile(GIVEN, printable(model.name), model.resolve())
        settings = WorkerSettings(
            given,
            known and known.resolve(),
            discard,
            frozenset(keep),
            MEMORY_SHARE / n_workers,
            debug,
        )

        def on_defect(where: str, name: str) -> None:
            if debug and sys.exc_info()[0] is not None:
                traceback.print_exc()
            print_message("error", f"a defect in Byline ({name}, {where}); --debug shows where")

        queue = JobQueue(data)
        workers = Workers(settings, queue, n_workers, on_defect)
        try:
            if while_loading is not None:
                while_loading()
            description = workers.describe(given)
            models = ModelStore(data.models, given, description.card)
            for message in models.load_existing(lambda file: workers.describe(file).card):
                print_message("warning", message)
            texts = TextStore(data.known, description.known)
        except BaseException:
            workers.close()
            data.close()
            raise
        return cls(data, queue, workers, models, texts, on_defect)

    def close(self) -> None:
        """End all jobs, and delete everything that is not to be kept."""
        self.workers.close()
        self.folder.close()

    def ask(
        self,
        job: str,
        model: str | None,
        texts: list[Upload],
        *,
        open_set: bool,
        speaker: str,
        n_bytes: int,
    ) -> None:
        """Queue the attribution of texts.

        Raises
        ------
        UsageError
            The model no longer exists.
        BusyError
            As many jobs are waiting as are allowed.
        """
        file, _ = self.models.get(model)
        task = Ask(file, tuple(texts), open_set, speaker)
        self.queue.submit(job, JobKind.ASK, _title(texts), task, n_bytes=n_bytes)

    def ask_samples(self, job: str, samples: tuple[SampleText, ...]) -> None:
        """Queue the attribution of sample texts, with a model that is trained the first time.

        Errors are those of `ask`, and `UsageError` if there are as many models as the page keeps.
        """
        file, is_new = self._model_of_samples(job)
        title = samples[0].title if len(samples) == 1 else quantity(len(samples), "sample text")
        task = AskSamples(file, tuple(each.id for each in samples), is_new)
        finish = partial(self._keep_model_of_samples, file) if is_new else None
        self.queue.submit(job, JobKind.ASK, title, task, finish=finish)

    def roll_sample(self, job: str) -> None:
        """Queue the rolling attribution of the sample book; errors as in `ask_samples`."""
        file, is_new = self._model_of_samples(job)
        finish = partial(self._keep_model_of_samples, file) if is_new else None
        self.queue.submit(job, JobKind.ROLL, BOOK_NAME, RollSample(file, is_new), finish=finish)

    def _model_of_samples(self, job: str) -> tuple[ModelFile, bool]:
        """Return the file of the model of the sample texts, and whether it has to be trained."""
        if (trained := self.models.of_samples()) is not None:
            return trained, False
        return self.models.new_file(self.folder.job(job), with_samples=True), True

    def _keep_model_of_samples(self, file: ModelFile, result: SampleResult) -> SampleResult:
        if (other := self.models.of_samples()) is not None:  # trained by a job at the same time
            return replace(result, model=self.models.get(other.id)[1])
        return replace(result, model=self.models.add(file, result.model, choose=False))

    def add(self, job: str, author: str, files: list[Upload], n_bytes: int) -> None:
        """Queue the reading of known texts, which are then added; errors as in `ask`."""
        folder = files[0].path.with_name("read")
        folder.mkdir(mode=0o700)

        def finish(result: AddResult) -> AddResult:
            self.texts.add(sorted(folder.iterdir()))
            return result

        task = Add(author, tuple(files), folder)
        title = author or quantity(len(files), "file")
        self.queue.submit(job, JobKind.ADD, title, task, finish=finish, n_bytes=n_bytes)

    def check(self, job: str, model: str | None) -> None:
        """Queue a check of the known texts; errors as in `ask`."""
        file, _ = self.models.get(model)
        task = Check(file, self.texts.paths())
        self.queue.submit(job, JobKind.CHECK, "the known texts", task)

    def train(self, job: str, model: str | None, mode: TrainingMode) -> None:
        """Queue the training of a new model, which then becomes the current one.

        Raises
        ------
        UsageError
            The model no longer exists, there is no new author to add, or there are as many models
            as the page keeps.
        BusyError
            As many jobs are waiting as are allowed.
        """
        base, card = self.models.get(model)
        folder = self.folder.job(job)
        if mode is TrainingMode.ADD:
            new_authors = [each.name for each in self.texts.authors(card.authors) if each.is_new]
            texts = self.texts.paths(new_authors)
            if not texts:
                raise UsageError(
                    f"{base.name} already includes all authors listed here; add texts by others"
                )
            new = self.models.new_file(folder, (*base.texts, *texts), with_known=base.with_known)
        else:
            texts = self.texts.paths()
            new = self.models.new_file(folder, texts, with_known=True)

        def finish(result: TrainResult) -> TrainResult:
            return TrainResult(self.models.add(new, result.model), result.notes, result.seconds)

        task = Train(base, new, texts, mode)
        self.queue.submit(job, JobKind.TRAIN, new.name, task, finish=finish)

    def explore(
        self,
        job: str,
        model: str | None,
        questioned: list[Upload],
        *,
        with_samples: bool,
        distance: str,
        mfw: int,
        n_bytes: int,
    ) -> None:
        """Queue a comparison of the known texts, or of the sample texts; errors as in `ask`."""
        file, _ = self.models.get(model)
        texts = () if with_samples else self.texts.paths()
        task = Explore(file, texts, tuple(questioned), with_samples, distance, mfw)
        title = "the sample texts" if with_samples else "the known texts"
        if questioned:
            title += f" and {quantity(len(questioned), 'questioned text')}"
        self.queue.submit(job, JobKind.EXPLORE, title, task, n_bytes=n_bytes)

    def roll(self, job: str, model: str | None, text: Upload, *, n_bytes: int) -> None:
        """Queue the rolling attribution of a text; errors as in `ask`."""
        file, _ = self.models.get(model)
        self.queue.submit(job, JobKind.ROLL, _title([text]), Roll(file, text), n_bytes=n_bytes)

    def verify(
        self,
        job: str,
        model: str | None,
        author: str,
        text: Upload,
        *,
        speaker: str,
        n_bytes: int,
    ) -> None:
        """Queue the verification of an author of the known texts; errors as in `ask`."""
        file, _ = self.models.get(model)
        task = Verify(file, self.texts.paths(), author, text, speaker)
        self.queue.submit(job, JobKind.VERIFY, _title([text]), task, n_bytes=n_bytes)

    def verify_sample(self, job: str, author: str, sample: SampleText) -> None:
        """Queue the verification of an author of the sample texts; errors as in `ask`."""
        file, _ = self.models.get(GIVEN)
        task = Verify(file, (), author, sample.id, with_samples=True)
        self.queue.submit(job, JobKind.VERIFY, sample.title, task)

    def listed_authors(self, card: ModelCard) -> list[ListedAuthor]:
        """List the known texts by author, and whether the model includes each author."""
        return self.texts.authors(card.authors)

    def training_obstacle(self, card: ModelCard) -> str | None:
        """Explain why training would lose authors of the model; None if it would not."""
        authors = self.listed_authors(card)
        missing = sorted(set(card.authors) - {author.name for author in authors})
        if card.can_grow or not missing:
            return None
        return (
            f"The model {card.name} discriminates between its authors, so no author can be added "
            "to it: a new model has to be trained on all known texts. The texts by "
            f"{join_names(missing)} are not here. Add them, or start `byline serve` with --known "
            "and the texts that the model was trained on. Otherwise the new model will not include "
            f"{'this author' if len(missing) == 1 else 'these authors'}."
        )


def _title(texts: list[Upload]) -> str:
    if len(texts) > 1:
        return quantity(len(texts), "text")
    return texts[0].name if texts[0].is_file else _first_words(texts[0].path)


def _first_words(path: Path) -> str:
    """Name a pasted text by its first words."""
    with path.open("rb") as stream:
        beginning = stream.read(TITLE_BYTES).decode("utf-8", "ignore")
    return printable(f"“{excerpt(beginning)}”")


def _print_message(kind: str, message: str) -> None:
    sys.stderr.write(f"{kind}: {message}\n")
    sys.stderr.flush()
