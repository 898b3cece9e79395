"""A new model from known texts: as the given one was learnt, or that one with more authors."""

from __future__ import annotations

import time

from sklearn.base import clone

from byline.attribution import save_attributor
from byline.attribution.adding import add_authors, check_can_grow
from byline.attribution.store import Attributor
from byline.corpus import Corpus
from byline.progress import Progress
from byline.web.jobs import LearnResult
from byline.web.tasks import How, Learn
from byline.web.work.said import warnings_said
from byline.web.work.shop import NAME, LoadedModel, Shop


def learn(task: Learn, shop: Shop, progress: Progress) -> LearnResult:
    """Learn a model, and write it to its file.

    Raises
    ------
    CorpusError
        The known texts have errors.
    LearningError
        They are too little.
    UsageError
        The model cannot be added to, or knows one of the authors.
    """
    started = time.monotonic()
    base = shop.model(task.model)
    with warnings_said() as said:
        if task.how is How.ADD:
            attributor = _add(task, base, shop, progress)
        else:
            attributor = _learn_anew(task, base, shop, progress)
        save_attributor(attributor, task.new.path)
    card = LoadedModel(task.new, attributor, shop).card
    return LearnResult(card, tuple(said), time.monotonic() - started)


def _learn_anew(task: Learn, base: LoadedModel, shop: Shop, progress: Progress) -> Attributor:
    corpus = _corpus(task, base, shop, min_authors=2)
    attributor: Attributor = clone(base.attributor).set_params(n_jobs=1)
    return attributor.fit(corpus.texts, corpus.authors, works=corpus.works, progress=progress)


def _add(task: Learn, base: LoadedModel, shop: Shop, progress: Progress) -> Attributor:
    attributor = check_can_grow(base.attributor, task.model.name)
    corpus = _corpus(task, base, shop, min_authors=1)
    return add_authors(attributor, corpus, model=task.model.name, known=NAME, progress=progress)


def _corpus(task: Learn, base: LoadedModel, shop: Shop, *, min_authors: int) -> Corpus:
    return shop.corpus(
        task.texts,
        with_known=task.new.with_known and task.how is How.ANEW,
        min_authors=min_authors,
        unit=base.attributor.encoder_.unit,
    )
