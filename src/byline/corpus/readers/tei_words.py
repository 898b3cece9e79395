"""Editions that mark every word: what is white space in them, and what only lays out the file."""

from __future__ import annotations

from itertools import pairwise

from byline.corpus.readers.markup import Element, local_name

_TOKENS = frozenset({"w", "pc", "c"})


def space_words(root: Element) -> None:
    """Leave white space between the words and marks of a text where there is some, and only there.

    Some editions have each space in an element of its own (``<c> </c>``), and line ends between
    elements say nothing; some have none at all between words; some say where a mark joins a word.
    """
    tokens = [element for element in root.iter("*") if local_name(element) in _TOKENS]
    if any(local_name(token) == "c" and _is_space(token.text) for token in tokens):
        _forget_layout(tokens)
    elif _are_words_run_together(tokens):
        for token, following in pairwise(tokens):
            if _is_run_together(token, following):
                token.tail = " "
    for token in tokens:
        _join(token)


def _is_space(text: str | None) -> bool:
    return bool(text) and not str(text).strip()


def _forget_layout(tokens: list[Element]) -> None:
    for token in tokens:
        parent = token.getparent()
        if _is_space(token.tail):
            token.tail = None
        if token.getprevious() is None and parent is not None and _is_space(parent.text):
            parent.text = None


def _are_words_run_together(tokens: list[Element]) -> bool:
    pairs = [pair for pair in pairwise(tokens) if _are_neighbours(*pair)]
    together = sum(_is_run_together(*pair) for pair in pairs)
    return 2 * together > len(pairs)


def _are_neighbours(token: Element, following: Element) -> bool:
    return token.getnext() is following and local_name(token) == local_name(following) == "w"


def _is_run_together(token: Element, following: Element) -> bool:
    text = "".join(token.itertext())
    is_part = token.get("part", "N") in ("I", "M") or "join" in token.keys() + following.keys()
    has_space = bool(token.tail) or text != text.rstrip()
    return _are_neighbours(token, following) and not (has_space or is_part)


def _join(token: Element) -> None:
    """Obey ``join``, by which an edition says on which side a mark has no space."""
    side, previous = token.get("join"), token.getprevious()
    if side in ("right", "both") and _is_space(token.tail):
        token.tail = None
    if side in ("left", "both") and previous is not None and _is_space(previous.tail):
        previous.tail = None
