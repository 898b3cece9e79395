"""Authors who are left out in turn, and stacks for open-set attribution."""

from __future__ import annotations

from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import (
    AuthorshipAttributor,
    NgramSVM,
    ReferencePopulation,
    StackedAttributor,
    load_attributor,
    save_attributor,
)
from byline.attribution.model_files.held_out_results import (
    read_rejection_rule,
    unknown_author_arrays,
)
from byline.attribution.open_set import HeldOutStatistics, RejectionRule, open_set_statistics
from byline.attribution.result import CANNOT_TELL, NONE_OF_THE_CANDIDATES
from byline.attribution.stacking.combination import count_characters
from byline.attribution.stacking.unknown_authors import leave_authors_out
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm import NgramLM

CANDIDATES = ["alder", "brook", "cedar", "dogwood"]
WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])
Asked = tuple[list[str], list[str]]


def _write(author: str, seed: int) -> str:
    """Write twelve sentences with the author's own frequency order of words."""
    frequencies = 1 / np.arange(1, len(WORDS) + 1)
    rng = np.random.default_rng([seed, *author.encode()])
    own = np.random.default_rng([*author.encode()]).permutation(WORDS)
    drawn = rng.choice(own, (12, 6), p=frequencies / frequencies.sum())
    return " ".join(" ".join(sentence).capitalize() + "." for sentence in drawn)


def _texts(authors: list[str], seeds: range) -> Asked:
    pairs = [(_write(author, seed), author) for author in authors for seed in seeds]
    return [text for text, _ in pairs], [author for _, author in pairs]


def _prototype(**params: Any) -> StackedAttributor:
    words = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    members: list[tuple[str, Any]] = [
        ("words", words),
        ("plain", NgramSVM("word-without-punctuation", (1, 1))),
    ]
    stack = StackedAttributor(members, folds=2, passage_lengths=(18,), open_set=True)
    return stack.set_params(**params)


@pytest.fixture(scope="module")
def stack() -> StackedAttributor:
    return _prototype().fit(*_texts(CANDIDATES, range(10)))


@pytest.fixture(scope="module")
def own() -> Asked:
    return _texts(CANDIDATES, range(100, 110))


@pytest.fixture(scope="module")
def strange() -> list[str]:
    return _texts(["elm", "fir", "gum", "hazel"], range(100, 110))[0]


class TestLeaveAuthorsOut:
    def test_every_author_is_left_out_once_with_all_texts(self) -> None:
        authors = list("abcde") * 3
        texts = [
            f"{author} wrote number {place}. A second one came. The third is last."
            for place, author in enumerate(authors)
        ]
        parts = leave_authors_out(texts, authors, n_groups=3, lengths=(2,), random_state=0)
        assert sorted(len(set(part.authors)) for part in parts) == [1, 2, 2]
        left_out = np.stack([part.split.held_out for part in parts])
        assert left_out.sum(axis=0).tolist() == [1] * 15
        for part in parts:
            own = {
                text for text, author in zip(texts, authors, strict=True) if author in part.authors
            }
            assert {texts[i] for i in np.flatnonzero(part.split.held_out)} == own
            asked = part.split.questioned
            assert set(compress(asked, part.is_whole)) == own
            assert len(asked) == 2 * len(own)  # and a passage of two words from each
            passages = [text for text in asked if text not in own]
            assert {len(passage.split()) for passage in passages} == {2}

    @pytest.mark.parametrize(
        ("n_authors", "n_groups", "expected"), [(3, 2, 3), (3, 5, 3), (4, 2, 2), (9, 5, 5)]
    )
    def test_two_candidates_remain(self, n_authors: int, n_groups: int, expected: int) -> None:
        authors = list("abcdefghi"[:n_authors])
        parts = leave_authors_out(authors, authors, n_groups=n_groups, lengths=(), random_state=0)
        assert len(parts) == expected
        assert all(len(part.authors) <= n_authors - 2 for part in parts)

    def test_neither_of_two_authors_can_be_left_out(self) -> None:
        with pytest.raises(TrainingError, match=r"there are 2 authors.*add a third author"):
            leave_authors_out(["a", "b"], ["a", "b"], n_groups=2, lengths=(), random_state=0)


