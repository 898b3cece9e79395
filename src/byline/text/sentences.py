"""Sentence boundaries, by a segmenter that knows abbreviations or by the paper's plain rule."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise

import regex
import sentencex

from byline.errors import BylineWarning
from byline.text.normalize import primary_subtag

_BLANK_LINE = regex.compile(r"\n\s*\n")
_AFTER_TERMINATOR = regex.compile(r"(?<=[.?!])\s+")
_QUOTE = regex.compile(r"\"|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])")
_OPENING_QUOTE = regex.compile(r"(?<=\s)[\"']+$")
_QUOTATIVE = {"と", "っ"}  # "he said", in Japanese
# What sentencex does not know: in Thai, no sentence begins with a sign that repeats or shortens.
_OWN_ENDS = regex.compile(
    r"[។៕]\s*|[།༎]\s+|(?<=[\p{Thai}\p{Lao}])(?<![ๆໆ])\s+(?=[\p{Thai}\p{Lao}])(?![ๆໆฯຯ])"
)
_MAY_HAVE_OWN_ENDS = re.compile("[\u0e00-\u0fff\u1780-\u17ff]")
# It is rules for full stops that differ between languages; sentencex knows all scripts' own marks.
_FULL_STOP_INSIDE = regex.compile(r"\.\s+\S")
# sentencex does not tell for which it has any. Chinese needs none.
_LANGUAGE_WITH_RULES = regex.compile(
    "am|ar|bg|bn|ca|da|de|el|en|es|fi|fr|gu|hi|hy|it|ja|kk|kn|ml|mr|my|nl|pa|pl|pt|ru|sk|ta|te|uk|zh"
)


def split_by_segmenter(text: str, language: str) -> list[str]:
    """Sentences of one paragraph, by sentencex.

    The segmenter takes a quotation for one sentence, however long, so it is shown the text with
    spaces for quotation marks; the marks return to the sentence that they open or close. A
    quotation that goes on in lower case (``"Stop!" he cried.``) is one sentence with it, and so is
    one that a Japanese particle follows.

    Added are the ends of sentences in Khmer and Tibetan. Thai and Lao have no mark for them: there
    a space between two letters, which parts clauses, is a boundary.
    """
    cuts = [cut for cut in _cuts(text, language) if not _goes_on(text, cut)]
    if not text.isascii() and _MAY_HAVE_OWN_ENDS.search(text):
        cuts = sorted({*cuts, *(match.end() for match in _OWN_ENDS.finditer(text))} - {len(text)})
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


def _cuts(text: str, language: str) -> Iterator[int]:
    """Where the segmenter cuts the masked text, but before the marks that open a sentence."""
    start = end = 0
    code = primary_subtag(language)  # it takes DE and de-AT for unknown
    for masked in sentencex.segment(code, _QUOTE.sub(" ", text)):
        start, end = end, end + len(masked)
        if end < len(text):
            opening = _OPENING_QUOTE.search(text, start, end)
            yield opening.start() if opening else end


def _goes_on(text: str, cut: int) -> bool:
    """Whether a quotation ends at ``cut`` and its sentence goes on."""
    before = text[max(0, cut - 2) : cut].rstrip()[-1:]
    return (text[cut].islower() and before in {'"', "'"}) or (
        text[cut] in _QUOTATIVE and before in {"」", "』"}
    )


def split_by_punctuation(text: str, language: str) -> list[str]:
    """Sentences of one paragraph: each ends at ``.``, ``?`` or ``!`` followed by white space.

    Ge & Sun 2016, section "Data Preparation", as their program has it: ``h.left`` is no boundary,
    and neither is a full stop before a closing quotation mark.
    """
    pieces: list[str] = _AFTER_TERMINATOR.split(text)
    return pieces


SENTENCE_RULES: dict[str, Callable[[str, str], list[str]]] = {
    "segmenter": split_by_segmenter,
    "punctuation": split_by_punctuation,
}


def split_sentences(text: str, *, rule: str = "segmenter", language: str = "en") -> Iterator[str]:
    """Cut normalised text into sentences; a blank line is always a boundary, a line end never is.

    Parameters
    ----------
    text : str
        As `normalize` returns it.
    rule : {"segmenter", "punctuation"}
    language : str
        ISO 639 code, of which the first part counts; only the segmenter looks at it.

    Yields
    ------
    str
        A sentence of at least one character that is not white space; white space inside is one
        space each. Joined and with white space left out, they are the text without white space.

    Warns
    -----
    BylineWarning
        The segmenter has no rules for the language, and full stops stand inside the text.
    """
    if rule == "segmenter":
        _warn_without_rules(text, language)
    split = SENTENCE_RULES[rule]
    for paragraph in _BLANK_LINE.split(text):
        for sentence in split(" ".join(paragraph.split()), language):
            if stripped := sentence.strip():
                yield stripped


def _warn_without_rules(text: str, language: str) -> None:
    has_rules = _LANGUAGE_WITH_RULES.fullmatch(primary_subtag(language))
    if not has_rules and _FULL_STOP_INSIDE.search(text):
        warnings.warn(
            f"the sentence segmenter has no rules for the language {language!r}: it cuts by those "
            "for a related language where it knows one, else by those for English, so "
            "abbreviations may end sentences; if the code is mistyped, mend it",
            BylineWarning,
            stacklevel=3,
        )
