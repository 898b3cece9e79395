"""Evidence adds up to the score, and aggregates without loss."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from byline.attribution import (
    END_MARK,
    AuthorshipAttributor,
    SentenceEvidence,
    TokenEvidence,
    explain,
)
from byline.errors import UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, LanguageModel, NgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
FEEDFORWARD = FeedForwardLM(
    embedding_dim=4, hidden_dims=(4,), training=FeedForwardTraining(epochs=1)
)
tokens = st.sampled_from(["bababa", "bagode", "dedede", "xyzzy", "1805", ",", ".", "!", "\n", "«"])
texts = st.lists(tokens, max_size=30).map(" ".join) | st.text(max_size=40)


@settings(deadline=None, max_examples=60)
@given(text=texts)
def test_evidence_sums_to_the_difference_of_scores(text: str, fitted: AuthorshipAttributor) -> None:
    scores = dict(zip(fitted.classes_, fitted.score_authors([text])[0], strict=True))
    evidence = explain(fitted, text, first="cedar", second="alder")
    assert evidence.log_lr == pytest.approx(scores["cedar"] - scores["alder"], abs=1e-9)
    assert math.fsum(s.log_lr for s in evidence.sentences) == pytest.approx(
        evidence.log_lr, abs=1e-9
    )
    assert [[token.token for token in sentence.tokens] for sentence in evidence.sentences] == [
        [*sentence, END_MARK] for sentence in TextEncoder().tokenize(text)
    ]
    assert [sentence.number for sentence in evidence.sentences] == list(
        range(len(evidence.sentences))
    )


@pytest.mark.parametrize("vocabulary", ["shared", "per-author"])
@pytest.mark.parametrize(
    "model",
    [NgramLM(order=2), NgramLM(order=2, sentence_end=False), FEEDFORWARD],
    ids=["ngram", "no end mark", "feedforward"],
)
def test_evidence_sums_for_any_model(
    model: LanguageModel, vocabulary: str, known: Known, questioned: list[str]
) -> None:
    attributor = AuthorshipAttributor(model, vocabulary=vocabulary, n_samples=2).fit(*known)
    evidence = explain(attributor, questioned[0], first="alder", second="brook")
    scores = attributor.score_authors(questioned[:1])[0]
    assert evidence.log_lr == pytest.approx(scores[0] - scores[1], abs=1e-9)
    marks = sum(token.token == END_MARK for s in evidence.sentences for token in s.tokens)
    assert marks == (len(evidence.sentences) if model.sentence_end else 0)


def test_each_token_has_its_mean_log_lr_over_the_samples(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    evidence = explain(fitted, questioned[1], first="brook", second="cedar")
    third = fitted.encoder_.transform([questioned[1]])[0][2]
    first, second = (
        np.mean([model.token_log_probs(third) for model in fitted.models_[author]], axis=0)
        for author in ("brook", "cedar")
    )
    found = [token.log_lr for token in evidence.sentences[2].tokens]
    np.testing.assert_allclose(found, first - second, atol=1e-12)


def test_the_best_two_candidates_are_explained(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    [answer] = fitted.attribute([questioned[0]])
    best, runner_up, last = (candidate.author for candidate in answer.ranking)
    pairs = [
        explain(fitted, questioned[0], first=first, second=second)
        for first, second in ((None, None), (None, last), (last, None), (None, best))
    ]
    assert [(evidence.first, evidence.second) for evidence in pairs] == [
        (best, runner_up),
        (best, last),
        (last, best),
        (runner_up, best),
    ]
    assert pairs[0].log_lr > 0


def test_exchanging_the_candidates_changes_the_sign(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    there = explain(fitted, questioned[0], first="alder", second="brook")
    back = explain(fitted, questioned[0], first="brook", second="alder")
    assert back.log_lr == -there.log_lr
    assert [t.token for t in there.top_tokens()] == [t.token for t in back.top_tokens()]


def test_unknown_tokens_are_marked(fitted: AuthorshipAttributor) -> None:
    [sentence] = explain(fitted, "Bababa xyzzy bagode.").sentences
    assert [(token.token, token.unknown) for token in sentence.tokens] == [
        ("bababa", False),
        ("xyzzy", True),
        ("bagode", False),
        (".", False),
        (END_MARK, False),
    ]


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_unknown_to_one_candidate_is_unknown() -> None:
    common = "bababa bagode dedede. " * 20
    attributor = AuthorshipAttributor(NgramLM(order=1), vocabulary="per-author", n_samples=1)
    attributor.fit([common + "plugh " * 20, common], ["alder", "brook"])
    [sentence] = explain(attributor, "plugh bababa").sentences
    assert [token.unknown for token in sentence.tokens] == [True, False, False]


def test_top_tokens(fitted: AuthorshipAttributor, questioned: list[str]) -> None:
    evidence = explain(fitted, questioned[0])
    everything = evidence.top_tokens(10**6)
    counts = Counter(token.token for s in evidence.sentences for token in s.tokens)
    assert {entry.token: entry.count for entry in everything} == counts
    assert math.fsum(entry.log_lr for entry in everything) == pytest.approx(evidence.log_lr)
    sizes = [abs(entry.log_lr) for entry in everything]
    assert sizes == sorted(sizes, reverse=True)
    assert evidence.top_tokens(3) == everything[:3]
    first = evidence.top_tokens(5, favours="first")
    second = evidence.top_tokens(5, favours="second")
    assert all(entry.log_lr > 0 for entry in first)
    assert all(entry.log_lr < 0 for entry in second)
    assert len(first) == len(second) == 5


def test_ngrams_are_runs_of_strong_and_of_weak_tokens() -> None:
    values = [0.0, 0.5, 2.0, 1.0, -0.25, 0.0, -1.5, -1.0, 1.0]  # mean size 7.25 / 9
    tokens = tuple(TokenEvidence(f"w{i}", False, value) for i, value in enumerate(values))
    sentence = SentenceEvidence(3, tokens, length_log_lr=0.125)
    assert [(ngram.sentence, ngram.start, len(ngram.tokens)) for ngram in sentence.ngrams] == [
        (3, 0, 2),
        (3, 2, 2),
        (3, 4, 2),
        (3, 6, 2),
        (3, 8, 1),
    ]
    assert [ngram.log_lr for ngram in sentence.ngrams] == [0.5, 3.0, -0.25, -2.5, 1.0]
    assert sentence.log_lr == 1.875
    assert SentenceEvidence(0, ()).ngrams == ()
    [alone] = SentenceEvidence(0, tokens[:1] * 3).ngrams
    assert (len(alone.tokens), alone.log_lr) == (3, 0)


def test_top_ngrams(fitted: AuthorshipAttributor, questioned: list[str]) -> None:
    evidence = explain(fitted, questioned[0])
    everything = evidence.top_ngrams(10**6, at_least=1)
    assert math.fsum(entry.log_lr for entry in everything) == pytest.approx(
        evidence.log_lr, abs=1e-9
    )
    n_tokens = sum(entry.count * len(entry.tokens) for entry in everything)
    assert n_tokens == sum(len(sentence.tokens) for sentence in evidence.sentences)
    longer = evidence.top_ngrams(5, favours="second")
    assert len(longer) == 5
    assert all(len(entry.tokens) >= 2 and entry.log_lr < 0 for entry in longer)
    assert [entry.log_lr for entry in longer] == sorted(entry.log_lr for entry in longer)


def test_all_others_are_represented_by_their_mean(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    alder, brook, cedar = fitted.score_authors(questioned[:1])[0]
    evidence = explain(fitted, questioned[0], first="cedar", against_all=True)
    assert evidence.log_lr == pytest.approx(cedar - (alder + brook) / 2, abs=1e-9)


def test_top_sentences(fitted: AuthorshipAttributor, questioned: list[str]) -> None:
    evidence = explain(fitted, questioned[0])
    sentences = evidence.top_sentences(10**6)
    assert sorted(s.number for s in sentences) == list(range(len(evidence.sentences)))
    sizes = [abs(sentence.log_lr) for sentence in sentences]
    assert sizes == sorted(sizes, reverse=True)
    assert evidence.top_sentences(1) == sentences[:1]
    assert all(s.log_lr < 0 for s in evidence.top_sentences(favours="second"))


def test_an_empty_text_has_no_evidence(fitted: AuthorshipAttributor) -> None:
    evidence = explain(fitted, "")
    assert (evidence.first, evidence.second) == ("alder", "brook")
    assert (evidence.sentences, evidence.log_lr) == ((), 0)
    assert evidence.top_tokens() == []
    assert evidence.top_sentences() == []


def test_evidence_explains_log_likelihoods_whatever_the_score_rule(
    prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    attributor = clone(prototype).set_params(score_rule="sum-of-perplexities").fit(*known)
    joint = attributor.predict_joint_log_proba(questioned[:1])[0]
    evidence = explain(attributor, questioned[0], first="alder", second="brook")
    assert evidence.log_lr == pytest.approx(joint[0] - joint[1], abs=1e-9)


def test_unknown_and_equal_candidates_are_rejected(fitted: AuthorshipAttributor) -> None:
    with pytest.raises(
        UsageError, match="'birch' is not a candidate; choose from alder, brook and cedar"
    ):
        explain(fitted, "text", second="birch")
    with pytest.raises(UsageError, match="'alder' is given twice"):
        explain(fitted, "text", first="alder", second="alder")
    with pytest.raises(UsageError, match="text 0 is a list"):
        explain(fitted, ["text"])  # type: ignore[arg-type]
