"""Assign known texts to folds, so that base classifiers are tested on works they have not seen.

A text is never scored by a base classifier that was trained on it, or on another text of its work.
An author's only work is not held out: parts of it would show whether a base classifier recognises
the work, and not whether it recognises the author.
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

NEVER = -1  # the fold of a text that is not held out
# With at most this number of works, each is held out alone, so that as much as possible is left.
_FEW_WORKS = 12
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
    """A known text, or a part of one, with its author, its work and its fold (or `NEVER`)."""

    text: str
    author: Any
    fold: int
    work: str = ""


def assign_folds(
    texts: Sequence[str],
    authors: Sequence[Any],
    works: Sequence[str],
    *,
    n_folds: int,
    random_state: int,
    split_single_works: SentenceSettings | None = None,
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
        At least 2; each work has its own fold if there are few works.
    random_state : int
    split_single_works : SentenceSettings, optional
        Replace an author's only work by consecutive parts, one per fold, cut between sentences. By
        default, it is never held out.

    Returns
    -------
    list of FoldText
        Sorted by author and text, whatever the order of the input is, without texts that contain
        no word.

    Raises
    ------
    TrainingError
        If all texts of an author are blank, or an only work that is split is a single word.

    Warns
    -----
    BylineWarning
        If an author's only work is split.
    """
    rng = np.random.default_rng(random_state)
    # Sorted, so that the order of the input does not change the result.
    known = sorted(_with_words(texts, authors, works), key=itemgetter(1, 0, 2))
    own: dict[Any, list[str]] = defaultdict(list)
    for _, author, work in known:
        if work not in own[author]:
            own[author].append(work)
    single = sorted(author for author, all_works in own.items() if len(all_works) == 1)
    several = {author: all_works for author, all_works in own.items() if len(all_works) > 1}
    if split_single_works is None and _count_works(several) <= _FEW_WORKS:
        folds = _each_work_alone(several)
    else:
        folds = _distribute(own, n_folds, rng)
    if split_single_works is None:
        return [
            FoldText(text, author, NEVER if author in single else folds[author, work], work)
            for text, author, work in known
        ]
    return _split_single_works(known, folds, single, n_folds, split_single_works)


def _count_works(own: Mapping[Any, Sequence[str]]) -> int:
    return len({work for works in own.values() for work in works})


def _each_work_alone(own: Mapping[Any, Sequence[str]]) -> dict[tuple[Any, str], int]:
    """Give each work its own fold; a work of several authors is held out for all of them."""
    names = dict.fromkeys(work for works in own.values() for work in works)
    numbers = {work: number for number, work in enumerate(names)}
    return {(author, work): numbers[work] for author, works in own.items() for work in works}


def _distribute(
    own: Mapping[Any, Sequence[str]], n_folds: int, rng: np.random.Generator
) -> dict[tuple[Any, str], int]:
    """Distribute every author's works over the folds."""
    shared = _assign_shared_works(own, n_folds, rng)
    folds: dict[tuple[Any, str], int] = {}
    for author in sorted(own):
        start, order = int(rng.integers(n_folds)), rng.permutation(own[author]).tolist()
        assigned = {work: (number + start) % n_folds for number, work in enumerate(order)}
        together = assigned | {work: fold for work, fold in shared.items() if work in assigned}
        if len(set(together.values())) > 1:
            assigned = together
        folds |= {(author, work): fold for work, fold in assigned.items()}
    return folds


def _split_single_works(
    known: Sequence[tuple[str, Any, str]],
    folds: Mapping[tuple[Any, str], int],
    single: Sequence[Any],
    n_folds: int,
    sentences: SentenceSettings,
) -> list[FoldText]:
    if single:
        _warn_about_single_works(single)
    fold_texts: list[FoldText] = []
    n_parts: Counter[Any] = Counter()  # per author, so far
    for text, author, work in known:
        if author in single:
            spans = _split_into_parts(text, n_folds, sentences)
            fold_texts += [
                FoldText(text[start:end], author, (n_parts[author] + part) % n_folds, work)
                for part, (start, end) in enumerate(spans)
            ]
            n_parts[author] += len(spans)
        else:
            fold_texts.append(FoldText(text, author, folds[author, work], work))
    _check_enough_folds(fold_texts)
    return fold_texts


def sample_passages(text: str, n_words: int, at_most: int, rng: np.random.Generator) -> list[str]:
    """Return random passages that do not overlap; none if the text is not longer.

    Parameters
    ----------
    text : str
    n_words : int
        Words per passage.
    at_most : int
        Number of passages, if the text has enough words.
    rng : numpy Generator
    """
    starts = [word.start() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    if len(starts) <= n_words:
        return []
    n_passages = min(at_most, len(starts) // n_words)
    free = len(starts) - n_passages * n_words
    gaps = np.sort(rng.integers(free + 1, size=n_passages)).tolist()
    firsts = [gap + number * n_words for number, gap in enumerate(gaps)]
    bounds = [*starts, len(text)]
    return [text[bounds[first] : bounds[first + n_words]].rstrip() for first in firsts]


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
        "it are held out in place of whole works; add a second work",
        BylineWarning,
        stacklevel=5,
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
