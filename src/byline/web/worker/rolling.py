"""Rolling attribution of a book, with the figure and tables of `byline rolling --report`."""

from __future__ import annotations

from byline.answering import reading_options
from byline.attribution.rolling import rolling_attribution
from byline.corpus.extraction import ExtractedText
from byline.corpus.questioned import QuestionedText
from byline.progress import Progress
from byline.report.displays.texts import rolling_display
from byline.web.jobs import RollResult
from byline.web.messages import Roll, RollSample
from byline.web.samples import BOOK_NAME, sample_book
from byline.web.worker.loaded_models import LoadedModel, LoadedModels
from byline.web.worker.questioned import read_questioned_upload

STEPS = ("reading the text", "attributing its parts")


def follow_text(task: Roll, models: LoadedModels, progress: Progress) -> RollResult:
    """Follow the authors along a text.

    Raises
    ------
    CorpusError
        The text cannot be read, or has several speakers.
    """
    progress(1, len(STEPS), STEPS[0])
    model = models.model(task.model)
    read = read_questioned_upload(task.text, reading_options(model.attributor, models.keep), "")
    return _follow(read.name, read.questioned, read.notes, model, progress)


def follow_sample(task: RollSample, models: LoadedModels, progress: Progress) -> RollResult:
    """Follow the authors along the sample book, with a model that is trained if it is new.

    Raises
    ------
    MissingExtraError, CorpusError
        The sample texts are not installed, or incomplete.
    """
    _, questioned = models.samples
    text, authors = sample_book(questioned)
    model = models.sample_model(task.model, progress, is_new=task.is_new)
    book = QuestionedText(ExtractedText(text))
    result = _follow(BOOK_NAME, book, (authors,), model, progress)
    if task.is_new:
        models.forget(task.model)
    return result


def _follow(
    name: str, book: QuestionedText, notes: tuple[str, ...], model: LoadedModel, progress: Progress
) -> RollResult:
    progress(2, len(STEPS), STEPS[1])
    found = rolling_attribution(model.attributor, book.text, chapters=book.chapters())
    return RollResult(rolling_display(found, name).summary(), notes, model.card)
