"""Cases that are drawn from a population: their shape, and that questioned works are not known."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from byline.attribution.stacking.reference.mirroring import (
    MOST_WORDS,
    WHOLE,
    CaseShape,
    DrawnCase,
    draw_mirrored_case,
    fit_shape,
)
from byline.attribution.stacking.reference.population import ReferenceText, SelectedTexts


def _text(author: str, work: str, n_words: int, number: int = 0) -> ReferenceText:
    words = (f"{author}-{work}-{number}-{place}" for place in range(n_words))
    return ReferenceText(author, work, " ".join(words), n_words)


def _selected(*texts: ReferenceText) -> SelectedTexts:
    order = sorted(texts, key=lambda each: (each.author, each.text))
    return SelectedTexts("toy", tuple(order), "0" * 64)


def _population(n_authors: int = 5, n_works: int = 4, n_words: int = 100) -> SelectedTexts:
    return _selected(
        *(
            _text(f"a{author}", f"w{author}.{work}", n_words)
            for author in range(n_authors)
            for work in range(n_works)
        )
    )


def _shape(*candidates: list[list[int]]) -> CaseShape:
    texts, authors, works = [], [], []
    for author, own in enumerate(candidates):
        for work, sizes in enumerate(own):
            for size in sizes:
                texts.append("word " * size)
                authors.append(f"candidate {author}")
                works.append(f"{author} {work}")
    return CaseShape.of(texts, authors, works)


def _draw(
    selected: SelectedTexts, shape: CaseShape, lengths: tuple[int, ...] = (20,), seed: int = 0
) -> DrawnCase:
    fitted = fit_shape(selected, shape)
    assert fitted is not None
    case = draw_mirrored_case(selected, fitted, lengths, np.random.default_rng(seed))
    assert case is not None
    return case


def _works(texts: list[str]) -> set[str]:
    return {word.rsplit("-", 2)[0] for text in texts for word in text.split()}


def test_known_texts_have_the_sizes_of_the_users() -> None:
    shape = _shape([[60], [50]], [[40, 40], [30]], [[10]])
    case = _draw(_population(), shape)
    sizes: dict[str, list[int]] = {}
    for text, author in zip(case.texts, case.authors, strict=True):
        sizes.setdefault(author, []).append(len(text.split()))
    expected = [[10], [30, 40, 40], [50, 60]]
    assert sorted(sorted(own) for own in sizes.values()) == expected


@pytest.mark.parametrize("seed", range(5))
def test_questioned_texts_are_from_other_works_of_all_candidates(seed: int) -> None:
    shape = _shape(*[[[40], [40], [40]]] * 3)
    case = _draw(_population(), shape, (20, 50, 500), seed)
    assert not _works(case.texts) & _works(case.questioned.texts)
    lengths = Counter(zip(case.questioned.authors, case.questioned.lengths, strict=True))
    # One work of 100 words is left per candidate: two passages of 20 and 50 words, and the whole.
    for author in set(case.authors):
        assert [lengths[author, n] for n in (20, 50, 500, WHOLE)] == [2, 2, 0, 1]


def test_known_texts_of_one_work_do_not_overlap() -> None:
    case = _draw(_population(), _shape(*[[[30, 30, 30]]] * 2))
    for author in set(case.authors):
        own = [text for text, each in zip(case.texts, case.authors, strict=True) if each == author]
        words = [word for text in own for word in text.split()]
        assert len(words) == len(set(words)) == 90
        assert len(_works(own)) == 1


def test_works_that_all_authors_have_are_new_to_all_candidates() -> None:
    topics = _selected(
        *(_text(f"a{author}", f"topic{topic}", 80) for author in range(4) for topic in range(4))
    )
    for seed in range(5):
        case = _draw(topics, _shape(*[[[50], [50]]] * 3), seed=seed)
        known, asked = (
            {work.split("-")[1] for work in _works(texts)}
            for texts in (case.texts, case.questioned.texts)
        )
        assert not known & asked


def test_several_short_texts_stand_for_a_long_one() -> None:
    case = _draw(_population(n_works=8, n_words=40), _shape([[100]], [[100]]))
    assert {len(text.split()) for text in case.texts} <= {100, 80, 120}


def test_with_too_little_text_the_shape_is_reduced_and_says_so() -> None:
    shape = _shape(*[[[400]]] * 3)
    fitted = fit_shape(_population(), shape)  # 300 words per author, if one work is questioned
    assert fitted is not None
    assert fitted.factor == 1.0  # 300 of 400 words are enough
    fitted = fit_shape(_population(n_works=3), shape)
    assert fitted is not None
    assert fitted.factor == 0.5  # and of 300 words, 200 are not enough
    assert fitted.candidates == (((200,),),) * 3


def test_with_too_few_authors_there_are_fewer_candidates() -> None:
    fitted = fit_shape(_population(n_authors=2), _shape(*[[[40]]] * 4, [[80]]))
    assert fitted is not None
    assert fitted.candidates == (((80,),), ((40,),))
    assert fitted.factor == 1.0


def test_with_single_works_there_is_no_case() -> None:
    assert fit_shape(_population(n_works=1), _shape(*[[[10]]] * 2)) is None


def test_large_amounts_are_reduced() -> None:
    shape = CaseShape((((3 * MOST_WORDS,),),) * 2)
    huge = _selected(
        *(
            ReferenceText(f"a{author}", f"w{author}.{work}", "word " * 10, 10 * MOST_WORDS)
            for author in range(3)
            for work in range(2)
        )
    )
    fitted = fit_shape(huge, shape)
    assert fitted is not None
    assert fitted.n_words <= MOST_WORDS
    assert fitted.factor == 0.15


def test_the_same_seed_draws_the_same_case() -> None:
    shape = _shape(*[[[40], [40]]] * 3)
    assert _draw(_population(), shape, seed=3) == _draw(_population(), shape, seed=3)
    assert _draw(_population(), shape, seed=3) != _draw(_population(), shape, seed=4)


def test_characters_of_unspaced_scripts_are_words() -> None:
    shape = CaseShape.of(["那只猫坐在垫子上", "狗"], ["Ann", "Bob"], ["1", "2"])
    assert shape.candidates == (((8,),), ((1,),))
    texts = ["".join(chr(0x4E00 + 7 * n + 100 * own) for n in range(60)) for own in range(4)]
    selected = _selected(
        *(ReferenceText(f"a{n // 2}", f"w{n}", text, 60) for n, text in enumerate(texts))
    )
    case = _draw(selected, shape)
    assert sorted(map(len, case.texts)) == [1, 8]
