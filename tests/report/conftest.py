"""Results with hostile names and texts, as a report may meet them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from byline.answering import answer
from byline.attribution import (
    LOG_ODDS,
    Attribution,
    AuthorshipAttributor,
    Candidate,
    Evidence,
    NgramSVM,
    SentenceEvidence,
    SimilarCases,
    StackedAttributor,
    TokenEvidence,
)
from byline.attribution.caveats import Caveat
from byline.attribution.open_set import ErrorRate, OpenSetDecision
from byline.attribution.stacking import LANGUAGE_MODELS
from byline.attribution.training_record.record import TrainingRecord
from byline.errors import BylineWarning
from byline.experiments import (
    Decision,
    Evaluation,
    metrics_of,
)
from byline.lm import NgramLM
from byline.report.case import CaseInput, CaseOrigin, case_summary

HOSTILE = "<script>alert('&')</script>\"'"
PATH = "caf\udce9<b>.txt"  # a file name that is not UTF-8


def _decisions(sentences: int | None) -> list[Decision]:
    answers = [("Ada", "Ada", 1), ("Ada", HOSTILE, 2), (HOSTILE, HOSTILE, 1)]
    return [
        Decision(PATH, 0, sentences, author, predicted, rank, declined=False)
        for author, predicted, rank in answers
    ]


@pytest.fixture
def evaluation() -> Evaluation:
    labels = ["Ada", HOSTILE, "Zoe"]
    whole, fives = (metrics_of(_decisions(n), labels, HOSTILE) for n in (None, 5))
    return Evaluation(
        corpus="<i>corpus</i>",
        n_authors=3,
        n_documents=9,
        split={"protocol": "document", "folds": 5, "random_state": 0},
        settings={"language_model": "NgramLM", "max_unknown": 0.5, "encoder": None},
        whole=whole,
        by_length=(fives,),
        caveats=("<u>two</u> texts are copies",),
        decisions=(),
    )


@pytest.fixture
def attribution() -> Attribution:
    places = [("Ada", -30.0), (HOSTILE, -45.0), ("Zoe", float("-inf"))]
    return Attribution(
        path=PATH,
        n_tokens=15,
        scored_by="log-likelihood",
        declined=None,
        calibration_unavailable_reason="no texts were <held> out",
        calibration_basis=None,
        ranking=tuple(
            Candidate(
                author=author,
                score=nats,
                log_likelihood=nats,
                log_likelihood_per_token=nats / 15,
                perplexity=2.0 if nats > -60 else float("inf"),
                probability=None,
                log10_lr=None,
                posterior_uncalibrated=1.0 if author == "Ada" else 0.0,
            )
            for author, nats in places
        ),
    )


@pytest.fixture
def declined() -> Attribution:
    return Attribution(
        path=None,
        n_tokens=0,
        scored_by="log-likelihood",
        declined="the text is <empty>",
        calibration_unavailable_reason=None,
        calibration_basis=None,
        ranking=(),
    )


@pytest.fixture
def calibrated(attribution: Attribution) -> Attribution:
    # p / (1 - p) is the likelihood ratio times the prior odds, 1 to 2.
    calibrated = [(0.9, 1.25527), (0.0995, -0.65572), (0.0005, -2.99978)]
    places = [
        replace(place, probability=probability, log10_lr=log10_lr)
        for place, (probability, log10_lr) in zip(attribution.ranking, calibrated, strict=True)
    ]
    return replace(
        attribution,
        calibration_unavailable_reason=None,
        calibration_basis="3 held-out known texts and 9 simulated cases",
        similar_cases=SimilarCases((3, 4), (2000, 6000), (400, 1500), 30, 310, 214, 0.714),
        scored_by=LOG_ODDS,
        ranking=tuple(places),
    )


@pytest.fixture
def open_set() -> OpenSetDecision:
    return OpenSetDecision(
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


@pytest.fixture
def caveat() -> Caveat:
    return Caveat("shared-passages", f"by {HOSTILE}: “<em>x</em>”", {"author": HOSTILE})


@pytest.fixture
def evidence() -> Evidence:
    tokens = (
        TokenEvidence("<em>", unknown=True, log_lr=4.0),
        TokenEvidence("&", unknown=False, log_lr=-2.0),
        TokenEvidence("</s>", unknown=False, log_lr=0.25),
    )
    return Evidence("Ada", HOSTILE, (SentenceEvidence(0, tokens), SentenceEvidence(1, tokens[:1])))


_OF_ADA = "the engine weaves numbers <em>like</em> any loom & weaves leaves then will compose"
_OF_OTHER = "our ship sails north when winds turn cold and every sailor counts his rope"


def _sentences(words: str, n: int, seed: int) -> str:
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(words.split(), size=8) for _ in range(n)]
    return " ".join(" ".join(each).capitalize() + "." for each in chosen)


@pytest.fixture(scope="session")
def questioned() -> str:
    """A text in the words of Ada."""
    return _sentences(_OF_ADA, 12, 99)


@pytest.fixture(scope="session")
def stack() -> StackedAttributor:
    """A stack trained on twelve texts each by Ada and by an author with a hostile name."""
    members: list[tuple[str, Any]] = [
        ("language-models", AuthorshipAttributor(NgramLM(order=2))),
        ("words", NgramSVM("word-without-punctuation", (1, 1))),
    ]
    words = {"Ada": _OF_ADA, HOSTILE: _OF_OTHER}
    texts = [_sentences(words[author], 8, n) for author in words for n in range(12)]
    works = [f"{HOSTILE}{n}" for _ in words for n in range(12)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        return StackedAttributor(members, folds=2).fit(
            texts, [author for author in words for _ in range(12)], groups=works
        )


@pytest.fixture(scope="session")
def stack_of_single_works() -> StackedAttributor:
    """A stack trained on one text each by Ada and by Ben, so that none is held out."""
    models = AuthorshipAttributor(NgramLM(order=2), n_samples=1)
    texts = [_sentences(words, 40, 0) for words in (_OF_ADA, _OF_OTHER)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        return StackedAttributor([(LANGUAGE_MODELS, models)]).fit(texts, ["Ada", "Ben"])


@pytest.fixture(scope="session")
def known_text() -> str:
    """The first known text of the author with the hostile name in `stack`."""
    return _sentences(_OF_OTHER, 8, 0)


@pytest.fixture
def case(stack: StackedAttributor, questioned: str) -> dict[str, Any]:
    """Three questioned texts: an ordinary one, a partly copied one and an empty one."""
    texts = [questioned, f"{_sentences(_OF_OTHER, 8, 0)} {_sentences(_OF_OTHER, 8, 99)}", ""]
    answers = answer(stack, texts, paths=["letter.txt", PATH, HOSTILE])
    record = stack.training_record_
    others = TrainingRecord.of(["a", "b"], ["Ada", HOSTILE], [HOSTILE, "<u>"])
    origin = CaseOrigin(
        command=f"byline attribute '{HOSTILE}'",
        inputs=(CaseInput("model", HOSTILE, "0" * 64, "file"),),
        known=HOSTILE,
        differences=record.differences(others),
    )
    return case_summary(answers, origin)
