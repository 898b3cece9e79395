"""Cases: the same in any order, and no questioned text from a known work."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from byline.experiments.small_cases.cases import WHOLE, Case, CaseSettings, case_of_number
from byline.experiments.small_cases.grid import parse_settings
from byline.experiments.small_cases.sources import Role, Source


def _take(source: Source, name: str, number: int = 0, **options: int) -> Case:
    case = case_of_number(source, parse_settings(name), number, seed=0, **options)
    assert case is not None
    return case


def test_a_case_does_not_depend_on_others(source: Source) -> None:
    wanted = [("2x2x40", 1), ("3x1x100/topic", 0), ("2x2x40", 0), ("5x2x40/tenth", 2)]
    forwards = {each: _take(source, *each) for each in wanted}
    backwards = {each: _take(source, *each) for each in reversed(wanted)}
    assert forwards == backwards
    digests = {case.digest(0) for case in forwards.values()}
    assert len(digests) == len(wanted)


def test_the_order_of_the_corpus_does_not_matter_to_the_candidates(source: Source) -> None:
    assert source.authors == replace(source, texts=source.texts[::-1]).authors


@pytest.mark.parametrize("name", ["2x1x40", "3x2x100", "5x5x40", "4x3x200", "3x2x40/topic"])
def test_the_numbers_are_those_of_the_settings(source: Source, name: str) -> None:
    case = _take(source, name)
    settings = parse_settings(name)
    counts = Counter(each.author for each in case.known)
    assert list(counts.values()) == [settings.n_known] * settings.n_candidates
    assert {len(each.text.split()) for each in case.known} == {settings.known_words}
    for n_words, texts in case.questioned.items():
        assert {len(each.text.split()) for each in texts} == {n_words or 300}
        assert {each.author for each in texts} == set(counts)


@pytest.mark.parametrize("name", ["2x1x40", "5x5x40", "3x2x40/topic", "3x2x40/20-words"])
@pytest.mark.parametrize("number", range(3))
def test_no_questioned_text_is_from_a_known_work(source: Source, name: str, number: int) -> None:
    case = _take(source, name, number)
    known = {each.work for each in case.known}
    assert not known & {each.work for texts in case.questioned.values() for each in texts}


def test_questioned_texts_have_another_topic(source: Source) -> None:
    topics = {each.work: each.topic for each in source.texts}
    case = _take(source, "3x2x40/topic")
    asked = {topics[each.work or ""] for texts in case.questioned.values() for each in texts}
    assert len(asked) == 1
    assert not asked & {topics[each.work or ""] for each in case.known}


@pytest.mark.parametrize("number", range(4))
def test_texts_of_one_genre_differ_in_topic(source: Source, number: int) -> None:
    texts = [
        replace(each, genre=f"genre {place % 4 // 2}") for place, each in enumerate(source.texts)
    ]
    of_work = {each.work: each for each in texts}
    case = _take(replace(source, texts=tuple(texts)), "3x2x40/topic-in-genre", number)
    known = [of_work[each.work or ""] for each in case.known]
    asked = [of_work[each.work or ""] for own in case.questioned.values() for each in own]
    assert len({each.genre for each in known + asked}) == 1
    assert not {each.topic for each in known} & {each.topic for each in asked}


def test_passages_of_one_work_do_not_overlap(source: Source) -> None:
    case = _take(source, "2x5x60")  # five texts from three works
    spans: dict[str, set[int]] = {}
    for each in case.known:
        start = int(each.path.rpartition(" ")[2]) if each.path else 0
        words = set(range(start, start + 60))
        assert not words & spans.setdefault(each.work or "", set())
        spans[each.work or ""] |= words


@pytest.mark.parametrize(("unequal", "sizes"), [("tenth", [20, 20]), ("20-words", [20])])
def test_one_author_has_less(source: Source, unequal: str, sizes: list[int]) -> None:
    case = _take(source, f"3x2x100/{unequal}")
    by_author = {
        author: [len(each.text.split()) for each in case.known if each.author == author]
        for author in {each.author for each in case.known}
    }
    assert sorted(by_author.values()) == sorted([sizes, [100, 100], [100, 100]])


def test_questioned_texts_are_limited(source: Source) -> None:
    case = _take(source, "2x1x40", per_author=2)
    assert {len(texts) for texts in case.questioned.values()} == {4}
    # One whole work of 300 words reaches the limit.
    assert len(_take(source, "2x1x40", whole_words=300).questioned[WHOLE]) == 2


def test_too_few_texts(source: Source) -> None:
    assert case_of_number(source, CaseSettings(6, 1, 40), 0, seed=0) is None
    assert case_of_number(source, CaseSettings(2, 1, 2000), 0, seed=0) is None
    assert case_of_number(source, CaseSettings(2, 10, 200), 0, seed=0) is None
    assert case_of_number(source, CaseSettings(2, 1, 40, change="genre"), 0, seed=0) is None


def test_roles_of_a_corpus_are_kept(source: Source) -> None:
    roles: tuple[Role, ...] = ("known", "known", "questioned", "questioned")
    texts = [replace(each, role=roles[n % 4]) for n, each in enumerate(source.texts)]
    case = _take(replace(source, texts=tuple(texts)), "2x1x40")
    assert {each.work[-5] for each in case.known if each.work} <= {"0", "1"}
    assert {each.work[-5] for each in case.questioned[50] if each.work} == {"2", "3"}


def test_another_text_or_seed_is_another_case(source: Source) -> None:
    case = _take(source, "2x1x40")
    changed = [replace(each, text=f"{each.text} Yes.") for each in case.known]
    assert case.digest(0) != case.digest(1)
    assert case.digest(0) != replace(case, known=changed).digest(0)


def test_seeds_and_numbers_differ(source: Source) -> None:
    settings = CaseSettings(2, 2, 40)
    cases = [
        case_of_number(source, settings, number, seed=seed) for seed in (0, 1) for number in (0, 1)
    ]
    assert len({str(case and case.known) for case in cases}) == 4
    assert len(np.unique([str(case) for case in cases])) == 4
