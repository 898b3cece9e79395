"""Let base classifiers of numeric features recognise the texts that a stack has normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from byline.attribution.classifiers.numeric_features import (
    NumericFeatures,
    TextFeatures,
    warn_of_constant_features,
)
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.normalized_texts import NormalizedTexts
from byline.errors import UsageError
from byline.typography import Normalization


def link_known_features(
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    texts: Sequence[str],
    known: NormalizedTexts,
    reference: object,
) -> tuple[list[str], Normalization]:
    """Give the normalised known texts the numeric features of the original ones.

    Parameters
    ----------
    base_classifiers : sequence of (name, prototype)
    texts : sequence of str, (n_known,)
    known : NormalizedTexts
        The same texts after normalisation.
    reference : ReferencePopulation or None

    Returns
    -------
    texts : list of str, (n_known,)
    normalization : Normalization
        Those of ``known``.

    Raises
    ------
    TrainingError
        A known text has no values.
    UsageError
        There is a reference population, whose texts have no values.

    Warns
    -----
    BylineWarning
        Features have the same value in all known texts.
    """
    for _, classifier in base_classifiers:
        if isinstance(classifier, NumericFeatures) and classifier.features is not None:
            if reference is not None:
                raise UsageError(
                    "features cannot be combined with a reference population, because its texts "
                    "have no values of them; leave one of the two out"
                )
            # An evaluation passes on texts that are normalised already.
            classifier.features.link(texts, known.texts, str(known.requested))
            warn_of_constant_features(classifier.features, known.texts)
    return known.texts, known.normalization


def features_of(base_classifiers: object) -> NumericFeatures | None:
    """Return the base classifier of numeric features of a fitted stack, if it has any.

    Parameters
    ----------
    base_classifiers : mapping of name to fitted base classifier, or None
    """
    classifiers = base_classifiers.values() if isinstance(base_classifiers, Mapping) else ()
    return next((each for each in classifiers if isinstance(each, NumericFeatures)), None)


def give_features(classifier: NumericFeatures, features: TextFeatures) -> None:
    """Give a fitted classifier the values of questioned texts.

    Raises
    ------
    UsageError
        A feature that the classifier was trained on is missing.
    """
    classifier.set_params(features=features)
    classifier.score_authors([""])  # checks the names
