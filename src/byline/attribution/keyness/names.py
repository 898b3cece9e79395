"""Find the words that are names, by their capital letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import regex

from byline.text.letters import letter_word_pattern
from byline.typography.letter_case import lower

# A word with a capital letter after a lower-case letter, comma or semicolon, or after a short title
# such as "Mr.". A word after a full stop, a quotation mark or a line break begins a sentence.
_INSIDE_SENTENCE = regex.compile(r"(?:(?<=[\p{Ll},;]\s)|(?<=\b\p{Lu}\p{Ll}{0,3}\.\s))\p{Lu}\p{L}+")
MAX_LOWER_SHARE = 0.1  # "mark" and "grace" are mostly no names, "may" and "will" hardly ever
MIN_INSIDE_SHARE = 0.2  # "Thanks" and "Undoubtedly" nearly always begin sentences
MAX_CAPITAL_SHARE = 0.2  # of all words; in German, whose nouns have capitals, the share is higher


def name_words(texts: Iterable[str], language: str = "en") -> frozenset[str]:
    """Find the words that are nearly always written with a capital letter inside sentences.

    These are names of persons and places, titles such as ``Mr``, months and nationalities. Single
    letters, such as the pronoun ``I``, are not among them.

    Parameters
    ----------
    texts : iterable of str
        Texts whose capital letters were kept.
    language : str
        ISO 639 code, which lower-casing depends on.

    Returns
    -------
    frozenset of str
        In lower case, as `letter_words` returns them. Empty if more than a fifth of all words have
        a capital letter, as in German, where capital letters do not distinguish names.

    Examples
    --------
    >>> text = "We met Jane Grey in Bath, " + "and it was all so long ago, " * 3
    >>> sorted(name_words([text]))
    ['bath', 'grey', 'jane']
    """
    written: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for text in texts:
        written.update(letter_word_pattern(text).findall(text))
        inside.update(lower(word, language) for word in _INSIDE_SENTENCE.findall(text))
    in_lower, with_capital = _by_case(written, language)
    n_capital = sum(with_capital.values())
    if n_capital > MAX_CAPITAL_SHARE * max(n_capital + sum(in_lower.values()), 1):
        return frozenset()
    return frozenset(
        word
        for word, count in inside.items()
        if in_lower[word] <= MAX_LOWER_SHARE * (in_lower[word] + count)
        and count >= MIN_INSIDE_SHARE * with_capital[word]
    )


def _by_case(written: Counter[str], language: str) -> tuple[Counter[str], Counter[str]]:
    """Count words of several letters that begin in lower case, and with a capital letter."""
    in_lower: Counter[str] = Counter()
    with_capital: Counter[str] = Counter()
    for word, count in written.items():
        if len(word) > 1:
            first = word[0]
            (in_lower if first == first.lower() else with_capital)[lower(word, language)] += count
    return in_lower, with_capital
