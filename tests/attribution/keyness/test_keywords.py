"""Keywords: their counts, and which n-grams are and are not listed."""

from __future__ import annotations

import re

import pytest

from byline.attribution.keyness import (
    AuthorKeywords,
    Keyword,
    NgramCounts,
    keywords_in_text,
    keywords_of_authors,
)
from byline.corpus import Corpus, Document
from byline.errors import UsageError
from byline.text import TextEncoder

ADA = (
    "The wheel turns upon the table, and upon the wheel she wrote. It rests upon a cloth. ",
    "Numbers stand upon cards. She counts upon the cards, as upon the loom, and upon a drum. ",
)
BEN = (
    "The ship lies on the water, while on the shore they wait. It rests on a rope. ",
    "Sails stand on masts. He counts on the wind, as on the tide, and on a star. ",
)
TIMES = 8


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    texts = {"ada": ADA, "ben": BEN, "cy": ("They wait. ", "She wrote. It rests. ")}
    documents = [
        Document(author, text * TIMES, f"{author}/{number}.txt")
        for author, both in texts.items()
        for number, text in enumerate(both)
    ]
    zanzibar = Document("ada", "Zanzibar! " * 40 + ADA[0], "ada/9.txt")
    return Corpus([*documents, zanzibar], "letters")


@pytest.fixture(scope="module")
def counts(corpus: Corpus) -> NgramCounts:
    return NgramCounts.of(corpus)


@pytest.fixture(scope="module")
def every(counts: NgramCounts) -> list[AuthorKeywords]:
    return keywords_of_authors(counts)


def _ngrams(entry: AuthorKeywords) -> dict[str, Keyword]:
    return {" ".join(ngram.ngram): ngram for ngram in entry.ngrams}


def test_each_author_is_compared_with_all_others(every: list[AuthorKeywords]) -> None:
    assert [(entry.author, entry.others) for entry in every] == [
        ("ada", ("ben", "cy")),
        ("ben", ("ada", "cy")),
        ("cy", ("ada", "ben")),
    ]
    assert every[0].ngrams[0].ngram == ("upon",)
    assert every[1].ngrams[0].ngram == ("on",)


def test_counts_agree_with_a_recount(corpus: Corpus, every: list[AuthorKeywords]) -> None:
    upon = _ngrams(every[0])["upon"]
    own = [d.text for d in corpus if d.author == "ada"]
    assert upon.count == sum(len(re.findall(r"\bupon\b", text)) for text in own) == 7 * TIMES + 3
    assert (upon.other_count, upon.n_other_authors) == (0, 0)
    assert upon.n_documents == every[0].n_documents == 3
    assert every[0].n_words == sum(len(re.findall(r"\w+", text)) for text in own)


def test_a_word_of_a_single_text_is_not_listed(every: list[AuthorKeywords]) -> None:
    assert "zanzibar" not in " ".join(_ngrams(every[0]))


def test_an_author_with_a_single_text_has_keywords() -> None:
    documents = [
        Document("ada", ADA[0] * 9, "ada.txt"),
        Document("ben", BEN[0] * 9, "ben.txt"),
    ]
    ada, _ = keywords_of_authors(NgramCounts.of(Corpus(documents, "two")))
    assert "upon" in _ngrams(ada)


def test_no_keyword_is_part_of_another(every: list[AuthorKeywords]) -> None:
    for entry in every:
        listed = [f" {ngram} " for ngram in _ngrams(entry)]
        assert not [(a, b) for a in listed for b in listed if a != b and a in b]


def test_no_keyword_contains_the_end_of_a_sentence(every: list[AuthorKeywords]) -> None:
    assert not [ngram for entry in every for ngram in _ngrams(entry) if "\n" in ngram]
    assert not [ngram for entry in every for ngram in _ngrams(entry) if ". " in ngram]


def test_keywords_are_in_descending_order_of_z(counts: NgramCounts) -> None:
    for entry in keywords_of_authors(counts, at_most=3):
        z = [ngram.z for ngram in entry.ngrams]
        assert len(z) <= 3
        assert z == sorted(z, reverse=True)
        assert min(z, default=9.0) >= 3


def test_the_context_is_quoted_as_written(corpus: Corpus, every: list[AuthorKeywords]) -> None:
    lines = _ngrams(every[0])["upon"].lines
    assert [line.path for line in lines] == ["ada/0.txt", "ada/1.txt", "ada/1.txt"]  # not 9
    assert {line.hit for line in lines} == {"upon"}
    line = lines[1]
    assert line.before.endswith((" stand ", " counts ", " as ", " and "))
    assert line.before.startswith("…")
    assert line.after.startswith((" cards. ", " the cards, ", " the loom, ", " a drum. "))
    assert line.after.endswith("…")


def test_only_keywords_in_the_questioned_text_are_listed(counts: NgramCounts) -> None:
    text = "A letter lay upon the\ntable. Upon it, the stamp was on its side."
    first, second = keywords_in_text(counts, text, "ada", "ben", path="letter.txt")
    assert (first.author, first.others) == ("ada", ("ben",))
    assert (second.author, second.others) == ("ben", ("ada",))
    upon = _ngrams(first)["upon"]
    assert (upon.questioned_count, upon.other_count) == (2, 0)
    assert first.questioned_words == 14
    assert [line.path for line in upon.questioned_lines] == ["letter.txt", "letter.txt"]
    assert upon.questioned_lines[0].before == "A letter lay "
    assert upon.questioned_lines[0].after == " the table. Upon it, the stamp was on its side."
    assert upon.questioned_lines[1].hit == "Upon"
    assert _ngrams(second)["on"].questioned_count == 1
    assert "wheel" not in _ngrams(first)


