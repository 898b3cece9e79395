"""Exploration of the known texts, with the pictures that `byline explore --report` shows."""

from __future__ import annotations

from byline.answering import reading_options
from byline.answering.exploration import ExplorationSettings, explore_texts
from byline.corpus import Document
from byline.errors import UsageError
from byline.progress import Progress
from byline.report.exploration import exploration_summary
from byline.web.jobs import ExploreResult
from byline.web.messages import Explore
from byline.web.worker.loaded_models import LoadedModels, collect_warnings
from byline.web.worker.questioned import read_uploads

MAX_TEXTS = 500


def explore_known_texts(task: Explore, models: LoadedModels, progress: Progress) -> ExploreResult:
    """Compare the known texts, and questioned texts if there are any, with one another.

    Raises
    ------
    CorpusError
        A text contains no word, was removed in the meantime, or cannot be read.
    MissingExtraError
        The sample texts are not installed.
    TrainingError
        There are fewer than three texts.
    UsageError
        There are too many texts, or a setting is impossible.
    """
    attributor = models.model(task.model).attributor
    read, unread = read_uploads(task.questioned, reading_options(attributor, models.keep))
    questioned = [Document("", each.questioned.text, each.name) for each in read]
    corpus = models.sample_corpus if task.with_samples else models.page_corpus(task.texts)
    if len(corpus) + len(questioned) > MAX_TEXTS:
        raise UsageError(
            f"these are {len(corpus) + len(questioned):,} texts, but the page compares at most "
            f"{MAX_TEXTS}; use `byline explore`"
        )
    settings = ExplorationSettings(
        distance=task.distance, mfw=task.mfw, language=attributor.encoder_.language
    )
    with collect_warnings() as messages:
        found = explore_texts(corpus, questioned, settings, progress=progress)
    notes = [f"{each.name}: {note}" for each in read for note in each.notes]
    notes += [f"{name} was left out: {message}" for name, message in unread]
    return ExploreResult(exploration_summary(found, corpus.name), (*notes, *messages))
