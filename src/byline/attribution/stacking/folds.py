"""Assign known texts to folds, so that base classifiers are tested on works they have not seen.

A text is never scored by a base classifier that was trained on it, or on another text of its work.
If an author has only one work, it is split into consecutive parts, and each part is held out in
turn; the resulting accuracy is somewhat too optimistic.
"""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import regex

from byline.errors import BylineWarning, TrainingError
from byline.formatting import join_names, quantity
from byline.text import split_sentences
from byline.typography.scripts import WHITESPACE_WORDS

_SURROGATE = regex.compile(r"[\ud800-\udfff]")  # not accepted by the sentence segmenter
# By code point; the ideographic space is the last one, and the last item is that of all others.
_IS_SPACE = np.array([chr(code).isspace() for code in range(ord("\u3000") + 2)])


@dataclass(frozen=True, slots=True)
class SentenceSettings:
    """How texts are split into sentences.

    Attributes
    ----------
    rule : {"segmenter", "punctuation"}
    language : str
        ISO 639 code.
    """

    rule: str = "segmenter"
    language: str = "en"

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the start and end of each sentence in ``text``, whose line breaks are kept."""
        text = _SURROGATE.sub("\ufffd", text)
        # The white space of a sentence is normalised; its other characters are those of the text.
        codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
        places = np.flatnonzero(~_IS_SPACE[np.minimum(codes, len(_IS_SPACE) - 1)]).tolist()
        sentences = split_sentences(text, rule=self.rule, language=self.language)
        ends = accumulate((len("".join(sentence.split())) for sentence in sentences), initial=0)
        return [(places[start], places[end - 1] + 1) for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class FoldText:
    """A known text, or a part of an author's only work, with its author and its fold."""

    text: str
    author: Any
    fold: int
    is_part: bool = False


def assign_folds(
    texts: Sequence[str],
    authors: Sequence[Any],
    works: Sequence[str],
    *,
    n_folds: int,
    random_state: int,
    sentences: SentenceSettings | None = None,
) -> list[FoldText]:
    """Distribute every author's works over the folds, so that no author is held out completely.

    If several authors have texts of one work, for example about a topic that was given to all of
    them, it is held out for all of them at once, because a topic that is new in a questioned text
    is new for every candidate. An author who would then have no known text is an exception.

    Parameters
    ----------
    texts, works : sequences of str, (n_documents,)
        Texts of one author and work stay together.
    authors : sequence of str, or of int, (n_documents,)
    n_folds : int
        At least 2.
    random_state : int
    sentences : SentenceSettings, optional

    Returns
    -------
    list of FoldText
        Sorted by author and text, whatever the order of the input is, without texts that contain
        no word. An author's only work is replaced by its parts.

    Raises
    ------
    TrainingError
        If an author's only work is a single word, or all texts of an author are blank.

    Warns
    -----
    BylineWarning
        If an author has only one work.
    """
    rng = np.random.default_rng(random_state)
    # Sorted, so that the order of the input does not change the result.
    known = sorted(_with_words(texts, authors, works), key=itemgetter(1, 0, 2))
    own: dict[Any, list[str]] = defaultdict(list)
    for _, author, work in known:
        if work not in own[author]:
            own[author].append(work)
    shared = _assign_shared_works(own, n_folds, rng)
    folds: dict[tuple[Any, str], int] = {}
    for author in sorted(own):
        start, order = int(rng.integers(n_folds)), rng.permutation(own[author]).tolist()
        assigned = {work: (number + start) % n_folds for number, work in enumerate(order)}
        together = assigned | {work: fold for work, fold in shared.items() if work in assigned}
        if len(set(together.values())) > 1:
            assigned = together
        folds |= {(author, work): fold for work, fold in assigned.items()}
    single = sorted(author for author, all_works in own.items() if len(all_works) == 1)
    if single:
        _warn_about_single_works(single)
    fold_texts: list[FoldText] = []
    n_parts: Counter[Any] = Counter()  # per author, so far
    for text, author, work in known:
        if author in single:
            spans = _split_into_parts(text, n_folds, sentences or SentenceSettings())
            fold_texts += [
                FoldText(text[start:end], author, (n_parts[author] + part) % n_folds, is_part=True)
                for part, (start, end) in enumerate(spans)
            ]
            n_parts[author] += len(spans)
        else:
            fold_texts.append(FoldText(text, author, folds[author, work]))
    _check_enough_folds(fold_texts)
    return fold_texts


def sample_passage(
    text: str,
    n_sentences: int,
    rng: np.random.Generator,
    sentences: SentenceSettings | None = None,
) -> str | None:
    """Return a random passage of consecutive sentences, or None if the text is not longer.

    Parameters
    ----------
    text : str
    n_sentences : int
    rng : numpy Generator
    sentences : SentenceSettings, optional
    """
    spans = (sentences or SentenceSettings()).spans(text)
    if len(spans) <= n_sentences:
        return None
    first = int(rng.integers(len(spans) - n_sentences + 1))
    return text[spans[first][0] : spans[first + n_sentences - 1][1]]


def _assign_shared_works(
    own: Mapping[Any, Sequence[str]], n_folds: int, rng: np.random.Generator
) -> dict[str, int]:
    """Assign folds to the works that several authors have texts of."""
    n_authors = Counter(work for works in own.values() for work in works)
    shared = sorted(work for work, n in n_authors.items() if n > 1)
    return {work: number % n_folds for number, work in enumerate(rng.permutation(shared).tolist())}


def _with_words(
    texts: Sequence[str], authors: Sequence[Any], works: Sequence[str]
) -> list[tuple[str, Any, str]]:
    """Leave out texts without a letter or digit, except of authors who have no others."""
    entries = list(zip(texts, authors, works, strict=True))
    has_words = [any(map(str.isalnum, text)) for text in texts]
    with_words = {author for author, has in zip(authors, has_words, strict=True) if has}
    kept = [
        entry
        for entry, has in zip(entries, has_words, strict=True)
        if has or (entry[1] not in with_words and entry[0].strip())
    ]
    blank = set(authors) - {author for _, author, _ in kept}
    if blank:
        raise TrainingError(f"the known texts of {join_names(sorted(blank))} are blank; add text")
    return kept


def _split_into_parts(
    text: str, n_folds: int, sentences: SentenceSettings
) -> list[tuple[int, int]]:
    """Return the spans of consecutive parts, one per fold, cut between sentences or words."""
    spans = sentences.spans(text)
    if len(spans) < n_folds:
        spans = [word.span() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    cuts = np.linspace(0, len(spans), min(n_folds, len(spans)) + 1).astype(int).tolist()
    return [(spans[start][0], spans[end - 1][1]) for start, end in pairwise(cuts)]


def _warn_about_single_works(authors: Sequence[Any]) -> None:
    warnings.warn(
        f"{quantity(len(authors), 'author')} with a single work ({join_names(authors)}): parts of "
        "it are held out in place of whole works to fit the stack; add a second work",
        BylineWarning,
        stacklevel=4,
    )


def _check_enough_folds(fold_texts: Sequence[FoldText]) -> None:
    """Check that no author loses all known text if one fold is held out."""
    folds: dict[Any, set[int]] = defaultdict(set)
    for each in fold_texts:
        folds[each.author].add(each.fold)
    short = sorted(author for author, own in folds.items() if len(own) == 1)
    if short:
        raise TrainingError(
            f"the known text of {join_names(short)} is a single word, so that nothing is left to "
            "train on while it is held out; add text"
        )
