"""What an attributor is handed, checked before anything is learnt."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import accuracy_score
from sklearn.utils import Tags

from byline.errors import UsageError


class TextEstimatorMixin:
    """What an estimator over raw texts does otherwise in scikit-learn; the first base class."""

    def __sklearn_tags__(self) -> Tags:
        """Say that input is strings in one dimension."""
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def score(
        self, X: Iterable[str], y: Iterable[str], sample_weight: ArrayLike | None = None
    ) -> float:
        """Share of the texts whose author is named rightly; a declined text's is not.

        Authors that are numbers are compared by their digits, as ``CANNOT_TELL`` may be among them.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        sample_weight : (n_documents,), optional
            How much each text counts.
        """
        true = list(map(str, check_authors(y)))
        named = list(map(str, self.predict(X)))  # type: ignore[attr-defined]
        return float(accuracy_score(true, named, sample_weight=sample_weight))


def check_texts(X: Iterable[str], what: str = "text") -> list[str]:
    """Return ``X`` as a list of ``str``.

    Parameters
    ----------
    X : list, tuple, array or Series of str, one a document
    what : str
        What one entry is called in a message.

    Raises
    ------
    UsageError
        ``X`` is one string, has several dimensions, or an entry is not a string.
    """
    if isinstance(X, str | bytes):
        raise UsageError(
            f"a list of {what}s is needed, but one {type(X).__name__} came; write [it]"
        )
    if getattr(X, "ndim", 1) != 1 or not isinstance(X, Iterable):
        shape = f" of shape {X.shape}" if hasattr(X, "shape") else ""
        raise UsageError(f"a list of {what}s is needed, but a {type(X).__name__}{shape} came")
    return [_check_text(entry, number, what) for number, entry in enumerate(X)]


def _check_text(entry: object, number: int, what: str) -> str:
    if isinstance(entry, str):
        return str(entry)
    hint = "; hand over corpus.texts" if hasattr(entry, "text") else ""
    raise UsageError(f"{what} {number} is a {type(entry).__name__}, not a str{hint}")


def check_authors(y: Iterable[str]) -> list[str] | list[int]:
    """Return ``y`` as a list of names, or of whole numbers where all are that; errors as above."""
    numbered = not isinstance(y, str | bytes) and isinstance(y, Iterable) and len(y := list(y)) > 0
    if numbered and all(isinstance(a, numbers.Integral) and not isinstance(a, bool) for a in y):
        return [int(author) for author in y]
    return check_texts(y, "author")


def check_authors_have_names(classes: NDArray[Any]) -> None:
    """Refuse authors that are numbers where they must have names (`UsageError`)."""
    if classes.dtype.kind != "U":
        raise UsageError("the authors are numbers; fit the attributor to authors with names")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse a parameter that is none of the choices (`UsageError`)."""
    if value not in choices:
        raise UsageError(f"{name} is {value!r}; it can be {' or '.join(map(repr, choices))}")


def check_number(
    name: str, value: object, least: int, most: float | None = None, *, whole: bool = True
) -> None:
    """Refuse a parameter that is no number, or out of its range (`UsageError`)."""
    kind = numbers.Integral if whole else numbers.Real
    fits = isinstance(value, kind) and not isinstance(value, bool)
    if not fits or not least <= value or (most is not None and value > most):  # type: ignore[operator]
        bound = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise UsageError(f"{name} is {value!r}; it is a {'whole ' * whole}number {bound}")


def check_jobs(n_jobs: object) -> None:
    """Refuse what is no number of processes (`UsageError`)."""
    if n_jobs is not None and n_jobs != -1:
        check_number("n_jobs", n_jobs, 1)


def check_type(name: str, value: object, kind: type) -> None:
    """Refuse a prototype that is neither None nor a ``kind`` (`UsageError`)."""
    if value is not None and not isinstance(value, kind):
        raise UsageError(f"{name} is a {type(value).__name__}; it is a {kind.__name__} or None")
