"""Equal-sized samples: how they are drawn, and that amounts of text do not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution import AuthorshipAttributor
from byline.attribution.language_models.training import derive_seeds, draw_sample, equal_sample_size
from byline.errors import BylineWarning
from byline.lm import NgramLM

WriteText = Callable[[str, int, int], str]
lengths = st.lists(st.integers(1, 9), min_size=1, max_size=12)


@settings(deadline=None, max_examples=100)
@given(lengths, st.integers(0, 2**32 - 1), st.data())
def test_a_sample_consists_of_whole_sentences_except_the_last(
    sizes: list[int], seed: int, data: st.DataObject
) -> None:
    n_tokens = data.draw(st.integers(1, sum(sizes)))
    sentences = [np.full(size, i, dtype=np.int32) for i, size in enumerate(sizes)]
    sample = draw_sample(sentences, n_tokens, np.random.default_rng(seed))
    drawn = [int(sentence[0]) for sentence in sample]
    assert sum(map(len, sample)) == n_tokens
    assert max(Counter(drawn).values()) == 1  # without replacement
    assert [len(s) for s in sample[:-1]] == [sizes[i] for i in drawn[:-1]]
    assert 1 <= len(sample[-1]) <= sizes[drawn[-1]]


def test_all_sentences_are_equally_likely() -> None:
    """In 4,000 samples of one of 4 sentences, each sentence occurs in about a quarter.

    The standard deviation of the proportion is sqrt(.25 * .75 / 4000) = 0.0068; four are 0.027.
    """
    sentences = [np.full(2, i, dtype=np.int32) for i in range(4)]
    rng = np.random.default_rng(0)
    drawn = Counter(int(draw_sample(sentences, 2, rng)[0][0]) for _ in range(4000))
    assert all(abs(count / 4000 - 0.25) < 0.027 for count in drawn.values())


def test_seeds_depend_on_each_of_their_three_parts() -> None:
    parts = [(0, "a", 0), (1, "a", 0), (0, "b", 0), (0, "a", 1), (0, "\udcff", 0)]
    states = {tuple(seed.generate_state(2)) for part in parts for seed in derive_seeds(*part)}
    assert len(states) == 2 * len(parts)
    assert derive_seeds(3, "a", 2)[0].generate_state(1) == derive_seeds(3, "a", 2)[
        0
    ].generate_state(1)


def test_the_sample_size_is_the_smallest_amount() -> None:
    # A quarter of the median is just enough to count.
    assert equal_sample_size({"a": 1000, "b": 250, "c": 1000}) == 250
    assert equal_sample_size({"a": 400, "b": 100}) == 100


def test_an_author_with_far_less_text_does_not_shrink_the_samples_of_the_others() -> None:
    expected = (
        r"some authors have far less known text than the median author: b \(25 %\) and e \(1 %\)\. "
        "The models of the other authors are trained on larger samples than theirs; add text by "
        "them"
    )
    with pytest.warns(BylineWarning, match=expected):
        amounts = {"a": 1000, "e": 13, "b": 249, "c": 1200, "d": 800, "f": 1100}
        assert equal_sample_size({**amounts, "g": 1000}) == 800


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=9))
@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_samples_are_at_least_a_quarter_of_the_median_authors_text(amounts: list[int]) -> None:
    size = equal_sample_size({str(n): amount for n, amount in enumerate(amounts)})
    assert size in amounts
    assert size >= np.median(amounts) / 4
    assert not any(np.median(amounts) / 4 <= amount < size for amount in amounts)


def test_fit_warns_once_about_an_author_with_little_text(write: WriteText) -> None:
    texts = [write("alder", 1200, 0), write("brook", 900, 0), write("cedar", 100, 0)]
    with pytest.warns(BylineWarning) as caught:
        attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=2)
        attributor.fit(texts, ["alder", "brook", "cedar"])
    assert [str(warning.message)[:17] for warning in caught] == ["some authors have"]
    assert caught[0].filename == __file__
    # The samples of alder are as large as brook's text; cedar's is all of cedar's.
    assert {name: len(models) for name, models in attributor.models_.items()} == {
        "alder": 2,
        "brook": 1,
        "cedar": 1,
    }
    alone = AuthorshipAttributor(NgramLM(order=1), n_samples=2, vocabulary="shared")
    with pytest.warns(BylineWarning):
        alone.fit([*texts[:2], texts[2] + " " + texts[2]], ["alder", "brook", "cedar"])
    scores, same = (each.score_authors([write("brook", 9, 5)]) for each in (attributor, alone))
    np.testing.assert_array_equal(scores[:, :2], same[:, :2])  # cedar's amount changes nothing


def lead_of_more_text(balance: str, write: WriteText) -> tuple[float, float, float]:
    """Train on pairs of authors, one with five times as much text; each author has both roles.

    Returns
    -------
    The accuracy on texts by both authors, the mean log-LR (nats) of these texts in favour of the
    author with more text, and the share of an unknown author's texts that are attributed to the
    author with more text. If amounts do not matter, the log-LR is 0 and the share is a half.
    """
    right, log_lrs, to_more = [], [], []
    unknown = [write("rye/fay", 12, seed) for seed in range(100, 115)]
    for more, less in permutations(["rye/ann", "rye/bo", "rye/cy", "rye/di"], 2):
        attributor = AuthorshipAttributor(NgramLM(order=2), balance=balance)
        attributor.fit([write(more, 1500, 1), write(less, 300, 1)], [more, less])
        texts = [write(author, 12, seed) for author in (more, less) for seed in range(100, 115)]
        sign = 1 if attributor.classes_[0] == more else -1
        log_lrs += (sign * np.subtract(*attributor.score_authors(texts).T)).tolist()
        right += (attributor.predict(texts) == [more] * 15 + [less] * 15).tolist()
        to_more += (attributor.predict(unknown) == more).tolist()
    return float(np.mean(right)), float(np.mean(log_lrs)), float(np.mean(to_more))


def test_unequal_amounts_of_text_do_not_decide(write: WriteText) -> None:
    """Without balance, texts of others go to the author with more text; equal samples prevent it.

    Measured: accuracy 91 % and 72 %, log-LR 0.0 and 17.6 nats, 46 % and 85 % of unknown texts.
    """
    right, lead, to_more = lead_of_more_text("equal-samples", write)
    assert right > 0.85
    assert abs(lead) < 2
    assert abs(to_more - 0.5) < 0.1
    right, lead, to_more = lead_of_more_text("none", write)
    assert right < 0.8
    assert lead > 10
    assert to_more > 0.75
