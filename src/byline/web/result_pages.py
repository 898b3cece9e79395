"""The pages of jobs: progress, results, or why there is none; and results as reports."""

from __future__ import annotations

from dataclasses import dataclass

from byline.formatting import isolated
from byline.report.case import case_html
from byline.report.exploration_page import exploration_html, exploration_values
from byline.report.rolling import rolling_part
from byline.report.rolling_page import rolling_html
from byline.report.verification import verification_answer
from byline.report.verification_answers import verification_answers_html
from byline.report.verification_case import verification_case_values
from byline.web.jobs import (
    AskResult,
    CheckResult,
    ExploreResult,
    JobKind,
    JobStatus,
    RollResult,
    TrainResult,
    VerifyResult,
)
from byline.web.outcomes import RUNNING_TITLES, answer_in_short, progress_sentence
from byline.web.pages import Site, fill

KNOWN_PAGE = ("/known", "Back to the known texts")
# Where a person continues after a job that has no result, and how the link is called.
BACK = {
    JobKind.ASK: ("/", "Ask about a text"),
    JobKind.VERIFY: ("/verify", "Verify an author"),
    JobKind.EXPLORE: ("/explore", "Compare texts"),
    JobKind.ROLL: ("/rolling", "Follow the authors of a text"),
}
# The headings under which these pages list results.
LISTED = {
    JobKind.ASK: "Earlier questions",
    JobKind.VERIFY: "Earlier verifications",
    JobKind.EXPLORE: "Earlier comparisons",
    JobKind.ROLL: "Earlier books",
}


@dataclass(frozen=True, slots=True)
class Report:
    """A result as one HTML file."""

    html: str
    name: str


def report_of(job: JobStatus) -> Report | None:
    """Return the report of a result; None if there is none."""
    match job.result:
        case AskResult() as result:
            return Report(case_html(result.case), "case.html")
        case ExploreResult() as result:
            return Report(exploration_html(result.summary), "exploration.html")
        case RollResult() as result:
            return Report(rolling_html(result.summary), "rolling.html")
        case VerifyResult() as result:
            return Report(verification_answers_html(result.case), "verification.html")
    return None


def job_page(site: Site, job: JobStatus, number: int | None = None) -> str | None:
    """Return the page of a job: its progress, its result, or why there is none.

    Parameters
    ----------
    site : Site
    job : JobStatus
    number : int, optional
        The number of one of several questioned texts, from 1. Without it, their answers are listed.

    Returns
    -------
    str or None
        None if there is no text of this number.
    """
    match job.result:
        case AskResult() as result:
            return _answer_page(site, job, result, number)
        case CheckResult() as result:
            return fill("checked.html.j2", site, job=job, summary=result.summary)
        case TrainResult() as result:
            return fill("trained.html.j2", site, job=job, result=result)
        case ExploreResult() as result:
            shown = exploration_values(result.summary)
            return fill("explored.html.j2", site, job=job, notes=result.notes, **shown)
        case RollResult() as result:
            return _rolled(site, job, result)
        case VerifyResult() as result:
            return _verified(site, job, result)
    back, back_name = BACK.get(job.kind, KNOWN_PAGE)
    values = {"job": job, "heading": RUNNING_TITLES[job.kind], "back": back, "listed": LISTED}
    if job.state.is_over:
        return fill("ended.html.j2", site, back_name=back_name, **values)
    return fill("waiting.html.j2", site, progress=progress_sentence(job), **values)


def _answer_page(site: Site, job: JobStatus, result: AskResult, number: int | None) -> str | None:
    if result.is_single:
        return _answer(site, job, result, 0, job.title)
    entries = result.case["questioned"]
    if number is None:
        return fill("answers.html.j2", site, job=job, entries=entries, result=result)
    if not 1 <= number <= len(entries):
        return None
    return _answer(site, job, result, number - 1, entries[number - 1]["path"])


def _answer(site: Site, job: JobStatus, result: AskResult, place: int, title: str) -> str:
    entry = result.case["questioned"][place]
    values = {
        "entry": entry,
        "title": title,
        "candidates": result.case["candidates"],
        "notes": result.notes[place],
        "model": result.model,
        "in_short": answer_in_short(entry),
        "is_single": result.is_single,
    }
    return fill("answer.html.j2", site, job=job, **values)


def _verified(site: Site, job: JobStatus, result: VerifyResult) -> str:
    shown, [entry] = verification_case_values(result.case), result.case["questioned"]
    answer = verification_answer(isolated(result.case["author"]), entry)
    return fill("verified.html.j2", site, job=job, notes=result.notes, answer=answer, **shown)


def _rolled(site: Site, job: JobStatus, result: RollResult) -> str:
    part = rolling_part(result.summary)
    return fill("rolled.html.j2", site, job=job, part=part, notes=result.notes, model=result.model)
