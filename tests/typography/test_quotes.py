"""Quotation marks of every kind become one mark, and apostrophes stay."""

from __future__ import annotations

import pytest

from byline.typography.quotes import simplify_quotes

SPEECH = '"Come in," said the miller, "it\'s late."'


@pytest.mark.parametrize(
    "written",
    [
        SPEECH,
        "'Come in,' said the miller, 'it's late.'",
        "\u201cCome in,\u201d said the miller, \u201cit\u2019s late.\u201d",
        "\u2018Come in,\u2019 said the miller, \u2018it\u2019s late.\u2019",
        "\u00abCome in,\u00bb said the miller, \u00abit\u2019s late.\u00bb",
        "\u00ab\u00a0Come in,\u00a0\u00bb said the miller, \u00ab\u202fit\u2019s late.\u202f\u00bb",
        "\u00bbCome in,\u00ab said the miller, \u00bbit\u2019s late.\u00ab",
        "\u201eCome in,\u201c said the miller, \u201eit\u2019s late.\u201c",
        "\u203aCome in,\u2039 said the miller, \u203ait\u2019s late.\u2039",
        ",,Come in,'' said the miller, ,,it's late.''",
        "``Come in,'' said the miller, ``it's late.''",
        "`Come in,' said the miller, `it\u00b4s late.'",
        "''Come in,'' said the miller, ''it's late.''",
        "\u201c Come in, \u201d said the miller, \u201c it\u2019s late. \u201d",
    ],
)
def test_speech_is_marked_in_one_way(written: str) -> None:
    assert simplify_quotes(written) == SPEECH


@pytest.mark.parametrize(
    "prose",
    [
        "'Tis true, and 'twas late; ask 'em, or th' other 'un.",
        "The boys' boots and James' hat, o' course.",
        "He was goin' home an' singin' all the way.",
        "Rock 'n' roll of the '90s, and the summer of '68.",
        "He stood 5'10\" tall.",
        "l'homme, qu'il, aujourd'hui, un po' di pane, 's morgens",
        "Hans' Auto, wie geht's? Ich hab' keins.",
        "'Kay, I'm 'fraid they're 'bout 'nuff, 'cept 'nother 'un; 'zounds!",
        "He went 'round 'neath it 'til 'twould hold 'gainst 'em, 'twixt us, 'cause 'tis 'pon us.",
        "The crew's 'ouse is in the village, and 'Arry is there.",
    ],
)
def test_apostrophes_stay(prose: str) -> None:
    assert simplify_quotes(prose) == prose
    assert simplify_quotes(prose.replace("'", "\u2019").replace('"', "\u2033")) == prose


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("'He called it \"odd\", and left.'", '"He called it "odd", and left."'),
        ("\"He called it 'odd', and left.\"", '"He called it "odd", and left."'),
        ("\"'No,' she said, and left.\"", '"No," she said, and left."'),
        ("'\"No,\" she said, and left.'", '"No," she said, and left."'),
        ("\u201cShe said \u2018no.\u2019\u202f\u201d", '"She said "no."'),
        ('"\'Tis late."', '"\'Tis late."'),
        ("''Tis late.'", '"\'Tis late."'),
        ("'I saw 'em at th' boys' house,' said he.", "\"I saw 'em at th' boys' house,\" said he."),
        ("The 'quick' fox.", 'The "quick" fox.'),
    ],
)
def test_nested_marks_and_apostrophes_within_speech(written: str, expected: str) -> None:
    assert simplify_quotes(written) == expected


def test_a_paragraph_may_leave_its_speech_open() -> None:
    text = "'The ford is deep.\n\n'Take the bridge, or ask the boys' father.'"
    expected = '"The ford is deep.\n\n"Take the bridge, or ask the boys\' father."'
    assert simplify_quotes(text) == expected
    assert simplify_quotes(text.replace("\n\n", "\n")) == expected.replace("\n\n", "\n")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "\u4ed6\u8bf4\uff1a\u201c\u8fd9\u662f\u2018\u6cb3\u2019\u3002\u201d",
            '他说："这是"河"。"',
        ),
        ("\u300c\u6cb3\u300d", '"河"'),
        ("\u2018\uac15\u2019\uc774\ub77c\ub294 \ub9d0", '"강"이라는 말'),
    ],
)
def test_east_asian_marks(written: str, expected: str) -> None:
    assert simplify_quotes(written) == expected


@pytest.mark.parametrize(
    "text",
    [
        "\u05e6\u05d4\u05f4\u05dc, \u05d2\u05f3\u05d5\u05e8\u05d2\u05f3",  # Hebrew
        "Hawai\u02bbi, \u02bbokina",
        "col\u00b7lecci\u00f3",
        "\uff08\u6cb3\uff09\uff0c\u5c71\u3002",
        "a,,b, and so on,, or 10,000",
    ],
)
def test_signs_that_are_spelling_stay(text: str) -> None:
    assert simplify_quotes(text) == text