class TestStack:
    def test_unknown_authors_are_scored_by_base_classifiers_trained_without_them(
        self, stack: StackedAttributor
    ) -> None:
        rejection = stack.rejection_rule_
        assert rejection is not None
        assert len(rejection.unknown_authors) == 2 * 40  # the whole text, and 18 words of it
        assert set(rejection.unknown_authors.n_candidates.tolist()) == {2}
        assert not rejection.unknown_authors.is_correct.any()
        assert set(rejection.candidates.n_candidates.tolist()) == {4}
        answers = stack.held_out_results_
        np.testing.assert_array_equal(
            rejection.candidates.statistics, open_set_statistics(answers.log_odds)
        )

    def test_few_unknown_authors_and_most_candidates_are_accepted(
        self, stack: StackedAttributor, own: Asked, strange: list[str]
    ) -> None:
        given = (
            stack.predict(strange, reject=True, false_attribution_rate=0.1)
            != NONE_OF_THE_CANDIDATES
        )
        assert given.mean() <= 0.2  # of 40; the rate is 10 %
        right = stack.predict(own[0], reject=True, false_attribution_rate=0.1) == own[1]
        assert right.mean() > 0.5
        assert (stack.predict(own[0]) == own[1]).mean() >= right.mean()

    def test_a_lower_rate_accepts_fewer_texts(
        self, stack: StackedAttributor, own: Asked, strange: list[str]
    ) -> None:
        texts = own[0] + strange
        few, many = (
            stack.predict(texts, reject=True, false_attribution_rate=rate) != NONE_OF_THE_CANDIDATES
            for rate in (0.05, 0.3)
        )
        assert (few <= many).all()
        assert few.sum() < many.sum()

    def test_attributions_contain_the_decision_and_its_cost(
        self, stack: StackedAttributor, own: Asked, strange: list[str]
    ) -> None:
        texts = [own[0][0], strange[0], "Too little."]
        found = stack.attribute(texts, false_attribution_rate=0.3)
        assert stack.rejection_rule_ is not None
        log_odds = stack.score_authors(texts)
        expected = stack.rejection_rule_.decide(
            log_odds, count_characters(texts), stack.classes_, 0.3
        )
        accepted, rejected, too_little = found
        assert accepted.open_set == expected[0]
        assert accepted.open_set is not None and accepted.open_set.accepted
        assert accepted.declined is None
        assert accepted.ranking[0].author == accepted.open_set.nearest
        assert rejected.open_set == expected[1]
        assert rejected.ranking == ()
        assert (rejected.declined or "").startswith("Attributed to none of the candidates; ")
        assert too_little.open_set is None
        assert "are needed" in (too_little.declined or "")
        assert stack.predict(texts, reject=True, false_attribution_rate=0.1).tolist() == [
            accepted.ranking[0].author,
            NONE_OF_THE_CANDIDATES,
            CANNOT_TELL,
        ]

    def test_without_a_rate_nothing_is_rejected(self, stack: StackedAttributor, own: Asked) -> None:
        closed = _prototype(open_set=False).fit(*_texts(CANDIDATES, range(10)))
        assert closed.rejection_rule_ is None
        assert closed.attribute(own[0]) == stack.attribute(own[0])
        with pytest.raises(UsageError, match="train it with open_set=True, or attribute"):
            closed.attribute(own[0], false_attribution_rate=0.05)
        with pytest.raises(UsageError, match="train it with open_set=True, or attribute"):
            closed.predict(own[0], reject=True, false_attribution_rate=0.05)

    def test_the_order_of_texts_and_the_number_of_processes_do_not_matter(
        self, stack: StackedAttributor
    ) -> None:
        texts, authors = _texts(CANDIDATES, range(10))
        again = clone(stack).set_params(n_jobs=2).fit(texts[::-1], authors[::-1])
        assert stack.rejection_rule_ is not None and again.rejection_rule_ is not None
        for name, array in unknown_author_arrays(stack.rejection_rule_).items():
            np.testing.assert_array_equal(unknown_author_arrays(again.rejection_rule_)[name], array)

    def test_weights_may_be_fitted_to_validation_texts(self, own: Asked) -> None:
        stack = _prototype().fit(*_texts(CANDIDATES, range(10)), validation=own)
        assert stack.rejection_rule_ is not None
        assert len(stack.rejection_rule_.candidates) == 40
        assert len(stack.rejection_rule_.unknown_authors) == 80
        assert (
            stack.rejection_rule_.candidates.is_correct
        ).mean() > 0.8  # all scores have their places

    def test_rates_that_are_too_low_are_rejected(
        self, stack: StackedAttributor, own: Asked
    ) -> None:
        with pytest.raises(UsageError, match="from only 80 texts by unknown authors"):
            stack.attribute(own[0], false_attribution_rate=0.001)
        with pytest.raises(UsageError, match="between 0 and 1"):
            stack.attribute(own[0], false_attribution_rate=5)

    def test_two_authors_are_too_few(self) -> None:
        with pytest.raises(TrainingError, match="add a third author"):
            _prototype().fit(*_texts(CANDIDATES[:2], range(4)))

    def test_open_set_is_true_or_false(self) -> None:
        with pytest.raises(UsageError, match="'open_set' parameter"):
            _prototype(open_set="yes").fit(*_texts(CANDIDATES, range(4)))


