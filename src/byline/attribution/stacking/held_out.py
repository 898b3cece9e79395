"""Which known texts are held out to learn how members combine, and shorter pieces of them.

No text is scored by a member that learnt from it, or from another text of the same work. An author
with one work alone cannot be held out so: that work is cut into consecutive parts, each held out
in turn, and what they teach is a little flattered.
"""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from byline.attribution.classifiers.chunked import sample_evenly
from byline.attribution.classifiers.kernels import HeldOutSplit
from byline.attribution.inputs import check_authors, check_texts
from byline.corpus.scripts import WHITESPACE_WORDS
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.formatting import join_names, quantity
from byline.text import split_sentences

_HALF_CHARACTER = regex.compile(r"[\ud800-\udfff]")  # which the segmenter does not take


@dataclass(frozen=True, slots=True)
class FoldText:
    """A known text, or a part of an only work, its author (a name or a number), and its fold."""

    text: str
    author: Any
    fold: int
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class HeldOutTexts:
    """Known texts that are held out, and what is asked about meanwhile.

    Attributes
    ----------
    trial : Trial
        Of the units.
    authors : list
        Who wrote the questioned texts.
    is_whole : list of bool
        Whether a questioned text is a known one as it is, not a part or a run of sentences of it.
    """

    trial: HeldOutSplit
    authors: list[Any]
    is_whole: list[bool]

    @property
    def n_texts(self) -> int:
        """Units that are held out, or questioned texts where nothing is."""
        return int(self.trial.held_out.sum()) or len(self.authors)


def assign_folds(
    texts: Sequence[str],
    authors: Sequence[Any],
    works: Sequence[str],
    *,
    n_folds: int,
    random_state: int,
    language: str = "en",
) -> list[FoldText]:
    """Deal every author's works out to folds, so that no author is held out as a whole.

    A work that several authors have texts of, such as a topic that all of them wrote about, is held
    out of all of them at once, as a topic that is new in a questioned text is new to all; but not
    of an author who would have no known text then.

    Parameters
    ----------
    texts, works : sequences of str, (n_documents,)
        Texts of one author and work stay together.
    authors : sequence of str, or of int, (n_documents,)
    n_folds : int
        At least 2.
    random_state : int
    language : str
        ISO 639 code, for sentences.

    Returns
    -------
    list of Unit
        By author, then text, whatever order they come in, those without a word left out; an
        author's only work is replaced by its parts.

    Raises
    ------
    TrainingError
        An author's only work is a single word, or an author's texts are all blank.

    Warns
    -----
    BylineWarning
        An author has one work alone.
    """
    rng = np.random.default_rng(random_state)
    # In an order of their own, so that the one they come in changes nothing.
    known = sorted(_with_words(texts, authors, works), key=itemgetter(1, 0, 2))
    own: dict[Any, list[str]] = defaultdict(list)
    for _, author, work in known:
        if work not in own[author]:
            own[author].append(work)
    shared = _deal_shared(own, n_folds, rng)
    folds: dict[tuple[Any, str], int] = {}
    for author in sorted(own):
        start, order = int(rng.integers(n_folds)), rng.permutation(own[author]).tolist()
        dealt = {work: (number + start) % n_folds for number, work in enumerate(order)}
        together = dealt | {work: fold for work, fold in shared.items() if work in dealt}
        if len(set(together.values())) > 1:
            dealt = together
        folds |= {(author, work): fold for work, fold in dealt.items()}
    single = sorted(author for author, all_works in own.items() if len(all_works) == 1)
    if single:
        _warn_of_single_works(single)
    units: list[FoldText] = []
    n_parts: Counter[Any] = Counter()  # so far, of each author
    for text, author, work in known:
        if author in single:
            parts = _parts(text, author, n_parts[author], n_folds, language)
            n_parts[author] += len(parts)
            units += parts
        else:
            units.append(FoldText(text, author, folds[author, work]))
    _check_known(units)
    return units


