"""Classify texts by numeric features of the user's own."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.base import Labels, TextClassifier
from byline.attribution.inputs import check_texts
from byline.attribution.stored_arrays import take_array, take_strings
from byline.constraints import Constraints, positive
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.formatting import join_names, quantity
from byline.lm.model_state import ModelState
from byline.progress import Progress
from byline.typography import Normalization

# Standard deviations from the mean of the known texts. A value beyond counts as this many, so that
# one odd value cannot outweigh all other evidence.
MAX_DEVIATION = 4.0


class TextFeatures:
    """The values of numeric features of texts.

    Texts are recognised by their content, so that a classifier of texts can look up their values.

    Parameters
    ----------
    names : sequence of str
        Of the features.

    See Also
    --------
    NumericFeatures : Classifies texts by them.
    byline.corpus.read_feature_table : Reads them from a file.

    Examples
    --------
    >>> features = TextFeatures.of(["The river rose.", "It fell."], [[1.5], [2.0]], ["age"])
    >>> features.values_of(["It fell.", "Another text."]).tolist()
    [[2.0], [nan]]
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._texts: list[str] = []
        self._rows: dict[bytes, Floats] = {}
        self._normalized: dict[str, dict[bytes, Floats]] = {}

    @classmethod
    def of(cls, texts: Iterable[str], values: ArrayLike, names: Sequence[str]) -> Self:
        """Create the features of texts.

        Parameters
        ----------
        texts : sequence of str, (n_texts,)
        values : (n_texts, n_features) array of numbers
        names : sequence of str, (n_features,)

        Raises
        ------
        UsageError
            The numbers of texts, values and names differ, a value is not finite, or equal texts
            have different values.
        """
        features = cls(names)
        contents, table = check_texts(texts), np.asarray(values, dtype=np.float64)
        if table.shape != (len(contents), len(features.names)):
            raise UsageError(
                f"values has the shape {table.shape}; it must have one row for each of the "
                f"{len(contents)} texts, and one column for each of the {len(features.names)} names"
            )
        if not np.isfinite(table).all():
            row, column = np.argwhere(~np.isfinite(table))[0].tolist()
            raise UsageError(f"values[{row}, {column}] is {table[row, column]}; use finite numbers")
        for text, row in zip(contents, table, strict=True):
            features._add(text, row)
        return features

    def values_of(self, texts: Sequence[str], normalization: str = "none") -> Floats:
        """Return the values of texts, (n_texts, n_features); NaN for a text without values.

        Parameters
        ----------
        texts : sequence of str
        normalization : str
            The rules by which ``texts`` may have been normalised (see `Normalization`).
        """
        unknown, known = np.full(len(self.names), np.nan), self._after(normalization)
        rows = [known.get(_digest(text), unknown) for text in texts]
        return np.array(rows).reshape(len(texts), len(self.names))

    def _after(self, normalization: str) -> dict[bytes, Floats]:
        """Return the rows of the texts, and of the same texts after they are normalised."""
        if normalization == "none":
            return self._rows
        if normalization not in self._normalized:
            apply = Normalization.parse(normalization).apply
            rows = {_digest(apply(text)): self._rows[_digest(text)] for text in self._texts}
            self._normalized[normalization] = rows | self._rows
        return self._normalized[normalization]

    def link(self, texts: Sequence[str], changed: Sequence[str], normalization: str) -> None:
        """Give texts that were changed, for example normalised, the values of the original ones.

        Parameters
        ----------
        texts, changed : sequences of str, (n_texts,)
        normalization : str
            The rules by which ``texts`` themselves may have been normalised.
        """
        known = self._after(normalization)
        for text, other in zip(texts, changed, strict=True):
            row = known.get(_digest(text))
            if row is not None:
                self._rows.setdefault(_digest(other), row)
        self._normalized.clear()

    def _add(self, text: str, row: Floats) -> None:
        self._texts.append(text)
        known = self._rows.setdefault(_digest(text), row)
        if (known != row).any():
            raise UsageError(
                f"two equal texts, {text[:40]!r}, have different values; leave one of them out"
            )

    def __repr__(self) -> str:
        """Return the number of texts and the names of the features."""
        return f"<TextFeatures of {len(self._texts)} texts: {', '.join(self.names)}>"

    def __deepcopy__(self, memo: object) -> Self:
        """Return the same object, so that clones of a classifier share the values."""
        return self


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class NumericFeatures(TextClassifier):
    """Linear discriminant analysis of numeric features that the user measured.

    It is meant as one more base classifier of a `StackedAttributor`, in addition to those that read
    the texts. The values are standardised by the mean and standard deviation of the known
    texts; a value more than four standard deviations from the mean counts as four. The score of an
    author is the log-likelihood of the values (without what is the same for all authors), if the
    values of each author's texts are normally distributed around the author's mean, with one
    covariance matrix for all. This matrix is drawn towards that of features that do not depend on
    the author, so that few texts do not look certain. All authors count equally, whatever the
    number of their texts. A feature that is constant in the known texts is not used.

    A text without values, such as a passage of a text, gets equal scores for all authors: no
    evidence. The weight in a stack is therefore adjusted to whole held-out texts only.

    Parameters
    ----------
    features : TextFeatures, optional
        The values of the known texts, and of texts that are attributed.
    prior_texts : float
        As how many texts the prior of the covariance matrix counts; above zero.

    Attributes
    ----------
    classes_ : (n_authors,) str
    feature_names_in_ : (n_features,) str
    means_, scales_ : (n_features,) float64
        Of the known texts; the scale of a constant feature is 0.
    coef_ : (n_features, n_authors) float64
        Of the standardised values.
    intercept_ : (n_authors,) float64
    normalization_ : str
        The rules by which a stack normalises the texts that it passes on.

    See Also
    --------
    TextFeatures : The values.

    Examples
    --------
    >>> known = ["A cat sat.", "A cat slept.", "A dog ran.", "A dog sat."]
    >>> ages = [[30], [32], [50], [51]]
    >>> classifier = NumericFeatures(TextFeatures.of(known, ages, ["age"]))
    >>> classifier = classifier.fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> _ = classifier.set_params(features=TextFeatures.of(["An owl."], [[49]], ["age"]))
    >>> classifier.predict(["An owl."]).tolist()
    ['Bob']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "features": [TextFeatures, None],
        "prior_texts": [positive()],
    }
    not_saved: ClassVar[tuple[str, ...]] = ("features",)
    normalization_ = "none"

    def __init__(self, features: TextFeatures | None = None, *, prior_texts: float = 5.0) -> None:
        self.features = features
        self.prior_texts = prior_texts

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions of editions that the features depend on: none."""
        return frozenset()

    def contributions(self, text: str) -> Floats:
        """Return what each feature of a text adds to each author's score.

        Returns
        -------
        (n_features, n_authors) float64
            Their sum plus ``intercept_`` is the text's row of scores; zeros without values.
        """
        check_is_fitted(self, "classes_")
        [row] = self._standardized(check_texts([text]))
        products: Floats = np.nan_to_num(row)[:, np.newaxis] * self.coef_
        return products

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        if self.features is None:
            raise TrainingError("there are no features; pass features=TextFeatures.of(...)")
        values = self.features.values_of(texts)
        require_values(self.features, texts)
        self.feature_names_in_ = np.array(self.features.names)
        self.means_ = values.mean(axis=0)
        deviations = values.std(axis=0)
        self.scales_ = np.where(deviations > 1e-9 * np.abs(self.means_), deviations, 0.0)
        if not self.scales_.any():
            raise TrainingError(
                "all features have the same value in all known texts; use features that vary"
            )
        standardized = self._standardized(texts)
        sizes = np.bincount(labels)
        means = np.stack([standardized[labels == own].mean(axis=0) for own in range(len(sizes))])
        within = (standardized - means[labels]) / np.sqrt(sizes[labels])[:, np.newaxis]
        freedom = len(texts) - len(sizes)
        covariance = within.T @ within * len(texts) / len(sizes)  # all authors count equally
        covariance[np.diag_indices_from(covariance)] += self.prior_texts
        self.coef_ = np.linalg.solve(covariance / (freedom + self.prior_texts), means.T)
        self.intercept_ = -0.5 * np.einsum("af,fa->a", means, self.coef_)
        progress(1, 1, "features")

    def _score(self, texts: Sequence[str]) -> Floats:
        standardized = self._standardized(texts)
        scores: Floats = standardized @ self.coef_ + self.intercept_
        scores[np.isnan(standardized).any(axis=1)] = 0.0
        return scores

    def _standardized(self, texts: Sequence[str]) -> Floats:
        """Return standardised values, (n_texts, n_features); NaN for texts without values."""
        if self.features is None:
            return np.full((len(texts), len(self.means_)), np.nan)
        names = self.feature_names_in_.tolist()
        missing = [name for name in names if name not in self.features.names]
        if missing:
            raise UsageError(
                f"the features lack {join_names(missing, 5)}, which the model was trained on; add "
                "these columns"
            )
        order = [self.features.names.index(name) for name in names]
        values = self.features.values_of(texts, self.normalization_)[:, order]
        scales = np.where(self.scales_ > 0, self.scales_, 1.0)
        deviations = np.clip((values - self.means_) / scales, -MAX_DEVIATION, MAX_DEVIATION)
        used: Floats = np.where(self.scales_ > 0, deviations, 0.0 * deviations)
        return used

    def get_state(self) -> ModelState:
        """Return the fitted state without the authors' names and the values of texts."""
        check_is_fitted(self, "classes_")
        arrays = {name: getattr(self, f"{name}_") for name in ("means", "scales", "coef")}
        names = self.feature_names_in_.tolist()
        params = {"names": names, "normalization": self.normalization_}
        return ModelState(params, {**arrays, "intercept": self.intercept_})

    def set_state(self, state: ModelState, classes: NDArray[Any]) -> Self:
        """Restore what `get_state` returned.

        Raises
        ------
        ModelFileError
            If the state is invalid.
        """
        self._check_params()
        names = take_strings(state.params.get("names"), "the names of features", in_order=False)
        self.normalization_ = str(Normalization.parse(str(state.params.get("normalization"))))
        n, arrays = len(names), state.arrays
        self.feature_names_in_ = np.array(names)
        self.means_ = take_array(arrays, "means", np.float64, (n,))
        self.scales_ = take_array(arrays, "scales", np.float64, (n,))
        self.coef_ = take_array(arrays, "coef", np.float64, (n, len(classes)))
        self.intercept_ = take_array(arrays, "intercept", np.float64, (len(classes),))
        self.classes_ = classes
        return self


def require_values(features: TextFeatures, texts: Sequence[str]) -> Floats:
    """Return the values of known texts, all of which must have some.

    Raises
    ------
    TrainingError
        A text has no values.
    """
    values = features.values_of(texts)
    n_missing = int(np.isnan(values).any(axis=1).sum())
    if n_missing:
        raise TrainingError(
            f"{quantity(n_missing, 'known text has', 'known texts have')} no values of the "
            f"features {join_names(features.names, 5)}; give one row for each text"
        )
    return values


def warn_of_constant_features(features: TextFeatures, texts: Sequence[str]) -> None:
    """Warn of features that have the same value in all known texts.

    Warns
    -----
    BylineWarning
        The features that are therefore not used.
    """
    spread = np.ptp(require_values(features, texts), axis=0)
    constant = [name for name, own in zip(features.names, spread, strict=True) if not own]
    if constant:
        warnings.warn(
            f"{quantity(len(constant), 'feature has', 'features have')} the same value in all "
            f"known texts and cannot be used: {join_names(constant, 5)}. Delete the column",
            BylineWarning,
            stacklevel=3,
        )