def test_an_empty_text_has_no_keywords(counts: NgramCounts) -> None:
    first, second = keywords_in_text(counts, "", "ada", "ben")
    assert first.ngrams == second.ngrams == ()
    assert first.questioned_words == 0


def test_an_author_without_known_texts_is_rejected(counts: NgramCounts) -> None:
    with pytest.raises(UsageError, match="letters has no text by dan; choose from ada, ben and cy"):
        keywords_in_text(counts, "upon", "ada", "dan")


def test_stems_are_found_in_the_text() -> None:
    texts = [("ada", "The wheel turned. "), ("ben", "The ship sailed. ")]
    documents = [
        Document(author, text * 50, f"{author}/{n}") for author, text in texts for n in "12"
    ]
    counts = NgramCounts.of(Corpus(documents, "stems"), TextEncoder(stem=True))
    ngrams = _ngrams(keywords_in_text(counts, "Two wheels stood there.", "ada", "ben")[0])
    [found] = ngrams["wheel"].questioned_lines
    assert (found.before, found.hit, found.after) == ("Two ", "wheels", " stood there.")


def test_an_encoder_of_characters_still_gives_words(corpus: Corpus) -> None:
    counts = NgramCounts.of(corpus, TextEncoder(unit="char"))
    assert keywords_of_authors(counts)[0].ngrams[0].ngram == ("upon",)


def test_the_order_of_texts_does_not_matter(corpus: Corpus, every: list[AuthorKeywords]) -> None:
    reversed_corpus = Corpus(list(corpus)[::-1], "letters")
    assert keywords_of_authors(NgramCounts.of(reversed_corpus)) == every


def test_texts_without_a_word_in_common_have_no_keywords() -> None:
    texts = {"ada": "Wheels turn", "ben": "Ships sail"}
    documents = [
        Document(author, f"{text} {n}x", f"{author}/{n}")
        for author, text in texts.items()
        for n in (3, 4)
    ]
    alone = [Document(author, f"{author}{n}", f"{author}/{n}") for author in texts for n in (1, 2)]
    for each in (documents, alone):
        found = keywords_of_authors(NgramCounts.of(Corpus(each, "few")))
        assert [entry.ngrams for entry in found] == [(), ()]


def test_names_are_left_out_and_counted() -> None:
    texts = {"ada": "then we saw Emma and sat in the old house, so it was late. ", "ben": BEN[0]}
    documents = [
        Document(author, text * 30, f"{author}/{n}") for author, text in texts.items() for n in "12"
    ]
    counts = NgramCounts.of(Corpus(documents, "names"))
    ada, _ = keywords_of_authors(counts, at_most=99)
    kept, _ = keywords_of_authors(counts, at_most=99, keep_names=True)
    assert not [ngram for ngram in _ngrams(ada) if "emma" in ngram]
    # emma, saw emma, emma and, we saw emma, saw emma and, emma and sat
    assert (ada.n_names, kept.n_names) == (6, 0)
    assert [ngram for ngram in _ngrams(kept) if "emma" in ngram]
    [own, _] = keywords_in_text(counts, "We saw Emma and sat.", "ada", "ben")
    assert own.n_names == 6
    assert not [ngram for ngram in _ngrams(own) if "emma" in ngram]


def test_a_word_of_headings_has_no_lines() -> None:
    heading = "THE LOOM\n\nBy Ada\n\nThe Loom\n\n"
    documents = [Document("ada", heading + ADA[n] * 9, f"ada/{n}") for n in (0, 1)]
    documents += [Document("ben", BEN[n] * 9, f"ben/{n}") for n in (0, 1)]
    questioned = heading * 3 + ADA[0] * 9
    counts = NgramCounts.of(Corpus(documents, "looms"))
    upon = _ngrams(keywords_in_text(counts, questioned, "ada", "ben")[0])["upon"]
    assert len(upon.lines) == len(upon.questioned_lines) == 3
    assert not [line for line in upon.lines if "LOOM" in line.before]


def test_a_word_that_one_text_makes_frequent_is_not_listed() -> None:
    plain = "We sat there and spoke of it all. " * 30
    names = "Phineas rose. Then Phineas sat. " * 30
    texts = {"ada": [plain + names, plain + "Phineas came. ", plain], "ben": [plain, plain]}
    documents = [
        Document(author, text, f"{author}/{n}")
        for author, of_author in texts.items()
        for n, text in enumerate(of_author)
    ]
    counts = NgramCounts.of(Corpus(documents, "names"))
    ada, _ = keywords_of_authors(counts, keep_names=True)
    assert ada.ngrams == ()  # 60 occurrences in one text, 1 in another
    documents[1] = documents[0]
    counts = NgramCounts.of(Corpus(documents, "names"))
    ada, _ = keywords_of_authors(counts, keep_names=True)
    assert ada.ngrams[0].ngram == ("phineas",)
    assert ada.ngrams[0].count == 120
