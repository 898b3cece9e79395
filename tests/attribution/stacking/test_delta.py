"""The quick mode: Cosine Delta alone, without language models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from byline.attribution import StackedAttributor, explain, load_attributor, save_attributor
from byline.attribution.author_scores import author_scores
from byline.attribution.caveats import caveats_for
from byline.attribution.rolling import rolling_attribution
from byline.attribution.stacking import COSINE_DELTA, default_base_classifiers, delta_attributor
from byline.attribution.stacking.plain_texts import PlainTexts

Known = tuple[list[str], list[str]]


@pytest.fixture(scope="module")
def delta(known: Known) -> StackedAttributor:
    return delta_attributor().fit(*known)


def test_it_is_the_cosine_delta_of_the_default(
    delta: StackedAttributor, known: Known, questioned: list[str]
) -> None:
    alone = dict(default_base_classifiers())[COSINE_DELTA]
    alone.fit(*known)
    scores = delta.base_classifier_scores(questioned)
    np.testing.assert_allclose(scores, [author_scores(alone, questioned)])


def test_it_attributes_and_states_probabilities(
    delta: StackedAttributor, questioned: list[str]
) -> None:
    answers = delta.attribute(questioned, [f"{n}.txt" for n in range(6)])
    assert [each.ranking[0].author for each in answers] == ["alder", "brook", "cedar"] * 2
    for answer, probabilities in zip(answers, delta.predict_proba(questioned), strict=True):
        stated = {place.author: place.probability for place in answer.ranking}
        assert [stated[author] for author in delta.classes_] == pytest.approx(probabilities)
        assert sum(probabilities) == pytest.approx(1)
        assert answer.calibration_basis == "9 held-out known texts and 430 simulated cases"
        assert [name for name, _ in answer.contributions] == [COSINE_DELTA]
        for place in answer.ranking:
            of_models = (place.log_likelihood, place.log_likelihood_per_token, place.perplexity)
            assert of_models == (None, None, None)


def test_the_probability_and_the_likelihood_ratio_agree(
    delta: StackedAttributor, questioned: list[str]
) -> None:
    for answer in delta.attribute(questioned):
        for place in answer.ranking:
            assert place.probability is not None
            assert place.log10_lr is not None
            odds = place.probability / (1 - place.probability)
            prior_odds = 1 / 2  # one of three candidates
            assert 10**place.log10_lr == pytest.approx(odds / prior_odds)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        (". . . , !", "the text contains no word"),
        ("Bababa defigo.", "the text has 3 words and punctuation marks, and at least 10 are"),
        (
            "Nobody here ever wrote any of these words before today. Bababa.",
            "10 of the text's 13 words and punctuation marks (77 %) are unknown to the model, and "
            "at most 75 % may be",
        ),
    ],
)
def test_texts_that_show_nothing_are_declined(
    delta: StackedAttributor, text: str, reason: str
) -> None:
    [answer] = delta.attribute([text])
    assert answer.declined is not None
    assert answer.declined.startswith(reason)
    assert answer.ranking == ()
    assert delta.predict([text], reject=True).tolist() == ["cannot tell"]


def test_a_stored_model_gives_the_same_answers(
    delta: StackedAttributor, questioned: list[str], tmp_path: Path
) -> None:
    save_attributor(delta, tmp_path / "model")
    stored = load_attributor(tmp_path / "model")
    assert stored.predict_proba(questioned).tolist() == delta.predict_proba(questioned).tolist()
    assert stored.encoder_.get_params() == delta.encoder_.get_params()
    assert stored.get_params(deep=False)["max_held_out"] == 1000


def test_evidence_and_rolling_attribution(delta: StackedAttributor, questioned: list[str]) -> None:
    text = questioned[0]
    evidence = explain(delta, text)
    [log_odds] = delta.score_authors([text])
    columns = [delta.classes_.tolist().index(name) for name in (evidence.first, evidence.second)]
    assert evidence.log_lr == pytest.approx(log_odds[columns[0]] - log_odds[columns[1]])
    assert [name for name, _ in evidence.by_classifier] == [COSINE_DELTA]
    rolling = rolling_attribution(delta, text)
    assert [segment.author for segment in rolling.segments] == ["alder"]


def test_caveats_do_not_depend_on_language_models(
    delta: StackedAttributor, questioned: list[str]
) -> None:
    [answer] = delta.attribute(questioned[:1])
    codes = {caveat.code for caveat in caveats_for(delta, answer, questioned[0])}
    assert codes <= {"short-text", "few-known-words", "unusual-word-frequencies"}


def test_fewer_texts_are_held_out_than_there_are(known: Known) -> None:
    texts, authors = known
    all_of_them = delta_attributor().set_params(max_held_out=None).fit(texts, authors)
    few = delta_attributor().set_params(max_held_out=30).fit(texts, authors)
    assert few.n_held_out_ <= 30 < all_of_them.n_held_out_
    held_out = few.held_out_results_
    assert set(held_out.labels.tolist()) == {0, 1, 2}


def test_the_order_of_the_known_texts_does_not_matter(known: Known, questioned: list[str]) -> None:
    attributor = delta_attributor().set_params(max_held_out=40)
    forward = attributor.fit(*known).score_authors(questioned)
    backward = attributor.fit(known[0][::-1], known[1][::-1]).score_authors(questioned)
    np.testing.assert_allclose(backward, forward)


def test_the_language_and_the_unit_of_the_encoder() -> None:
    known = ["他昨天去了北京大学图书馆看书" * 3, "我今天在家里写信给我的朋友们" * 3]
    chinese = delta_attributor("zh").fit(known, ["Ann", "Bob"])
    assert (chinese.encoder_.language, chinese.encoder_.unit) == ("zh", "char")
    assert chinese.predict(["他昨天去了北京大学图书馆看书" * 4]).tolist() == ["Ann"]
    reader = PlainTexts.of(chinese.base_classifiers_, "none")
    assert reader.count(["他昨天"]).n_tokens.tolist() == [3]


def test_open_sets(known: Known, questioned: list[str]) -> None:
    attributor = delta_attributor().set_params(open_set=True).fit(*known)
    answers = attributor.attribute(questioned, false_attribution_rate=0.3)
    assert all(answer.open_set is not None for answer in answers)
