"""Attribution of a questioned text, with the evidence that `byline attribute --report` shows."""

from __future__ import annotations

import hashlib
import shlex
import time
from dataclasses import replace

from sklearn.base import clone

from byline.answering import answer, reading_options
from byline.attribution import save_attributor
from byline.attribution.language_models.adding import add_authors, check_can_add_authors
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import EVEN_ODDS
from byline.attribution.training_record.record import text_sha256
from byline.corpus import Corpus, ReadingOptions
from byline.corpus.checking import examine
from byline.corpus.extraction import ExcludedPart, ExtractedText, Keep
from byline.corpus.questioned import QuestionedText, read_questioned
from byline.corpus.readers.speakers import check_one_speaker
from byline.formatting import quantity
from byline.named_settings import setting
from byline.progress import Progress
from byline.report.case import CaseInput, CaseOrigin, case_summary
from byline.report.corpus import examination_summary
from byline.web.jobs import AskResult, CheckResult, TrainResult
from byline.web.messages import Ask, Check, Train, TrainingMode, Upload
from byline.web.worker.loaded_models import NAME, LoadedModel, LoadedModels, collect_warnings

STEPS = (
    "reading the text",
    "comparing it with every candidate, and finding the evidence",
    "attributing its parts",
)


def ask(task: Ask, models: LoadedModels, progress: Progress) -> AskResult:
    """Attribute a questioned text.

    Raises
    ------
    CorpusError
        The text cannot be read, or has several authors.
    UsageError
        The question is open-set, and the model cannot recognise unknown authors.
    """
    steps = enumerate(STEPS, start=1)

    def next_step() -> None:
        number, what = next(steps)
        progress(number, len(STEPS), what)

    next_step()
    model = models.model(task.model)
    data = task.text.path.read_bytes()
    options = reading_options(model.attributor, models.keep)
    questioned = read_upload(data, task.text, options, task.speaker)
    text, training = questioned.text, model.training_texts
    next_step()
    answers = answer(
        model.attributor,
        [text],
        None if training is None else training.known,
        EVEN_ODDS if task.open_set else None,
        paths=[task.text.name],
        model=task.model.name,
        left_out=[questioned.left_out],
        chapters=[questioned.chapters()],
    )
    next_step()
    case = case_summary(answers, _origin(task, model, data, text, models.keep))
    notes = [*reading_notes(questioned.extracted), *(training.notes if training else ())]
    return AskResult(case, tuple(notes), model.card)


def read_upload(
    data: bytes, upload: Upload, options: ReadingOptions, speaker: str = ""
) -> QuestionedText:
    """Return the questioned text in an uploaded file, or a pasted one.

    Raises
    ------
    CorpusError
        The file cannot be read, or has several speakers and none was named.
    UsageError
        There is no such speaker.
    """
    name = upload.name if upload.is_file else f"{upload.name}.txt"
    read = read_questioned(data, name, options, speaker=speaker or None)
    warnings = tuple(
        warning.replace(setting("speaker", "NAME"), "the field “Speaker”")
        for warning in read.extracted.warnings
    )
    read = replace(read, extracted=replace(read.extracted, warnings=warnings))
    check_one_speaker(read.extracted)
    return read


def reading_notes(extracted: ExtractedText) -> list[str]:
    """Return what a reader should know about a text that was read from a file."""
    return [*extracted.warnings, *map(_excluded, extracted.excluded)]


def _excluded(item: ExcludedPart) -> str:
    example = f", for example: {item.example}" if item.example else ""
    return f"Excluded from the text: {quantity(item.n, 'part')} ({item.kind}{example})"


def _origin(
    task: Ask, model: LoadedModel, data: bytes, text: str, keep: frozenset[Keep]
) -> CaseOrigin:
    """Return what another examiner needs to repeat the analysis on the command line."""
    upload = task.text
    if upload.is_file:
        hashed = CaseInput("questioned text", upload.name, hashlib.sha256(data).hexdigest(), "file")
    else:
        hashed = CaseInput("questioned text", upload.name, text_sha256(text), "text")
    card, training = model.card, model.training_texts
    words = ["byline", "attribute", card.name, upload.name if upload.is_file else "-"]
    kept = [word for each in sorted(keep) for word in ("--keep", each)]
    speaker = ["--speaker", task.speaker] if task.speaker else []
    open_set = ["--open-set"] if task.open_set else []
    options = [*open_set, *kept, *speaker, "--report", "case.html"]
    return CaseOrigin(
        command=shlex.join([*words, *options]),
        inputs=(CaseInput("model", card.name, card.sha256, "file"), hashed),
        known=None if training is None else training.known.counts.corpus.name,
        differences=None if training is None else training.known.differences,
    )


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
