from __future__ import annotations

import pytest

from byline.corpus import Corpus, Document, check_corpus
from byline.corpus.fingerprints import find_own_name
from byline.errors import UsageError


def prose(seed: str) -> str:
    """Return about 6,600 characters that depend on the seed, which is enough for no warning."""
    return " ".join(f"The {seed} came home on day {day} and slept." for day in range(150))


def codes(corpus: Corpus) -> list[tuple[str, str]]:
    return [(finding.severity, finding.code) for finding in check_corpus(corpus)]


def corpus_of(*rows: tuple[str, str]) -> Corpus:
    return Corpus(
        (Document(author, text, f"{author}/{i}.txt") for i, (author, text) in enumerate(rows)), "c"
    )


def test_a_clean_corpus_has_no_findings() -> None:
    assert codes(corpus_of(("a", prose("cat")), ("b", prose("dog")))) == []


def test_empty_texts_are_one_warning_with_all_paths() -> None:
    empty = [("a", " \n")] * 8
    (finding,) = check_corpus(corpus_of(("a", prose("cat")), ("b", prose("dog")), *empty))
    assert (finding.severity, finding.code) == ("warning", "empty-text")
    assert len(finding.paths) == 8
    assert "8 texts are empty and ignored: a/2.txt" in finding.message
    assert "and 3 more. Delete them or add text." in finding.message


def test_an_author_with_only_empty_texts_is_an_error() -> None:
    corpus = corpus_of(("a", prose("cat")), ("b", prose("dog")), ("c", ""), ("c", "\t"))
    (finding,) = check_corpus(corpus)
    assert (finding.severity, finding.code) == ("error", "author-without-text")
    assert finding.paths == ("c/2.txt", "c/3.txt")
    assert "c/2.txt and c/3.txt. Delete them or add text." in finding.message


def test_a_single_author_is_an_error_if_two_are_needed() -> None:
    corpus = corpus_of(("a", prose("cat")))
    (finding,) = check_corpus(corpus)
    assert (finding.severity, finding.code) == ("error", "too-few-authors")
    assert "the corpus has 1 (a)" in finding.message
    assert check_corpus(corpus, min_authors=1) == []


def test_an_empty_corpus_has_too_few_authors() -> None:
    assert codes(Corpus([], "none")) == [("error", "too-few-authors")]


def test_the_same_text_by_two_authors_is_an_error_that_names_both() -> None:
    text = prose("cat")
    corpus = corpus_of(("a", text), ("b", text.replace(" ", "  ")), ("b", prose("dog")))
    (finding,) = check_corpus(corpus)
    assert (finding.severity, finding.code) == ("error", "duplicate-across-authors")
    assert "a/0.txt = b/1.txt" in finding.message


def test_the_same_greeting_by_two_authors_is_a_warning() -> None:
    hello = "Good morning to all of you, and thank you for coming in this storm."
    rows = (("a", hello), ("b", hello), ("a", prose("cat")), ("b", prose("dog")))
    assert codes(corpus_of(*rows)) == [
        ("warning", "short-duplicate-across-authors"),
        ("warning", "short-document"),
    ]


def test_the_same_text_twice_by_one_author_is_a_warning() -> None:
    rows = [("a", prose("cat"))] * 2 + [("b", prose("dog"))]
    assert codes(corpus_of(*rows)) == [("warning", "duplicate-within-author")]


def test_texts_in_scripts_without_spaces_need_characters_as_tokens() -> None:
    chinese = "去年夏天森林在我哥哥出生的村子附近燃烧。" * 300
    (finding,) = check_corpus(corpus_of(("a", chinese), ("b", prose("dog"))))
    assert finding.code == "script-without-spaces"
    assert finding.paths == ("a/0.txt",)
    assert 'unit="char"' in finding.message
    assert check_corpus(corpus_of(("a", chinese), ("b", prose("dog"))), unit="char") == []
    both = corpus_of(("a", chinese), ("b", prose("dog")), ("c", chinese + "夏"))
    assert check_corpus(both, unit="auto") == []
    (finding,) = check_corpus(corpus_of(("a", chinese), ("b", prose("dog"))), unit="auto")
    assert finding.code == "script-without-spaces"
    with pytest.raises(UsageError, match="unit must be 'auto', 'word' or 'char', not 'letter'"):
        check_corpus(corpus_of(), unit="letter")


@pytest.mark.parametrize(
    "text", ["Прошлым летом лес горел. " * 300, "지난여름 숲이 불탔습니다. " * 500]
)
def test_other_scripts_with_spaces_have_no_finding(text: str) -> None:
    assert codes(corpus_of(("a", text), ("b", prose("dog")))) == []


def test_short_documents_are_listed() -> None:
    rows = (("a", prose("cat")), ("b", prose("dog")), ("b", "Yes."))
    (finding,) = check_corpus(corpus_of(*rows))
    assert (finding.code, finding.paths) == ("short-document", ("b/2.txt",))


