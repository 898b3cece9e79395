"""Split texts into sentences with a segmenter that knows abbreviations, or by punctuation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise

import regex
import sentencex

from byline.errors import BylineWarning
from byline.text_memory import TextMemory
from byline.typography import Normalization
from byline.typography.characters import EAST_ASIAN_BLOCKS
from byline.typography.letter_case import primary_subtag
from byline.typography.line_ends import unify_line_ends

_BLANK_LINE = regex.compile(r"\n\s*\n")
_AFTER_TERMINATOR = regex.compile(r"(?<=[.?!])\s+")
# Quotation marks, and lone surrogates, which sentencex does not accept.
_MASKED = regex.compile(r"[\"\ud800-\udfff]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])")
# sentencex takes time that grows with the square of the number of full stops in a run without
# spaces, which is no prose.
_LONG_RUN = re.compile(rf"[^\s{EAST_ASIAN_BLOCKS}]{{2000,}}")
_INNER_STOP = re.compile(r"[.!?\u2026\u203c-\u203d\u2047-\u2049](?!\Z)")
# The same holds for the number of East Asian full stops in a paragraph.
_EAST_ASIAN_END = regex.compile(r"[。！？｡][」』）”’\"']*+\s*+(?=[^。！？｡…])")
_BLOCK = 5_000  # characters
_OPENING_QUOTE = regex.compile(r"(?<=\s)[\"']+$")
_QUOTATIVE = {"と", "っ"}  # "he said", in Japanese
# Boundaries that sentencex misses. A Thai sentence never begins with a repetition or abbreviation
# sign.
_EXTRA_BOUNDARY = regex.compile(
    r"[។៕]\s*|[།༎]\s+|(?<=[\p{Thai}\p{Lao}])(?<![ๆໆ])\s+(?=[\p{Thai}\p{Lao}])(?![ๆໆฯຯ])"
)
_MAY_HAVE_EXTRA_BOUNDARY = re.compile("[\u0e00-\u0fff\u1780-\u17ff]")
# Languages differ in their rules for full stops only. sentencex knows the sentence-final
# punctuation of all other scripts.
_FULL_STOP_INSIDE = regex.compile(r"\.\s+\S")
# sentencex has no list of the languages that it has rules for. Chinese needs no rules.
_LANGUAGE_WITH_RULES = regex.compile(
    "am|ar|bg|bn|ca|da|de|el|en|es|fi|fr|gu|hi|hy|it|ja|kk|kn|ml|mr|my|nl|pa|pl|pt|ru|sk|ta|te|uk|zh"
)


def split_by_segmenter(text: str, language: str) -> list[str]:
    """Split one paragraph into sentences with sentencex.

    sentencex treats a quotation as one sentence, however long it is. Byline therefore replaces
    quotation marks by spaces before segmentation and puts them back into the sentence that they
    open or close. A quotation stays in one sentence with what follows if that begins in lower case
    (``"Stop!" he cried.``) or with a Japanese quotative particle.

    Byline adds the sentence ends of Khmer and Tibetan. Thai and Lao do not mark the end of a
    sentence, so a space between two letters, which separates clauses, is treated as a boundary.

    Examples
    --------
    >>> from byline.text.sentences import split_by_segmenter
    >>> split_by_segmenter("Dr. Lamb came. He sat.", "en")
    ['Dr. Lamb came. ', 'He sat.']
    """
    boundaries = [
        boundary
        for boundary in _segmenter_boundaries(text, language)
        if not _is_inside_sentence(text, boundary)
    ]
    if not text.isascii() and _MAY_HAVE_EXTRA_BOUNDARY.search(text):
        extra = {match.end() for match in _EXTRA_BOUNDARY.finditer(text)}
        boundaries = sorted({*boundaries, *extra} - {len(text)})
    return [text[start:end] for start, end in pairwise([0, *boundaries, len(text)])]


def _segmenter_boundaries(text: str, language: str) -> Iterator[int]:
    """Yield the segmenter's boundaries, each moved before quotation marks that open a sentence."""
    start = end = 0
    code = primary_subtag(language)  # sentencex does not know codes such as DE and de-AT
    prepared = _LONG_RUN.sub(_without_inner_stops, _MASKED.sub(" ", text))
    for block in _blocks(prepared):
        for masked in sentencex.segment(code, block):
            start, end = end, end + len(masked)
            if end < len(text):
                opening = _OPENING_QUOTE.search(text, start, end)
                yield opening.start() if opening else end


