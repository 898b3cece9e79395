"""Rolling attribution of a book, with the picture and tables of `byline rolling --report`."""

from __future__ import annotations

from byline.answering import reading_options
from byline.attribution.rolling import rolling_attribution
from byline.progress import Progress
from byline.report.displays.texts import rolling_display
from byline.web.jobs import RollResult
from byline.web.messages import Roll
from byline.web.worker.loaded_models import LoadedModels
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
    chapters = read.questioned.chapters()
    progress(2, len(STEPS), STEPS[1])
    found = rolling_attribution(model.attributor, read.questioned.text, chapters=chapters)
    return RollResult(rolling_display(found).summary(), read.notes, model.card)
