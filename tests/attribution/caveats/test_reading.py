from __future__ import annotations

from byline.attribution.caveats import reading, reading_caveats
from byline.corpus import questioned
from byline.corpus.checking import messages
from byline.corpus.questioned import LeftOutPart

ENGLISH = "The river rose in the night, and nobody in the village heard it until the morning came. "
FRENCH = (
    "La rivière est montée pendant la nuit, et personne dans le village ne l'a entendue avant que "
    "le matin ne vienne. Les bateaux avaient quitté le port depuis longtemps. "
)


def codes(text: str, language: str = "en") -> list[str]:
    return [caveat.code for caveat in reading_caveats(text, language=language)]


def test_a_clean_text_has_no_caveat() -> None:
    assert codes(3 * ENGLISH) == []
    assert codes(3 * FRENCH, "fr") == []


def test_another_language_is_said() -> None:
    assert codes(3 * FRENCH) == ["other-language"]
    assert codes(3 * ENGLISH, "fr-CA") == ["other-language"]
    assert codes(3 * FRENCH, "enm") == []  # a language that cannot be identified


def test_the_languages_are_figures_of_the_caveat() -> None:
    [caveat] = reading_caveats(3 * FRENCH, language="en")
    assert caveat.figures == {"language": "fr", "expected": "en"}
    assert "in another language (fr) than the known texts (en)" in caveat.sentence


def test_damaged_characters_are_said() -> None:
    [caveat] = reading_caveats(f"{ENGLISH} It was dÃ©jÃ  vu.", language="en")
    assert caveat.code == "damaged-characters"
    assert "dÃ©jÃ" in caveat.sentence


def test_what_was_left_out_is_said() -> None:
    parts = [LeftOutPart("quoted-lines", 600, "> Dear Ann,")]
    [caveat] = reading_caveats(ENGLISH, language="en", left_out=parts)
    assert caveat.code == "text-left-out"
    assert "quoted lines (600 words, for example: “" in caveat.sentence
    assert caveat.figures["parts"][0]["n_words"] == 600


def test_everything_that_is_left_out_has_a_label() -> None:
    codes = [code for code, (step, *_) in messages._CLEANABLE.items() if step in questioned._STEPS]
    assert "email-disclaimer" in codes
    assert sorted(reading._WHAT) == sorted(codes)
    notice = (
        b"I agree with you about the river.\n\n--\nThis e-mail is confidential and intended solely "
        b"for the use of the addressee.\n"
    )
    left_out = questioned.read_questioned(notice, "a.txt").left_out
    [caveat] = reading_caveats(ENGLISH, language="en", left_out=left_out)
    assert "; disclaimer (13 words, for example: “" in caveat.sentence
