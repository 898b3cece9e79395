"""Conventions that an edition decides: removed from all texts, or left to other classifiers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor, NgramBlock, NgramRidge, NgramSVM, explain
from byline.attribution.caveats import caveats_for
from byline.attribution.rolling import rolling_attribution
from byline.attribution.stacking import StackedAttributor, default_base_classifiers
from byline.attribution.stacking.fallbacks import (
    MAX_PROBABILITY,
    depends_on,
    limit_probabilities,
)
from byline.errors import BylineWarning
from byline.lm import NgramLM
from byline.text import TextEncoder
from byline.typography import Normalization

Change = Callable[[str], str]
ANN = "the engine weaves numbers like any loom weaves leaves and then will stop"
BOB = "our ship sails north when winds turn cold and every sailor counts rope"
WORDS = {"ann": ANN.split(), "bob": BOB.split()}
CHANGES: dict[str, Change] = {
    "small": str.lower,
    "capitals": str.upper,
    "title": str.title,
    "without punctuation": lambda text: text.replace(".", "").replace(",", ""),
    "one paragraph": lambda text: text.replace("\n\n", " "),
    "one sentence per line": lambda text: text.replace("\n\n", " ").replace(". ", ".\n"),
}
RULES = {
    "small": "letter-case",
    "capitals": "letter-case",
    "title": "letter-case",
    "without punctuation": "punctuation",
    "one paragraph": "paragraphs",
    "one sentence per line": "paragraphs",
}


def write(author: str, seed: int, n_sentences: int = 30) -> str:
    """Write sentences of five own and five shared words, three to a paragraph."""
    rng = np.random.default_rng([seed, *author.encode()])
    shared = sorted(WORDS["ann"] + WORDS["bob"])
    sentences = []
    for _ in range(n_sentences):
        words = [*rng.choice(WORDS[author], 5), *rng.choice(shared, 5)]
        rng.shuffle(words)
        sentences.append(f"{' '.join(words[:4])}, {' '.join(words[4:])}.".capitalize())
    paragraphs = [" ".join(sentences[n : n + 3]) for n in range(0, n_sentences, 3)]
    return "\n\n".join(paragraphs)


KNOWN = [(write(author, seed), author) for author in WORDS for seed in range(12)]
QUESTIONED = [write(author, seed) for author in WORDS for seed in (100, 101)]
TRUE = ["ann", "ann", "bob", "bob"]


def fit(known: list[tuple[str, str]] = KNOWN, **params: object) -> StackedAttributor:
    stack = StackedAttributor(
        [
            ("models", AuthorshipAttributor(NgramLM(order=2), n_samples=1)),
            ("characters", NgramRidge((NgramBlock("char", (2, 3)),))),
            ("words", NgramSVM("word-without-punctuation", (1, 1))),
        ],
        folds=2,
        passage_lengths=(5,),
        **params,  # type: ignore[arg-type]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # there is little text
        return stack.fit([text for text, _ in known], [author for _, author in known])


@pytest.fixture(scope="module")
def stack() -> StackedAttributor:
    return fit()


def codes(stack: StackedAttributor, text: str) -> list[str]:
    text = stack.normalization_.apply(text)
    [answer] = stack.attribute([text])
    return [caveat.code for caveat in caveats_for(stack, answer, text)]


def test_the_default_base_classifiers_depend_on_what_they_count() -> None:
    classifiers: dict[str, Any] = dict(default_base_classifiers())
    texts, authors = map(list, zip(*KNOWN, strict=True))
    for name in ("language-models", "character-models"):
        classifiers[name].fit(texts, authors)  # it has its encoder from then on
    found = {name: depends_on(each) for name, each in classifiers.items()}
    every = {"letter-case", "punctuation", "paragraphs", "accents"}
    assert found == {
        "language-models": {"punctuation", "accents"},
        "character-models": {"punctuation", "accents"},
        "characters": every,
        "style": every,
        "word-ngrams": {"accents"},
        "cosine-delta": {"accents"},
    }
    assert depends_on(object()) == every
    assert NgramBlock("paragraph-length", (1, 1)).depends_on == {"paragraphs"}
    assert NgramSVM("char").depends_on == every - {"paragraphs"}
    assert TextEncoder(lowercase=False, punctuation="drop").depends_on == {"letter-case", "accents"}


@pytest.mark.parametrize("name", CHANGES)
def test_a_convention_that_authors_do_not_share_is_removed_from_all_texts(
    name: str, stack: StackedAttributor
) -> None:
    change, rule, usual = CHANGES[name], RULES[name], stack.normalization_.rules
    stack = fit([(change(text) if author == "ann" else text, author) for text, author in KNOWN])
    [difference] = stack.form_differences_
    assert difference.convention == rule
    assert stack.normalization_.rules == usual | {rule}
    # Whatever the form of a questioned text is, the answer is the same.
    plain, changed = stack.attribute(QUESTIONED), stack.attribute(list(map(change, QUESTIONED)))
    assert [answer.ranking[0].author for answer in changed] == TRUE
    for one, other in zip(plain, changed, strict=True):
        assert one.ranking == other.ranking
    assert stack.predict_proba(QUESTIONED).max() == pytest.approx(MAX_PROBABILITY)
    assert {codes(stack, change(text))[0] for text in QUESTIONED} == {"convention-removed"}


@pytest.mark.parametrize("name", CHANGES)
def test_a_text_that_deviates_is_answered_by_the_classifiers_that_do_not_depend_on_it(
    name: str, stack: StackedAttributor
) -> None:
    change = CHANGES[name]
    used = ("words",) if RULES[name] == "punctuation" else ("models", "words")
    texts = list(map(change, QUESTIONED))
    scores = stack.score_texts(texts)
    assert {choice.rule.base_classifiers for choice in scores.choices} == {used}
    assert scores.choices[0].rule.combination.log_weights.shape[0] == len(used)
    assert stack.predict(texts).tolist() == TRUE
    assert stack.predict_proba(QUESTIONED).max() > MAX_PROBABILITY
    probabilities = stack.predict_proba(texts)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities.max() == pytest.approx(MAX_PROBABILITY)
    for answer in stack.attribute(texts):
        probability, log10_lr = answer.ranking[0].probability, answer.ranking[0].log10_lr
        if probability is not None and log10_lr is not None:
            assert probability <= MAX_PROBABILITY + 1e-9
            assert log10_lr <= np.log10(9) + 1e-9  # two candidates: odds of .9 to .1
    assert all("different-convention" in codes(stack, text) for text in texts)
    assert "different-convention" not in codes(stack, QUESTIONED[0])


def test_the_fallbacks_are_used_for_their_texts_only(stack: StackedAttributor) -> None:
    together = stack.score_authors([QUESTIONED[0], QUESTIONED[0].lower(), QUESTIONED[2]])
    for text, row in zip([QUESTIONED[0], QUESTIONED[0].lower()], together, strict=False):
        np.testing.assert_allclose(stack.score_authors([text])[0], row)
    assert not np.allclose(together[0], together[1])


def test_the_highest_probability_is_limited_and_the_others_share_the_rest() -> None:
    probabilities = np.array([[0.98, 0.015, 0.005], [0.6, 0.3, 0.1]])
    limited = np.exp(limit_probabilities(np.log(probabilities)))
    np.testing.assert_allclose(limited, [[0.9, 0.075, 0.025], [0.6, 0.3, 0.1]])
    assert limit_probabilities(np.zeros((0, 3))).shape == (0, 3)


def test_parts_of_a_text_are_answered_by_the_rule_of_the_whole_text(
    stack: StackedAttributor,
) -> None:
    whole = QUESTIONED[0].lower()
    part = whole.split(".")[0]
    assert stack.score_texts([part]).choices[0].unused == ()  # too short to show its letter case
    [choice] = stack.score_texts([part], choice=stack.choose_rule(whole)).choices
    assert choice.unused == ("characters",)
    assert rolling_attribution(stack, whole).segments[0].author == "ann"


def test_the_evidence_adds_up_to_the_log_odds_of_the_fallback(stack: StackedAttributor) -> None:
    text = QUESTIONED[0].lower()
    ann, bob = stack.score_authors([text])[0]
    evidence = explain(stack, text, first="ann", second="bob")
    assert evidence.log_lr == pytest.approx(ann - bob)
    assert dict(evidence.by_classifier)["characters"] == 0


def test_a_text_without_any_suitable_classifier_is_declined() -> None:
    rng = np.random.default_rng(3)

    def accented(text: str) -> str:
        return "".join("é" if c == "e" and rng.random() < 0.5 else c for c in text)

    stack = fit([(accented(text), author) for text, author in KNOWN])
    [answer] = stack.attribute(QUESTIONED[:1])
    assert answer.declined is not None
    assert "has no accents, unlike the known texts" in answer.declined
    assert "the normalisation rules edition,accents" in answer.declined
    assert stack.predict(QUESTIONED[:1], reject=True).tolist() == ["cannot tell"]


def test_an_open_set_answer_needs_all_base_classifiers() -> None:
    known = [*KNOWN, *((write("ann", seed).replace("e", "u"), "cleo") for seed in range(200, 212))]
    stack = fit(known, open_set=True)
    texts = [QUESTIONED[0], QUESTIONED[0].lower()]
    usual, small = stack.attribute(texts, false_attribution_rate=0.5)
    assert usual.open_set is not None
    assert "open-set" not in str(usual.declined)
    assert small.declined is not None and "attribute the text without open set" in small.declined
    assert stack.predict(texts, reject=True, false_attribution_rate=0.5)[1] == "cannot tell"


def test_conventions_are_not_compared_without_their_rule() -> None:
    known = [(text.lower() if author == "ann" else text, author) for text, author in KNOWN]
    stack = fit(known, normalization="edition,-conventions")
    assert stack.form_differences_ == ()
    assert stack.known_forms_ is None
    [choice] = stack.score_texts([QUESTIONED[0].upper()]).choices
    assert choice.deviations == ()


SPELLINGS = (
    "He have upon us never, and she love over.",
    "Hee haue vpon vs neuer, and shee loue ouer.",
)


def with_spelling(text: str, form: int) -> str:
    return "\n\n".join(f"{paragraph} {SPELLINGS[form]}" for paragraph in text.split("\n\n"))


def test_spelling_of_the_questioned_text_limits_the_probability() -> None:
    stack = fit([(with_spelling(text, 0), author) for text, author in KNOWN])
    modern, old = ([with_spelling(text, form) for text in QUESTIONED] for form in (0, 1))
    assert all("different-convention" not in codes(stack, text) for text in modern)
    assert all("different-convention" in codes(stack, text) for text in old)
    choices = stack.score_texts(old).choices
    assert {choice.rule.base_classifiers for choice in choices} == {tuple(stack.base_classifiers_)}
    assert stack.predict_proba(modern).max() > MAX_PROBABILITY
    assert stack.predict_proba(old).max() <= MAX_PROBABILITY + 1e-9


def test_spelling_in_which_the_authors_differ_remains() -> None:
    stack = fit([(with_spelling(text, author == "ann"), author) for text, author in KNOWN])
    [difference] = stack.form_differences_
    assert difference.convention == "spelling"
    assert stack.normalization_.rules == Normalization.parse("edition").rules
    assert {codes(stack, with_spelling(text, 1))[0] for text in QUESTIONED} == {
        "convention-remains"
    }
    assert stack.predict_proba(QUESTIONED).max() <= MAX_PROBABILITY + 1e-9
