"""Results with hostile names and texts, as a report may meet them."""

from __future__ import annotations

import pytest

from byline.attribution import (
    Attribution,
    Candidate,
    Evidence,
    SentenceEvidence,
    TokenEvidence,
)
from byline.experiments import (
    Decision,
    Demonstration,
    Evaluation,
    Example,
    metrics_of,
)

HOSTILE = "<script>alert('&')</script>\"'"
PATH = "caf\udce9<b>.txt"  # a file name that is not UTF-8


def _decisions(sentences: int | None) -> list[Decision]:
    answers = [("Ada", "Ada", 1), ("Ada", HOSTILE, 2), (HOSTILE, HOSTILE, 1)]
    return [
        Decision(PATH, 0, sentences, author, named, rank, declined=False)
        for author, named, rank in answers
    ]


@pytest.fixture
def evaluation() -> Evaluation:
    labels = ["Ada", HOSTILE, "Zoe"]
    whole, fives = (metrics_of(_decisions(n), labels, [HOSTILE]) for n in (None, 5))
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
        ranking=tuple(
            Candidate(
                author=author,
                score=nats,
                log_likelihood=nats,
                log_likelihood_per_token=nats / 15,
                perplexity=2.0 if nats > -60 else float("inf"),
                probability=None,
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
        ranking=(),
    )


@pytest.fixture
def evidence() -> Evidence:
    tokens = (
        TokenEvidence("<em>", unknown=True, log_lr=4.0),
        TokenEvidence("&", unknown=False, log_lr=-2.0),
        TokenEvidence("</s>", unknown=False, log_lr=0.25),
    )
    return Evidence("Ada", HOSTILE, (SentenceEvidence(0, tokens), SentenceEvidence(1, tokens[:1])))


@pytest.fixture
def demonstration(
    evaluation: Evaluation, attribution: Attribution, evidence: Evidence
) -> Demonstration:
    return Demonstration(evaluation, (Example(HOSTILE, attribution, evidence),))
