"""A new model from known texts: as the given one was learnt, or that one with more authors."""

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
from byline.web.messages import Check, How, Learn
from byline.web.worker.loaded_models import NAME, LoadedModel, LoadedModels, collect_warnings

ANY_FOLDER = "KNOWN"


def check(task: Check, models: LoadedModels, progress: Progress) -> CheckResult:
    """Check the known texts that are on the page.

    Raises
    ------
    CorpusError
        One was removed in the meantime.
    """
    documents = models.documents(task.texts, with_known=True, with_lines=True)
    unit = models.model(task.model).attributor.encoder_.unit
    examination = examine(Corpus(documents, NAME), unit=unit, progress=progress)
    folder = ANY_FOLDER if models.known_path is None else str(models.known_path)
    return CheckResult(examination_summary(examination, folder))


def learn(task: Learn, models: LoadedModels, progress: Progress) -> TrainResult:
    """Learn a model, and write it to its file.

    Raises
    ------
    CorpusError
        The known texts have errors.
    TrainingError
        They are too little.
    UsageError
        The model cannot be added to, or knows one of the authors.
    """
    started = time.monotonic()
    base = models.model(task.model)
    with collect_warnings() as said:
        if task.how is How.ADD:
            attributor = _add(task, base, models, progress)
        else:
            attributor = _learn_anew(task, base, models, progress)
        save_attributor(attributor, task.new.path)
    card = LoadedModel(task.new, attributor, models).card
    return TrainResult(card, tuple(said), time.monotonic() - started)


def _learn_anew(
    task: Learn, base: LoadedModel, models: LoadedModels, progress: Progress
) -> Attributor:
    corpus = _corpus(task, base, models, min_authors=2)
    attributor: Attributor = clone(base.attributor).set_params(n_jobs=1)
    return attributor.fit(corpus.texts, corpus.authors, groups=corpus.works, progress=progress)


def _add(task: Learn, base: LoadedModel, models: LoadedModels, progress: Progress) -> Attributor:
    attributor = check_can_add_authors(base.attributor, task.model.name)
    corpus = _corpus(task, base, models, min_authors=1)
    return add_authors(attributor, corpus, model=task.model.name, known=NAME, progress=progress)


def _corpus(task: Learn, base: LoadedModel, models: LoadedModels, *, min_authors: int) -> Corpus:
    return models.corpus(
        task.texts,
        with_known=task.new.with_known and task.how is How.ANEW,
        min_authors=min_authors,
        unit=base.attributor.encoder_.unit,
    )
