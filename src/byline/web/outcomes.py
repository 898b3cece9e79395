"""Jobs in words: their progress, and their results as a line of a list."""

from __future__ import annotations

from collections import Counter

from byline.formatting import bounded_percent, quantity
from byline.report.summary import Summary
from byline.web.jobs import (
    AskResult,
    ExploreResult,
    JobKind,
    JobState,
    JobStatus,
    RollResult,
    VerifyResult,
)

CANNOT_TELL = "cannot tell"
MAX_AUTHORS = 4  # in the line of a job about several texts
MAX_COUNTED_STEPS = 20  # more steps are shown in percent: a screen reader speaks every change
RUNNING_TITLES = {
    JobKind.OPEN: "Opening the model",
    JobKind.ASK: "Analysing the text",
    JobKind.ADD: "Reading the texts",
    JobKind.CHECK: "Checking the known texts",
    JobKind.TRAIN: "Training a model",
    JobKind.EXPLORE: "Comparing the texts",
    JobKind.ROLL: "Following the authors along the text",
    JobKind.VERIFY: "Verifying the author",
}
DONE_WORDS = {JobKind.ADD: "added", JobKind.CHECK: "checked", JobKind.TRAIN: "trained"}
STATE_WORDS = {
    JobState.WAITING: "waiting",
    JobState.RUNNING: "running",
    JobState.FAILED: "failed",
    JobState.STOPPED: "stopped",
}


def progress_sentence(job: JobStatus) -> str:
    """Describe the progress of a job, and its duration from one minute on."""
    minutes = int(job.seconds // 60)
    so_far = f" {quantity(minutes, 'minute')} so far." if minutes else ""
    return f"{_progress(job)}.{so_far}"


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


def job_line(job: JobStatus) -> Summary:
    """Describe a job by a line of a list: "id", "title", "outcome"."""
    return {"id": job.id, "title": job.title, "outcome": _outcome(job)}


def answer_in_short(entry: Summary) -> str:
    """State the first author of a text, with the probability."""
    if entry["declined"]:
        return CANNOT_TELL
    best = entry["ranking"][0]
    if best["probability"] is None:
        return f"{best['author']} ranks first"
    return f"{best['author']}, {bounded_percent(best['probability'])}"


def _outcome(job: JobStatus) -> str:
    match job.result:
        case AskResult():
            return _answers(job.result)
        case ExploreResult():
            return quantity(len(job.result.summary["texts"]), "text")
        case RollResult():
            return _changes(job.result.summary)
        case VerifyResult():
            return _verified(job.result.case)
    if job.state is JobState.DONE:
        return DONE_WORDS.get(job.kind, "done")
    return STATE_WORDS[job.state]


def _answers(result: AskResult) -> str:
    """State the answer about one text, or how many texts each author ranks first for."""
    entries = result.case["questioned"]
    if result.is_single:
        return answer_in_short(entries[0])
    firsts = Counter(
        CANNOT_TELL if each["declined"] else each["ranking"][0]["author"] for each in entries
    )
    found = [f"{author} ({n:,})" for author, n in firsts.most_common(MAX_AUTHORS)]
    others = len(firsts) - len(found)
    return ", ".join([*found, *([f"{others:,} others"] if others else [])])


def _changes(rolling: Summary) -> str:
    if rolling["declined"]:
        return CANNOT_TELL
    n_changes = len(rolling["change_points"])
    return quantity(n_changes, "change of author", "changes of author")


def _verified(case: Summary) -> str:
    """State the author in question, and the answer."""
    [entry] = case["questioned"]
    return f"{case['author']}: {CANNOT_TELL if entry['declined'] else entry['answer']}"
