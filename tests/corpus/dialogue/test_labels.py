from __future__ import annotations

import pytest

from byline.corpus.dialogue.labels import find_labelled_dialogue

PAIRS = [("MILLER", "Where is the ship?"), ("ANNE", "It left at noon.")]


def _play(form: str, n: int = 6) -> str:
    return "\n\n".join(
        form.format(name=name, words=words) for _ in range(n) for name, words in PAIRS
    )


@pytest.mark.parametrize(
    "form", ["{name}: {words}", "{name}. {words}", "{name}.\n{words}", "{name}\n{words}",
             "{name} (aside). {words}", "**{name}:** {words}", "{name} [laughs]: {words}"],
)  # fmt: skip
def test_names_in_capitals_are_speakers(form: str) -> None:
    dialogue = find_labelled_dialogue(_play(form))
    assert dialogue is not None
    assert dialogue.speakers == {"MILLER": 6, "ANNE": 6}
    assert not dialogue.is_certain
    assert set(dialogue.only("ANNE").text.split("\n\n")) == {"It left at noon."}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Q", "A"), ("Ann Crane", "Ben"), ("Interviewer", "Dr. Crane"), ("Frage", "Antwort"),
     ("Speaker 1", "Speaker 2"), ("Étienne", "Zoé"), ("Анна", "Борис"), ("JOHN", "MARY")],
)  # fmt: skip
def test_a_short_interview_has_two_speakers(one: str, other: str) -> None:
    text = f"{one}: Is it long?\n{other}: Very, and it\nholds both boats.\n" * 2
    dialogue = find_labelled_dialogue(text)
    assert dialogue is not None
    assert dialogue.speakers == {one: 2, other: 2}
    assert "Very, and it holds both boats." in dialogue.only(other).text


def test_abbreviated_names_of_old_plays_are_speakers() -> None:
    text = "\n".join("  Mil. Where is the ship?\n  Ann. It left at noon." for _ in range(12))
    dialogue = find_labelled_dialogue(text)
    assert dialogue is not None
    assert dialogue.speakers == {"Mil": 12, "Ann": 12}


def test_directions_and_the_title_are_counted() -> None:
    text = f"THE SHIP\nA play.\n\n{_play('{name}. {words}')}\n\n[Exit Miller.]\n"
    dialogue = find_labelled_dialogue(text)
    assert dialogue is not None
    assert [(part.kind, part.n) for part in dialogue.excluded] == [
        ("text before the first speaker", 1), ("stage directions", 1),
    ]  # fmt: skip


PROSE = "The river rose in the night, and nobody in the house heard it until the morning.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Note: the rope.\n{PROSE}Example: the knot.\n{PROSE}" * 10,
        f"Monday: rain.\n{PROSE}Tuesday: sun.\n" * 10,
        "".join(f"Term{n}: a definition of it.\n" for n in range(40)),
        "".join(f"Gen {n // 20}:{n % 20} And the ship came.\n" for n in range(200)),
        "".join(f"CHAPTER {n}. The river\n\n{PROSE}\n" for n in range(30)),
        "".join(f"{PROSE}Mr. Miller came.\n{PROSE}Dr. Crane left.\n" for _ in range(30)),
        "".join(
            f"{PROSE * 20}the house stood\n\n{('THE MILL', 'ANN CRANE')[n % 2]}\n\nand fell.\n"
            for n in range(20)
        ),
        "Art. 1 Rope.\nSec. 2 Knot.\n" * 30,
        "",
    ],
)
def test_prose_with_colons_headings_and_page_headers_has_no_speakers(text: str) -> None:
    assert find_labelled_dialogue(text) is None


@pytest.mark.parametrize(
    ("one", "other", "n"),
    [("Q. ", "A.   ", 5), ("Mr. MILLER. ", "The CHAIRMAN. ", 5), ("Mil.\u2014", "Ann.\u2014", 12)],
)
def test_labels_of_hearings_and_plays_have_titles_or_dashes(one: str, other: str, n: int) -> None:
    dialogue = find_labelled_dialogue(f"{one}Where were you?\n\n{other}At home.\n\n" * n)
    assert dialogue is not None
    assert list(dialogue.speakers.values()) == [n, n]
