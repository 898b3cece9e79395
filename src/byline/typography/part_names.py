"""The names of the parts of books in European languages, and numbers written as words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# From the whole to the smallest part: volumes contain books, books contain chapters, and so on.
VOLUME, BOOK, ACT, CHAPTER, SCENE = range(5)

_NAMES_OF_RANK = {
    VOLUME: "band deel tome tomo vol volume volumen",
    BOOK: "boek book buch libro livre part parte partie teil книга часть",
    ACT: "act akt acte acto atto aufzug",
    CHAPTER: "canto cap capitolo capitulo capítulo carta chap chapitre chapter episode hoofdstuk "
    "kapitel kapittel lettera letter lettre rozdział section stave глава κεφαλαιο κεφάλαιο",
    SCENE: "scena scene scène szene",
}
RANKS: Mapping[str, int] = MappingProxyType(
    {name: rank for rank, names in _NAMES_OF_RANK.items() for name in names.split()}
)
PARTS = "|".join(sorted(RANKS))
ROMAN = r"(?=[ivxlc])m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|first|second|third|fourth|"
    "fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]{4,7}teenth|[a-z]{3,4}tieth|last"
)
