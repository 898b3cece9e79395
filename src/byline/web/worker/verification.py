"""Verification of one questioned text, with the report of `byline verify --report`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from byline.answering import (
    VerificationAnswer,
    VerificationMaterial,
    reading_options,
    verify_texts,
)
from byline.corpus import Corpus, Document
from byline.errors import TrainingError
from byline.named_settings import setting
from byline.progress import Progress
from byline.report.verification_answers import verification_answers_case
from byline.report.verification_case import MaterialText, VerificationOrigin
from byline.web.jobs import VerifyResult
from byline.web.messages import Upload, Verify
from byline.web.worker.loaded_models import LoadedModels, collect_warnings
from byline.web.worker.questioned import ReadText, read_questioned_upload, read_sample


def verify_text(task: Verify, models: LoadedModels, progress: Progress) -> VerifyResult:
    """Verify whether an author wrote a text, with the other authors' texts as reference.

    Raises
    ------
    CorpusError
        The text cannot be read, has several speakers, or a known text was removed meanwhile.
    MissingExtraError
        The sample texts are not installed.
    TrainingError
        There are too few texts for calibration; the message states what is needed.
    UsageError
        The author has no known text, or there is no such speaker.
    """
    model = models.model(task.model)
    encoder = model.attributor.encoder_
    corpus = models.samples[0] if task.with_samples else models.page_corpus(task.texts)
    if isinstance(task.text, Upload):
        read = read_questioned_upload(
            task.text, reading_options(model.attributor, models.keep), task.speaker
        )
    else:
        read = read_sample(task.text, models.samples[1])
    with collect_warnings() as messages:
        answers = _verified(task, corpus, read, encoder.language, progress)
        origin = VerificationOrigin(
            command=_command(task, models, read),
            material=tuple(_material(read, answers[0].material)),
        )
        case = verification_answers_case(answers, origin)
    return VerifyResult(case, (*read.notes, *messages))


def _verified(
    task: Verify, corpus: Corpus, read: ReadText, language: str, progress: Progress
) -> list[VerificationAnswer]:
    try:
        return verify_texts(
            corpus,
            [task.author],
            [read.questioned.text],
            paths=[read.name],
            language=language,
            left_out=[read.questioned.left_out],
            progress=progress,
        )
    except TrainingError as error:  # the page has no such option
        advice = f", or give a larger corpus with {setting('reference')}"
        raise TrainingError(str(error).replace(advice, "")) from error


def _command(task: Verify, models: LoadedModels, read: ReadText) -> str | None:
    """Return the command that gives the same figures; None if its texts are only on the page."""
    if task.with_samples or task.texts or models.known_path is None:
        return None
    if read.hashed.hashed != "file":
        return None
    kept = [word for each in sorted(models.keep) for word in ("--keep", each)]
    speaker = ["--speaker", task.speaker] if task.speaker else []
    words = ["byline", "verify", str(models.known_path), read.name, "--author", task.author]
    return shlex.join([*words, *kept, *speaker, "--report", "case.html"])


def _material(read: ReadText, material: VerificationMaterial) -> Iterator[MaterialText]:
    """Describe the texts that were compared, as they were read."""
    yield replace(
        MaterialText.of("questioned text", Document("", read.questioned.text, read.name)),
        sha256=read.hashed.sha256,
        hashed=read.hashed.hashed,
    )
    known, others = material.known, material.population
    for role, documents in (("known text", known), ("reference text", others)):
        described = [MaterialText.of(role, each) for each in documents]
        yield from sorted(described, key=lambda each: (each.author or "", each.name))
