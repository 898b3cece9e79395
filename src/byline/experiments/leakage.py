"""What makes accuracy look better than on new texts; found before anything is learnt."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from byline.errors import BylineWarning
from byline.experiments.splits import Fold, Protocol, known_again, works_in_both_parts
from byline.formatting import join_names, quantity

FLATTERED = (
    "the corpus was split by sentence: sentences of the same documents were known and questioned, "
    "so accuracy is higher than on documents nobody has seen"
)


def find_leakage(
    folds: Sequence[Fold], protocol: Protocol, *, one_corpus: bool = True
) -> tuple[str, ...]:
    """Look for leaks from known to questioned texts; each is warned of and handed back.

    Parameters
    ----------
    folds : sequence of Fold
    protocol : {"document", "work", "sentence"}
        How the folds were made. By sentence, equal sentences and shared works are its nature:
        the caveat says so without a warning.
    one_corpus : bool
        Whether known and questioned texts come from one corpus, so that equal names of works
        mean the same work.

    Warns
    -----
    BylineWarning
        A questioned text is known word for word, or is part of a work that is known.
    """
    if protocol == "sentence":
        return (FLATTERED,)
    found = [_caveat(folds, known_again, "known word for word as well; take the copies out")]
    if one_corpus:
        found.append(
            _caveat(
                folds,
                works_in_both_parts,
                "part of a work whose other parts are known; split='work' keeps works whole",
            )
        )
    caveats = tuple(caveat for caveat in found if caveat)
    for caveat in caveats:
        warnings.warn(caveat, BylineWarning, stacklevel=3)
    return caveats


def _caveat(folds: Sequence[Fold], leaks: Callable[[Fold], list[str]], what: str) -> str | None:
    paths = sorted({path for fold in folds for path in leaks(fold)})
    if not paths:
        return None
    n_questioned = sum(len(fold.questioned) for fold in folds)
    number = f"{len(paths)} of {quantity(n_questioned, 'questioned text')}"
    return f"{number} ({join_names(paths, 3)}) {'is' if len(paths) == 1 else 'are'} {what}"
