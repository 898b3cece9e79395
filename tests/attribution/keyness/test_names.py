"""Names are words that have a capital letter inside sentences."""

from __future__ import annotations

import pytest

from byline.attribution.keyness import name_words

FILLER = " the river rose and nobody heard it at night, and so it went on for ever and a day." * 5


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("We saw Emma, and Emma saw us.", {"emma"}, id="inside sentences"),
        pytest.param(
            "To Mr. Knightley. By Mrs. Weston.",
            {"mr", "mrs", "knightley", "weston"},
            id="after titles",
        ),
        pytest.param("Thanks for it. Thanks. Regards.", set(), id="beginning of a sentence"),
        pytest.param("So I went, as I said.", set(), id="the pronoun I"),
        pytest.param(
            "I asked Will, and will ask. I will, you will.", set(), id="mostly lower case"
        ),
        pytest.param(
            "He said, Surely not." + 9 * " Surely.",
            set(),
            id="mostly first",
        ),
        pytest.param("THE HOUSE OF EMMA", set(), id="a title in capitals"),
    ],
)
def test_what_is_a_name(text: str, names: set[str]) -> None:
    assert name_words([text + FILLER]) == names


def test_in_german_capital_letters_do_not_distinguish_names() -> None:
    text = "Da stand der Baum, und die Katze sah den Hund im Garten. "
    assert name_words([text * 9]) == frozenset()


def test_all_texts_decide_together() -> None:
    assert name_words(["we met Grace." + FILLER]) == {"grace"}
    assert name_words(["we met Grace." + FILLER, "a grace, a grace" + FILLER]) == frozenset()
