"""Check the inputs of estimators over raw texts, and adapt them to scikit-learn."""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import column_or_1d

from byline.array_types import Floats
from byline.attribution.author_scores import decision_values
from byline.constraints import Constraints, check_parameters
from byline.errors import UsageError
from byline.typography.line_ends import unify_line_ends
from byline.typography.lines import LineRules


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The file that an estimator was loaded from.

    Attributes
    ----------
    name : str
        As it was given.
    sha256 : str
        Of the bytes of the file: 64 hexadecimal digits.
    """

    name: str
    sha256: str


class TextEstimatorMixin(ABC):
    """Adapt an estimator over raw texts to scikit-learn; it must be the first base class.

    Attributes
    ----------
    line_rules_ : LineRules
        The rules by which the lines of the known texts became paragraphs, so that questioned texts
        can be read by the same rules.
    """

    classes_: NDArray[Any]
    line_rules_ = LineRules()
    _parameter_constraints: ClassVar[Constraints] = {}
    _source: tuple[SourceFile, NDArray[Any]] | None = None

    def set_line_rules(self, rules: LineRules) -> Self:
        """Store the rules by which the known texts were read (`Corpus.line_rules`)."""
        self.line_rules_ = rules
        return self

    @property
    def source_file_(self) -> SourceFile | None:
        """The file that it was loaded from; None if it was fitted here, also after loading."""
        if self._source is None or self._source[1] is not self.classes_:
            return None
        return self._source[0]

    def set_source_file(self, source: SourceFile) -> Self:
        """Store the file that it was loaded from, until it is fitted again."""
        self._source = (source, self.classes_)
        return self

    def __sklearn_tags__(self) -> Tags:
        """Declare that the input is strings in one dimension."""
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def _check_params(self) -> Any:
        """Check the values of the parameters (`UsageError`)."""
        check_parameters(self)

    @abstractmethod
    def score_authors(self, X: Iterable[str]) -> Floats:
        """Score every author for every text; the author with the highest score wins."""

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Return the scores of `score_authors`, and one value per text if there are two authors.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
            For two authors (n_documents,): the score of the second author minus that of the first,
            as scikit-learn's tools expect.
        """
        return decision_values(self.score_authors(X))

    def predict(self, X: Iterable[str]) -> NDArray[Any]:
        """Return the author with the highest score for every text; of equal scores, the first.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents,), entries of ``classes_``
        """
        best = self.score_authors(X).argmax(axis=1)
        authors: NDArray[Any] = self.classes_[best]
        return authors


def check_texts(X: Iterable[str], what: str = "text") -> list[str]:
    """Return texts as a list of ``str`` with line feeds; parameters and errors as below."""
    return list(map(unify_line_ends, check_strings(X, what)))


def check_strings(X: Iterable[str], what: str) -> list[str]:
    """Return ``X`` as a list of ``str``.

    Parameters
    ----------
    X : list, tuple, array or Series of str, one per document
    what : str
        The noun for one entry in error messages.

    Raises
    ------
    UsageError
        If ``X`` is a single string or has several dimensions, or an entry is not a string.
    """
    if isinstance(X, str | bytes):
        raise UsageError(
            f"a list of {what}s is needed, but this is a single {type(X).__name__}; put it into a "
            "list"
        )
    if hasattr(X, "__array__") and not isinstance(X, Iterable):
        X = np.asarray(X)
    if getattr(X, "ndim", 1) != 1 or not isinstance(X, Iterable):
        shape = f" of shape {X.shape}" if hasattr(X, "shape") else ""
        raise UsageError(f"a list of {what}s is needed, but this is a {type(X).__name__}{shape}")
    return [_check_text(entry, number, what) for number, entry in enumerate(X)]


def _check_text(entry: object, number: int, what: str) -> str:
    if isinstance(entry, str):
        return str(entry)
    hint = "; pass corpus.texts" if hasattr(entry, "text") else ""
    raise UsageError(f"{what} {number} is a {type(entry).__name__}, not a str{hint}")


def check_authors(y: Iterable[str]) -> list[str] | list[int]:
    """Return ``y`` as a list of names, or of integers if all are.

    Raises
    ------
    UsageError
        As in `check_strings`, or if ``y`` is None.

    Warns
    -----
    DataConversionWarning
        If ``y`` is a column of a table, which is read as a list.
    """
    if y is None:
        raise UsageError(
            "this estimator requires y to be passed, but the target y is None; give the author of "
            "each text"
        )
    if hasattr(y, "__array__"):
        y = np.asarray(y)
        y = column_or_1d(y, warn=True) if y.ndim == 2 and y.shape[1] == 1 else y
    if isinstance(y, str | bytes) or not isinstance(y, Iterable):
        return check_strings(y, "author")
    authors: list[Any] = list(y)
    is_whole = [isinstance(a, numbers.Integral) and not isinstance(a, bool) for a in authors]
    if authors and all(is_whole):
        return [int(author) for author in authors]
    if authors and isinstance(authors[0], numbers.Real):
        raise UsageError(
            f"Unknown label type: author 0 is a {type(authors[0]).__name__}; authors must be names "
            "or whole numbers"
        )
    return check_strings(authors, "author")


def check_authors_have_names(classes: NDArray[Any]) -> None:
    """Check that the authors are names and not integers (`UsageError`)."""
    if classes.dtype.kind != "U":
        raise UsageError("the authors are integers; fit the attributor with authors' names")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Check that a parameter is one of the choices (`UsageError`)."""
    if value not in choices:
        raise UsageError(f"{name} is {value!r}; it must be {' or '.join(map(repr, choices))}")


def check_number(
    name: str, value: object, least: int, most: float | None = None, *, whole: bool = True
) -> None:
    """Check that a parameter is a number within its range (`UsageError`)."""
    kind = numbers.Integral if whole else numbers.Real
    fits = isinstance(value, kind) and not isinstance(value, bool)
    if not fits or not least <= value or (most is not None and value > most):  # type: ignore[operator]
        noun = "a whole number" if whole else "a number"
        bound = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise UsageError(f"{name} is {value!r}; it must be {noun} {bound}")


def check_positive(name: str, value: object) -> None:
    """Check that a parameter is a finite number above zero (`UsageError`)."""
    check_number(name, value, 0, whole=False)
    if not 0 < value < float("inf"):  # type: ignore[operator]
        raise UsageError(f"{name} is {value!r}; it must be a finite number above zero")
