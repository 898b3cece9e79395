"""The page of a job: how far it is, what came of it, or why nothing did."""

from __future__ import annotations

from byline.formatting import bounded_percent, quantity
from byline.report.summary import Summary
from byline.web.jobs import AskResult, CheckResult, JobKind, JobState, JobStatus, TrainResult
from byline.web.presenting.site import Site, show

MOST_STEPS = 20  # of more, the share is told, in tens: a screen reader speaks all that changes
UNDER_WAY = {
    JobKind.ASK: "Comparing the text",
    JobKind.ADD: "Reading the texts",
    JobKind.CHECK: "Checking the known texts",
    JobKind.LEARN: "Learning from the known texts",
}
DONE = {JobKind.ADD: "added", JobKind.CHECK: "checked", JobKind.LEARN: "learnt"}
STATES = {
    JobState.WAITING: "waits",
    JobState.RUNNING: "under way",
    JobState.FAILED: "did not work",
    JobState.STOPPED: "stopped",
}
BACK = {JobKind.ASK: "/"}  # of other kinds, the known texts


def job_page(site: Site, job: JobStatus) -> str:
    """Return the page of a job in whatever state it is."""
    match job.result:
        case AskResult() as result:
            return show("answer.html.j2", site, job=job, **_answer(result))
        case CheckResult() as result:
            return show("checked.html.j2", site, job=job, summary=result.summary)
        case TrainResult() as result:
            return show("learnt.html.j2", site, job=job, result=result)
    heading = UNDER_WAY.get(job.kind, "Opening the model")
    under_way = {"heading": heading, "back": BACK.get(job.kind, "/known")}
    if job.state.is_over:
        return show("ended.html.j2", site, job=job, **under_way)
    return show("waiting.html.j2", site, job=job, progress=progress_words(job), **under_way)


def progress_words(job: JobStatus) -> str:
    """Say in a sentence how far a job is, and how long it takes if that is a minute or more."""
    minutes = int(job.seconds // 60)
    so_far = f" {quantity(minutes, 'minute')} so far." if minutes else ""
    return f"{_how_far(job)}.{so_far}"


def _how_far(job: JobStatus) -> str:
    if job.state is JobState.WAITING:
        return (
            f"It waits for {quantity(job.ahead, 'other')} to be done" if job.ahead else "It is next"
        )
    if job.total == 0:
        return "It has begun"
    how_far = f"Step {job.done} of {job.total}"
    if job.total > MOST_STEPS:
        how_far = f"{10 * (10 * job.done // job.total)}\u00a0% done"
    return f"{how_far}: {job.what}" if job.what else how_far


def listed(job: JobStatus) -> Summary:
    """Describe a job by a line in a list: "id", "title", "says"."""
    return {"id": job.id, "title": job.title, "says": _says(job)}


def _says(job: JobStatus) -> str:
    if isinstance(job.result, AskResult):
        return _in_short(job.result.case["questioned"][0])
    return DONE.get(job.kind, "done") if job.state is JobState.DONE else STATES[job.state]


def _in_short(entry: Summary) -> str:
    if entry["declined"]:
        return "nobody is named"
    best = entry["ranking"][0]
    if best["probability"] is None:
        return f"{best['author']} fits best"
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
