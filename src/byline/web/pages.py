"""The pages of the local web page: results in, HTML out; nothing is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from byline.formatting import bounded_percent, quantity
from byline.report.figures.performance import performance_figures
from byline.report.html import render
from byline.report.rolling import rolling_of
from byline.report.summary import Summary
from byline.web.jobs import (
    AskResult,
    CheckResult,
    JobKind,
    JobState,
    JobStatus,
    ListedAuthor,
    ModelCard,
    TrainResult,
)

FORMAT_PACKAGES = ("lxml", "pypdfium2", "trafilatura")  # installed with the extra `formats`
MAX_COUNTED_STEPS = 20  # more steps are shown in percent: a screen reader speaks every change
RUNNING_TITLES = {
    JobKind.OPEN: "Opening the model",
    JobKind.ASK: "Analysing the text",
    JobKind.ADD: "Reading the texts",
    JobKind.CHECK: "Checking the known texts",
    JobKind.TRAIN: "Training a model",
}
DONE_WORDS = {JobKind.ADD: "added", JobKind.CHECK: "checked", JobKind.TRAIN: "trained"}
STATE_WORDS = {
    JobState.WAITING: "waiting",
    JobState.RUNNING: "running",
    JobState.FAILED: "failed",
    JobState.STOPPED: "stopped",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent to the browser."""

    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every page shows about the server.

    Attributes
    ----------
    model, model_id : str
        Name and id of the current model.
    authors : tuple of str
        The authors of the model.
    open_set : bool
        Whether the model can recognise unknown authors.
    address : str
        Host and port, as the browser states them.
    local : bool
        Whether only this computer can reach the server.
    max_bytes : int
        The largest size of an upload.
    kept : str
        How long known texts and models are kept, as the end of a sentence.
    answers_kept : str
        How long questioned texts and answers are kept, as sentences.
    """

    model: str
    model_id: str
    authors: tuple[str, ...]
    open_set: bool
    address: str
    local: bool
    max_bytes: int
    kept: str
    answers_kept: str


def asset(name: str) -> Asset | None:
    """Return a style sheet, script or icon by its name; None if there is no such file."""
    return _assets().get(name)


def ask_page(
    site: Site, *, text: str = "", message: str | None = None, earlier: Sequence[JobStatus] = ()
) -> str:
    """Return the page with the form for a questioned text.

    Parameters
    ----------
    site : Site
    text : str
        The text that the form contains already.
    message : str or None
        Why the form that was sent cannot be accepted.
    earlier : sequence of JobStatus
        Earlier questions, newest first.
    """
    listed = [_line(job) for job in earlier]
    return _fill("ask.html.j2", site, text=text, message=message, earlier=listed)


def known_page(
    site: Site,
    authors: Sequence[ListedAuthor],
    *,
    message: str | None = None,
    done: str | None = None,
    none_here: str | None = None,
    can_add: bool,
    obstacle: str | None,
) -> str:
    """Return the page of the known texts.

    Parameters
    ----------
    site : Site
    authors : sequence of ListedAuthor
    message : str or None
        Why the form that was sent cannot be accepted.
    done : str or None
        A sentence on what was just done.
    none_here : str or None
        A sentence to show if there are no texts.
    can_add : bool
        Whether new authors can be added to the current model.
    obstacle : str or None
        A sentence on why a new model would lose authors.
    """
    values = {"message": message, "done": done, "can_add": can_add, "obstacle": obstacle}
    return _fill("known.html.j2", site, authors=authors, none_here=none_here, **values)


def model_page(site: Site, models: Sequence[ModelCard], *, message: str | None = None) -> str:
    """Return the page with all models, where one of them is chosen."""
    return _fill("model.html.j2", site, models=models, message=message)


def evaluation_page(site: Site, model: ModelCard) -> str:
    """Return the page on the accuracy of a model."""
    performance = model.performance
    figures = performance_figures(performance)
    values = {"performance": performance, "stacked": not model.can_grow}
    return _fill("performance.html.j2", site, figures=figures, **values)


def problem_page(site: Site, title: str, message: str) -> str:
    """Return a page that explains an error."""
    return _fill("problem.html.j2", site, heading=title, message=message)


def job_page(site: Site, job: JobStatus) -> str:
    """Return the page of a job: its progress, its result, or why there is none."""
    match job.result:
        case AskResult() as result:
            return _fill("answer.html.j2", site, job=job, **_answer(result))
        case CheckResult() as result:
            return _fill("checked.html.j2", site, job=job, summary=result.summary)
        case TrainResult() as result:
            return _fill("trained.html.j2", site, job=job, result=result)
    back = "/" if job.kind is JobKind.ASK else "/known"
    values = {"job": job, "heading": RUNNING_TITLES[job.kind], "back": back}
    if job.state.is_over:
        return _fill("ended.html.j2", site, **values)
    return _fill("waiting.html.j2", site, progress=progress_sentence(job), **values)


def progress_sentence(job: JobStatus) -> str:
    """Describe the progress of a job, and its duration from one minute on."""
    minutes = int(job.seconds // 60)
    so_far = f" {quantity(minutes, 'minute')} so far." if minutes else ""
    return f"{_progress(job)}.{so_far}"


def _fill(template: str, site: Site, **values: Any) -> str:
    """Fill in the template of a page."""
    shared = {
        "site": site,
        "formats": all(find_spec(name) for name in FORMAT_PACKAGES),
        "rolling_of": rolling_of,
    }
    return render(template, shared | values, "byline.web")


def _progress(job: JobStatus) -> str:
    if job.state is JobState.WAITING:
        others = quantity(job.ahead, "other job")
        return f"Waiting for {others} to finish" if job.ahead else "This job is next"
    if job.total == 0:
        return "Started"
    progress = f"Step {job.done} of {job.total}"
    if job.total > MAX_COUNTED_STEPS:
        progress = f"{10 * (10 * job.done // job.total)} % done"
    return f"{progress}: {job.what}" if job.what else progress


def _line(job: JobStatus) -> Summary:
    """Describe a job by a line of a list: "id", "title", "outcome"."""
    return {"id": job.id, "title": job.title, "outcome": _outcome(job)}


def _outcome(job: JobStatus) -> str:
    if isinstance(job.result, AskResult):
        return _in_short(job.result.case["questioned"][0])
    if job.state is JobState.DONE:
        return DONE_WORDS.get(job.kind, "done")
    return STATE_WORDS[job.state]


def _in_short(entry: Summary) -> str:
    if entry["declined"]:
        return "cannot tell"
    best = entry["ranking"][0]
    if best["probability"] is None:
        return f"{best['author']} ranks first"
    return f"{best['author']}, {bounded_percent(best['probability'])}"


def _answer(result: AskResult) -> Summary:
    entry = result.case["questioned"][0]
    performance, row = result.case["performance"], entry["length_row"]
    near = performance["by_length"][row] if performance and row is not None else None
    return {
        "entry": entry,
        "candidates": result.case["candidates"],
        "near": near,
        "notes": result.notes,
        "model": result.model,
        "in_short": _in_short(entry),
    }


@cache
def _assets() -> Mapping[str, Asset]:
    own, reports = files("byline.web") / "static", files("byline.report") / "templates"
    style = (reports / "style.css").read_bytes() + (own / "page.css").read_bytes()
    scripts = {"page.js": own, "report.js": reports}
    return {
        "style.css": Asset(style, "text/css; charset=utf-8"),
        **{
            name: Asset((place / name).read_bytes(), "text/javascript; charset=utf-8")
            for name, place in scripts.items()
        },
        "icon.svg": Asset((own / "icon.svg").read_bytes(), "image/svg+xml"),
    }
