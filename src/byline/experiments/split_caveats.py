"""What may make the metrics of a split too good, and what the split cannot show."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence

from byline.errors import BylineWarning
from byline.experiments.splits import Fold, Protocol
from byline.formatting import join_names, quantity

_MAX_LISTED = 20


def find_undivided_authors(folds: Sequence[Fold], protocol: Protocol) -> Iterator[str]:
    """State which authors' texts were never questioned, because there is a single one.

    Parameters
    ----------
    folds : sequence of Fold
        From `split`.
    protocol : {"document", "work", "sentence"}

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments.splits import split
    >>> documents = [Document(name, f"Text {n}.", f"{n}.txt") for n, name in enumerate("ABB")]
    >>> list(find_undivided_authors(split(Corpus(documents, "toy")), "document"))
    ['no text by A was held out, because there is only one document; the accuracy for A is unknown']
    """
    questioned = {author for fold in folds for author in fold.questioned.candidates}
    never = sorted({author for fold in folds for author in fold.known.candidates} - questioned)
    if never:
        names = join_names(never, _MAX_LISTED)
        each = "" if len(never) == 1 else " by each of them"
        whom = names if len(never) == 1 else "them"
        yield (
            f"no text by {names} was held out, because there is only one {protocol}{each}; the "
            f"accuracy for {whom} is unknown"
        )


SENTENCE_SPLIT_CAVEAT = (
    "the corpus was split by sentence, so that known and questioned sentences come from the same "
    "documents; the accuracy is higher than on unseen documents"
)


def find_leakage(
    folds: Sequence[Fold], protocol: Protocol, *, one_corpus: bool = True
) -> tuple[str, ...]:
    """Find leaks from known to questioned texts, warn about them, and return them as caveats.

    Parameters
    ----------
    folds : sequence of Fold
    protocol : {"document", "work", "sentence"}
        How the folds were made. A split by sentence always leaks, so that its caveat is returned
        without a warning.
    one_corpus : bool
        Whether known and questioned texts come from one corpus, so that equal names of works mean
        the same work.

    Warns
    -----
    BylineWarning
        A questioned text is a copy of a known text, or belongs to the same work as one.
    """
    if protocol == "sentence":
        return (SENTENCE_SPLIT_CAVEAT,)
    found = [_caveat(folds, copied_texts, "copies of known texts; remove the copies")]
    if one_corpus:
        advice = "parts of works of which other parts are known; use split='work' to prevent this"
        found.append(_caveat(folds, texts_of_known_works, advice))
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
    return f"{number} ({join_names(paths, 3)}) are {what}"


def copied_texts(fold: Fold) -> list[str]:
    """Return the paths of questioned texts that are equal to a known text, word by word."""
    known = {_words(text) for text in fold.known.texts}
    return [document.path for document in fold.questioned if _words(document.text) in known]


def texts_of_known_works(fold: Fold) -> list[str]:
    """Return the paths of questioned texts of which another part of the same work is known."""
    known = {(document.author, document.work) for document in fold.known}
    return [d.path for d in fold.questioned if (d.author, d.work) in known]


def _words(text: str) -> str:
    return " ".join(text.split())
