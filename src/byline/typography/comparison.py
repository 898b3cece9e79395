"""Compare the conventions of texts by several authors, and of a text with theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import product
from statistics import median_low
from typing import Self

from byline.typography.conventions import CONVENTIONS, Convention, find_forms
from byline.typography.scripts import WORDS

# How far the share of a form must differ between two authors. In CCAT50, lectures16, the known
# Federalist essays and CMCC (all genres, or all but one), the largest difference is 0.49.
MIN_DIFFERENCE = 0.5
UNBROKEN = "unbroken"  # the form of a text that is not divided into paragraphs
_UNKNOWN = 10**9  # words in the longest paragraph, if no text is divided
_RARE_WORDS = 0.01  # of an author's words, in longer paragraphs than are taken to be usual
_MIN_WORDS = 100  # of a text that may be a paragraph too long for an author
# A text deviates if at most this share of the authors have texts of its form. Paragraphs differ
# more within and between authors: in CMCC, one essay or e-mail in twenty is not divided, by a third
# of the authors.
_MOST_AUTHORS = 0.5
_MOST_AUTHORS_OF_PARAGRAPHS = 0.1


@dataclass(frozen=True, slots=True)
class FormDifference:
    """A convention in which authors differ, so that it would be taken for their style.

    Attributes
    ----------
    convention : str
        A name of `byline.typography.conventions.CONVENTIONS`.
    authors : mapping of str to tuple of str
        The authors most of whose words are in texts of a form, by the form.

    Examples
    --------
    >>> small, mixed = "the loom hums. " * 40, "The loom hums. " * 40
    >>> [difference] = KnownForms.of([small, mixed], ["Ann", "Bob"]).differences()
    >>> difference.convention, dict(difference.authors)
    ('letter-case', {'mixed': ('Bob',), 'small': ('Ann',)})
    """

    convention: str
    authors: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FormDeviation:
    """A convention in which a text differs from all texts by most authors.

    Attributes
    ----------
    convention : str
        A name of `byline.typography.conventions.CONVENTIONS`.
    form : str
        The form of the text.
    authors : tuple of str
        The few authors who have texts of that form.

    Examples
    --------
    >>> known = KnownForms.of(["The loom hums. " * 40] * 2, ["Ann", "Bob"])
    >>> known.deviations("the loom hums. " * 40)
    (FormDeviation(convention='letter-case', form='small', authors=()),)
    """

    convention: str
    form: str
    authors: tuple[str, ...]


@dataclass(frozen=True)
class KnownForms:
    """The conventions of the known texts by each author.

    Attributes
    ----------
    n_words : mapping of str to int
        Number of words by author.
    words : mapping of str to mapping of str to mapping of str to int
        Number of words in texts of each form, by convention, form and author.
    longest : mapping of str to int
        Length in words of the longest usual paragraph by author: only 1 % of the words of texts
        that are divided into paragraphs are in longer ones. 0 if no text is divided.

    See Also
    --------
    byline.typography.conventions.find_forms : The forms of one text.

    Examples
    --------
    >>> known = KnownForms.of(["THE LOOM HUMS. " * 40, "The loom hums. " * 20], ["Ann", "Bob"])
    >>> dict(known.words["letter-case"]["capitals"])
    {'Ann': 120}
    """

    n_words: Mapping[str, int]
    words: Mapping[str, Mapping[str, Mapping[str, int]]]
    longest: Mapping[str, int]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        authors: Iterable[object],
        conventions: Mapping[str, Convention] = CONVENTIONS,
    ) -> Self:
        """Find the forms of known texts.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
            One paragraph per line; normalised, if the known texts will be.
        authors : iterable of str, or of int, (n_documents,)
        conventions : mapping of str to Convention
        """
        names = list(map(str, authors))
        lengths = [_paragraph_lengths(text) for text in texts]
        longest = _longest_paragraphs(names, lengths)
        n_words: Counter[str] = Counter()
        words: dict[str, dict[str, Counter[str]]] = {
            name: {form: Counter() for form in convention.forms}
            for name, convention in conventions.items()
        }
        typical = median_low([own for own in longest.values() if own] or [_UNKNOWN])
        for author, text, own in zip(names, texts, lengths, strict=True):
            n_words[author] += sum(own)
            forms = find_forms(text, conventions)
            if "paragraphs" in words and _is_one_paragraph(own) and own[0] > typical:
                forms.setdefault("paragraphs", UNBROKEN)
            for name, form in forms.items():
                words[name][form][author] += sum(own)
        return cls(
            dict(sorted(n_words.items())),
            {
                name: {form: dict(own) for form, own in forms.items()}
                for name, forms in words.items()
            },
            longest,
        )

    def differences(self) -> tuple[FormDifference, ...]:
        """Find the conventions in which authors differ.

        Authors differ if one of them has an unusual form in most texts, and another one has other
        forms in most texts. A text that does not show its form could have any.
        """
        return tuple(
            FormDifference(name, self._authors_by_form(name))
            for name, (_, *unusual) in self.words.items()
            if any(self._difference(name, form) >= MIN_DIFFERENCE for form in unusual)
        )

    def deviations(self, text: str) -> tuple[FormDeviation, ...]:
        """Find the conventions in which a text differs from all texts by most authors.

        Parameters
        ----------
        text : str
            Normalised like the known texts.
        """
        forms = find_forms(text)
        found = [(name, form, self._authors_with[name][form]) for name, form in forms.items()]
        if "paragraphs" not in forms:
            found += self._long_paragraphs(text)
        return tuple(
            FormDeviation(name, form, authors)
            for name, form, authors in found
            if len(authors) <= _most_authors(name) * len(self.n_words)
            and len(self._authors_without(name, form)) >= _MOST_AUTHORS * len(self.n_words)
        )

    def _difference(self, name: str, form: str) -> float:
        """Return the largest difference between two authors' shares of a form.

        Words of texts that do not show their form count against a difference.
        """
        own = {author: self._share(name, [form], author) for author in self.n_words}
        others = {
            author: self._share(name, self._other_forms(name, form), author) for author in own
        }
        # The two authors are among those with the two largest values of each.
        largest = (nlargest(2, shares, key=shares.__getitem__) for shares in (own, others))
        return max((own[a] + others[b] - 1 for a, b in product(*largest) if a != b), default=0.0)

    def _share(self, name: str, forms: Iterable[str], author: str) -> float:
        n_words = sum(self.words[name][form].get(author, 0) for form in forms)
        return n_words / max(self.n_words[author], 1)

    def _other_forms(self, name: str, form: str) -> list[str]:
        return [other for other in self.words[name] if other != form]

    def _authors_by_form(self, name: str) -> dict[str, tuple[str, ...]]:
        by_form = {
            form: tuple(
                author
                for author in self.n_words
                if self._share(name, [form], author) >= MIN_DIFFERENCE
            )
            for form in self.words[name]
        }
        return {form: authors for form, authors in by_form.items() if authors}

    @cached_property
    def _authors_with(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The authors who have texts of each form of each convention, sorted."""
        return {
            name: {
                form: tuple(author for author in self.n_words if own.get(author))
                for form, own in forms.items()
            }
            for name, forms in self.words.items()
        }

    def _authors_without(self, name: str, form: str) -> list[str]:
        """Return the authors who have texts of another form only."""
        return [
            author
            for author in self.n_words
            if not self.words[name][form].get(author)
            and self._share(name, self._other_forms(name, form), author) > 0
        ]

    def _long_paragraphs(self, text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield the form of a short text that is one paragraph, and authors who have such ones."""
        lengths = _paragraph_lengths(text)
        if _is_one_paragraph(lengths):
            own = self.words["paragraphs"][UNBROKEN]
            authors = (a for a in self.n_words if own.get(a) or self.longest[a] >= lengths[0])
            yield "paragraphs", UNBROKEN, tuple(authors)


def _most_authors(name: str) -> float:
    return _MOST_AUTHORS_OF_PARAGRAPHS if name == "paragraphs" else _MOST_AUTHORS


def _paragraph_lengths(text: str) -> list[int]:
    words = WORDS.of(text)
    return [len(words.findall(line)) for line in text.split("\n") if line.strip()]


def _is_one_paragraph(lengths: Sequence[int]) -> bool:
    return len(lengths) == 1 and lengths[0] >= _MIN_WORDS


def _longest_paragraphs(authors: Sequence[str], lengths: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return the length of each author's longest usual paragraph; 0 if no text is divided."""
    divided: dict[str, list[int]] = {author: [] for author in sorted(set(authors))}
    for author, own in zip(authors, lengths, strict=True):
        if len(own) > 1:
            divided[author] += own
    return {author: _longest_usual(own) for author, own in divided.items()}


def _longest_usual(lengths: Iterable[int]) -> int:
    """Return the length of the longest paragraph, if 1 % of the words are in still longer ones."""
    ordered = sorted(lengths, reverse=True)
    rare = _RARE_WORDS * sum(ordered)
    for length in ordered:
        rare -= length
        if rare < 0:
            return length
    return 0