def held_out(
    units: Sequence[FoldText],
    *,
    n_folds: int,
    lengths: Sequence[int],
    random_state: int,
    language: str = "en",
) -> list[HeldOutTexts]:
    """Hold each fold out in turn: its texts are asked about, whole and one run of each length.

    Parameters
    ----------
    units : sequence of Unit
    n_folds : int
        Empty ones are left out.
    lengths : sequence of int
        Sentences of the runs.
    random_state : int
    language : str
        ISO 639 code, for sentences.
    """
    rng = np.random.default_rng([random_state, len(units)])
    folds = np.array([unit.fold for unit in units])
    parts = []
    for fold in range(n_folds):
        own = [unit for unit in units if unit.fold == fold]
        if own:
            parts.append(make_held_out_texts(own, folds == fold, lengths, rng, language))
    return parts


def make_held_out_texts(
    units: Sequence[FoldText],
    is_held_out: NDArray[np.bool_],
    lengths: Sequence[int],
    rng: np.random.Generator,
    language: str = "en",
) -> HeldOutTexts:
    """Ask about texts, and about one run of each length of each, while some are held out.

    Parameters
    ----------
    units : sequence of Unit
        At least one.
    is_held_out : (n_known,) bool
    lengths : sequence of int
        Sentences of the runs.
    rng : numpy Generator
    language : str
        ISO 639 code, for sentences.
    """
    asked = [(unit.text, unit.author, not unit.is_part) for unit in units]
    for length in lengths:
        runs = [(sample_passage(unit.text, length, rng, language), unit.author) for unit in units]
        asked += [(text, author, False) for text, author in runs if text is not None]
    questioned, authors, is_whole = map(list, zip(*asked, strict=True))
    return HeldOutTexts(HeldOutSplit(is_held_out, questioned), authors, is_whole)


def limit_held_out_texts(
    parts: Sequence[HeldOutTexts], at_most: int, *, random_state: int
) -> list[HeldOutTexts]:
    """Ask about some of the questioned texts, of each author about as many as of any other.

    Parameters
    ----------
    parts : sequence of HeldOutTexts
    at_most : int
        Questioned texts of all parts together; an author has one in any case.
    random_state : int

    Returns
    -------
    list of HeldOutTexts
        Parts about which nothing is asked are left out.
    """
    _, owners = np.unique(
        [author for part in parts for author in part.authors], return_inverse=True
    )
    rng = np.random.default_rng(random_state)
    chosen = np.zeros(len(owners), dtype=bool)
    chosen[sample_evenly(owners, np.arange(len(owners)), at_most, rng)] = True
    ends = np.cumsum([len(part.authors) for part in parts])
    fewer = []
    for part, of_part in zip(parts, np.split(chosen, ends[:-1]), strict=True):
        if of_part.any():
            asked = list(compress(part.trial.questioned, of_part))
            trial = HeldOutSplit(part.trial.held_out, asked)
            authors, is_whole = (
                list(compress(values, of_part)) for values in (part.authors, part.is_whole)
            )
            fewer.append(HeldOutTexts(trial, authors, is_whole))
    return fewer


def _deal_shared(
    own: Mapping[Any, Sequence[str]], n_folds: int, rng: np.random.Generator
) -> dict[str, int]:
    """Deal out the works that several authors have texts of."""
    spread = Counter(work for works in own.values() for work in works)
    shared = sorted(work for work, n_authors in spread.items() if n_authors > 1)
    return {work: number % n_folds for number, work in enumerate(rng.permutation(shared).tolist())}


def sample_passage(
    text: str, n_sentences: int, rng: np.random.Generator, language: str = "en"
) -> str | None:
    """One run of consecutive sentences, drawn at random; None where the text has no more than it.

    Parameters
    ----------
    text : str
    n_sentences : int
    rng : numpy Generator
    language : str
        ISO 639 code, for sentences.
    """
    bounds = sentence_bounds(text, language)
    if len(bounds) <= n_sentences:
        return None
    first = int(rng.integers(len(bounds) - n_sentences + 1))
    return text[bounds[first][0] : bounds[first + n_sentences - 1][1]]


