"""Check the inputs of estimators over raw texts, and adapt them to scikit-learn."""

from __future__ import annotations

import numbers
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import column_or_1d

from byline.array_types import Floats
from byline.attribution.author_scores import decision_values
from byline.attribution.result import CANNOT_TELL, NONE_OF_THE_CANDIDATES
from byline.constraints import Constraints, check_parameters
from byline.corpus.document import check_author_name
from byline.errors import UsageError
from byline.typography.characters import replace_surrogates
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
    """Return texts as a list of ``str`` with line feeds; see `check_strings` for the rest.

    Lone surrogates, which no file and no JSON document can contain, become U+FFFD.
    """
    return [check_text(entry, number, what) for number, entry in enumerate(check_list(X, what))]


def check_text(entry: object, number: int, what: str = "text") -> str:
    """Return one of several texts as in `check_texts`; ``number`` is its place in the list."""
    return replace_surrogates(unify_line_ends(_check_string(entry, number, what)))


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
        As in `check_list`, or if an entry is not a string.
    """
    return [_check_string(entry, number, what) for number, entry in enumerate(check_list(X, what))]


def check_list(X: Iterable[Any], what: str) -> list[Any]:
    """Return ``X`` as a list.

    Raises
    ------
    UsageError
        If ``X`` is a single string, has several dimensions, or has no order, such as a set.
    """
    if isinstance(X, str | bytes | os.PathLike):
        raise UsageError(
            f"a list of {what}s is needed, but this is a single {type(X).__name__}; put it into a "
            "list"
        )
    if hasattr(X, "__array__") and not isinstance(X, Iterable):
        X = np.asarray(X)
    has_order = isinstance(X, Iterable) and not isinstance(X, Mapping | Set)
    if getattr(X, "ndim", 1) != 1 or not has_order:
        shape = f" of shape {X.shape}" if hasattr(X, "shape") else ""
        raise UsageError(f"a list of {what}s is needed, but this is a {type(X).__name__}{shape}")
    return list(X)


def _check_string(entry: object, number: int, what: str) -> str:
    if isinstance(entry, str):
        return str(entry)
    hint = "; pass corpus.texts" if hasattr(entry, "text") else ""
    raise UsageError(f"{what} {number} is a {type(entry).__name__}, not a str{hint}")


def check_names(author: str | Iterable[str]) -> list[str]:
    """Return the name of an author, or several names, as a list.

    Raises
    ------
    UsageError
        If ``author`` is neither a name nor several names.
    """
    if isinstance(author, str):
        return [author]
    names: list[Any] = list(author) if isinstance(author, Iterable) else [author]
    if not all(isinstance(name, str) for name in names):
        raise UsageError(f"author is {author!r}; give the name of an author, or a list of names")
    return names


def check_authors(y: Iterable[str] | Iterable[int]) -> list[str] | list[int]:
    """Return ``y`` as a list of names, or of integers if all are.

    Raises
    ------
    UsageError
        As in `check_labels`, or if ``y`` is None or an author has no valid name.

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
    authors = check_labels(y, "author")
    for name in dict.fromkeys(authors):
        if isinstance(name, str):
            check_author_name(name)
            if not name.strip():
                raise UsageError("the name of an author is empty; give the author of each text")
            if name in (CANNOT_TELL, NONE_OF_THE_CANDIDATES):
                raise UsageError(
                    f"an author is called {name!r}, which is the label of texts without an author; "
                    "rename the author"
                )
    return authors


def check_labels(values: Iterable[str] | Iterable[int], what: str) -> list[str] | list[int]:
    """Return labels as a list of names, or of integers if all are.

    Raises
    ------
    UsageError
        As in `check_list`, or if an entry is neither a name nor an integer, or if the entries
        include both names and integers.
    """
    labels = check_list(values, what)
    if labels and all(map(_is_whole, labels)):
        return list(map(int, labels))
    for number, label in enumerate(labels):
        if not isinstance(label, str):
            raise UsageError(
                f"Unknown label type: {what} {number} is {label!r:.40} ({type(label).__name__}); "
                f"{what}s must be names, or all of them whole numbers of 64 bits"
            )
    return list(map(str, labels))


def _is_whole(label: object) -> bool:
    is_integer = isinstance(label, numbers.Integral) and not isinstance(label, bool)
    return is_integer and -(2**63) <= label < 2**63  # type: ignore[operator]


def check_groups(groups: Iterable[str] | Iterable[int], what: str = "group") -> list[str]:
    """Return the works of texts as strings; integers, which scikit-learn allows, become digits."""
    return list(map(str, check_labels(groups, what)))


def check_authors_have_names(classes: NDArray[Any]) -> None:
    """Check that the authors are names and not integers (`UsageError`)."""
    if classes.dtype.kind != "U":
        raise UsageError("the authors are integers; fit the attributor with authors' names")


def check_new_author(author: str, classes: NDArray[Any]) -> str:
    """Check and return the name of an author who is added to a fitted model (`UsageError`)."""
    check_authors_have_names(classes)
    [name] = map(str, check_authors([author]))
    if name in classes:
        raise UsageError(f"the name {name!r} is taken; add the author under another name")
    return name


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
