from __future__ import annotations

from byline.attribution.verification import VerificationProblem
from byline.attribution.verification.problems import AuthorGroups, normalize_space, pair_again

PROBLEMS = [
    VerificationProblem(("a 1", "a 2"), "a 3"),
    VerificationProblem(("b 1", "b 2"), "b 3"),
    VerificationProblem(("a  1",), "b 1"),  # "a 1" again, with another space
    VerificationProblem(("c 1",), "a 2"),
]
SAME = [True, True, False, False]


def _pair(at_most: int = 40) -> list[tuple[VerificationProblem, bool]]:
    groups = AuthorGroups(PROBLEMS, SAME)
    found, same = pair_again(PROBLEMS, groups, at_most=at_most, random_state=0)
    return list(zip(found, same, strict=True))


def test_texts_are_paired_by_what_is_known_of_their_authors() -> None:
    found = _pair()
    assert {same for _, same in found} == {True, False}
    for problem, same in found:
        known_by = {text[0] for text in problem.known}
        assert len(known_by) == 1
        assert (problem.questioned[0] in known_by) == same
        assert problem.questioned not in problem.known
        assert 1 <= len(problem.known) <= 2  # as in the given problems


def test_equal_texts_and_problems_count_once() -> None:
    found = [problem for problem, _ in _pair()]
    names = [
        (tuple(sorted(map(normalize_space, each.known))), normalize_space(each.questioned))
        for each in (*PROBLEMS, *found)
    ]
    assert len(names) == len(set(names))
    assert len({normalize_space(text) for each in found for text in each.texts}) == 7


def test_at_most_so_many_problems_of_each_kind_are_sampled() -> None:
    found = _pair(3)
    assert sum(same for _, same in found) <= 3
    assert sum(not same for _, same in found) <= 3
    assert found == _pair(3)


def test_one_author_gives_no_problems_with_different_authors() -> None:
    problems, same = PROBLEMS[:1], SAME[:1]
    found, answers = pair_again(problems, AuthorGroups(problems, same), at_most=5, random_state=0)
    assert found and all(answers)
