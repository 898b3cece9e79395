"""Pages of hostile names, made without a server."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

import numpy as np
import pytest

from byline.answering import answer, verify_texts
from byline.answering.exploration import explore_texts
from byline.attribution import (
    AuthorshipAttributor,
    NgramSVM,
    StackedAttributor,
)
from byline.attribution.open_set import ErrorRate, OpenSetDecision
from byline.attribution.rolling import rolling_attribution
from byline.corpus import Corpus, Document
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
from byline.report.displays.texts import rolling_display
from byline.report.exploration import exploration_summary
from byline.report.verification_answers import verification_answers_case
from byline.report.verification_case import MaterialText, VerificationOrigin
from byline.web import pages as web_pages
from byline.web.jobs import (
    AskResult,
    CheckResult,
    ExploreResult,
    JobKind,
    JobState,
    JobStatus,
    ListedAuthor,
    ListedText,
    ModelCard,
    Result,
    RollResult,
    TrainResult,
    VerifyResult,
)
from byline.web.result_pages import job_page

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
        | {
            name: getattr(answer, name)
            for name in ("verdict", "points", "finding", "basis", "sentence")
        },
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
    known = _sentences(HOSTILE, 8, 0)  # of the training texts of `_trained`
    return {
        "answered": _case(stack, letter),
        "known": _case(stack, known),
        "partly known": _case(stack, f"{known} {_sentences(HOSTILE, 8, 99)}"),
        "declined": _case(stack, "Too short."),
        "of language models": _case(_trained(AuthorshipAttributor(NgramLM(order=2))), letter),
        "of none": _case_of_none(_case(stack, letter)),
    }


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """Six texts of each of three authors; the third one writes as both others do."""
    own = {author: (author, author) for author in _WORDS} | {"Cay": tuple(_WORDS)}
    documents = [
        Document(author, f"{_sentences(one, 6, n)} {_sentences(two, 6, n + 9)}", f"{author}/{n}")
        for author, (one, two) in own.items()
        for n in range(6)
    ]
    return Corpus(documents, HOSTILE)


@pytest.fixture(scope="session")
def results(corpus: Corpus, stack: StackedAttributor, card: ModelCard) -> dict[str, Result]:
    """Results of the other tabs, by their names."""
    questioned = [Document("", _sentences("Ada", 12, 77), HOSTILE)]
    explored = explore_texts(corpus, questioned)
    mixed = _sentences("Ada", 40, 78) + "\n\n" + _sentences(HOSTILE, 40, 79)
    rolling = rolling_attribution(stack, mixed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        verified = verify_texts(corpus, [HOSTILE], [_sentences(HOSTILE, 12, 80)], paths=[HOSTILE])
    material = MaterialText.of("questioned text", questioned[0])
    case = verification_answers_case(verified, VerificationOrigin(None, material=(material,)))
    return {
        "explored": ExploreResult(exploration_summary(explored, HOSTILE), (HOSTILE,)),
        "rolled": RollResult(rolling_display(rolling).summary(), (HOSTILE,), card),
        "verified": VerifyResult(case, (HOSTILE,)),
    }


@pytest.fixture(scope="session")
def jobs(
    cases: dict[str, dict[str, Any]], card: ModelCard, results: dict[str, Result]
) -> dict[str, JobStatus]:
    """A job of every kind and in every state, by what its page shows."""
    asked = JobStatus(id="j", kind=JobKind.ASK, state=JobState.WAITING, title=HOSTILE, ahead=2)
    learns = replace(asked, kind=JobKind.TRAIN, state=JobState.RUNNING, ahead=0)
    several = cases["answered"] | {
        "questioned": [
            entry | {"path": HOSTILE} for case in cases.values() for entry in case["questioned"]
        ]
    }
    unread = ((HOSTILE, HOSTILE),)
    all_of_them = AskResult(several, ((HOSTILE,),) * len(cases), card, unread)
    asked_about = {name: AskResult(case, ((HOSTILE,),), card) for name, case in cases.items()}
    answers = {
        name: replace(asked, state=JobState.DONE, ahead=0, result=result)
        for name, result in asked_about.items()
    }
    done = replace(asked, state=JobState.DONE, ahead=0)
    kinds = {"explored": JobKind.EXPLORE, "rolled": JobKind.ROLL, "verified": JobKind.VERIFY}
    for name, kind in kinds.items():
        answers[name] = replace(done, kind=kind, result=results[name])
    answers["not verified"] = replace(
        asked, kind=JobKind.VERIFY, state=JobState.FAILED, error=HOSTILE
    )
    answers["several"] = replace(done, result=all_of_them)
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
    of_jobs = {name: str(job_page(site, job)) for name, job in jobs.items()}
    closed = replace(site, open_set=False)
    abroad = replace(site, local=False, address="192.0.2.1:8000")
    trained = replace(card, id="n", trained_here=True, performance=None)
    known: dict[str, Any] = {"can_add": False, "obstacle": HOSTILE}
    return of_jobs | {
        "one of several": str(job_page(site, jobs["several"], 2)),
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
        "explore": web_pages.explore_page(
            site, authors, message=HOSTILE, earlier=[jobs["explored"]]
        ),
        "nothing to explore": web_pages.explore_page(site, []),
        "rolling": web_pages.rolling_page(
            site, [card, trained], message=HOSTILE, earlier=[jobs["rolled"]]
        ),
        "verify": web_pages.verify_page(
            site,
            [*authors, replace(authors[0], name="Cay")],
            message=HOSTILE,
            earlier=[jobs["verified"], jobs["not verified"]],
        ),
        "nobody to verify": web_pages.verify_page(site, []),
        "models": web_pages.model_page(site, [card, trained], message=HOSTILE),
        "evaluation": web_pages.evaluation_page(site, card),
        "no evaluation": web_pages.evaluation_page(closed, trained),
        "no held-out texts": web_pages.evaluation_page(closed, replace(trained, can_grow=False)),
        "problem": web_pages.problem_page(site, HOSTILE, HOSTILE),
    }