def test_an_author_with_far_less_text_than_the_others_is_named() -> None:
    rows = [(name, prose(name) * 10) for name in "abc"] + [("d", prose("d"))]
    (finding,) = check_corpus(corpus_of(*rows))
    assert finding.code == "imbalanced-authors"
    size = len(rows[3][1])
    assert f"d ({size:,} characters); the median is 55,890 characters." in finding.message
    assert finding.paths == ("d/3.txt",)
    # `verify`, `profile` and others do not compare the authors
    assert check_corpus(corpus_of(*rows), min_authors=1) == []


def test_if_every_author_has_little_text_the_message_says_so() -> None:
    rows = (("a", "The cat came home late. " * 10), ("b", "A dog went out at dawn. " * 9))
    (finding,) = check_corpus(corpus_of(*rows))
    assert finding.code == "too-little-text"
    assert finding.message == (
        "Every author has less than 5,000 characters of text, which is too little to train a "
        f"reliable model: b ({len(rows[1][1])} characters) and a ({len(rows[0][1])} characters). "
        "Add text."
    )


def test_too_little_text_and_imbalance_are_different_findings() -> None:
    rows = [(name, prose(name) * 10) for name in "abc"]
    rows += [("d", prose("d")), ("e", "x")]
    found = check_corpus(corpus_of(*rows))
    assert [finding.code for finding in found] == ["short-document", "imbalanced-authors"]
    message = found[1].message
    assert "2 authors have far less text than the others: e (1 character) and d (" in message
    near = [("a", prose("a")), ("b", prose("b")), ("c", prose("c")[:3000])]
    (finding,) = check_corpus(corpus_of(*near))
    assert finding.code == "too-little-text"
    assert finding.message.startswith("1 author has less than 5,000 characters of text")


def test_without_text_the_number_of_authors_is_none() -> None:
    (finding,) = check_corpus(Corpus([], "none"), min_authors=1)
    assert finding.message.startswith("At least 1 author is needed, but the corpus has none")


def test_names_that_differ_in_case_or_punctuation_are_reported() -> None:
    rows = (("Ann Lee", prose("cat")), ("ann_lee", prose("dog")), ("Bob", prose("cow")))
    (finding,) = check_corpus(corpus_of(*rows))
    assert finding.code == "similar-author-names"
    assert "'Ann Lee' and 'ann_lee'" in finding.message


def test_train_and_test_are_not_likely_to_be_authors() -> None:
    rows = (("train", prose("cat")), ("test", prose("dog")))
    assert codes(corpus_of(*rows)) == [("warning", "subset-as-author")]


def test_errors_come_first() -> None:
    rows = (("a", prose("cat")), ("a", ""), ("a", "Yes."))
    assert [severity for severity, _ in codes(corpus_of(*rows))] == ["error", "warning", "warning"]


def test_own_names_are_one_warning_that_quotes_them() -> None:
    rows = (("Lee", f"A STORY BY ANN LEE\n\n{prose('cat')}"), ("Bob", prose("dog")))
    (finding,) = check_corpus(corpus_of(*rows))
    assert (finding.code, finding.paths) == ("own-name", ("Lee/0.txt",))
    assert "'LEE' by Lee in Lee/0.txt" in finding.message


@pytest.mark.parametrize(
    ("author", "text", "found"),
    [
        ("Austen", "EMMA BY JANE AUSTEN", "AUSTEN"),
        ("Jane Austen", "Emma, by Jane Austen", "Jane Austen"),
        ("JaneAusten", "Emma, by Jane Austen", "Jane Austen"),
        ("Austen, Jane", "Miss Austen wrote this", "Austen"),
        ("jane_austen", "by Jane Austen", "Jane Austen"),
        ("CBronte", "by Charlotte Brontë", "Bronte"),
        ("course-07", "Welcome to this course", None),
        ("course-07", "course 07, first lecture", "course 07"),
        ("Young", "When young, he sang", None),
        ("Lee", "Sleep came, and Leeds", None),
        ("Li", "Li went home", None),
        ("Jane Austen", "Jane went home", None),
        ("魯迅", "狂人日記 魯迅 著", "魯迅"),
        ("王小明", "論讀書　王小明著", "王小明"),
        ("李清", "我讀李白", None),
        ("สมชาย ใจดี", "เรื่องสั้น โดยสมชาย ใจดี", "สมชาย ใจดี"),
        ("דוד כהן", "מאת דוד כהן", "דוד כהן"),
        ("김민수", "글: 김민수", "김민수"),
        ("***", "*** by nobody", None),
        ("Lee", "One. " * 200 + "Lee came. " + "Two. " * 200, None),
        ("Lee", "One. " * 200 + "Yours, Lee", "Lee"),
    ],
)
def test_own_names_are_recognised(author: str, text: str, found: str | None) -> None:
    assert find_own_name(Document(author, text, "a.txt")) == found
