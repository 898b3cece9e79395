"""Questioned texts that are also among the known or reference texts, in whole or in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.attribution.known_copy import MIN_COPIED
from byline.attribution.result import CANNOT_TELL
from byline.attribution.training_record.shared_passages import FingerprintTable
from byline.attribution.verification.problems import normalize_space
from byline.attribution.verification.result import Verification
from byline.corpus import Document
from byline.corpus.fingerprints import WordHasher, select_fingerprints
from byline.formatting import isolated_path, join_names, percent
from byline.typography.scripts import count_words

MIN_CONTAINED = 50  # words of a text that counts as contained; shorter passages can be quotations


@dataclass(frozen=True, slots=True)
class TextCopies:
    """Where a questioned text occurs in the known and reference texts.

    Attributes
    ----------
    paths : tuple of str
        Of the texts that contain it or most of it, or that it contains, word for word.
    share : float
        The largest share of its words in passages of one of these texts.

    Examples
    --------
    >>> TextCopies((), 0.0).withhold(Verification("note.txt", "yes", 0.9, 0.95, None)).answer
    'yes'
    >>> copied = TextCopies(("ada/1.txt",), 1.0)
    >>> copied.withhold(Verification("note.txt", "yes", 0.9, 0.95, None)).answer
    'cannot tell'
    """

    paths: tuple[str, ...]
    share: float

    def withhold(self, answer: Verification) -> Verification:
        """Return an answer without a likelihood ratio if the text was compared with itself."""
        if self.share < MIN_COPIED:
            return answer
        where = join_names(list(map(isolated_path, self.paths)))
        reason = (
            f"{percent(self.share, 0)} of the text is also among the known or reference texts, "
            f"word for word ({where}), so it was compared with itself, and neither a likelihood "
            "ratio nor a probability would mean anything; remove it from them, and repeat the "
            "verification"
        )
        return Verification(answer.path, CANNOT_TELL, None, None, reason)


def find_copies(texts: Sequence[str], documents: Sequence[Document]) -> list[TextCopies]:
    """Find the known and reference texts in which each questioned text occurs, and how much of it.

    Parameters
    ----------
    texts : sequence of str, (n_texts,)
    documents : sequence of Document
        Normalised as the texts.

    Returns
    -------
    list of TextCopies, (n_texts,)
    """
    hasher = WordHasher()
    known = [
        (str(number), each.path, _as_words(each.text)) for number, each in enumerate(documents)
    ]
    fingerprints = FingerprintTable.of(
        {
            str(number): np.unique(select_fingerprints(hasher.hash_words(each.text)))
            for number, each in enumerate(documents)
        }
    )
    found = []
    for text in texts:
        asked, copied = _as_words(text), fingerprints.copied_shares(hasher.hash_words(text))
        shares: dict[str, float] = {}
        for number, path, words in known:
            contained = _is_copied(asked, words)
            share = 1.0 if contained else copied.get(number, 0.0)
            if share >= MIN_COPIED or _is_copied(words, asked):
                shares[path] = share
        found.append(TextCopies(tuple(sorted(shares)), max(shares.values(), default=0.0)))
    return found


def _as_words(text: str) -> str:
    return f" {normalize_space(text)} "  # so that a text is found only at the ends of words


def _is_copied(part: str, whole: str) -> bool:
    return part == whole or (part in whole and count_words(part) >= MIN_CONTAINED)
