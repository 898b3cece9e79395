"""Who wrote a text: the answer with its reasons, as `byline attribute --report` has it."""

from __future__ import annotations

import hashlib
import shlex

from byline.answering import answer_texts
from byline.attribution.open_set import DEFAULT_RATE
from byline.attribution.training_record.record import text_sha256
from byline.corpus.extraction import ExcludedPart, ExtractedText, Keep
from byline.corpus.reading import extract_text
from byline.formatting import quantity
from byline.progress import Progress
from byline.report.case import CaseInput, CaseOrigin, answers_summary, case_summary
from byline.web.jobs import AskResult
from byline.web.messages import Ask, Upload
from byline.web.worker.loaded_models import LoadedModel, LoadedModels

STEPS = (
    "reading the text",
    "comparing it with every author",
    "finding the words that decided",
    "following it from its start to its end",
)


def ask(task: Ask, models: LoadedModels, progress: Progress) -> AskResult:
    """Answer who wrote a text.

    Raises
    ------
    CorpusError
        The text cannot be read.
    UsageError
        The model has not learnt when to name nobody, and was asked to.
    """
    steps = enumerate(STEPS, start=1)

    def begin_step() -> None:
        number, what = next(steps)
        progress(number, len(STEPS), what)

    begin_step()
    model = models.model(task.model)
    data = task.text.path.read_bytes()
    extracted = read_upload(data, task.text, models.keep)
    text, again = extracted.text, model.known_again
    begin_step()
    answers = answer_texts(
        model.attributor,
        [text],
        [task.text.name],
        model=task.model.name,
        false_attribution_rate=DEFAULT_RATE if task.open_set else None,
        known_counts=None if again is None else again.counts,
    )
    begin_step()
    evidence = answers.evidence()
    summary = answers_summary(answers, evidence)
    begin_step()
    origin = _origin(task, model, data, text, models.keep)
    case = case_summary(summary, model.attributor, [text], evidence, origin)
    notes = [*reading_notes(extracted), *(again.notes if again else ())]
    return AskResult(case, tuple(notes), model.card)


def read_upload(data: bytes, upload: Upload, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of what was sent in: of a file, or pasted.

    Raises
    ------
    CorpusError
        It cannot be read.
    """
    if upload.is_file:
        return extract_text(data, upload.name, keep=keep)
    return extract_text(data, f"{upload.name}.txt")


def reading_notes(extracted: ExtractedText) -> list[str]:
    """Say what a reader should know of a text that was read."""
    return [*extracted.warnings, *map(_left_out, extracted.excluded)]


def _left_out(item: ExcludedPart) -> str:
    example = f", the first: {item.example}" if item.example else ""
    return f"left out of the text: {quantity(item.n, 'part', 'parts')} ({item.kind}{example})"


def _origin(
    task: Ask, model: LoadedModel, data: bytes, text: str, keep: frozenset[Keep]
) -> CaseOrigin:
    """Gather what another examiner needs to do the same on the command line."""
    upload = task.text
    if upload.is_file:
        hashed = CaseInput("questioned text", upload.name, hashlib.sha256(data).hexdigest(), "file")
    else:
        hashed = CaseInput("questioned text", upload.name, text_sha256(text), "text")
    card, again = model.card, model.known_again
    words = ["byline", "attribute", card.name, upload.name if upload.is_file else "-"]
    kept = [word for each in sorted(keep) for word in ("--keep", each)]
    options = [*(["--open-set"] if task.open_set else []), *kept, "--report", "case.html"]
    return CaseOrigin(
        command=shlex.join([*words, *options]),
        inputs=(CaseInput("model", card.name, card.sha256, "file"), hashed),
        known=None if again is None else again.counts.corpus.name,
        differences=None if again is None else again.differences,
    )
