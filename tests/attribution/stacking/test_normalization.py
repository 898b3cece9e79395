"""A stack sees one normal form of every text: what an edition decides changes no answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
from byline.attribution.stacking import StackedAttributor, default_base_classifiers
from byline.errors import UsageError
from byline.lm import NgramLM
from byline.text import TextEncoder

Change = Callable[[str], str]
Conventions = Mapping[str, Change]
Known = tuple[list[str], list[str]]
WORKS = ["first"] * 5 + ["second"] * 4  # few, so that few base classifiers are trained


def _prototype(normalization: str = "edition") -> StackedAttributor:
    models = AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=1)
    return StackedAttributor(default_base_classifiers(models), folds=2, normalization=normalization)


@pytest.fixture(scope="module")
def texts(write: Callable[[str, int, int], str], with_plain_sentences: Change) -> Known:
    authors = ["alder", "brook", "cedar"] * 3
    own = [with_plain_sentences(write(author, 60, n)) for n, author in enumerate(authors)]
    return own, authors


@pytest.fixture(scope="module")
def asked(write: Callable[[str, int, int], str], with_plain_sentences: Change) -> list[str]:
    return [with_plain_sentences(write(author, 25, 100)) for author in ("alder", "brook", "cedar")]


@pytest.fixture(scope="module")
def stack(texts: Known) -> StackedAttributor:
    return _prototype().fit(*texts, groups=WORKS)


def test_the_edition_of_a_questioned_text_changes_no_score(
    stack: StackedAttributor, asked: list[str], conventions: Conventions
) -> None:
    plain = stack.base_classifier_scores(asked)
    log_probs = stack.predict_log_proba(asked)
    for name, change in conventions.items():
        edited = list(map(change, asked))
        assert edited != asked, name
        np.testing.assert_array_equal(stack.base_classifier_scores(edited), plain, name)
        np.testing.assert_array_equal(stack.predict_log_proba(edited), log_probs, name)
    # These authors differ in pairs of words rather than in the frequencies that the other base
    # classifiers count.
    language_models = plain[0]
    assert stack.classes_[language_models.argmax(axis=1)].tolist() == ["alder", "brook", "cedar"]


def test_the_edition_of_one_authors_known_texts_changes_no_score(
    stack: StackedAttributor, texts: Known, asked: list[str], conventions: Conventions
) -> None:
    known, authors = texts
    edited = [
        conventions["no-break spaces"](text) if author == "alder" else text
        for text, author in zip(known, authors, strict=True)
    ]
    other = _prototype().fit(edited, authors, groups=WORKS)
    np.testing.assert_array_equal(other.score_authors(asked), stack.score_authors(asked))
    assert other.training_record_.sha256 == stack.training_record_.sha256


def test_every_convention_of_known_texts_gives_the_same_stack(
    texts: Known, asked: list[str], conventions: Conventions
) -> None:
    words = AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=1)
    stack = StackedAttributor([("words", words)], folds=2, passage_lengths=(3,))
    plain = stack.fit(*texts, groups=WORKS).score_authors(asked)
    mixed = [change(text) for text, change in zip(texts[0], conventions.values(), strict=False)]
    np.testing.assert_array_equal(
        stack.fit(mixed, texts[1], groups=WORKS).score_authors(asked), plain
    )


def test_validation_texts_are_normalised(
    texts: Known, asked: list[str], conventions: Conventions
) -> None:
    words = AuthorshipAttributor(NgramLM(order=2), TextEncoder(), n_samples=1)
    stack = StackedAttributor([("words", words)])
    authors = ["alder", "brook", "cedar"]
    plain, edited = (
        stack.fit(*texts, validation=(each, authors)).combination_.log_weights
        for each in (asked, list(map(conventions["long s"], asked)))
    )
    np.testing.assert_array_equal(plain, edited)


def test_a_stack_keeps_its_rules_in_a_file(
    stack: StackedAttributor, asked: list[str], conventions: Conventions, tmp_path: Path
) -> None:
    save_attributor(stack, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert loaded.normalization_ == stack.normalization_
    edited = list(map(conventions["soft hyphens"], asked))
    np.testing.assert_array_equal(loaded.score_authors(edited), stack.score_authors(asked))


def test_without_rules_texts_are_read_as_they_are(
    texts: Known, asked: list[str], conventions: Conventions, tmp_path: Path
) -> None:
    raw = _prototype("none").fit(*texts, groups=WORKS)
    assert raw.encoder_.normalization == "none"
    assert str(raw.normalization_) == "none"
    edited = list(map(conventions["curly quotes"], asked))
    of_plain, of_edited = raw.base_classifier_scores(asked), raw.base_classifier_scores(edited)
    for plain, curly in zip(of_plain, of_edited, strict=True):
        assert not np.array_equal(plain, curly)
    save_attributor(raw, tmp_path / "model")
    assert str(load_attributor(tmp_path / "model").normalization_) == "none"


def test_encoders_of_a_stack_follow_its_rules(texts: Known) -> None:
    words = AuthorshipAttributor(NgramLM(order=2), TextEncoder(normalization="none"), n_samples=1)
    stack = StackedAttributor([("words", words)], folds=2, normalization="edition,-headings")
    assert stack.fit(*texts, groups=WORKS).encoder_.normalization == "edition,-headings"
    assert words.encoder is not None and words.encoder.normalization == "none"


def test_unknown_rules_are_refused(texts: Known) -> None:
    with pytest.raises(UsageError, match="normalization rule 'curly' is unknown"):
        _prototype("edition,-curly").fit(*texts, groups=WORKS)
