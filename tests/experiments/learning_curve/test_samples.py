"""Random samples of known texts, and passages of held-out texts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.experiments.learning_curve.samples import Text, take_passages, take_sample

LENGTHS = st.lists(st.integers(1, 1400), min_size=1, max_size=5)


def _texts(lengths: list[int]) -> list[Text]:
    """Make texts whose words are all different."""
    return [
        Text.of(Document("Ann", " ".join(f"{n}w{place}" for place in range(length)), f"{n}.txt"))
        for n, length in enumerate(lengths)
    ]


@settings(deadline=None)
@given(LENGTHS, st.data())
def test_a_sample_has_exactly_so_many_different_words(
    lengths: list[int], data: st.DataObject
) -> None:
    n_words = data.draw(st.integers(1, sum(lengths)))
    sample = take_sample(_texts(lengths), n_words, 0, "Ann")
    words = [word for document in sample for word in document.text.split()]
    assert len(words) == len(set(words)) == n_words


@settings(deadline=None)
@given(LENGTHS, st.data())
def test_a_smaller_sample_is_part_of_a_larger_one(lengths: list[int], data: st.DataObject) -> None:
    few, many = sorted(data.draw(st.integers(1, sum(lengths))) for _ in range(2))
    texts = _texts(lengths)
    small, large = (
        {word for document in take_sample(texts, n, 3, "Ann") for word in document.text.split()}
        for n in (few, many)
    )
    assert small <= large


@settings(deadline=None)
@given(LENGTHS)
def test_all_words_are_the_texts_themselves(lengths: list[int]) -> None:
    texts = _texts(lengths)
    assert take_sample(texts, sum(lengths), 0) == [text.document for text in texts]


def test_a_gap_between_passages_is_a_paragraph_break() -> None:
    (text,) = _texts([1500])  # three passages of 500 words, of which two are taken
    samples = [take_sample([text], 1000, seed)[0].text for seed in range(20)]
    gaps = [sample.count("\n\n") for sample in samples]
    assert set(gaps) == {0, 1}  # neighbouring passages, or the first and the last
    assert all(
        sample.replace("\n\n", " ")
        == f"{text.words.passage(0, 500)} {text.words.passage(1000, 500)}"
        for sample, n_gaps in zip(samples, gaps, strict=True)
        if n_gaps
    )


def test_other_seeds_give_other_samples() -> None:
    texts = _texts([600, 600, 600, 600])
    samples = {take_sample(texts, 700, seed, "Ann")[0].text for seed in range(8)}
    assert len(samples) > 1


def test_passages_do_not_overlap_and_stay_in_one_text() -> None:
    texts = _texts([250, 90, 310])
    passages = take_passages(texts, 100, 9, 0, "Ann")
    # 250 // 100 + 90 // 100 + 310 // 100 passages
    assert [each.text.split()[0] for each in passages] == ["0w0", "0w100", "2w0", "2w100", "2w200"]
    assert all(each.n_words == len(each.text.split()) == 100 for each in passages)
    assert [each.work for each in passages] == ["0.txt"] * 2 + ["2.txt"] * 3


def test_of_many_passages_some_are_chosen_at_random() -> None:
    texts = _texts([1000])
    chosen = [take_passages(texts, 100, 3, seed) for seed in range(9)]
    assert {len(each) for each in chosen} == {3}
    assert len({tuple(passage.text for passage in each) for each in chosen}) > 1
