"""Make the held-out texts on which a stack is fitted: whole known texts and shorter passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.chunked import sample_evenly
from byline.attribution.inputs import check_authors, check_texts
from byline.attribution.stacking.folds import NEVER, FoldText, sample_passages
from byline.attribution.stacking.parameters import MANY_AUTHORS
from byline.errors import UsageError
from byline.formatting import join_names
from byline.typography import Normalization

# The number of passages of one length from one work, if there are few works. Passages of one work
# resemble each other, so that more of them add little.
_MOST_PASSAGES = 10
_MANY_PASSAGES = 60  # of one length, from all works


@dataclass(frozen=True, slots=True)
class HeldOutTexts:
    """A split of the known texts, with the authors of the texts that it scores.

    Attributes
    ----------
    split : HeldOutSplit
        Which known texts are held out, and which texts are scored meanwhile.
    authors : list
        The authors of the scored texts.
    shares : list of float
        What each scored text counts. The texts of one work count as the square root of their
        number together, and so do its passages of each length.
    is_whole : list of bool
        Whether a scored text is a whole known text, and not a passage.
    """

    split: HeldOutSplit
    authors: list[Any]
    shares: list[float]
    is_whole: list[bool]

    @property
    def n_texts(self) -> int:
        """Number of held-out texts, or of scored texts if none is held out."""
        return int(self.split.held_out.sum()) or len(self.authors)


def hold_out_folds(
    fold_texts: Sequence[FoldText],
    *,
    lengths: Sequence[int],
    random_state: int,
    at_most: int | None = None,
) -> list[HeldOutTexts]:
    """Hold out each fold in turn, and score its texts and passages from them.

    Parameters
    ----------
    fold_texts : sequence of FoldText
    lengths : sequence of int
        Number of words of the passages.
    random_state : int
    at_most : int, optional
        Score only so many texts that they and their passages are about this many. All texts of a
        fold are held out, whether they are scored or not.
    """
    rng = np.random.default_rng([random_state, len(fold_texts)])
    scored = _select(fold_texts, at_most, 1 + len(lengths), rng)
    folds = np.array([each.fold for each in fold_texts])
    n_works = len({(each.author, each.work) for each in fold_texts if each.fold != NEVER})
    n_passages = min(_MOST_PASSAGES, max(1, _MANY_PASSAGES // max(n_works, 1)))
    return [
        make_held_out_texts(
            [each for each in scored if each.fold == fold],
            folds == fold,
            lengths,
            rng,
            n_passages=n_passages,
        )
        for fold in sorted({each.fold for each in scored} - {NEVER})
    ]


def _select(
    fold_texts: Sequence[FoldText], at_most: int | None, per_text: int, rng: np.random.Generator
) -> Sequence[FoldText]:
    """Select texts that are held out, equally many per author as far as possible."""
    held_out = [each for each in fold_texts if each.fold != NEVER]
    if at_most is None or len(held_out) * per_text <= at_most:
        return fold_texts
    _, owners = np.unique([each.author for each in held_out], return_inverse=True)
    chosen = sample_evenly(owners, np.arange(len(held_out)), max(1, at_most // per_text), rng)
    return [held_out[place] for place in chosen.tolist()]


def make_held_out_texts(
    fold_texts: Sequence[FoldText],
    is_held_out: Booleans,
    lengths: Sequence[int],
    rng: np.random.Generator,
    *,
    n_passages: int = 1,
) -> HeldOutTexts:
    """Make one split that scores some texts, and random passages of each length from them.

    Parameters
    ----------
    fold_texts : sequence of FoldText
        At least one text to score.
    is_held_out : (n_known,) bool
    lengths : sequence of int
        Number of words of the passages.
    rng : numpy Generator
    n_passages : int
        Number of passages of one length from one work.
    """
    works: dict[tuple[Any, str], list[str]] = defaultdict(list)
    for each in fold_texts:
        works[each.author, each.work].append(each.text)
    scored = []
    for (author, _), texts in works.items():
        # They resemble each other, but add more than one text does. Where a "work" is a topic that
        # all authors wrote about, 342 of 396 development texts of CMCC were correctly attributed if
        # each work counted once, and 355 with the square root.
        share = len(texts) ** 0.5
        scored += [(text, author, share / len(texts), True) for text in texts]
        for length in lengths:
            per_text = -(-n_passages // len(texts))
            passages = [
                passage
                for text in texts
                for passage in sample_passages(text, length, per_text, rng)
            ]
            scored += [(passage, author, share / len(passages), False) for passage in passages]
    texts_, authors, shares, is_whole = map(list, zip(*scored, strict=True))
    return HeldOutTexts(HeldOutSplit(is_held_out, texts_), authors, shares, is_whole)


def limit_held_out_texts(
    parts: Sequence[HeldOutTexts], at_most: int, *, random_state: int
) -> list[HeldOutTexts]:
    """Keep a random selection of the scored texts, with about equally many per author.

    Parameters
    ----------
    parts : sequence of HeldOutTexts
    at_most : int
        Number of texts in all parts together. At least one text per author is kept, unless there
        are more than `MANY_AUTHORS`.
    random_state : int

    Returns
    -------
    list of HeldOutTexts
        Without parts of which no text is kept.
    """
    if not parts:
        return []
    _, owners = np.unique(
        [author for part in parts for author in part.authors], return_inverse=True
    )
    rng = np.random.default_rng(random_state)
    chosen = np.zeros(len(owners), dtype=bool)
    every_owner = int(owners.max()) < MANY_AUTHORS
    places = np.arange(len(owners))
    chosen[sample_evenly(owners, places, at_most, rng, every_owner=every_owner)] = True
    ends = np.cumsum([len(part.authors) for part in parts])
    limited = []
    for part, of_part in zip(parts, np.split(chosen, ends[:-1]), strict=True):
        if of_part.any():
            texts, authors, shares, is_whole = (
                list(compress(values, of_part))
                for values in (part.split.questioned, part.authors, part.shares, part.is_whole)
            )
            split = HeldOutSplit(part.split.held_out, texts)
            limited.append(HeldOutTexts(split, authors, shares, is_whole))
    return limited


def texts_of_validation(
    validation: object, classes: NDArray[Any], normalization: Normalization
) -> HeldOutTexts | None:
    """Use validation texts in place of held-out known texts.

    Parameters
    ----------
    validation : (texts, authors), or None
        None to hold out known texts.
    classes : (n_authors,) str
        The possible authors.
    normalization : Normalization

    Raises
    ------
    UsageError
        If it is not such a pair.
    """
    if validation is None:
        return None
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise UsageError("validation must be a pair: texts, and their authors")
    texts, authors = validation
    questioned = list(map(normalization.apply, check_texts(texts)))
    names = list(check_authors(authors))
    if len(questioned) != len(names) or not questioned:
        raise UsageError(
            f"validation has {len(questioned)} texts and {len(names)} authors; give one author "
            "per text, and at least one text"
        )
    if not any(map(str.strip, questioned)):
        raise UsageError("all validation texts are blank; add text")
    unknown = sorted(map(str, set(names) - set(classes.tolist())))
    if unknown:
        raise UsageError(
            f"validation has texts by {join_names(unknown)} without known texts; add known texts, "
            "or leave these texts out"
        )
    # Sorted, so that the order of the input does not change the result.
    names, questioned = map(list, zip(*sorted(zip(names, questioned, strict=True)), strict=True))
    split = HeldOutSplit(np.zeros(0, dtype=bool), questioned)
    return HeldOutTexts(split, names, [1.0] * len(names), [True] * len(names))
