"""The division of the corpora into a development side and a test side, by author.

Whatever was chosen for small cases was chosen on texts by the authors of the development side. The
authors of the test side are used for nothing but tests.

The authors were divided once, at random (seed 0), with three exceptions: the novelists of the test
side are those of the eight novels of the documented results; the Federalist, which has too few
authors for two sides, is on the test side; and of ``pan19``, whose problems have candidates of
their own, every other problem is on each side. Instructors of ``lectures16`` are named by their
first course.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from byline.errors import CorpusError
from byline.formatting import join_names

Side = Literal["development", "test", "both"]
SIDES: tuple[Side, ...] = ("development", "test")

# By corpus: the authors of the development side, and those of the test side.
_DIVISION = {
    "british_fiction": (
        "ABronte Dickens EBronte Fielding Richardson Sterne Thackeray",
        "Austen CBronte Eliot Trollope",
    ),
    "ccat50": (
        "AaronPressman BradDorfman DavidLawder EdnaFernandes EricAuchard HeatherScoffield "
        "JanLopatka JaneMacartney JimGilchrist JoeOrtiz KouroshKarimkhany LynnleyBrowning "
        "MarcelMichelson MartinWolk MatthewBunce MichaelConnor NickLouth RobinSidel RogerFillion "
        "SamuelPerry SarahDavison SimonCowell TheresePoletti ToddNissen WilliamKazer",
        "AlanCrosby AlexanderSmith BenjaminKangLim BernardHickey DarrenSchuettler FumikoFujisaki "
        "GrahamEarnshaw JoWinterbottom JohnMastrini JonathanBirt KarlPenhaul KeithWeir "
        "KevinDrawbaugh KevinMorrison KirstinRidley LydiaZajc LynneO_Donnell MarkBendeich "
        "MureDickie PatriciaCommins PeterHumphrey PierreTran ScottHillis TanEeLyn TimFarrand",
    ),
    "cmcc": (
        "S1 S10 S14 S16 S17 S18 S21 S3 S4 S6 S9",
        "S11 S12 S13 S15 S19 S2 S20 S5 S7 S8",
    ),
    "federalist": ("", "Hamilton Jay Madison"),
    "french_theatre17": (
        "Boyer CorneilleP Desjardins DuRyer GilletDeLaTessonerie LeVayerDeBoutigny Magnon Moliere "
        "Ouville Pure Quinault Rosimond Sallebray Scudery",
        "CorneilleT Cyrano Desfontaines DuBoscDeMontandre Gilbert GuerinDeBouscal LaCalprenede "
        "Prade Racine Rotrou Scarron TristanLHermite Villiers",
    ),
    "lectures16": (
        "course-02 course-07 course-09 course-10 course-11 course-13 course-14",
        "course-01 course-03 course-04 course-05 course-06 course-08 course-15",
    ),
    "pan19": (
        "problem01 problem05 problem09 problem13 problem17",
        "problem03 problem07 problem11 problem15 problem19",
    ),
}
DIVISION: Mapping[str, Mapping[Side, tuple[str, ...]]] = {
    corpus: {side: tuple(names.split()) for side, names in zip(SIDES, sides, strict=True)}
    for corpus, sides in _DIVISION.items()
}


def authors_on_side(side: Side, corpus: str, authors: Collection[str]) -> list[str]:
    """Return those of the authors who are on one side of a corpus, or on both, sorted.

    Parameters
    ----------
    side : {"development", "test", "both"}
    corpus : str
        A name in `DIVISION`.
    authors : collection of str
        The authors (or problems) that the folder of the corpus has.

    Raises
    ------
    CorpusError
        An author is on neither side.

    Examples
    --------
    >>> authors_on_side("test", "federalist", ["Madison", "Hamilton"])
    ['Hamilton', 'Madison']
    """
    sides = DIVISION[corpus]
    divided = {name for names in sides.values() for name in names}
    unknown = sorted(set(authors) - divided)
    if unknown:
        raise CorpusError(
            f"{corpus}: {join_names(unknown)} is on neither side of the division of the corpus. "
            "The folder is not the corpus that was divided; remove what does not belong to it"
        )
    return sorted(set(authors).intersection(divided if side == "both" else sides[side]))
