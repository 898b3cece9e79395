"""Make the held-out texts on which a stack is fitted: whole known texts and shorter passages."""

from __future__ import annotations

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
from byline.attribution.stacking.folds import FoldText, SentenceSettings, sample_passage
from byline.errors import UsageError
from byline.formatting import join_names
from byline.typography import Normalization


@dataclass(frozen=True, slots=True)
class HeldOutTexts:
    """A split of the known texts, with the authors of the texts that it scores.

    Attributes
    ----------
    split : HeldOutSplit
        Which known texts are held out, and which texts are scored meanwhile.
    authors : list
        The authors of the scored texts.
    is_whole : list of bool
        Whether a scored text is a whole known text, and not a part of one or a passage.
    """

    split: HeldOutSplit
    authors: list[Any]
    is_whole: list[bool]

    @property
    def n_texts(self) -> int:
        """Number of held-out texts, or of scored texts if none is held out."""
        return int(self.split.held_out.sum()) or len(self.authors)


def hold_out_folds(
    fold_texts: Sequence[FoldText],
    *,
    n_folds: int,
    lengths: Sequence[int],
    random_state: int,
    sentences: SentenceSettings | None = None,
) -> list[HeldOutTexts]:
    """Hold out each fold in turn, and score its texts and one passage of each length per text.

    Parameters
    ----------
    fold_texts : sequence of FoldText
    n_folds : int
        Empty folds are left out.
    lengths : sequence of int
        Number of sentences of the passages.
    random_state : int
    sentences : SentenceSettings, optional
    """
    rng = np.random.default_rng([random_state, len(fold_texts)])
    folds = np.array([each.fold for each in fold_texts])
    parts = []
    for fold in range(n_folds):
        own = [each for each in fold_texts if each.fold == fold]
        if own:
            parts.append(make_held_out_texts(own, folds == fold, lengths, rng, sentences))
    return parts


def make_held_out_texts(
    fold_texts: Sequence[FoldText],
    is_held_out: Booleans,
    lengths: Sequence[int],
    rng: np.random.Generator,
    sentences: SentenceSettings | None = None,
) -> HeldOutTexts:
    """Make one split that scores some texts, and one random passage of each length per text.

    Parameters
    ----------
    fold_texts : sequence of FoldText
        At least one text to score.
    is_held_out : (n_known,) bool
    lengths : sequence of int
        Number of sentences of the passages.
    rng : numpy Generator
    sentences : SentenceSettings, optional
    """
    scored = [(each.text, each.author, not each.is_part) for each in fold_texts]
    for length in lengths:
        passages = [sample_passage(each.text, length, rng, sentences) for each in fold_texts]
        scored += [
            (passage, each.author, False)
            for passage, each in zip(passages, fold_texts, strict=True)
            if passage is not None
        ]
    texts, authors, is_whole = map(list, zip(*scored, strict=True))
    return HeldOutTexts(HeldOutSplit(is_held_out, texts), authors, is_whole)


def limit_held_out_texts(
    parts: Sequence[HeldOutTexts], at_most: int, *, random_state: int
) -> list[HeldOutTexts]:
    """Keep a random selection of the scored texts, with about equally many per author.

    Parameters
    ----------
    parts : sequence of HeldOutTexts
    at_most : int
        Number of texts in all parts together; at least one text per author is kept.
    random_state : int

    Returns
    -------
    list of HeldOutTexts
        Without parts of which no text is kept.
    """
    _, owners = np.unique(
        [author for part in parts for author in part.authors], return_inverse=True
    )
    rng = np.random.default_rng(random_state)
    chosen = np.zeros(len(owners), dtype=bool)
    chosen[sample_evenly(owners, np.arange(len(owners)), at_most, rng)] = True
    ends = np.cumsum([len(part.authors) for part in parts])
    limited = []
    for part, of_part in zip(parts, np.split(chosen, ends[:-1]), strict=True):
        if of_part.any():
            texts, authors, is_whole = (
                list(compress(values, of_part))
                for values in (part.split.questioned, part.authors, part.is_whole)
            )
            split = HeldOutSplit(part.split.held_out, texts)
            limited.append(HeldOutTexts(split, authors, is_whole))
    return limited


def texts_of_validation(
    validation: object, classes: NDArray[Any], normalization: Normalization
) -> HeldOutTexts:
    """Use validation texts in place of held-out known texts.

    Parameters
    ----------
    validation : (texts, authors)
    classes : (n_authors,) str
        The possible authors.
    normalization : Normalization

    Raises
    ------
    UsageError
        If it is not such a pair.
    """
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
    split = HeldOutSplit(np.zeros(0, dtype=bool), questioned)
    return HeldOutTexts(split, names, [True] * len(names))