class TestStored:
    def test_a_saved_stack_gives_the_same_answers(
        self, stack: StackedAttributor, own: Asked, strange: list[str], tmp_path: Path
    ) -> None:
        save_attributor(stack, tmp_path / "model")
        loaded = load_attributor(tmp_path / "model")
        assert isinstance(loaded, StackedAttributor)
        assert loaded.open_set is True
        for rate in (None, 0.05, 0.2):
            assert loaded.attribute(own[0] + strange, false_attribution_rate=rate) == (
                stack.attribute(own[0] + strange, false_attribution_rate=rate)
            )

    REJECTION = RejectionRule(
        HeldOutStatistics(*(np.full(39, value) for value in (1.5, 100, 0, 2, False))),
        HeldOutStatistics(*(np.full(4, value) for value in (9.5, 100, 1, 3, True))),
    )

    @pytest.mark.parametrize(
        "changed",
        [
            {"sizes": np.full(39, -1)},
            {"sizes": np.full(38, 1)},
            {"authors": np.full(39, 3), "n_candidates": np.full(39, 4)},
            {"authors": np.full(39, -1)},
            {"authors": np.full(39, 0.5)},
            {"statistics": np.full(39, np.nan)},
            {"n_candidates": np.full(39, 1)},
            {"n_candidates": np.full(39, 3)},
            {name: np.zeros(0, dtype=int) for name in ("sizes", "authors", "n_candidates")}
            | {"statistics": np.zeros(0)},
            {"odd": np.zeros(1)},
        ],
    )
    def test_invalid_arrays_are_rejected(self, changed: dict[str, Any]) -> None:
        with pytest.raises(ModelFileError):
            read_rejection_rule(
                unknown_author_arrays(self.REJECTION) | changed, self.REJECTION.candidates
            )

    def test_a_missing_array_is_rejected(self) -> None:
        arrays = unknown_author_arrays(self.REJECTION)
        del arrays["authors"]
        with pytest.raises(ModelFileError, match="authors is missing"):
            read_rejection_rule(arrays, self.REJECTION.candidates)


class TestReference:
    """Texts by people of a reference population are texts by unknown authors."""

    OTHERS = "elm", "fir", "gum", "hazel", "iris", "juniper"

    def _fit(self, candidates: list[str], *, reverse: bool = False) -> StackedAttributor:
        texts, authors = _texts([*self.OTHERS], range(6))
        step = -1 if reverse else 1
        reference = ReferencePopulation(texts[::step], authors[::step], name="letters")
        return _prototype().fit(*_texts(candidates, range(6)), reference=reference)

    def test_they_are_scored_among_all_candidates(self) -> None:
        stack = self._fit(CANDIDATES)
        rule = stack.rejection_rule_
        assert rule is not None
        others = rule.unknown_authors.authors >= len(CANDIDATES)
        assert others.sum() == 2 * 36  # a whole text, and 18 words of it
        assert (~others).sum() == 2 * 24  # by candidates who were left out
        assert set(rule.unknown_authors.n_candidates[others].tolist()) == {4}
        assert set(rule.unknown_authors.authors[others].tolist()) == {4, 5, 6, 7, 8, 9}
        assert not rule.unknown_authors.is_correct.any()
        [answer] = stack.attribute([_write("pine", 1)], false_attribution_rate=0.05)
        assert answer.open_set is not None
        assert answer.open_set.n_unknown_authors == 10

    def test_two_candidates_are_enough_and_the_model_can_be_stored(self, tmp_path: Path) -> None:
        stack = self._fit(CANDIDATES[:2])
        texts = _texts([*CANDIDATES[:2], "pine", "rowan"], range(100, 110))[0]
        answers = stack.attribute(texts, false_attribution_rate="even-odds")
        accepted = [each.open_set is not None and each.open_set.accepted for each in answers]
        assert sum(accepted[:20]) > 14
        assert sum(accepted[20:]) < 8
        save_attributor(stack, tmp_path / "model")
        loaded = load_attributor(tmp_path / "model")
        assert isinstance(loaded, StackedAttributor)
        assert loaded.attribute(texts, false_attribution_rate="even-odds") == answers

    def test_the_order_of_the_texts_does_not_matter(self) -> None:
        texts = _texts(["pine", "alder"], range(100, 104))[0]
        first, second = (
            self._fit(CANDIDATES[:2], reverse=reverse).attribute(
                texts, false_attribution_rate="even-odds"
            )
            for reverse in (False, True)
        )
        assert first == second
