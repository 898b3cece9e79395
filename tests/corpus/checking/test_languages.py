from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import Document, read_corpus
from byline.corpus.checking.languages import are_similar, find_languages, find_other_language
from byline.errors import UsageError

ENGLISH = (
    "The rope that we had bought in the harbour was longer than any of us would need, and yet "
    "nobody wanted to cut it, because a rope that is cut will never be as strong again. "
)
FRENCH = (
    "La corde que nous avions achetée au port était plus longue qu'il ne fallait, et pourtant "
    "personne ne voulait la couper, parce qu'une corde coupée ne sera jamais aussi forte. "
)
GERMAN = (
    "Das Seil, das wir im Hafen gekauft hatten, war länger, als wir es brauchten, und doch wollte "
    "es niemand zerschneiden, weil ein zerschnittenes Seil nie wieder so stark sein wird. "
)


def documents(*texts: str) -> list[Document]:
    return [Document("ada", text, f"{index}.txt") for index, text in enumerate(texts)]


def test_the_language_of_most_texts_is_the_corpus_language() -> None:
    found = find_languages(documents(ENGLISH * 5, FRENCH * 5, ENGLISH * 9))
    assert (found.main, found.texts) == ("en", ("en", "fr", "en"))


def test_the_language_can_be_given() -> None:
    assert find_languages(documents(ENGLISH, ENGLISH, FRENCH), "fr").main == "fr"


def test_an_unknown_language_is_rejected_with_a_list_of_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'english' is unknown. Use one of .*, en, "):
        find_languages(documents(ENGLISH), "english")


def test_too_few_letters_have_no_language() -> None:
    found = find_languages(documents("Oui.", "12 345 " * 100, ""))
    assert (found.main, found.texts, found.passages) == (None, (None,) * 3, ((),) * 3)


def test_the_position_of_a_passage_in_another_language_is_found() -> None:
    text = ENGLISH * 6 + FRENCH * 3 + ENGLISH * 6
    (passages,) = find_languages(documents(text)).passages
    (passage,) = passages
    begin, end = 6 * len(ENGLISH), 6 * len(ENGLISH) + 3 * len(FRENCH)
    assert passage.language == "fr"
    assert passage.length == passage.end - passage.start
    # A window of about 250 characters may contain parts of both.
    assert (abs(passage.start - begin) < 250, abs(passage.end - end) < 250) == (True, True)


def test_a_text_in_another_language_has_no_foreign_passages() -> None:
    found = find_languages(documents(ENGLISH * 9, ENGLISH * 9, GERMAN * 9))
    assert found.passages == ((), (), ())


def test_most_identified_texts_are_in_another_language_than_expected() -> None:
    texts = [GERMAN, ENGLISH, GERMAN, "Nein.", "Ja.", GERMAN]
    assert find_other_language(texts, "en") == ("de", 3, 4)
    assert find_other_language(texts, "de") is None
    assert find_other_language([GERMAN, ENGLISH, "Ja."], "en") is None
    assert find_other_language(["Ja.", "12 345"], "en") is None
    assert find_other_language([GERMAN], "tlh") is None  # Klingon cannot be identified


def test_languages_that_cannot_be_distinguished_are_similar() -> None:
    assert are_similar("no", "da")
    assert are_similar("en", "en")
    assert not are_similar("en", "fr")


def test_progress_is_reported_after_each_text() -> None:
    reported: list[tuple[int, int, str]] = []
    find_languages(documents(ENGLISH, FRENCH), progress=lambda *step: reported.append(step))
    assert reported == [(1, 2, "0.txt"), (2, 2, "1.txt")]


@pytest.mark.parametrize(
    ("name", "authors", "language"),
    [
        ("federalist/known", ("Jay", "Madison"), "en"),
        ("french_theatre17", ("Moliere", "Racine"), "fr"),
    ],
)
def test_real_texts_in_one_language_have_no_foreign_passages(
    some_authors: Callable[..., Path], name: str, authors: tuple[str, ...], language: str
) -> None:
    found = find_languages(read_corpus(some_authors(name, *authors)))
    assert found.main == language
    assert set(found.texts) == {language}
    assert set(found.passages) == {()}