def _blocks(text: str) -> Iterator[str]:
    """Divide a long paragraph where an East Asian sentence certainly ends."""
    start = 0
    while len(text) - start > _BLOCK:
        block_end = _EAST_ASIAN_END.search(text, start + _BLOCK)
        if block_end is None:
            break
        yield text[start : block_end.end()]
        start = block_end.end()
    yield text[start:]


def _without_inner_stops(match: re.Match[str]) -> str:
    return _INNER_STOP.sub("-", match[0])


def _is_inside_sentence(text: str, boundary: int) -> bool:
    """Return whether a quotation ends at the boundary and its sentence continues after it."""
    before = text[max(0, boundary - 2) : boundary].rstrip()[-1:]
    return (text[boundary].islower() and before in {'"', "'"}) or (
        text[boundary] in _QUOTATIVE and before in {"」", "』"}
    )


def split_by_punctuation(text: str, language: str) -> list[str]:
    """Split one paragraph into sentences after ``.``, ``?`` or ``!`` followed by white space.

    This is the rule of the program of Ge & Sun (2016), section "Data Preparation". The full stop in
    ``h.left`` is not a boundary, and neither is a full stop before a closing quotation mark.

    Examples
    --------
    >>> from byline.text.sentences import split_by_punctuation
    >>> split_by_punctuation("Set h.left to x. Why? Dr. Lamb knows.", "en")
    ['Set h.left to x.', 'Why?', 'Dr.', 'Lamb knows.']
    """
    sentences: list[str] = _AFTER_TERMINATOR.split(text)
    return sentences


SENTENCE_RULES: dict[str, Callable[[str, str], list[str]]] = {
    "segmenter": split_by_segmenter,
    "punctuation": split_by_punctuation,
}


def split_sentences(text: str, *, rule: str = "segmenter", language: str = "en") -> Iterator[str]:
    """Split a normalised text into sentences.

    A blank line is always a boundary; the end of a line never is.

    Parameters
    ----------
    text : str
        A text as `normalize` returns it.
    rule : {"segmenter", "punctuation"}
        ``"segmenter"`` knows abbreviations. ``"punctuation"`` is the rule of Ge & Sun (2016).
    language : str
        ISO 639 code. Only its first part counts, and only the segmenter uses it.

    Yields
    ------
    str
        A sentence with at least one character that is not white space. Runs of white space become
        one space. Apart from white space, the sentences together are the text.

    Warns
    -----
    BylineWarning
        The text contains full stops, and the segmenter has no rules for the language.

    See Also
    --------
    TextEncoder : Split texts into sentences of tokens.

    Examples
    --------
    >>> from byline.text import split_sentences
    >>> list(split_sentences("Dr. Lamb met Mr. Orr. They spoke."))
    ['Dr. Lamb met Mr. Orr.', 'They spoke.']
    """
    if rule == "segmenter":
        _warn_if_no_rules(text, language)
    split = SENTENCE_RULES[rule]
    for paragraph in _BLANK_LINE.split(text):
        for sentence in split(" ".join(paragraph.split()), language):
            if stripped := sentence.strip():
                yield stripped


def _split_whole_text(text: str, normalization: str, rule: str, language: str) -> list[str]:
    plain = Normalization.parse(normalization).apply(unify_line_ends(text))
    return list(split_sentences(plain, rule=rule, language=language))


#: The sentences of a text, by its normalisation, rule and language. Encoders of words and of
#: characters read each text one after another.
remembered_sentences = TextMemory(_split_whole_text, most_characters=16_000_000)


def _warn_if_no_rules(text: str, language: str) -> None:
    has_rules = _LANGUAGE_WITH_RULES.fullmatch(primary_subtag(language))
    if not has_rules and _FULL_STOP_INSIDE.search(text):
        warnings.warn(
            f"The sentence segmenter has no rules for the language {language!r}. It uses the rules "
            "of a related language or of English, so some sentences may end after an abbreviation. "
            "If the language code is wrong, correct it.",
            BylineWarning,
            stacklevel=3,
        )