def sentence_bounds(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Where each sentence begins and ends in ``text``, line ends inside it and all."""
    text = _HALF_CHARACTER.sub("\ufffd", text)
    # A sentence comes with its white space mended; its other characters are those of the text.
    places = [place for place, sign in enumerate(text) if not sign.isspace()]
    lengths = ["".join(sentence.split()) for sentence in split_sentences(text, language=language)]
    ends = accumulate(map(len, lengths), initial=0)
    return [(places[start], places[end - 1] + 1) for start, end in pairwise(ends)]


def _with_words(
    texts: Sequence[str], authors: Sequence[Any], works: Sequence[str]
) -> list[tuple[str, Any, str]]:
    """Leave out texts without a letter or digit, but of authors who have no other."""
    entries = list(zip(texts, authors, works, strict=True))
    has_words = [any(map(str.isalnum, text)) for text in texts]
    heard = {author for author, words in zip(authors, has_words, strict=True) if words}
    kept = [
        entry
        for entry, words in zip(entries, has_words, strict=True)
        if words or (entry[1] not in heard and entry[0].strip())
    ]
    blank = set(authors) - {author for _, author, _ in kept}
    if blank:
        raise TrainingError(f"the known texts of {join_names(sorted(blank))} are blank; add text")
    return kept


def _parts(text: str, author: Any, n_before: int, n_folds: int, language: str) -> list[FoldText]:
    """Cut a text into consecutive parts for all folds, by sentences, or words if these are few."""
    bounds = sentence_bounds(text, language)
    if len(bounds) < n_folds:
        bounds = [word.span() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    cuts = np.linspace(0, len(bounds), min(n_folds, len(bounds)) + 1).astype(int).tolist()
    return [
        FoldText(
            text[bounds[start][0] : bounds[end - 1][1]], author, (n_before + part) % n_folds, True
        )
        for part, (start, end) in enumerate(pairwise(cuts))
    ]


def _warn_of_single_works(authors: Sequence[Any]) -> None:
    warnings.warn(
        f"{quantity(len(authors), 'author')} with a single work ({join_names(authors)}): "
        "parts of it "
        "stand in for works of their own where the members' weights are learnt; add a second work",
        BylineWarning,
        stacklevel=4,
    )


def _check_known(units: Sequence[FoldText]) -> None:
    """Refuse authors who would have no known text while all they have is held out."""
    folds: dict[Any, set[int]] = defaultdict(set)
    for unit in units:
        folds[unit.author].add(unit.fold)
    short = sorted(author for author, held_out in folds.items() if len(held_out) == 1)
    if short:
        raise TrainingError(
            f"the known text of {join_names(short)} is a single word, so nothing would be left to "
            "learn from while it is held out; add text"
        )


def texts_of_validation(validation: object, classes: NDArray[Any]) -> HeldOutTexts:
    """Take validation texts as they are.

    Parameters
    ----------
    validation : (texts, authors)
    classes : (n_authors,) str
        Who may have written them.

    Raises
    ------
    UsageError
        It is no such pair.
    """
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise UsageError("validation is a pair: texts, and the author of each")
    texts, authors = validation
    asked, names = check_texts(texts), list(check_authors(authors))
    if len(asked) != len(names) or not asked:
        raise UsageError(
            f"validation has {len(asked)} texts and {len(names)} authors; it needs as many of "
            "each, and at least one"
        )
    if not any(map(str.strip, asked)):
        raise UsageError("all texts of validation are blank; nothing can be learnt from them")
    strangers = sorted(map(str, set(names) - set(classes.tolist())))
    if strangers:
        raise UsageError(f"validation has texts of {join_names(strangers)}, who have no known text")
    return HeldOutTexts(HeldOutSplit(np.zeros(0, dtype=bool), asked), names, [True] * len(names))
