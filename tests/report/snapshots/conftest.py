"""The dictionaries of the reports on a tiny invented corpus."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from zlib import crc32

import pytest

from byline.answering import answer, measure_similarity
from byline.answering.exploration import ExplorationSettings, explore_texts
from byline.attribution import (
    AuthorshipAttributor,
    NgramSVM,
    ReferencePopulation,
    StackedAttributor,
    explain,
)
from byline.attribution.keyness import compare_groups
from byline.attribution.rolling import rolling_attribution
from byline.attribution.stacking import LANGUAGE_MODELS
from byline.attribution.stacking.reference import simulation
from byline.attribution.verification import verify_author, verify_authors
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning
from byline.experiments import evaluate, evaluate_open_set
from byline.lm import NgramLM
from byline.report import evaluation_summary
from byline.report.case import CaseInput, CaseOrigin, case_summary
from byline.report.explanation import explanation_summary
from byline.report.exploration import exploration_summary
from byline.report.group_keywords import group_keywords_summary
from byline.report.joint_verification import joint_verification_summary
from byline.report.joint_verification_case import joint_verification_case_summary
from byline.report.open_set import open_set_summary
from byline.report.rolling import rolling_summary
from byline.report.similarity import similarity_summary
from byline.report.verification import verification_summary
from byline.report.verification_case import (
    MaterialText,
    VerificationOrigin,
    verification_case_summary,
)
from byline.text import profile_texts

Summary = dict[str, Any]
WORDS = (
    *("the", "and", "but", "of", "in", "was", "old", "it", "we", "not", "so", "then"),
    *("river", "lamp", "sea", "loom", "road", "oats", "ship", "barn", "rain", "wheel"),
)


def _number(*parts: object) -> int:
    """Return a number that depends only on the parts, on every platform."""
    return crc32(repr(parts).encode())


def write(author: str, number: int, n_sentences: int) -> str:
    """Write sentences in which an author has favourite words."""
    favourites = sorted(WORDS, key=lambda word: _number(author, word))

    def word(*place: int) -> str:
        once, again = (_number(author, number, *place, n) % len(WORDS) for n in range(2))
        return favourites[once * again // len(WORDS)] if place[-1] % 3 == 0 else WORDS[once]

    sentences = []
    for sentence in range(n_sentences):
        n_words = 5 + _number(author, number, sentence) % 5
        words = " ".join(word(sentence, place) for place in range(n_words))
        sentences.append(words.capitalize() + ("?" if n_words == 9 else "."))
    return " ".join(sentences)


def documents(*authors: str, n: int = 6, n_sentences: int = 16) -> list[Document]:
    """Write texts of invented authors."""
    return [
        Document(author, write(author, number, n_sentences), f"{author}/{number}.txt")
        for author in authors
        for number in range(n)
    ]


KNOWN = Corpus(documents("ada", "ben", "cay"), "letters")


def language_models() -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=2), n_samples=1)


def stack(**settings: Any) -> StackedAttributor:
    words = NgramSVM("word-without-punctuation", (1, 1))
    classifiers: list[tuple[str, Any]] = [(LANGUAGE_MODELS, language_models()), ("words", words)]
    return StackedAttributor(classifiers, folds=3, passage_lengths=(20, 50), **settings)


def case() -> Summary:
    others = documents("dee", "eli", "fay", "gus", n=4)
    reference = ReferencePopulation(
        [each.text for each in others], [each.author for each in others], name="papers"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "MOST_CASES", 6)
        model = stack(open_set=True).fit(KNOWN.texts, KNOWN.authors, reference=reference)
    texts = [write("ada", 20, 24), write("dee", 21, 2), ""]
    answers = answer(
        model,
        texts,
        known=KNOWN,
        open_set=0.25,
        paths=["letter.txt", "note.txt", "empty.txt"],
        model="letters.byline",
    )
    origin = CaseOrigin(
        "byline attribute letters.byline letter.txt note.txt empty.txt",
        (CaseInput("model", "letters.byline", "0" * 64, "file"),),
    )
    return case_summary(answers, origin)


def verification() -> Summary:
    known = [each for each in KNOWN if each.author == "ada"]
    others = documents("ben", "cay", "dee", "eli")
    texts = [write("ada", 30, 16), write("ben", 30, 16), write("ada", 30, 1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("byline.attribution.verification.author_verification.N_RESAMPLES", 40)
        found = verify_author(known, others, texts, ["own.txt", "other.txt", "short.txt"])
    origin = VerificationOrigin(
        "byline verify letters own.txt other.txt short.txt --author ada",
        material=tuple(
            MaterialText("known text", each.author, each.path, 100 + place, "0" * 64, "file")
            for place, each in enumerate(known)
        ),
    )
    return verification_case_summary(verification_summary(found, "papers"), found, origin)


def joint() -> Summary:
    own = {author: [each for each in KNOWN if each.author == author] for author in ("ada", "ben")}
    others = documents("cay", "dee", "eli", "fay")
    texts = [write("ada", 30, 16), write("ada", 30, 1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("byline.attribution.verification.author_verification.N_RESAMPLES", 40)
        found = verify_authors(own, others, texts, ["own.txt", "short.txt"])
    summary = joint_verification_summary(found, "papers", n_population=(4, len(others)))
    command = "byline verify letters own.txt short.txt --author ada --author ben"
    return joint_verification_case_summary(summary, found, VerificationOrigin(command))


def explanation() -> Summary:
    model = stack().fit(KNOWN.texts, KNOWN.authors)
    text = f"{write('ada', 40, 40)} {write('ben', 40, 40)}"
    evidence, rolled = explain(model, text), rolling_attribution(model, text)
    return explanation_summary("letter.txt", None, evidence, rolled, text, model.encoder_)


def open_set() -> Summary:
    papers = Corpus(documents("ada", "ben", "cay", "dee", "eli"), "papers")
    return open_set_summary(evaluate_open_set(papers, stack(), folds=3))


def evaluation() -> Summary:
    notes = Corpus(documents("ada", "ben", "cay", n_sentences=6), "notes")
    return evaluation_summary(
        evaluate(notes, stack(), folds=3, sentences=(2,), baselines=("delta",))
    )


def profile() -> Summary:
    return profile_texts({each: _by(each) for each in KNOWN.candidates}).to_dict()


def _by(author: str) -> list[str]:
    return [each.text for each in KNOWN if each.author == author]


def comparison() -> Summary:
    models = language_models()
    name = "one n-gram model of words per author"
    found = measure_similarity(KNOWN, models, folds=3, n_keywords=3, language_model=name)
    return similarity_summary(found)


def exploration() -> Summary:
    chosen = ExplorationSettings(mfw=20, mfw_range=(5, 20, 5))
    return exploration_summary(explore_texts(KNOWN, settings=chosen), "invented")


def keywords() -> Summary:
    first, second = (Corpus(KNOWN.by(author), author) for author in ("ada", "ben"))
    return group_keywords_summary(compare_groups(first, second, at_most=4, n_lines=2))


def rolling() -> Summary:
    model = language_models().fit(KNOWN.texts, KNOWN.authors)
    text = f"{write('ada', 40, 80)} {write('ben', 40, 80)}"
    return rolling_summary(rolling_attribution(model, text))


MADE: Mapping[str, Callable[[], Summary]] = {
    made.__name__: made
    for made in (
        *(case, verification, joint, explanation, evaluation, open_set),
        *(profile, comparison, keywords, exploration, rolling),
    )
}


@pytest.fixture(scope="session")
def summary_of() -> Callable[[str], Summary]:
    """Return a function that makes the dictionary of a kind of report, once each."""

    @cache
    def make(kind: str) -> Summary:
        with warnings.catch_warnings(action="ignore", category=BylineWarning):  # of little text
            return MADE[kind]()

    return make
