"""Pages of hostile names, made without a server."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

import numpy as np
import pytest

from byline.answering import answer
from byline.attribution import (
    AuthorshipAttributor,
    NgramSVM,
    StackedAttributor,
)
from byline.attribution.open_set import ErrorRate, OpenSetDecision
from byline.corpus.checking import CleaningStep as Kinds
from byline.corpus.checking import Examination
from byline.corpus.checking.examination import AuthorSize
from byline.corpus.document import Finding, Severity
from byline.corpus.extraction import ExcludedPart
from byline.errors import BylineWarning
from byline.lm import NgramLM
from byline.report.case import CaseOrigin, case_summary
from byline.report.case_sentences import answer_sentence
from byline.report.corpus import examination_summary
from byline.web import pages as web_pages
from byline.web.jobs import (
    AskResult,
    CheckResult,
    JobKind,
    JobState,
    JobStatus,
    ListedAuthor,
    ListedText,
    ModelCard,
    TrainResult,
)

HOSTILE = "<script>alert('&')</script>\"'"
_WORDS = {
    "Ada": "the engine weaves numbers <em>like</em> any loom & weaves leaves then will compose",
    HOSTILE: "our ship sails north when winds turn cold and every sailor counts his rope",
}


Learner = TypeVar("Learner", StackedAttributor, AuthorshipAttributor)


@pytest.fixture(scope="session")
def hostile() -> str:
    return HOSTILE


def _sentences(author: str, n: int, seed: int) -> str:
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(_WORDS[author].split(), size=8) for _ in range(n)]
    return " ".join(" ".join(each).capitalize() + "." for each in chosen)


def _trained(attributor: Learner) -> Learner:
    authors = [author for author in _WORDS for _ in range(12)]
    texts = [_sentences(author, 8, n) for author in _WORDS for n in range(12)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        return attributor.fit(texts, authors)


@pytest.fixture(scope="session")
def stack() -> StackedAttributor:
    members: list[tuple[str, Any]] = [
        ("language-models", AuthorshipAttributor(NgramLM(order=2))),
        ("words", NgramSVM("word-without-punctuation", (1, 1))),
    ]
    return _trained(StackedAttributor(members, folds=2))


@pytest.fixture(scope="session")
def card(stack: StackedAttributor) -> ModelCard:
    from byline.report.performance import performance_summary

    return ModelCard(
        id="given",
        name=HOSTILE,
        trained_here=False,
        authors=("Ada", HOSTILE),
        candidates=(),
        can_grow=True,
        open_set="It was trained on 3 authors.",
        performance=performance_summary(stack),
        unit="word",
        n_bytes=1_234_567,
        sha256="0" * 64,
    )


@pytest.fixture(scope="session")
def site() -> web_pages.Site:
    return web_pages.Site(
        model=HOSTILE,
        model_id="given",
        authors=("Ada", HOSTILE),
        open_set=True,
        address="127.0.0.1:8000",
        local=True,
        max_bytes=20_000_000,
        kept="in memory until Byline is stopped",
        answers_kept="Answers are kept for a while.",
    )


def _case(attributor: StackedAttributor | AuthorshipAttributor, text: str) -> dict[str, Any]:
    return case_summary(answer(attributor, [text]), CaseOrigin("byline serve", ()))


def _case_of_none(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case whose text was given to none of the candidates."""
    answer = OpenSetDecision(
        false_attribution_rate=0.05,
        threshold=3.0,
        statistic=1.5,
        accepted=False,
        nearest=HOSTILE,
        p_value=0.25,
        log10_lr=-0.6,
        false_attributions=ErrorRate(0.06, 0.01, 0.2),
        missed_attributions=ErrorRate(0.3, 0.2, 0.4),
        misattribution_rate=0.1,
        n_unknown_author_texts=40,
        n_known_texts=50,
        n_unknown_authors=3,
    )
    said = {
        "open_set": asdict(answer)
        | {name: getattr(answer, name) for name in ("finding", "basis", "sentence")},
        "declined": answer.declined,
    }
    entry = case["questioned"][0] | said | {"ranking": [], "explanation": None, "rolling": None}
    return case | {"questioned": [entry | {"answer": answer_sentence(entry), "meaning": None}]}


