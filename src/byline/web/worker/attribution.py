"""Attribution of questioned texts, with the evidence that `byline attribute --report` shows."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from byline.answering import answer, reading_options
from byline.attribution.open_set import EVEN_ODDS
from byline.corpus.extraction import Keep
from byline.progress import Progress
from byline.report.case import CaseInput, CaseOrigin, case_summary
from byline.web.jobs import AskResult
from byline.web.messages import Ask, AskSamples
from byline.web.samples import SAMPLE_TEXTS
from byline.web.worker.loaded_models import LoadedModel, LoadedModels
from byline.web.worker.questioned import ReadText, read_sample, read_uploads


def ask(task: Ask, models: LoadedModels, progress: Progress) -> AskResult:
    """Attribute questioned texts.

    Of several texts, those that cannot be read are left out.

    Raises
    ------
    CorpusError
        The text cannot be read, or has several authors; or none of several texts can be read.
    UsageError
        The question is open-set, and the model cannot recognise unknown authors.
    """
    n_texts = len(task.texts)
    progress(1, n_texts + 2, "reading the text" if n_texts == 1 else "reading the texts")
    model = models.model(task.model)
    options = reading_options(model.attributor, models.keep)
    read, unread = read_uploads(task.texts, options, task.speaker)
    origin = _asked(task, model, read, models.keep)
    return _attribute(
        model, read, origin, progress, open_set=task.open_set, unread=unread, first_step=2
    )


def ask_samples(task: AskSamples, models: LoadedModels, progress: Progress) -> AskResult:
    """Attribute sample texts with a model of their authors, which is trained if it is new.

    Raises
    ------
    MissingExtraError, CorpusError
        The sample texts are not installed, or incomplete.
    """
    _, questioned = models.samples
    model = models.sample_model(task.model, progress, is_new=task.is_new)
    chosen = [sample for sample in SAMPLE_TEXTS if sample.id in task.samples]
    read = [read_sample(sample.id, questioned) for sample in chosen]
    names = [sample.path for sample in chosen]
    result = _attribute(model, read, _origin(model, read, _command(model, names)), progress)
    if task.is_new:
        models.forget(task.model)
    return result


def _attribute(
    model: LoadedModel,
    read: Sequence[ReadText],
    origin: CaseOrigin,
    progress: Progress,
    *,
    open_set: bool = False,
    unread: Sequence[tuple[str, str]] = (),
    first_step: int = 1,
) -> AskResult:
    """Attribute texts that were read, and collect everything that a report shows."""
    n_steps = len(read) + first_step
    progress(first_step, n_steps, "comparing with every candidate")
    training = model.training_texts
    answers = answer(
        model.attributor,
        [each.questioned.text for each in read],
        None if training is None else training.known,
        EVEN_ODDS if open_set else None,
        paths=[each.name for each in read],
        model=model.file.name,
        left_out=[each.questioned.left_out for each in read],
        chapters=[each.questioned.chapters() for each in read],
    )
    for step, (each, found) in enumerate(zip(read, answers, strict=True), first_step + 1):
        progress(step, n_steps, f"finding the evidence in {each.name}")
        if not found.declined:  # both are computed when they are first used
            _ = found.evidence, found.rolling
    case = case_summary(answers, origin)
    about_known = training.notes if training else ()
    notes = tuple((*each.notes, *about_known) for each in read)
    return AskResult(case, notes, model.card, tuple(unread))


def _asked(
    task: Ask, model: LoadedModel, read: Sequence[ReadText], keep: frozenset[Keep]
) -> CaseOrigin:
    """Return what another examiner needs to repeat the analysis on the command line."""
    names = [each.name if each.hashed.hashed == "file" else "-" for each in read]
    kept = [word for each in sorted(keep) for word in ("--keep", each)]
    speaker = ["--speaker", task.speaker] if task.speaker else []
    open_set = ["--open-set"] if task.open_set else []
    return _origin(model, read, _command(model, [*names, *open_set, *kept, *speaker]))


def _command(model: LoadedModel, words: Sequence[str]) -> str:
    return shlex.join(["byline", "attribute", model.card.name, *words, "--report", "case.html"])


def _origin(model: LoadedModel, read: Sequence[ReadText], command: str) -> CaseOrigin:
    card, training = model.card, model.training_texts
    file = CaseInput("model", card.name, card.sha256, "file")
    return CaseOrigin(
        command=command,
        inputs=(file, *(each.hashed for each in read)),
        known=None if training is None else training.known.counts.corpus.name,
        differences=None if training is None else training.known.differences,
    )
