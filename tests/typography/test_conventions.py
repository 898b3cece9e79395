from __future__ import annotations

import pytest

from byline.typography import RULES, Normalization
from byline.typography.conventions import CONVENTIONS, REMOVABLE, find_forms

PROSE = "\n\n".join(
    "The loom hums all day, and Ada hears it. Nobody else does! Was it ever still?\n\n"
    f"On day {n} she stopped it: the threads were torn. Then Ben came in."
    for n in range(12)
)
LINES = PROSE.replace("\n\n", " ")
VERSE = "\n".join(
    f"The loom of number {n} hums aloud\nand all the threads are red," for n in range(9)
)
FRENCH = "L'été, la fenêtre fermée, où était passé l'élève zélé du collège voisin ? " * 30


@pytest.mark.parametrize(
    ("convention", "form", "text"),
    [
        ("letter-case", "mixed", PROSE),
        ("letter-case", "small", PROSE.lower()),
        ("letter-case", "small", LINES.lower().replace(".", "").replace("?", "")),
        ("letter-case", "capitals", PROSE.upper()),
        ("letter-case", "title", PROSE.title()),
        ("punctuation", "usual", PROSE),
        ("punctuation", "none", "".join(c for c in PROSE if c.isalnum() or c.isspace())),
        ("paragraphs", "usual", PROSE),
        ("paragraphs", "unbroken", LINES * 2),
        (
            "paragraphs",
            "sentences",
            LINES.replace(". ", ".\n").replace("! ", "!\n").replace("? ", "?\n"),
        ),
        ("paragraphs", "lines", VERSE),
        ("accents", "usual", FRENCH),
        ("accents", "none", RULES["accents"].function(FRENCH)),
        (
            "spelling",
            "modern",
            "He never would have thought upon us, and she would give love. " * 3,
        ),
        ("spelling", "old", "Hee neuer would haue thought vpon vs, and shee would giue loue. " * 3),
        (
            "spelling",
            "old",
            "Il estoit seul et avoit la teste haute, car vostre roy luy plaist. " * 3,
        ),
        ("spelling", "old", "Wir thun, was nöthig ist; zwey Theile giebt man, drey bey uns. " * 3),
        ("spelling", "old", "La muger le dixo que vn hombre auia baxo, y assi fue a dezir. " * 3),
        (
            "spelling",
            "f-for-s",
            "The firft of thefe muft be fuch that moft of us fhould fee it. " * 3,
        ),
    ],
)
def test_a_text_shows_its_form(convention: str, form: str, text: str) -> None:
    assert find_forms(text)[convention] == form


def test_a_text_that_is_too_short_shows_no_form() -> None:
    assert find_forms("") == {}
    assert find_forms("an owl calls") == {}
    assert "paragraphs" not in find_forms(LINES[:600])  # one paragraph of a letter is no edition's


def test_spelling_of_an_unknown_language_or_of_few_words_is_not_shown() -> None:
    assert "spelling" not in find_forms("織布機整天嗡嗡作響。沒有人聽見。" * 40)
    assert "spelling" not in find_forms("He never gave it.")


def test_an_author_of_the_19th_century_has_modern_spelling() -> None:
    text = "He would shew it to them, and she chuses to-day to have it upon the connexion. " * 5
    assert find_forms(text)["spelling"] == "modern"


def test_a_chat_with_some_sentences_in_small_letters_is_mixed() -> None:
    chat = "\n".join(
        ("i know. that was Ann.", "I said so. We left at noon.")[n % 2] for n in range(20)
    )
    assert find_forms(chat)["letter-case"] == "mixed"


def test_a_script_without_letter_case_shows_none() -> None:
    assert "letter-case" not in find_forms("織布機整天嗡嗡作響。沒有人聽見。" * 40)


@pytest.mark.parametrize("name", sorted(REMOVABLE))
def test_the_rule_of_a_convention_removes_its_forms(name: str) -> None:
    convention = CONVENTIONS[name]
    texts = {
        "letter-case": (PROSE, PROSE.lower(), PROSE.upper()),
        "punctuation": (PROSE, "".join(c for c in PROSE if c.isalnum() or c.isspace())),
        "paragraphs": (PROSE, LINES, LINES.replace(". ", ".\n\n")),
        "accents": (FRENCH, RULES["accents"].function(FRENCH)),
    }[name]
    normalization = Normalization.parse(f"edition,{convention.rule}")
    assert len({" ".join(normalization.apply(text).split()) for text in texts}) == 1
