"""Who wrote a TEI text and what it is called, as its header states."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from byline.corpus.readers.markup import Element, local_name

# What stands beside a name in a header, and is none.
_BESIDE = frozenset(
    {"idno", "note", "date", "birth", "death", "ref", "ptr", "email", "affiliation"}
)
_SUBORDINATE = frozenset({"sub", "subordinate", "desc", "volume", "part", "alt", "short"})
# "Austen, Jane (1775-1817)", "Behn, Aphra, 1640-1689.", "Anger, Jane, fl. 1589"
_YEAR = r"(?:(?:b|d|ca?|fl)\. ?)*\d{3,4}\??"
_YEARS_OF_LIFE = regex.compile(rf"[\s,]*[(\[]?{_YEAR}(?: ?[-–] ?(?:{_YEAR})?)?[)\]]?\.?$")


def authors(header: Element) -> list[str]:
    """Return the authors' names, ``Forename Surname`` where the header tells the parts apart.

    They are those of the text's own title statement, or else the first of its source.
    """
    description = _first(header, "fileDesc")
    named = list(_first(description, "titleStmt").iterchildren("{*}author"))
    names = list(filter(None, map(_name, named)))
    if not names:
        named = _first(description, "sourceDesc").iter("{*}author")
        names = list(filter(None, map(_name, named)))[:1]
    return list(dict.fromkeys(names))


def title(header: Element) -> str | None:
    """Return the main title."""
    titles = list(_first(_first(header, "fileDesc"), "titleStmt").iterchildren("{*}title"))
    main = [each for each in titles if each.get("type") == "main"]
    other = [each for each in titles if each.get("type") not in _SUBORDINATE]
    return next((text for each in main + other + titles if (text := _text(each))), None)


def _first(element: Element, name: str) -> Element:
    """Return the first child of this name; one without content where there is none."""
    return next(element.iterchildren(f"{{*}}{name}"), element.makeelement(name))


def _name(author: Element) -> str:
    """Return one person's name without the years of life; of several forms of it, the first."""
    person = next(author.iter("{*}persName", "{*}name"), author)
    forename, link, surname = (
        " ".join(map(_text, person.iter(f"{{*}}{part}")))
        for part in ("forename", "nameLink", "surname")
    )
    if forename and surname:
        return " ".join(filter(None, (forename, link, surname)))
    return str(_YEARS_OF_LIFE.sub("", _text(person, " ")))


def _text(element: Element, between: str = "") -> str:
    return " ".join(between.join(_pieces(element)).split())


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if local_name(child) not in _BESIDE:
            yield from _pieces(child)
        yield child.tail or ""
