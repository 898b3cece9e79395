"""Checks of the known texts, and training of models on them."""

from __future__ import annotations

import time

from sklearn.base import clone

from byline.attribution import save_attributor
from byline.attribution.language_models.adding import add_authors, check_can_add_authors
from byline.attribution.model_files.saving import Attributor
from byline.corpus import Corpus
from byline.corpus.checking import examine
from byline.progress import Progress
from byline.report.corpus import examination_summary
from byline.web.jobs import CheckResult, TrainResult
from byline.web.messages import Check, Train, TrainingMode
from byline.web.worker.loaded_models import NAME, LoadedModel, LoadedModels, collect_warnings

ANY_FOLDER = "KNOWN"


def check(task: Check, models: LoadedModels, progress: Progress) -> CheckResult:
    """Check the known texts.

    Raises
    ------
    CorpusError
        A text was removed in the meantime.
    """
    documents = models.documents(task.texts, with_known=True, with_lines=True)
    unit = models.model(task.model).attributor.encoder_.unit
    examination = examine(Corpus(documents, NAME), unit=unit, progress=progress)
    folder = ANY_FOLDER if models.known_path is None else str(models.known_path)
    return CheckResult(examination_summary(examination, folder))


def train_model(task: Train, models: LoadedModels, progress: Progress) -> TrainResult:
    """Train a model, and write it to its file.

    Raises
    ------
    CorpusError
        The known texts have errors.
    TrainingError
        There is too little text.
    UsageError
        No author can be added to the model, or it includes one of them already.
    """
    started = time.monotonic()
    base = models.model(task.model)
    with collect_warnings() as messages:
        if task.mode is TrainingMode.ADD:
            attributor = _add(task, base, models, progress)
        else:
            attributor = _retrain(task, base, models, progress)
        save_attributor(attributor, task.new.path)
    card = LoadedModel(task.new, attributor, models).card
    return TrainResult(card, tuple(messages), time.monotonic() - started)


def _retrain(
    task: Train, base: LoadedModel, models: LoadedModels, progress: Progress
) -> Attributor:
    corpus = _corpus(task, base, models, min_authors=2)
    attributor: Attributor = clone(base.attributor).set_params(n_jobs=1)
    attributor.set_line_rules(base.attributor.line_rules_)
    return attributor.fit(corpus.texts, corpus.authors, groups=corpus.works, progress=progress)


def _add(task: Train, base: LoadedModel, models: LoadedModels, progress: Progress) -> Attributor:
    attributor = check_can_add_authors(base.attributor, task.model.name)
    corpus = _corpus(task, base, models, min_authors=1)
    return add_authors(attributor, corpus, model=task.model.name, known=NAME, progress=progress)


def _corpus(task: Train, base: LoadedModel, models: LoadedModels, *, min_authors: int) -> Corpus:
    return models.corpus(
        task.texts,
        with_known=task.new.with_known and task.mode is TrainingMode.RETRAIN,
        min_authors=min_authors,
        unit=base.attributor.encoder_.unit,
    )
