from __future__ import annotations

from byline.corpus import Document
from byline.corpus.checking.needs_review import CommonLine, find_common_lines


def documents(*rows: tuple[str, str]) -> list[Document]:
    return [Document(author, text, f"{place}.txt") for place, (author, text) in enumerate(rows)]


BODY = "The rope is long number {}.\nAnd so is the day {}."


def test_a_line_that_opens_or_closes_three_texts_is_found() -> None:
    rows = [
        ("ada", f"Welcome to lecture {n} of mine\nx{n} and y\nsee you next week, then")
        for n in range(3)
    ]
    found = find_common_lines(documents(*rows, ("ben", "Something else altogether\nand more")))
    assert found == [
        CommonLine("ada", "Welcome to lecture 0 of mine", (0, 1, 2)),
        CommonLine("ada", "see you next week, then", (0, 1, 2)),
    ]


def test_what_others_say_too_is_nobodys() -> None:
    rows = [("ada", f"Ladies and gentlemen, good evening\n{n}") for n in range(5)]
    assert (
        find_common_lines(documents(*rows, ("ben", "Ladies and gentlemen, good evening\nx"))) == []
    )


def test_two_texts_short_lines_and_a_small_share_are_passed_over() -> None:
    assert find_common_lines(documents(*[("ada", "Welcome to my own harbour\nx")] * 2)) == []
    assert find_common_lines(documents(*[("ada", "Thank you.\nx")] * 9)) == []
    many = [("ada", f"word{n} {'abcdefghij'[n % 10] * n} is long\nx") for n in range(40)]
    assert find_common_lines(documents(*many, *[("ada", "Welcome to my own harbour\nx")] * 3)) == []


def test_no_texts_have_no_lines() -> None:
    assert find_common_lines([]) == []
