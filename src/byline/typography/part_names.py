"""The names of the parts of books, for headings that are removed and for chapters."""

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
# A whole line with a part, its number and a short title in Chinese or Japanese.
EAST_ASIAN_PART = (
    r"第(?P<number>[\d〇零一二三四五六七八九十百千兩两]{1,7})(?P<part>[章回節节卷話话部])"
    r"(?P<title>(?:\s?\S{1,20})?)\Z"
)
