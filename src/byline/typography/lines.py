"""Distinguish line breaks that end a paragraph from those that only end a line.

Transcripts and old electronic editions break lines anywhere; other texts have one paragraph or
one sentence per line. After this module there is one form only: one paragraph per line, with a
blank line between paragraphs.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from math import exp, log

import regex

from byline.typography.salutations import is_salutation
from byline.typography.scripts import (
    UNSPACED_SCRIPTS,
    count_words,
    may_have_unspaced_characters,
)
from byline.typography.wrapped_lines import ends_sentence, find_paragraphs

# Western punctuation ends a sentence before white space; East Asian punctuation needs none. A run
# of punctuation is tried from its first mark only; otherwise the time would grow with the square
# of its length.
_SENTENCE_END = regex.compile(r"(?<![.?!…؟۔।॥።፧։])[.?!…؟۔।॥።፧։]++[\"'”’»)\]]*+(?!\S)|[。！？｡။។៕]")
_BREAK_WITHOUT_SPACE = regex.compile(
    r"(?<=\p{L}[-\u2010\u2011])\n(?=\p{L})"  # over-\ncolouring
    rf"|(?<=[{UNSPACED_SCRIPTS}。、，])\n(?=[{UNSPACED_SCRIPTS}])"
)
_BREAK = regex.compile(r"(?<!\n)\n(?!\n)")
# A paragraph does not begin with a lower-case letter after one that did not end its sentence.
_BREAK_IN_SENTENCE = regex.compile(r"(?<![.?!…:\"'”’»)\]\n])\n++(?=\p{Ll})")
_BLANK_LINES = regex.compile(r"\n+")

# The share of the text that is in lines that end with a sentence. In 6,700 texts of eight corpora
# it is at most 0.63 if lines are broken anywhere (most in verse), and at least 0.8 in nearly all
# texts with one paragraph or sentence per line.
_MIN_SHARE_ENDING = 2 / 3
# Texts by the authors who mark fewest sentence ends have one in 50 words. Transcripts with one in
# hundreds of words have no usable punctuation.
_MIN_ENDS_PER_WORD = 1 / 300
_MIN_WORDS_PER_LINE = 2  # shorter lines are no sentences, even if no punctuation is used
# Of the ends of paragraphs; in chats by people who write few capital letters, it is more than half.
_MAX_SHARE_IN_SENTENCE, _MIN_IN_SENTENCE = 0.25, 5
_SAMPLE = 500_000  # characters at the beginning that decide
_MIN_LINES = 20  # with fewer lines, a text does not show the layout of a corpus
# Texts have the same layout if each differs from the next by less than a step, and all of them by
# less than a span: in the share above, for long and for short texts, and in the logarithm of the
# number of sentence ends per word. If they differ by more, each text decides for itself.
_SHARE_STEP, _SHARE_STEP_IF_SHORT, _SHARE_SPAN = 0.1, 0.3, 0.4
_RATE_STEP, _RATE_SPAN = log(2), log(10)


@dataclass(frozen=True, slots=True)
class LineRules:
    r"""Rules by which the lines of texts that belong together become paragraphs.

    Texts of one layout must be read alike: those of a corpus, and a questioned text. If texts are
    on both sides of a limit and differ by little, the limit is moved, so that all of them are on
    one side.

    Attributes
    ----------
    min_share_ending : float
        The lines of a text stay separate if at least this share of them end with a sentence.
    min_ends_per_word : float
        They also stay separate if fewer sentence ends are marked, because then only the lines show
        where sentences end.
    divides_words : bool
        Whether words are divided at line ends, so that a hyphen there does not belong to the word.

    See Also
    --------
    unwrap : Apply the rules.

    Examples
    --------
    >>> texts = ["Ada came.\nShe sat.\nThey slept.\nRain", "Ben came.\nHe sat.\nThen night"]
    >>> print(unwrap(texts[1]))
    Ben came. He sat. Then night
    >>> rules = LineRules.of(texts)
    >>> unwrap(texts[1], rules).split("\n\n")
    ['Ben came.', 'He sat.', 'Then night']
    """

    min_share_ending: float = _MIN_SHARE_ENDING
    min_ends_per_word: float = _MIN_ENDS_PER_WORD
    divides_words: bool = False

    @classmethod
    def of(cls, texts: Iterable[str], *, divides_words: bool = False) -> LineRules:
        """Find the rules for texts that belong together, such as those of a corpus.

        Parameters
        ----------
        texts : iterable of str
            With the line breaks of their files, in any order.
        divides_words : bool
            Whether words are divided at line ends.
        """
        found = [_count(text) for text in texts if not _is_wrapped(text)]
        counts = [each for each in found if each.n_lines > 1]
        long = [each for each in counts if each.n_lines >= _MIN_LINES]
        counts, step = (long, _SHARE_STEP) if long else (counts, _SHARE_STEP_IF_SHORT)
        ending = [(each.n_ending, each.n_characters) for each in counts]
        share = _choose_limit(_MIN_SHARE_ENDING, ending, step, _SHARE_SPAN, _ratio)
        marked = [(each.n_ends, each.n_words) for each in counts if each.share_ending < share]
        default = log(_MIN_ENDS_PER_WORD)
        log_rate = _choose_limit(default, marked, _RATE_STEP, _RATE_SPAN, _log_ratio)
        rate = _MIN_ENDS_PER_WORD if log_rate == default else exp(log_rate)
        return cls(share, rate, divides_words)


def unwrap(text: str, rules: LineRules | None = None) -> str:
    r"""Return a text with one paragraph per line, and a blank line between paragraphs.

    If lines are broken anywhere, a break within a paragraph becomes a space. There, a paragraph
    ends at a blank line, before an indented line, and at a line that ends a sentence although the
    next word would have fitted. Lines stay separate if most of them end with a sentence, or if
    hardly any sentence end is marked, because then only the lines show where sentences end.
    Letters are composed with their accents (Unicode NFC), because their encoding is not part of
    anybody's style.

    Parameters
    ----------
    text : str
    rules : LineRules, optional
        The rules for all texts of a corpus, as `LineRules.of` finds them. By default, the text
        alone decides.

    Returns
    -------
    str

    See Also
    --------
    LineRules : Read all texts of a corpus alike.

    Examples
    --------
    >>> unwrap("The river rose in the\nnight. Nobody heard\nit.")
    'The river rose in the night. Nobody heard it.'
    >>> unwrap("The river rose.\nNobody heard it.")
    'The river rose.\n\nNobody heard it.'
    """
    lines = text.splitlines()
    paragraphs = find_paragraphs(lines)
    counts, rules = _count(text), rules or LineRules()
    joined = "\n".join(map(str.strip, lines)).strip()
    if paragraphs.is_wrapped or counts.are_broken_anywhere(rules):
        joined = join_lines("\n".join(_separate(lines, paragraphs.ends)).strip())
    if paragraphs.is_wrapped or counts.marks_sentence_ends(rules):
        joined = _join_within_sentences(joined)
    return unicodedata.normalize("NFC", _BLANK_LINES.sub("\n\n", joined))


def join_lines(text: str) -> str:
    """Join the lines of each paragraph, with a space if the script has spaces."""
    return str(_BREAK.sub(" ", _BREAK_WITHOUT_SPACE.sub("", text)))


def _join_within_sentences(text: str) -> str:
    """Join paragraphs where one begins within a sentence.

    If many do, they are the messages of a chat, or the lines of a text that has a blank line after
    each of its lines.
    """
    n_breaks = len(_BLANK_LINES.findall(text))
    n_in_sentence = len(_BREAK_IN_SENTENCE.findall(text))
    if n_in_sentence > _MAX_SHARE_IN_SENTENCE * n_breaks and n_in_sentence >= _MIN_IN_SENTENCE:
        lines = [line for line in text[:_SAMPLE].split("\n") if line]
        if not find_paragraphs(lines).is_wrapped:
            return text
    return str(_BREAK_IN_SENTENCE.sub(_join_unless_after_salutation, text))


def _join_unless_after_salutation(line_break: regex.Match[str]) -> str:
    text, end = line_break.string, line_break.start()
    start = text.rfind("\n", 0, end) + 1
    begins_paragraph = start == 0 or text[start - 2] == "\n"
    return line_break[0] if begins_paragraph and is_salutation(text[start:end]) else " "


def _separate(lines: Iterable[str], paragraph_ends: Set[int]) -> Iterator[str]:
    """Yield the lines without indentation, and a blank line after each paragraph."""
    for index, line in enumerate(lines):
        yield line.strip()
        if index in paragraph_ends:
            yield ""


@dataclass(frozen=True, slots=True)
class _Counts:
    """How much a text has: lines that are not blank, characters and words in them, sentence ends.

    ``n_ending`` counts the characters of the lines that end with a sentence, because headings and
    salutations are short.
    """

    n_lines: int
    n_characters: int
    n_ending: int
    n_words: int
    n_ends: int

    @property
    def share_ending(self) -> float:
        """The share of the text that is in lines that end with a sentence."""
        return self.n_ending / max(self.n_characters, 1)

    def marks_sentence_ends(self, rules: LineRules) -> bool:
        """Return whether enough sentence ends are marked."""
        return self.n_ends >= max(1, rules.min_ends_per_word * self.n_words)

    def are_broken_anywhere(self, rules: LineRules) -> bool:
        """Return whether line breaks are neither ends of paragraphs nor of sentences."""
        if self.n_lines < 2 or self.share_ending >= rules.min_share_ending:
            return False
        are_too_short = self.n_words < _MIN_WORDS_PER_LINE * self.n_lines
        return are_too_short or self.marks_sentence_ends(rules)


def _count(text: str) -> _Counts:
    text = text[:_SAMPLE]
    lines = [stripped for line in text.splitlines() if (stripped := line.strip())]
    unspaced = may_have_unspaced_characters(text)
    return _Counts(
        n_lines=len(lines),
        n_characters=sum(map(len, lines)),
        n_ending=sum(len(line) for line in lines if ends_sentence(line)),
        n_words=sum(map(count_words, lines)) if unspaced else len(text.split()),
        n_ends=len(_SENTENCE_END.findall("\n".join(lines))),
    )


def _is_wrapped(text: str) -> bool:
    return find_paragraphs(text[:_SAMPLE].splitlines()).is_wrapped


def _ratio(part: float, whole: int) -> float:
    return part / max(whole, 1)


def _log_ratio(part: float, whole: int) -> float:
    return log(max(part, 0.5) / max(whole, 1))


def _choose_limit(
    default: float,
    texts: Sequence[tuple[int, int]],
    step: float,
    span: float,
    place: Callable[[float, int], float],
) -> float:
    """Choose the limit that separates no texts of the same layout.

    Parameters
    ----------
    default : float
        The limit if no texts of the same layout are on both sides of it.
    texts : sequence of (int, int)
        A part and a whole for each text.
    step, span : float
        Texts have the same layout if the places of neighbours differ by less than ``step``, and
        the places of all by less than ``span``.
    place : callable
        Computes the place of a text, or of several together, from a part and a whole.
    """
    placed = sorted((place(part, whole), part, whole) for part, whole in texts)
    places = [each[0] for each in placed]
    last = bisect_left(places, default)
    first = last - 1
    if first < 0 or last == len(places) or places[last] - places[first] >= step:
        return default
    while first > 0 and places[first] - places[first - 1] < step:
        first -= 1
    while last + 1 < len(places) and places[last + 1] - places[last] < step:
        last += 1
    if places[last] - places[first] >= span:
        return default
    same = placed[first : last + 1]
    if place(sum(each[1] for each in same), sum(each[2] for each in same)) >= default:
        return places[first] - step / 2
    return places[last] + step / 2
