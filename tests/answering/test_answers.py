"""Complete answers to questioned texts: one per text, with caveats, keywords and evidence."""

from __future__ import annotations

import pytest

from byline.answering import answer_texts, check_known_texts, compare_known_texts
from byline.attribution import AuthorshipAttributor, NgramSVM, StackedAttributor
from byline.attribution.keyness import NgramCounts
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, UsageError
from byline.lm import NgramLM

ADA = "The engine weaves numbers, and the loom follows as the cards command it today. "
BEN = "A ship sails north while every sailor counts the rope before a heavy storm. "
TEXTS = {author: [text * n for n in (2, 3, 4, 5)] for author, text in (("Ada", ADA), ("Ben", BEN))}


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    model = AuthorshipAttributor(NgramLM(order=2, smoothing="witten-bell"), n_samples=1)
    texts = [text for author in TEXTS for text in TEXTS[author]]
    return model.fit(texts, [author for author in TEXTS for _ in TEXTS[author]])


def _corpus(texts: dict[str, list[str]]) -> Corpus:
    return Corpus(
        [
            Document(author, text, f"{author}/{number}.txt")
            for author, known in texts.items()
            for number, text in enumerate(known)
        ],
        "known",
    )


def test_each_text_has_one_answer_in_order(attributor: AuthorshipAttributor) -> None:
    texts = [ADA, "", BEN]
    answers = answer_texts(attributor, texts, ["a.txt", "b.txt", "c.txt"], model="m.byline")
    assert [answer.path for answer in answers.attributions] == ["a.txt", "b.txt", "c.txt"]
    assert [answer.declined is None for answer in answers.attributions] == [True, False, True]
    assert [answers.attributions[i].ranking[0].author for i in (0, 2)] == ["Ada", "Ben"]
    assert len(answers.caveats) == len(texts)
    assert answers.keywords == ()


def test_evidence_belongs_to_the_first_two_candidates(attributor: AuthorshipAttributor) -> None:
    answers = answer_texts(attributor, [ADA, ""], ["a.txt", "b.txt"], model="m.byline")
    explained, declined = answers.evidence()
    assert declined is None
    assert explained is not None
    assert (explained.first, explained.second) == ("Ada", "Ben")
    first, second = answers.attributions[0].ranking
    assert explained.log_lr == pytest.approx(first.log_likelihood - second.log_likelihood, abs=1e-9)


def test_keywords_come_from_the_counts_of_the_known_texts(attributor: AuthorshipAttributor) -> None:
    counts = NgramCounts.of(_corpus(TEXTS), attributor.encoder_)
    answers = answer_texts(
        attributor, [ADA, ""], ["a.txt", "b.txt"], model="m.byline", known_counts=counts
    )
    pair, none = answers.keywords
    assert none is None
    assert pair is not None
    assert [keywords.author for keywords in pair] == ["Ada", "Ben"]


def test_a_model_without_open_set_is_refused_a_rate(attributor: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match=r"m\.byline was not trained for open-set attribution"):
        answer_texts(attributor, [ADA], ["a.txt"], model="m.byline", false_attribution_rate=0.05)


def test_known_texts_without_a_candidate_are_refused(attributor: AuthorshipAttributor) -> None:
    check_known_texts(_corpus(TEXTS), attributor, "known")
    with pytest.raises(UsageError, match="known has no text by Ben"):
        check_known_texts(_corpus({"Ada": TEXTS["Ada"]}), attributor, "known")


def test_other_known_texts_than_those_of_the_training_are_reported() -> None:
    texts = [text for author in TEXTS for text in TEXTS[author]]
    authors = [author for author in TEXTS for _ in TEXTS[author]]
    stack = StackedAttributor([("words", NgramSVM("word", (1, 1), min_df=1))], folds=2)
    stack.fit(texts, authors)
    same = compare_known_texts(_corpus(TEXTS), stack, "m.byline")
    assert same is not None
    assert (same.missing, same.added) == ((), ())
    fewer = _corpus({"Ada": TEXTS["Ada"], "Ben": TEXTS["Ben"][:-1]})
    with pytest.warns(BylineWarning, match=r"\(1 missing, 0 added\)"):
        differences = compare_known_texts(fewer, stack, "m.byline")
    assert differences is not None
    assert len(differences.missing) == 1


def test_answers_are_about_normalised_texts(attributor: AuthorshipAttributor) -> None:
    corpus = _corpus(TEXTS)
    edited = ADA.replace(" ", "\N{NO-BREAK SPACE}").replace("engine", "en\N{SOFT HYPHEN}gine")
    counts = NgramCounts.of(corpus, attributor.encoder_)
    plain, of_edited = (
        answer_texts(attributor, [text], ["a"], model="m.byline", known_counts=counts)
        for text in (ADA, edited)
    )
    assert of_edited.texts == plain.texts
    assert of_edited.attributions == plain.attributions
    assert of_edited.keywords == plain.keywords
    assert of_edited.caveats == plain.caveats
    [first], [second] = plain.evidence(), of_edited.evidence()
    assert first == second


def test_known_texts_in_another_edition_are_those_of_the_record() -> None:
    words = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    stack = StackedAttributor([("words", words)], folds=2, passage_lengths=(1,))
    corpus = _corpus(TEXTS)
    stack.fit(corpus.texts, corpus.authors)
    edited = corpus.map_texts(lambda text: text.replace("e", "e\N{SOFT HYPHEN}"))
    differences = compare_known_texts(edited, stack, "m.byline")
    assert differences is not None
    assert (differences.missing, differences.added) == ((), ())