def _checked(*severities: Severity) -> CheckResult:
    findings = tuple(
        Finding(severity, "copies", HOSTILE, (HOSTILE, "b.txt"), Kinds.DUPLICATES)
        for severity in severities
    )
    size = AuthorSize(HOSTILE, 2, 3300, 19_000, 1200, 2100)
    excluded = (ExcludedPart("footnotes", 3, HOSTILE),)
    found = Examination(HOSTILE, (size,), "en", findings, excluded)
    return CheckResult(examination_summary(found, HOSTILE))


@pytest.fixture(scope="session")
def cases(stack: StackedAttributor) -> dict[str, dict[str, Any]]:
    """Cases of one text each, by how they are answered."""
    letter = _sentences("Ada", 12, 99)
    return {
        "answered": _case(stack, letter),
        "copied": _case(stack, _sentences(HOSTILE, 8, 0)),
        "declined": _case(stack, "Too short."),
        "of language models": _case(_trained(AuthorshipAttributor(NgramLM(order=2))), letter),
        "of none": _case_of_none(_case(stack, letter)),
    }


@pytest.fixture(scope="session")
def jobs(cases: dict[str, dict[str, Any]], card: ModelCard) -> dict[str, JobStatus]:
    """A job of every kind and in every state, by what its page shows."""
    asked = JobStatus(id="j", kind=JobKind.ASK, state=JobState.WAITING, title=HOSTILE, ahead=2)
    learns = replace(asked, kind=JobKind.TRAIN, state=JobState.RUNNING, ahead=0)
    results = {name: AskResult(case, (HOSTILE,), card) for name, case in cases.items()}
    answers = {
        name: replace(asked, state=JobState.DONE, ahead=0, result=result)
        for name, result in results.items()
    }
    done = replace(asked, state=JobState.DONE, ahead=0)
    return answers | {
        "waiting": asked,
        "begun": learns,
        "under way": replace(learns, done=3, total=12, what=HOSTILE),
        "failed": replace(asked, state=JobState.FAILED, error=HOSTILE),
        "not added": replace(asked, kind=JobKind.ADD, state=JobState.FAILED, error=HOSTILE),
        "stopped": replace(asked, state=JobState.STOPPED),
        "checked": replace(done, kind=JobKind.CHECK, result=_checked("error", "warning")),
        "checked, with warnings": replace(done, kind=JobKind.CHECK, result=_checked("warning")),
        "checked, clean": replace(done, kind=JobKind.CHECK, result=_checked()),
        "trained": replace(
            done, kind=JobKind.TRAIN, result=TrainResult(replace(card, id="n"), (HOSTILE,), 12.3)
        ),
        "trained without evaluation": replace(
            done, kind=JobKind.TRAIN, result=TrainResult(replace(card, performance=None), (), 2.3)
        ),
    }


@pytest.fixture(scope="session")
def authors() -> Sequence[ListedAuthor]:
    own = (ListedText("t1", HOSTILE, 1200), ListedText("t2", "b.txt", 900))
    return (
        ListedAuthor("Ada", (ListedText(None, "a.txt", 2100),), is_new=False),
        ListedAuthor(HOSTILE, own, is_new=True),
    )


@pytest.fixture(scope="session")
def pages(
    site: web_pages.Site,
    jobs: dict[str, JobStatus],
    card: ModelCard,
    authors: Sequence[ListedAuthor],
) -> dict[str, str]:
    """Every page in every state, by what it shows."""
    of_jobs = {name: web_pages.job_page(site, job) for name, job in jobs.items()}
    closed = replace(site, open_set=False)
    abroad = replace(site, local=False, address="192.0.2.1:8000")
    trained = replace(card, id="n", trained_here=True, performance=None)
    known: dict[str, Any] = {"can_add": False, "obstacle": HOSTILE}
    return of_jobs | {
        "ask": web_pages.ask_page(closed),
        "ask again": web_pages.ask_page(
            site, text=HOSTILE, message=HOSTILE, earlier=list(jobs.values())
        ),
        "ask abroad": web_pages.ask_page(abroad),
        "no known texts": web_pages.known_page(site, [], **known),
        "known texts": web_pages.known_page(site, authors, done=HOSTILE, **known),
        "known texts to add": web_pages.known_page(
            site, authors, message=HOSTILE, can_add=True, obstacle=None
        ),
        "models": web_pages.model_page(site, [card, trained], message=HOSTILE),
        "evaluation": web_pages.evaluation_page(site, card),
        "no evaluation": web_pages.evaluation_page(closed, trained),
        "no held-out texts": web_pages.evaluation_page(closed, replace(trained, can_grow=False)),
        "problem": web_pages.problem_page(site, HOSTILE, HOSTILE),
    }
