"""Units that are held out, and whether there are enough of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from byline.corpus import Corpus
from byline.corpus.findings import count, name_some
from byline.errors import LearningError, UsageError

Protocol = Literal["document", "work", "sentence"]
Folds = int | Literal["leave-one-out"]

# An author and, within it, a work or the index of a text.
UnitName = tuple[str, str | int]

# So many folds where nobody says how many; one fold alone holds out the first of so many parts.
USUAL_PARTS = 5
_MAX_LISTED = 20


def check_request(protocol: Protocol, folds: Folds | None) -> None:
    """Refuse a protocol or a number of folds that cannot be, whatever the corpus.

    Raises
    ------
    UsageError
    """
    if protocol not in get_args(Protocol):
        raise UsageError(f"split={protocol!r} is none of {', '.join(get_args(Protocol))}")
    if folds == "leave-one-out":
        if protocol == "sentence":
            raise UsageError("leave-one-out goes with whole documents or works; name a number")
    elif folds is not None and not _is_number_of_folds(folds):
        raise UsageError(f"folds={folds!r} must be a whole number of 1 or more, or 'leave-one-out'")


def _is_number_of_folds(folds: object) -> bool:
    return isinstance(folds, int) and not isinstance(folds, bool) and folds >= 1


def units_of(corpus: Corpus, protocol: Protocol) -> list[UnitName]:
    """Name the unit of each text that is held out as a whole; works are told apart by author."""
    if protocol == "work":
        return list(zip(corpus.authors, corpus.works, strict=True))
    return [(author, index) for index, author in enumerate(corpus.authors)]


def count_units(units: Sequence[UnitName]) -> Counter[str]:
    """How many units each author has."""
    return Counter(author for author, _ in set(units))


def choose_folds(
    corpus: Corpus, units: Sequence[UnitName], protocol: Protocol, folds: Folds | None
) -> Folds:
    """Return ``folds``, or for None how many there can be.

    Raises
    ------
    LearningError
        No author has enough units, or one has a single unit and would be left without known text.
    """
    n_units = count_units(units)
    alone = sorted(author for author, number in n_units.items() if number < 2)
    if folds != 1 and alone:
        raise _nothing_left(corpus, alone, n_units, protocol)
    most = max(n_units.values(), default=0)
    n_parts = USUAL_PARTS if folds == 1 else folds if isinstance(folds, int) else 2
    if most >= n_parts:
        return min(USUAL_PARTS, most) if folds is None else folds
    asked = "a fifth is" if folds == 1 else f"{n_parts} parts are"
    raise LearningError(
        f"{corpus.name}: {asked} to be held out, but no author has more than "
        f"{count(most, protocol)}; {_way_out(most, protocol, divisible=not alone)}"
    )


def _way_out(most: int, protocol: Protocol, *, divisible: bool) -> str:
    """Advise what can be had: folds, only where every author has two units or more."""
    if most < 2 or not divisible:
        return "add known texts"
    fewer = f"use {most} folds" if most == 2 else f"use 2 to {most} folds"
    return f"{fewer}{'' if protocol == 'sentence' else ' or leave-one-out'}, or add known texts"


def check_known_text(
    corpus: Corpus, known: Iterable[Corpus], units: Sequence[UnitName], protocol: Protocol
) -> None:
    """Refuse folds of which one leaves an author without known text.

    Raises
    ------
    LearningError
    """
    candidates = set(corpus.candidates)
    bare = sorted({author for texts in known for author in candidates - set(texts.authors)})
    if bare:
        raise _nothing_left(corpus, bare, count_units(units), protocol)


def _nothing_left(
    corpus: Corpus, authors: Sequence[str], n_units: Mapping[str, int], protocol: Protocol
) -> LearningError:
    n_texts = Counter(corpus.authors)
    text = "sentence" if protocol == "sentence" else "document"
    listed = [
        f"{author} ({count(n_texts[author], text)}"
        + (f" of {count(n_units[author], 'work')})" if protocol == "work" else ")")
        for author in authors
    ]
    divisible = protocol == "work" and all(n_texts[author] > 1 for author in authors)
    whole = ", or hold out documents, which may share a work" if divisible else ""
    return LearningError(
        f"{corpus.name}: nothing is left to learn from when texts are held out of "
        f"{name_some(listed, _MAX_LISTED)}; every author needs two {protocol}s or more: add some, "
        f"or leave {'the author' if len(authors) == 1 else 'these authors'} out{whole}"
    )
