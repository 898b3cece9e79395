from hypothesis import given
from hypothesis import strategies as st

from byline.experiments.shortlist_recall import WANTED_RECALL, ShortlistRecall


def test_the_shortest_shortlist_misses_one_text_in_a_hundred() -> None:
    # 99 of 100 texts have rank 1 to 7: the text with rank 50 may be missed.
    ranks = [1] * 60 + [7] * 39 + [50]
    found = ShortlistRecall.from_ranks(ranks, n_candidates=200)
    assert found == ShortlistRecall({1: 0.6, 10: 0.99, 100: 1.0}, size=7)


def test_a_shortlist_is_shorter_than_the_list_of_candidates() -> None:
    assert ShortlistRecall.from_ranks([3], n_candidates=10).recall == {1: 0.0}


@given(st.lists(st.integers(1, 30), min_size=1))
def test_one_candidate_fewer_misses_more_texts_than_allowed(ranks: list[int]) -> None:
    size = ShortlistRecall.from_ranks(ranks, n_candidates=30).size
    assert sum(rank <= size for rank in ranks) >= WANTED_RECALL * len(ranks)
    assert sum(rank < size for rank in ranks) < WANTED_RECALL * len(ranks)
