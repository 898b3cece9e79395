"""Complete answers to questioned texts: one per text, with caveats, keywords and evidence."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest
from sklearn.exceptions import NotFittedError

from byline.answering import KnownCorpus, answer, check_known_texts, compare_known_texts
from byline.attribution import (
    AuthorshipAttributor,
    Evidence,
    NgramSVM,
    StackedAttributor,
    explain_answer,
)
from byline.attribution.keyness import NgramCounts
from byline.attribution.stacking import delta_attributor
from byline.attribution.training_record.record import TrainingRecord
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, UsageError
from byline.lm import NgramLM

ADA = "The engine weaves numbers, and the loom follows as the cards command it today. "
BEN = "A ship sails north while every sailor counts the rope before a heavy storm. "
# Their words in another order, so that no passage is in the known texts.
OTHER_ADA, OTHER_BEN = (" ".join(text.split()[::-1]) + " " for text in (ADA * 9, BEN * 9))
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
    answers = answer(attributor, [ADA, "", BEN], paths=["a.txt", "b.txt", "c.txt"])
    assert [each.path for each in answers] == ["a.txt", "b.txt", "c.txt"]
    assert [each.declined is None for each in answers] == [True, False, True]
    assert [each.author for each in answers] == ["Ada", None, "Ben"]
    assert [each.keywords for each in answers] == [None, None, None]


def test_names_of_texts_are_printable(attributor: AuthorshipAttributor) -> None:
    [found] = answer(attributor, [ADA], paths=["a\x1b[31m\ud800.txt"])
    assert repr(found) == r"<Answer about a\x1b[31m\ud800.txt: Ada>"
    assert json.dumps(found.to_dict(), ensure_ascii=False).encode()


def test_arguments_of_another_type_or_length_are_refused(attributor: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match="the model is a NgramSVM; give a fitted"):
        answer(NgramSVM(), [ADA])
    with pytest.raises(NotFittedError):
        answer(AuthorshipAttributor(), [ADA])
    with pytest.raises(UsageError, match="there are 1 texts but left_out has 2 entries"):
        answer(attributor, [ADA], left_out=[(), ()])


def test_evidence_belongs_to_the_first_two_candidates(attributor: AuthorshipAttributor) -> None:
    explained, declined = answer(attributor, [ADA, ""])
    assert declined.evidence is None
    assert explained.evidence is not None
    assert (explained.evidence.first, explained.evidence.second) == ("Ada", "Ben")
    first, second = explained.ranking
    assert first.log_likelihood is not None
    assert second.log_likelihood is not None
    expected = pytest.approx(first.log_likelihood - second.log_likelihood, abs=1e-9)
    assert explained.evidence.log_lr == expected


def test_evidence_can_be_left_out(attributor: AuthorshipAttributor) -> None:
    [explained], [plain] = answer(attributor, [ADA]), answer(attributor, [ADA], evidence=False)
    assert plain.evidence is None
    assert "evidence" not in plain.to_dict()
    assert explained.to_dict() == plain.to_dict() | {"evidence": explained.to_dict()["evidence"]}


def test_evidence_is_computed_once_when_it_is_used(
    attributor: AuthorshipAttributor, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = []

    def explaining(*given: Any) -> Evidence | None:
        computed.append(given[1].path)
        return explain_answer(*given)

    monkeypatch.setattr("byline.answering.result.explain_answer", explaining)
    first, _ = answer(attributor, [ADA, BEN], paths=["a.txt", "b.txt"])
    assert (first.author, first.to_pandas().shape[0]) == ("Ada", 2)
    assert computed == []
    assert first.evidence is first.evidence is not None
    assert computed == ["a.txt"]


@pytest.mark.parametrize("with_language_models", [True, False])
def test_an_answer_equals_the_same_answer_computed_again(
    attributor: AuthorshipAttributor, *, with_language_models: bool
) -> None:
    model: AuthorshipAttributor | StackedAttributor = attributor
    if not with_language_models:
        model = delta_attributor().fit(TEXTS["Ada"] + TEXTS["Ben"], ["Ada"] * 4 + ["Ben"] * 4)
    [first], [second] = answer(model, [OTHER_ADA]), answer(model, [OTHER_ADA])
    assert (first.ranking[0].perplexity is None) is not with_language_models
    assert first == second == pickle.loads(pickle.dumps(first))  # noqa: S301
    [other] = answer(model, [OTHER_BEN])
    assert first != other


@pytest.mark.parametrize("prepared", [False, True])
def test_keywords_come_from_the_known_texts(
    attributor: AuthorshipAttributor, prepared: bool
) -> None:
    corpus = _corpus(TEXTS)
    with pytest.warns(BylineWarning, match="the model has no record of its training texts"):
        known = KnownCorpus.of(corpus, attributor) if prepared else None
        one, none = answer(attributor, [OTHER_ADA, ""], known or corpus)
    assert none.keywords is None
    assert one.keywords is not None
    assert [keywords.author for keywords in one.keywords] == ["Ada", "Ben"]


def test_keywords_can_have_names(attributor: AuthorshipAttributor) -> None:
    named = ADA.replace("the loom", "Emma") * 30
    corpus = _corpus({"Ada": [named, named], "Ben": [BEN * 30, BEN * 30]})
    known = KnownCorpus(NgramCounts.of(corpus, attributor.encoder_))
    of_text = [
        answer(attributor, [named], known, keep_names=kept)[0].keywords for kept in (False, True)
    ]
    listed = [
        {word for side in pair or () for keyword in side.ngrams for word in keyword.ngram}
        for pair in of_text
    ]
    assert ["emma" in words for words in listed] == [False, True]


def test_a_model_without_open_set_is_refused_a_rate(attributor: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match=r"m\.byline was not trained for open-set attribution"):
        answer(attributor, [ADA], open_set=0.05, model="m.byline")
    with pytest.raises(UsageError, match=r"the model was not trained .* with open_set=True"):
        answer(attributor, [ADA], open_set=True)


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
    known = KnownCorpus(NgramCounts.of(corpus, attributor.encoder_))
    plain, of_edited = answer(attributor, [ADA, edited], known)
    assert of_edited.text_sha256 != plain.text_sha256
    assert replace(of_edited, text_sha256=plain.text_sha256) == plain


def test_known_texts_in_another_edition_are_those_of_the_record() -> None:
    words = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    stack = StackedAttributor([("words", words)], folds=2, passage_lengths=(1,))
    corpus = _corpus(TEXTS)
    stack.fit(corpus.texts, corpus.authors)
    edited = corpus.map_texts(lambda text: text.replace("e", "e\N{SOFT HYPHEN}"))
    differences = compare_known_texts(edited, stack, "m.byline")
    assert differences is not None
    assert (differences.missing, differences.added) == ((), ())


@pytest.mark.parametrize("with_language_models", [True, False])
def test_the_answer_about_a_known_text_is_withheld(
    attributor: AuthorshipAttributor, *, with_language_models: bool
) -> None:
    model: AuthorshipAttributor | StackedAttributor = attributor
    if not with_language_models:
        model = delta_attributor().fit(TEXTS["Ada"] + TEXTS["Ben"], ["Ada"] * 4 + ["Ben"] * 4)
    # Language models alone have no record of their known texts.
    corpus = _corpus(TEXTS)
    texts = list(map(model.normalization_.apply, corpus.texts))
    record = TrainingRecord.of(texts, corpus.authors, corpus.works)
    known = KnownCorpus(NgramCounts.of(corpus), record=record)
    given = known if with_language_models else None
    whole, part, other = answer(model, [TEXTS["Ada"][1], ADA * 2 + "So.", OTHER_ADA], given)
    for each in (whole, part):
        assert each.attribution.known_copy is not None and each.ranking == ()
        assert each.attribution.known_copy.author == "Ada"
        assert each.probabilities is None and each.evidence is None and each.caveats == ()
        assert "the model was trained on it" in (each.declined or "")
    assert whole.attribution.known_copy is not None
    assert whole.attribution.known_copy.work is not None
    assert other.attribution.known_copy is None and other.author == "Ada"
