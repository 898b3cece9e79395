"""Evidence by a stack adds up to the difference of log-odds, whatever the text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from byline.attribution import (
    END_MARK,
    AuthorshipAttributor,
    Evidence,
    MostFrequentAuthor,
    NgramBlock,
    NgramRidge,
    NgramSVM,
    StackedAttributor,
    explain,
    load_attributor,
    save_attributor,
)
from byline.attribution.classifiers import ChunkedClassifier
from byline.attribution.evidence import ALL_OTHERS
from byline.attribution.stacking import Combination, default_base_classifiers
from byline.attribution.stacking.calibrator import Calibrator, HeldOutResults
from byline.attribution.stacking.combination import REFERENCE_LENGTHS
from byline.attribution.training_record.record import TrainingRecord
from byline.errors import UsageError
from byline.lm import AdaptedNgramLM, NgramLM
from byline.text import TextEncoder
from byline.typography import Normalization

Known = tuple[list[str], list[str]]
BIGRAMS = NgramLM(order=2, smoothing="witten-bell")
ADAPTED = AdaptedNgramLM(order=2)
ENCODER = TextEncoder(min_count=1)
SHOWN = AuthorshipAttributor(BIGRAMS, ENCODER, n_samples=2)
CHARACTERS = AuthorshipAttributor(
    BIGRAMS, TextEncoder(unit="char"), n_samples=1, vocabulary="per-author"
)
RIDGE = NgramRidge(
    (
        NgramBlock("char", (1, 3)),
        NgramBlock("masked", (1, 2), keep=3, value="root-count"),
        NgramBlock("sentence-length", (1, 1), value="root-count"),
        NgramBlock("paragraph-length", (1, 2), value="root-count"),
    ),
    min_documents=1,
)
WORDS = NgramSVM("word-without-punctuation", (1, 2), min_df=1)
MEMBERS = [
    ("ridge", ChunkedClassifier(RIDGE, n_words=4)),
    ("words", SHOWN),
    ("characters", CHARACTERS),
    ("svm", WORDS),
]
AUTHORS = ["alder", "brook", "cedar"]
PIECES = [
    *(
        "oats ",
        "Rye. ",
        "I",
        "\u0130l",
        "\u03a3\u03c2 ",
        "cafe\u0301",
        "don\u2019t ",
        "\u2026",
        "--",
    ),
    *(
        "[laughter]",
        "[MUSIC] ",
        ">> I ",
        "\n",
        "\n\n",
        "  ",
        "1,000",
        "\ud800",
        "\U0001f600",
        "zzz",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)
KNOWN = st.lists(TEXTS.map("oats rye. Oats ".__add__), min_size=6, max_size=6)


def stack_of(members: Sequence[tuple[str, Any]], texts: list[str], authors: list[Any]) -> Any:
    """A stack with random weights, whose base classifiers are trained once."""
    rng = np.random.default_rng(len(texts))
    stack = StackedAttributor(members)
    stack.base_classifiers_ = {name: clone(member).fit(texts, authors) for name, member in members}
    stack.classes_ = np.array(sorted(set(authors)))
    stack.normalization_ = Normalization.parse("edition")
    n_lengths = len(REFERENCE_LENGTHS)
    stack.combination_ = Combination(
        rng.normal(size=(len(members), n_lengths)),
        rng.normal(size=(len(members), 3)),
        rng.normal(size=len(stack.classes_)),
        rng.normal(size=len(stack.classes_)),
        np.array([isinstance(member, AuthorshipAttributor) for _, member in members]),
    )
    stack.held_out_results_ = HeldOutResults(
        n_texts=1,
        sizes=np.array([9]),
        labels=np.array([0]),
        shares=np.ones(1),
        is_whole=np.array([True]),
        log_odds=rng.normal(size=(1, len(stack.classes_))).astype(np.float32),
        nats_per_character=None,
    )
    stack.calibrator_ = Calibrator(0.02, 1, 0)
    stack.rejection_rule_ = None
    stack.training_record_ = TrainingRecord.of(texts, authors)
    return stack


def differences(stack: StackedAttributor, text: str, evidence: Evidence) -> tuple[float, float]:
    """First minus second, of the log-odds and of the biases alone."""
    authors = list(map(str, stack.classes_))
    first, second = authors.index(evidence.first), authors.index(evidence.second)
    odds, biases = stack.score_authors([text])[0], stack.combination_.biases
    return odds[first] - odds[second], biases[first] - biases[second]


def only_second(n_authors: int = 2) -> Combination:
    """Return weights of 0 (to the last bit) and 1, without intercepts."""
    log_weights = np.repeat([[-1000.0], [0.0]], len(REFERENCE_LENGTHS), axis=1)
    nothing = np.zeros(n_authors)
    return Combination(log_weights, np.zeros((2, 3)), nothing, nothing, np.array([True, False]))


def check_levels(evidence: Evidence) -> None:
    """Tokens make n-grams, these and lengths sentences, and sentences the text."""
    for sentence in evidence.sentences:
        assert sum((ngram.tokens for ngram in sentence.ngrams), ()) == sentence.tokens
        of_ngrams = [ngram.log_lr for ngram in sentence.ngrams]
        assert math.fsum([sentence.length_log_lr, *of_ngrams]) == pytest.approx(
            sentence.log_lr, abs=1e-9
        )
    of_sentences = [sentence.log_lr for sentence in evidence.sentences]
    assert math.fsum([evidence.constant, *of_sentences]) == pytest.approx(evidence.log_lr, abs=1e-9)


def check_sums(stack: StackedAttributor, text: str, evidence: Evidence) -> None:
    check_levels(evidence)
    log_odds, bias = differences(stack, text, evidence)
    assert evidence.log_lr == pytest.approx(log_odds, rel=1e-9, abs=1e-9)
    by_base_classifier = [value for _, value in evidence.by_classifier]
    assert sum(by_base_classifier) + bias == pytest.approx(log_odds, rel=1e-9, abs=1e-9)
    by_sentence = sum(sentence.log_lr for sentence in evidence.sentences)
    assert evidence.constant + by_sentence == pytest.approx(log_odds, rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
@pytest.mark.parametrize("n_authors", [2, 3])
@settings(deadline=None, max_examples=12)
@given(known=KNOWN, texts=st.lists(TEXTS, min_size=1, max_size=6))
def test_evidence_sums_to_the_difference_of_log_odds(
    n_authors: int, known: list[str], texts: list[str]
) -> None:
    stack = stack_of(MEMBERS, known, AUTHORS[:n_authors] * (6 // n_authors))
    for text in texts:
        evidence = explain(stack, text)
        check_sums(stack, text, evidence)
        assert [name for name, _ in evidence.by_classifier] == [
            "ridge",
            "words",
            "characters",
            "svm",
        ]
        assert [[token.token for token in s.tokens] for s in evidence.sentences] == [
            [*sentence, END_MARK] for sentence in ENCODER.tokenize(text)
        ]


@pytest.fixture(scope="module")
def stack(known: Known) -> StackedAttributor:
    fitted: StackedAttributor = stack_of(MEMBERS, *known)
    return fitted


def test_the_best_two_candidates_are_explained(
    stack: StackedAttributor, questioned: list[str]
) -> None:
    for text in questioned[:3]:
        evidence = explain(stack, text)
        scores = stack.score_authors([text])[0]
        best = [AUTHORS[column] for column in np.argsort(-scores)]
        assert [evidence.first, evidence.second] == best[:2]
        assert evidence.log_lr > 0
        back = explain(stack, text, first=best[1], second=best[0])
        assert back.log_lr == pytest.approx(-evidence.log_lr, rel=1e-12)


def test_language_models_alone_are_only_weighted(known: Known, questioned: list[str]) -> None:
    alone = stack_of([("words", SHOWN)], *known)
    text = questioned[0]
    weighed = explain(alone, text, first="alder", second="brook")
    plain = explain(alone.base_classifiers_["words"], text, first="alder", second="brook")
    factor = alone.score_texts([text]).factors(0)["words"]
    for sentence, same in zip(weighed.sentences, plain.sentences, strict=True):
        assert [t.unknown for t in sentence.tokens] == [t.unknown for t in same.tokens]
        np.testing.assert_allclose(
            [token.log_lr for token in sentence.tokens],
            [factor * token.log_lr for token in same.tokens],
            atol=1e-12,
        )
    biases, corrections = alone.combination_.biases, alone.score_texts([text]).corrections(0)
    correction = corrections["words"][0] - corrections["words"][1]
    assert weighed.constant == pytest.approx(biases[0] - biases[1] + correction)
    [(name, part)] = weighed.by_classifier
    assert name == "words"
    assert part == pytest.approx(factor * plain.log_lr + correction)
    assert (plain.constant, plain.by_classifier) == (0, ())


def test_an_ngram_contributes_to_the_words_it_covers() -> None:
    texts, authors = ["Oats rye. Tide", "Oats barley", "rye oats", "Tide"], ["a", "b", "b", "a"]
    pair = NgramRidge((NgramBlock("word", (2, 2)),), min_documents=1)
    stack = stack_of([("words", SHOWN), ("pairs", pair)], texts, authors)
    stack.combination_ = only_second()
    evidence = explain(stack, "Oats rye, rye oats", first="a", second="b")
    _, values = stack.base_classifiers_["pairs"].contributions("Oats rye, rye oats")
    ridge = stack.base_classifiers_["pairs"]
    half = (ridge.intercept_[0] - ridge.intercept_[1]) / 2  # of two n-grams by their presence
    forth, back = values[:, 0] - values[:, 1] + half  # "Oats rye" and "rye oats"
    [sentence] = evidence.sentences
    tokens = [token.token for token in sentence.tokens]
    assert tokens == ["oats", "rye", ",", "rye", "oats", END_MARK]
    log_lrs = [token.log_lr for token in sentence.tokens]
    # Four of the seven letters are those of the oats.
    expected = np.array([forth * 4 / 7, forth * 3 / 7, 0, back * 3 / 7, back * 4 / 7, 0])
    factor = stack.score_texts(["Oats rye, rye oats"]).factors(0)["pairs"]
    np.testing.assert_allclose(log_lrs, factor * expected, atol=1e-9)


def test_one_candidate_is_compared_with_all_others(
    stack: StackedAttributor, questioned: list[str]
) -> None:
    text = questioned[0]
    evidence = explain(stack, text, first="brook", against_all=True)
    alder, brook, cedar = stack.score_authors([text])[0]
    assert (evidence.first, evidence.second) == ("brook", ALL_OTHERS)
    assert evidence.log_lr == pytest.approx(brook - (alder + cedar) / 2, abs=1e-9)
    check_levels(evidence)
    pairs = [explain(stack, text, first="brook", second=rival) for rival in ("alder", "cedar")]
    for place, sentence in enumerate(evidence.sentences):
        apart = [pair.sentences[place] for pair in pairs]
        assert sentence.log_lr == pytest.approx(sum(s.log_lr for s in apart) / 2, abs=1e-9)
        assert sentence.length_log_lr == pytest.approx(
            sum(s.length_log_lr for s in apart) / 2, abs=1e-9
        )


def test_the_evidence_of_a_text_that_counts_as_the_mean_of_parts_sums(
    stack: StackedAttributor, questioned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byline.attribution.stacking.combination.LONGEST", 100)
    check_sums(stack, questioned[0], explain(stack, questioned[0]))


def test_by_default_the_best_is_compared_with_all_others(
    stack: StackedAttributor, questioned: list[str]
) -> None:
    best = explain(stack, questioned[0]).first
    assert explain(stack, questioned[0], against_all=True).first == best
    with pytest.raises(UsageError, match="cannot be compared with 'brook' and with all others"):
        explain(stack, questioned[0], second="brook", against_all=True)


def test_the_only_other_candidate_is_named(known: Known) -> None:
    texts, authors = known
    two = stack_of(MEMBERS[1:2], texts[:6], authors[:6])
    evidence = explain(two, texts[0][:300], first="brook", against_all=True)
    assert evidence.second == "alder"
    check_sums(two, texts[0][:300], evidence)


def test_lengths_belong_to_no_word() -> None:
    texts = ["Oats rye. " * 6, "Oats rye oats rye oats rye oats rye oats rye. " * 4] * 2
    lengths = NgramRidge((NgramBlock("sentence-length", (1, 1), value="root-count"),))
    stack = stack_of([("words", SHOWN), ("lengths", lengths)], texts, ["a", "b"] * 2)
    stack.combination_ = only_second()
    evidence = explain(stack, "Rye oats. " + texts[1], first="a", second="b")
    short, *long = evidence.sentences
    assert short.length_log_lr > 0 > max(sentence.length_log_lr for sentence in long)
    tokens = [token.log_lr for sentence in evidence.sentences for token in sentence.tokens]
    assert not any(tokens)
    assert evidence.length_log_lr + evidence.constant == pytest.approx(evidence.log_lr, abs=1e-12)
    check_sums(stack, "Rye oats. " + texts[1], evidence)


@pytest.mark.parametrize("text", ["", " \n ", "[laughter]"])
def test_a_text_without_a_token_has_only_a_constant(stack: StackedAttributor, text: str) -> None:
    evidence = explain(stack, text)
    assert evidence.sentences == ()
    assert evidence.log_lr == evidence.constant
    check_sums(stack, text, evidence)


@pytest.mark.parametrize(
    "params",
    [
        {"score_rule": "sum-of-perplexities"},
        {"score_rule": "likelihood-ratio", "background": "pooled", "language_model": ADAPTED},
    ],
    ids=["perplexities", "ratio"],
)
def test_base_classifiers_with_other_score_rules_sum(
    params: dict[str, Any], known: Known, questioned: list[str]
) -> None:
    other = clone(SHOWN).set_params(**params)
    stack = stack_of([("other", other), ("ridge", RIDGE)], *known)
    text = "Bababa bagode! " + questioned[1]
    check_sums(stack, text, explain(stack, text, first="cedar", second="alder"))


def test_models_without_end_marks_sum(known: Known, questioned: list[str]) -> None:
    endless = clone(SHOWN).set_params(language_model=NgramLM(order=2, sentence_end=False))
    stack = stack_of([("endless", endless), ("characters", CHARACTERS)], *known)
    evidence = explain(stack, questioned[0])
    check_sums(stack, questioned[0], evidence)
    tokens = [token.token for sentence in evidence.sentences for token in sentence.tokens]
    assert END_MARK not in tokens


def test_authors_may_be_integers(known: Known, questioned: list[str]) -> None:
    numbers = {"alder": 9, "brook": 10, "cedar": 111}  # as digits, 10 and 111 come before 9
    stack = stack_of(MEMBERS[:2], known[0], [numbers[author] for author in known[1]])
    evidence = explain(stack, questioned[0], second="111")
    assert evidence.second == "111"
    check_sums(stack, questioned[0], evidence)
    with pytest.raises(UsageError, match="9 is not a candidate; choose from 9, 10 and 111"):
        explain(stack, questioned[0], first=9)  # type: ignore[arg-type]


def test_unknown_and_equal_candidates_are_rejected(stack: StackedAttributor) -> None:
    with pytest.raises(
        UsageError, match="'birch' is not a candidate; choose from alder, brook and cedar"
    ):
        explain(stack, "text", first="birch")
    with pytest.raises(UsageError, match="'alder' is given twice"):
        explain(stack, "text", first="alder", second="alder")


def test_scores_that_are_no_sums_over_words_belong_to_the_text(
    known: Known, questioned: list[str]
) -> None:
    stack = stack_of([("words", SHOWN), ("frequent", MostFrequentAuthor())], *known)
    check_sums(stack, questioned[0], explain(stack, questioned[0]))


def test_a_stack_without_language_models_is_explained_by_its_encoders_tokens(
    known: Known, questioned: list[str]
) -> None:
    stack = stack_of([("ridge", RIDGE)], *known)
    evidence = explain(stack, questioned[0])
    check_sums(stack, questioned[0], evidence)
    tokens = [token for sentence in evidence.sentences for token in sentence.tokens]
    assert not any(token.unknown for token in tokens)
    assert any(token.log_lr for token in tokens)


def test_evidence_of_a_real_text_sums_for_a_stored_stack(shared: Path, tmp_path: Path) -> None:
    known = shared / "corpora/federalist/known"
    essays = [
        (path.read_text(encoding="utf-8"), author)
        for author in ("Hamilton", "Jay", "Madison")
        for path in sorted((known / author).rglob("*.txt"))[:4]
    ]
    texts, authors = map(list, zip(*essays, strict=True))
    text = texts.pop()
    stack = stack_of(default_base_classifiers(), texts, authors[:-1])
    save_attributor(stack, tmp_path / "model")
    stored = load_attributor(tmp_path / "model")
    for rival in ("Hamilton", "Jay"):
        evidence = explain(stored, text, first="Madison", second=rival)
        check_sums(stack, text, evidence)
        assert evidence == explain(stack, text, first="Madison", second=rival)
