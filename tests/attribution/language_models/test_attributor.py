"""The answers themselves: score rules, ranking, declining, adding an author, processes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.base import clone

from byline.attribution import CANNOT_TELL, AuthorshipAttributor
from byline.errors import TrainingError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, LanguageModel, NgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
WriteText = Callable[[str, int, int], str]
FEEDFORWARD = FeedForwardLM(
    context=2, embedding_dim=6, hidden_dims=(5,), training=FeedForwardTraining(epochs=1)
)


def arrays_of(model: LanguageModel) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in model.get_state().arrays.items()}


def test_names_the_authors(fitted: AuthorshipAttributor, questioned: list[str]) -> None:
    assert fitted.predict(questioned).tolist() == ["alder", "brook", "cedar"] * 2


def test_samples_are_as_large_as_the_smallest_authors_text(
    fitted: AuthorshipAttributor, known: Known
) -> None:
    tokens = {
        author: sum(
            len(sentence)
            for text, by in zip(*known, strict=True)
            if by == author
            for sentence in TextEncoder().tokenize(text)
        )
        for author in ("alder", "brook", "cedar")
    }
    assert fitted.n_tokens_per_author_ == tokens
    assert fitted.sample_size_ == tokens["alder"] == min(tokens.values())
    assert {author: len(models) for author, models in fitted.models_.items()} == {
        "alder": 1,
        "brook": 2,
        "cedar": 2,
    }


def test_without_balance_one_model_is_trained_on_all_text(known: Known) -> None:
    attributor = AuthorshipAttributor(NgramLM(order=2), balance="none").fit(*known)
    assert attributor.sample_size_ is None
    assert [len(models) for models in attributor.models_.values()] == [1, 1, 1]
    texts = [text for text, author in zip(*known, strict=True) if author == "brook"]
    sentences = [ids for text in attributor.encoder_.transform(texts) for ids in text]
    alone = NgramLM(order=2).fit(sentences, vocabulary_size=attributor.encoder_.vocabulary_.size)
    assert arrays_of(attributor.models_["brook"][0]) == arrays_of(alone)


def test_a_score_is_the_mean_over_samples_of_summed_log_probabilities(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    documents = fitted.encoder_.transform(questioned)
    expected = np.stack(
        [
            np.mean([model.score_samples(documents) for model in models], axis=0)
            for models in fitted.models_.values()
        ],
        axis=1,
    )
    np.testing.assert_allclose(fitted.score_authors(questioned), expected, rtol=1e-12)
    joint = fitted.predict_joint_log_proba(questioned)
    np.testing.assert_allclose(joint, expected - math.log(3), rtol=1e-12)


def test_sum_of_perplexities_adds_up_the_sentences_perplexities(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    attributor = clone(fitted).set_params(score_rule="sum-of-perplexities")
    attributor.__dict__.update({k: v for k, v in vars(fitted).items() if k.endswith("_")})
    document = fitted.encoder_.transform(questioned[:1])[0]
    expected = [
        -np.mean([sum(model.perplexity([[s]]) for s in document) for model in models])
        for models in fitted.models_.values()
    ]
    np.testing.assert_allclose(attributor.score_authors(questioned[:1])[0], expected, rtol=1e-12)
    np.testing.assert_array_equal(
        attributor.predict_joint_log_proba(questioned), fitted.predict_joint_log_proba(questioned)
    )
    [answer] = attributor.attribute(questioned[:1])
    by_score = [attributor.classes_[i] for i in np.argsort(expected)[::-1]]
    assert [candidate.author for candidate in answer.ranking] == by_score


def test_ranking(fitted: AuthorshipAttributor, questioned: list[str]) -> None:
    [answer] = fitted.attribute(questioned[:1], ["a/b.txt"])
    document = fitted.encoder_.transform(questioned[:1])[0]
    n_tokens = sum(map(len, document)) + len(document)  # with </s>
    log_likelihoods = dict(
        zip(fitted.classes_, fitted.score_authors(questioned[:1])[0], strict=True)
    )
    [joint] = fitted.predict_joint_log_proba(questioned[:1])
    posteriors = dict(zip(fitted.classes_, softmax(joint), strict=True))
    assert (answer.path, answer.n_tokens, answer.declined) == ("a/b.txt", n_tokens, None)
    assert {candidate.author for candidate in answer.ranking} == set(fitted.classes_)
    values = [candidate.log_likelihood or 0 for candidate in answer.ranking]
    assert values == sorted(values, reverse=True)
    for candidate in answer.ranking:
        per_token = log_likelihoods[candidate.author] / n_tokens
        assert candidate.log_likelihood == pytest.approx(log_likelihoods[candidate.author])
        assert candidate.log_likelihood_per_token == pytest.approx(per_token)
        assert candidate.perplexity == pytest.approx(math.exp(-per_token))
        assert candidate.probability is None
        assert candidate.posterior_uncalibrated == pytest.approx(posteriors[candidate.author])
    assert sum(c.posterior_uncalibrated for c in answer.ranking) == pytest.approx(1)
    with pytest.raises(FrozenInstanceError):
        answer.path = "c"  # type: ignore[misc]


def test_an_attribution_can_be_written_as_json(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    answer = json.loads(json.dumps(asdict(fitted.attribute(questioned[:1])[0])))
    assert list(answer) == [
        "path",
        "n_tokens",
        "scored_by",
        "declined",
        "calibration_unavailable_reason",
        "calibration_basis",
        "ranking",
        "open_set",
        "contributions",
        "similar_cases",
        "known_copy",
        "unknown_tokens",
    ]
    assert list(answer["ranking"][0]) == [
        "author",
        "score",
        "log_likelihood",
        "log_likelihood_per_token",
        "perplexity",
        "probability",
        "log10_lr",
        "posterior_uncalibrated",
    ]


def test_no_author_is_named_if_the_best_candidates_are_equal(write: WriteText) -> None:
    text, other = write("alder", 150, 0), write("brook", 150, 0)
    attributor = AuthorshipAttributor(NgramLM(order=2)).fit([text, text, other], ["c", "a", "b"])
    answers = attributor.attribute([text, other])
    assert answers[0].declined == "the best candidates have equal scores"
    # Of equal candidates behind the first, the first in the alphabet comes first.
    assert [candidate.author for candidate in answers[1].ranking] == ["b", "a", "c"]
    assert attributor.predict([text, other], reject=True).tolist() == ["cannot tell", "b"]


@pytest.mark.parametrize("text", ["... !!! ??? -- ,, ;;" * 9, "🙂 " * 30, "— …" * 40])
def test_a_text_without_words_is_declined(text: str, fitted: AuthorshipAttributor) -> None:
    [answer] = fitted.attribute([text])
    assert (answer.declined, answer.ranking) == ("the text contains no word", ())
    assert fitted.predict([text], reject=True).tolist() == ["cannot tell"]


@pytest.mark.parametrize("text", ["", " \n\t ", "\ufeff"])
def test_an_empty_text_is_declined(text: str, fitted: AuthorshipAttributor) -> None:
    [answer] = fitted.attribute([text])
    assert (answer.n_tokens, answer.declined, answer.ranking) == (0, "the text is empty", ())
    assert fitted.predict([text], reject=True).tolist() == [CANNOT_TELL]
    np.testing.assert_array_equal(fitted.score_authors([text]), np.zeros((1, 3)))


def test_a_short_text_is_declined(fitted: AuthorshipAttributor) -> None:
    nine, ten = "bama " * 8 + ".", "bababa " * 9 + "."
    short, enough = fitted.attribute([nine, ten])
    assert (
        short.declined == "the text has 9 words and punctuation marks, and at least 10 are needed"
    )
    assert enough.declined is None
    assert fitted.score_authors([nine]).all()
    assert fitted.predict([nine, ten], reject=True)[0] == CANNOT_TELL


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_character_models_need_five_times_as_many_tokens(known: Known) -> None:
    attributor = AuthorshipAttributor(NgramLM(order=2), TextEncoder(unit="char"), n_samples=1)
    attributor.fit(*known)
    short, enough = attributor.attribute(["babago " * 7, "babago " * 8])
    assert short.declined is not None
    assert "characters, and at least 50 are needed" in short.declined
    assert enough.declined is None


def test_a_text_of_unknown_words_is_declined(fitted: AuthorshipAttributor) -> None:
    half = "Bababa xyzzy " * 6  # 12 tokens, of which 6 are unknown: just allowed
    more = half + "plugh plugh plugh plugh"  # 16 tokens, of which 10 are unknown
    allowed, declined = fitted.attribute([half, more])
    assert allowed.declined is None
    assert declined.declined == (
        "10 of the text's 16 words and punctuation marks (62 %) are unknown to the model, "
        "and at most 50 % may be"
    )


def test_unknown_tokens_are_in_no_authors_vocabulary(known: Known) -> None:
    common = "bababa bagode dedede fifima gogogo. " * 40
    texts = [common + "Only alder says plugh. " * 20, common + "Only brook says xyzzy. " * 20]
    attributor = AuthorshipAttributor(NgramLM(order=1), vocabulary="per-author", max_unknown=0.0)
    attributor.fit(texts, ["alder", "brook"])
    known_to_one, unknown = attributor.attribute(
        ["plugh xyzzy plugh plugh " * 3, "plugh xyzzy frotz xyzzy " * 3]
    )
    assert known_to_one.declined is None
    assert unknown.declined is not None
    assert unknown.declined.startswith("3 of the text's 12 words and punctuation marks (25 %)")


def test_per_author_vocabularies_are_pruned_separately(known: Known) -> None:
    attributor = AuthorshipAttributor(NgramLM(order=2), vocabulary="per-author", n_samples=1)
    attributor.fit(*known)
    for author, encoder in attributor.encoders_.items():
        texts = [text for text, by in zip(*known, strict=True) if by == author]
        assert encoder.vocabulary_ == TextEncoder().fit(texts).vocabulary_
        assert attributor.models_[author][0].vocabulary_size_ == encoder.vocabulary_.size


def test_shared_vocabulary_is_one_object(fitted: AuthorshipAttributor, known: Known) -> None:
    assert {id(encoder) for encoder in fitted.encoders_.values()} == {id(fitted.encoder_)}
    assert fitted.encoder_.vocabulary_ == TextEncoder().fit(known[0]).vocabulary_


def test_one_path_per_text(fitted: AuthorshipAttributor) -> None:
    assert [answer.path for answer in fitted.attribute(["", ""])] == [None, None]
    with pytest.raises(UsageError, match="there are 2 texts but 1 paths"):
        fitted.attribute(["", ""], ["a"])


@pytest.mark.parametrize("model", [NgramLM(order=2), FEEDFORWARD], ids=["ngram", "feedforward"])
def test_number_of_processes_does_not_change_the_models(
    model: LanguageModel, known: Known, questioned: list[str]
) -> None:
    steps: list[tuple[int, int, str]] = []
    alone = AuthorshipAttributor(model, n_samples=2).fit(*known)
    many = AuthorshipAttributor(model, n_samples=2, n_jobs=2).fit(
        *known, progress=lambda done, total, what: steps.append((done, total, what))
    )
    for author, models in alone.models_.items():
        assert list(map(arrays_of, models)) == list(map(arrays_of, many.models_[author]))
    np.testing.assert_array_equal(alone.score_authors(questioned), many.score_authors(questioned))
    assert [step[:2] for step in steps] == [(done, 5) for done in range(1, 6)]
    assert sorted(what for *_, what in steps) == ["alder", "brook", "brook", "cedar", "cedar"]


def test_samples_of_an_author_do_not_depend_on_other_authors(known: Known) -> None:
    encoder = TextEncoder(min_count=1, min_frequency=0)
    texts, authors = known
    one, other = (
        AuthorshipAttributor(FEEDFORWARD, encoder, n_samples=2).fit(texts, [*authors[:6], *names])
        for names in (["cedar"] * 3, ["aspen"] * 3)
    )
    for author in ("alder", "brook"):
        assert list(map(arrays_of, one.models_[author])) == list(
            map(arrays_of, other.models_[author])
        )


def test_samples_and_seeds_differ(known: Known) -> None:
    models = [
        model
        for seed in (0, 1)
        for model in AuthorshipAttributor(FEEDFORWARD, n_samples=2, random_state=seed)
        .fit(*known)
        .models_["brook"]
    ]
    assert len({model.random_state for model in models if isinstance(model, FeedForwardLM)}) == 4
    assert len({arrays_of(model)["embedding"] for model in models}) == 4


def test_an_author_can_be_added(
    fitted: AuthorshipAttributor, questioned: list[str], write: WriteText
) -> None:
    before = fitted.score_authors(questioned)
    extended = fitted.add_author("birch", [write("birch", 200, i) for i in range(3)])
    assert extended.classes_.tolist() == ["alder", "birch", "brook", "cedar"]
    assert list(extended.models_) == list(extended.encoders_) == extended.classes_.tolist()
    assert all(extended.models_[author] is models for author, models in fitted.models_.items())
    assert extended.encoder_ is fitted.encoder_
    assert len(extended.models_["birch"]) == 2
    assert extended.sample_size_ == fitted.sample_size_
    np.testing.assert_allclose(extended.score_authors(questioned)[:, [0, 2, 3]], before)
    assert extended.predict([write("birch", 25, 9), *questioned[:3]]).tolist() == [
        "birch",
        "alder",
        "brook",
        "cedar",
    ]
    assert fitted.classes_.tolist() == ["alder", "brook", "cedar"]
    np.testing.assert_array_equal(fitted.score_authors(questioned), before)


def test_adding_an_author_equals_fitting_all_authors_at_once(known: Known) -> None:
    """This holds if the vocabulary is not pruned and the new author has no new word."""
    texts, authors = known
    encoder = TextEncoder(min_count=1, min_frequency=0)
    together = AuthorshipAttributor(NgramLM(order=2), encoder, n_samples=2).fit(texts, authors)
    extended = clone(together)._set_fitted_state(
        np.array(["alder", "cedar"]),
        together.encoders_,
        together.models_,
        together.n_tokens_per_author_,
        together.sample_size_,
    )
    extended = extended.add_author("brook", texts[:4])
    assert list(map(arrays_of, extended.models_["brook"])) == list(
        map(arrays_of, together.models_["brook"])
    )


def test_an_added_author_has_its_own_vocabulary_with_per_author_vocabularies(
    known: Known, write: WriteText
) -> None:
    attributor = AuthorshipAttributor(NgramLM(order=2), vocabulary="per-author", n_samples=1)
    texts = [write("birch", 700, 0)]
    extended = attributor.fit(*known).add_author("birch", texts)
    assert extended.encoders_["birch"].vocabulary_ == TextEncoder().fit(texts).vocabulary_
    assert extended.encoders_["alder"] is attributor.encoders_["alder"]


def test_an_added_author_needs_as_many_tokens_as_a_sample(
    fitted: AuthorshipAttributor, write: WriteText
) -> None:
    text = write("birch", 20, 0)
    amount = sum(map(len, TextEncoder().tokenize(text)))
    with pytest.raises(
        TrainingError, match=f"birch has {amount} tokens.*have {fitted.sample_size_:,}"
    ):
        fitted.add_author("birch", [text])
    with pytest.raises(TrainingError, match="known texts of birch"):
        fitted.add_author("birch", [])


@pytest.mark.parametrize("name", ["alder", CANNOT_TELL])
def test_a_name_that_is_taken_is_rejected(name: str, fitted: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match=f"'{name}'(, which is the label| is taken)"):
        fitted.add_author(name, ["some text"])


def test_integer_authors_are_supported_for_scikit_learn_only(
    prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    numbered = [["cedar", "alder", "brook"].index(author) for author in known[1]]
    prototype.fit(known[0], numbered)  # type: ignore[arg-type]
    assert prototype.classes_.tolist() == [0, 1, 2]
    assert prototype.predict(questioned[:3]).tolist() == [1, 2, 0]
    assert prototype.predict(["", questioned[0]], reject=True).tolist() == [CANNOT_TELL, 1]
    assert prototype.attribute(questioned[:1])[0].ranking[0].author == "1"
    with pytest.raises(UsageError, match="authors are integers"):
        prototype.add_author("x", questioned)


def test_integer_authors_stay_in_numerical_order(write: WriteText) -> None:
    texts = [write(name, 150, 0) for name in "abcdefghijkl"]
    attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1).fit(texts, range(12))  # type: ignore[arg-type]
    assert list(attributor.models_) == [str(number) for number in range(12)]
    assert attributor.predict(texts).tolist() == list(range(12))
