"""The mode for many candidates: three kinds of author profiles, without language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.attribution import (
    NgramProfiles,
    StackedAttributor,
    explain,
    load_attributor,
    profile_attributor,
    save_attributor,
)
from byline.attribution.stacking import MANY_AUTHORS
from byline.errors import TrainingError

Known = tuple[list[str], list[str]]
NAMES = ["character-profiles", "word-profiles", "masked-word-profiles"]


@pytest.fixture(scope="module")
def profiles(known: Known) -> StackedAttributor:
    return profile_attributor().fit(*known)


def many_authors(n_authors: int, n_texts: int = 2) -> Known:
    """Texts in which each author prefers words of their own."""
    rng = np.random.default_rng(0)
    shared = [f"w{number}" for number in range(40)]
    texts, authors = [], []
    for author in range(n_authors):
        own = [f"a{author}x{number}" for number in range(3)]
        for _ in range(n_texts):
            texts.append(" ".join([*rng.choice(shared, 30), *rng.choice(own, 10)]))
            authors.append(f"{author:03}")
    return texts, authors


def test_it_attributes_and_states_probabilities(
    profiles: StackedAttributor, questioned: list[str]
) -> None:
    assert list(profiles.base_classifiers_) == NAMES
    assert profiles.language_models_ is None
    answers = profiles.attribute(questioned)
    assert [each.ranking[0].author for each in answers] == ["alder", "brook", "cedar"] * 2
    for answer in answers:
        assert sum(place.probability or 0 for place in answer.ranking) == pytest.approx(1)
        assert answer.calibration_basis == "9 held-out known texts"
        assert [name for name, _ in answer.contributions] == NAMES


def test_it_can_be_saved_and_loaded(
    profiles: StackedAttributor, questioned: list[str], tmp_path: Path
) -> None:
    save_attributor(profiles, tmp_path / "model.byline")
    loaded: Any = load_attributor(tmp_path / "model.byline")
    np.testing.assert_array_equal(
        loaded.predict_proba(questioned), profiles.predict_proba(questioned)
    )


def test_the_evidence_adds_up(profiles: StackedAttributor, questioned: list[str]) -> None:
    evidence = explain(profiles, questioned[0], first="alder", second="brook")
    log_odds = profiles.score_authors(questioned[:1])[0]
    assert evidence.log_lr == pytest.approx(log_odds[0] - log_odds[1])


def test_a_text_of_unknown_words_is_declined(profiles: StackedAttributor) -> None:
    text = "Nobody here ever wrote any of these words before today. Bababa."
    [answer] = profiles.attribute([text])
    assert answer.declined is not None
    assert "of the text's 13 words and punctuation marks (77 %) are unknown" in answer.declined
    [answer] = profiles.attribute(["今天天气很好我们去公园玩吧今天天气很好我们去公园玩吧"])
    assert answer.declined is not None


def test_the_unit_of_the_encoder_is_that_of_the_known_texts(profiles: StackedAttributor) -> None:
    assert profiles.encoder_.unit == "word"
    known = ["他昨天去了北京大学图书馆看书" * 3, "我今天去了北京大学图书馆写信" * 3] * 2
    chinese = profile_attributor("zh").fit(known, ["Ann", "Bob"] * 2)
    assert (chinese.encoder_.language, chinese.encoder_.unit) == ("zh", "char")


def test_an_author_needs_a_second_work(known: Known) -> None:
    texts, authors = known
    only = [authors.index(author) for author in sorted(set(authors))]
    with pytest.raises(TrainingError, match="no author has a second work that could be held out"):
        profile_attributor().fit([texts[i] for i in only], [authors[i] for i in only])


def test_with_hundreds_of_authors_there_are_no_intercepts() -> None:
    texts, authors = many_authors(MANY_AUTHORS + 10)
    stack = StackedAttributor(
        [("words", NgramProfiles("word-without-punctuation", (1, 1), min_authors=1))],
        passage_lengths=(20,),
        max_held_out=100,
    ).fit(texts, authors)
    assert len(np.unique(stack.held_out_results_.labels)) < MANY_AUTHORS
    assert not stack.combination_.biases.any()
    # The author's own words decide, also for authors without any held-out text.
    asked, owners = many_authors(MANY_AUTHORS + 10, 1)
    assert np.mean(stack.predict(asked) == np.array(owners)) > 0.95
