"""Split and count the words of questioned texts for a stack without language models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.attribution.classifiers import BurrowsDelta, ChunkedClassifier, NgramProfiles
from byline.attribution.classifiers.word_counts import WordCounts
from byline.attribution.declining import reason_to_decline
from byline.attribution.result import TextCounts
from byline.attribution.stacking.base_classifiers import BaseClassifier, sentence_settings_of
from byline.text import TextEncoder
from byline.typography.scripts import default_unit

# As `AuthorshipAttributor` does.
_MIN_TOKENS = 10
# The vocabulary of Delta consists of frequent words only: in the 500 validation texts of CCAT50, up
# to 35 % of the words are outside it. With French plays as known texts, at least 83 % of the words
# of English essays are. Profiles contain the words that two authors use. With three texts each of
# five journalists of CCAT50, up to 53 % of the words of other texts by them are in no profile, and
# at least 97 % of French plays; with 40 texts each of fifty, up to 14 %, and 68 to 77 %.
_MAX_UNKNOWN = 0.75


@dataclass(frozen=True, slots=True)
class PlainTexts:
    """Reads questioned texts for base classifiers that do not split texts into tokens.

    Attributes
    ----------
    encoder : TextEncoder
        Splits texts into tokens. It is not fitted.
    vocabulary : tuple of str, or None
        The words that a Delta among the base classifiers compares; None if there is none.
    profiles : NgramProfiles or None
        The profiles of words among the base classifiers, whose words are counted without a Delta.
    """

    encoder: TextEncoder
    vocabulary: tuple[str, ...] | None
    profiles: NgramProfiles | None = None

    @classmethod
    def of(cls, base_classifiers: Mapping[str, BaseClassifier], normalization: str) -> Self:
        """Find the settings of fitted base classifiers.

        Parameters
        ----------
        base_classifiers : mapping of name to fitted base classifier
        normalization : str
            The rules by which the encoder normalises texts.
        """
        settings = sentence_settings_of(list(base_classifiers.items()))
        vocabulary = _vocabulary(base_classifiers)
        encoder = TextEncoder(
            unit=default_unit(vocabulary or _unmasked_words(base_classifiers)),
            sentence_rule=settings.rule,
            language=settings.language,
            normalization=normalization,
        )
        return cls(encoder, vocabulary, _profiles_of_words(base_classifiers))

    def count(self, texts: Sequence[str]) -> TextCounts:
        """Count the tokens of texts, and their words outside the vocabulary."""
        tokens = [
            [token for sentence in self.encoder.tokenize(text) for token in sentence]
            for text in texts
        ]
        n_tokens = np.array(list(map(len, tokens)), dtype=np.int64)
        n_unknown = np.zeros(len(texts), dtype=np.int64)
        if self.vocabulary is not None:
            counts = WordCounts.of(texts, self.encoder.language, self.vocabulary)
            n_unknown[:] = counts.lengths - counts.table.sum(axis=1)
        elif self.profiles is not None:
            n_unknown[:] = self.profiles.count_unknown(texts)
        has_words = [any(character.isalnum() for character in "".join(each)) for each in tokens]
        return TextCounts(n_tokens, n_unknown, n_tokens, np.array(has_words, dtype=bool))

    def reasons(self, counts: TextCounts) -> list[str | None]:
        """Return why each text is declined, (n_documents,); None for a text that is not."""
        columns = counts.n_tokens, counts.n_unknown, counts.has_words
        return [
            reason_to_decline(
                *own, unit=self.encoder.unit, min_tokens=_MIN_TOKENS, max_unknown=_MAX_UNKNOWN
            )
            for own in zip(*(each.tolist() for each in columns), strict=True)
        ]


def _profiles_of_words(base_classifiers: Mapping[str, BaseClassifier]) -> NgramProfiles | None:
    for classifier in base_classifiers.values():
        if isinstance(classifier, NgramProfiles) and classifier.counts_words:
            return classifier
    return None


def _unmasked_words(base_classifiers: Mapping[str, BaseClassifier]) -> Iterable[str]:
    """Return the frequent words that profiles do not mask, which show the script of the texts."""
    for classifier in base_classifiers.values():
        if isinstance(classifier, NgramProfiles) and classifier.unmasked_:
            return classifier.unmasked_
    return ()


def _vocabulary(base_classifiers: Mapping[str, BaseClassifier]) -> tuple[str, ...] | None:
    for classifier in base_classifiers.values():
        inner = classifier.classifier_ if isinstance(classifier, ChunkedClassifier) else classifier
        if isinstance(inner, BurrowsDelta):
            return tuple(inner.words_.tolist())
    return None
