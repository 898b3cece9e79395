"""`StackedAttributor`: language models combined with other text classifiers, and calibrated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.inputs import TextEstimatorMixin, check_texts
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.open_set import Criterion, OpenSetDecision
from byline.attribution.result import Attribution, label_answers
from byline.attribution.stacking.base_classifiers import (
    BaseClassifier,
    check_base_classifiers,
    default_base_classifiers,
    set_normalization,
    without_normalization,
)
from byline.attribution.stacking.fallbacks import AnswerRule, RuleChoice, choose_rule
from byline.attribution.stacking.fitting import fit_stack
from byline.attribution.stacking.held_out import texts_of_validation
from byline.attribution.stacking.linked_features import link_known_features
from byline.attribution.stacking.named_parameters import BaseClassifierParameters
from byline.attribution.stacking.normalized_texts import normalize_known_texts
from byline.attribution.stacking.parameters import check_passage_lengths, check_training_texts
from byline.attribution.stacking.plain_texts import PlainTexts
from byline.attribution.stacking.reference.population import ReferencePopulation
from byline.attribution.stacking.reference.simulation import plan_simulation
from byline.attribution.stacking.reference.validation import ReferenceValidation
from byline.attribution.stacking.scores import StackScores, text_blocks
from byline.attribution.stacking.training_splits import split_known_texts
from byline.attribution.stacking.unknown_authors import make_open_set_answers
from byline.attribution.training_data import group_by_author
from byline.attribution.training_record.known_copies import withhold_known
from byline.attribution.training_record.record import TrainingRecord
from byline.constraints import BOOLEAN, N_JOBS, Constraints, whole
from byline.errors import UsageError
from byline.progress import Progress
from byline.text import TextEncoder
from byline.typography import Normalization
from byline.typography.comparison import FormDifference, KnownForms

# Characters times authors of the texts that are scored at once: with some 100 characters per
# sentence and three models per author, their log-probabilities take 500 MB.
_MAX_AT_ONCE = 2_000_000_000


class StackedAttributor(TextEstimatorMixin, ClassifierMixin, BaseClassifierParameters):  # type: ignore[misc]
    """Combine base classifiers with weights from simulated cases and from held-out known texts.

    This is stacked generalisation (Wolpert 1992) with a prior. Each base classifier is trained on
    all folds of the known texts but one, and scores the texts of that fold and shorter passages
    from them. The weight of each base classifier at each text length (`Combination`) starts from
    its value in simulated cases with as much known text, and is adjusted to these scores. Then each
    base classifier is trained on all texts. An author's only work is never held out.

    Parameters
    ----------
    base_classifiers : sequence of (name, classifier), optional
        Prototypes, each with ``fit`` and ``decision_function``; by default those of
        `default_base_classifiers`. Their parameters can be set and searched by name:
        ``set_params(characters__classifier__ridge=0.5)``.
    folds : int
        Number of parts that are held out in turn; at least 2. Up to twelve works are held out one
        by one instead.
    passage_lengths : sequence of int
        Lengths in words of the passages.
    random_state : int
        Seed of the folds and passages. The base classifiers have their own.
    n_jobs : int or None
        Number of processes, with one thread each; -1 uses all cores. If it is 1, base classifiers
        may start processes of their own.
    max_held_out : int, optional
        Hold out at most about this many texts and passages; a selection with equally many per
        author as far as possible.
    open_set : bool
        Also fit a rule that rejects texts by unknown authors, by leaving out authors in turn. This
        takes about twice as long, and needs at least three authors or a reference population.
    normalization : str
        The rules by which typographic differences are removed from known and questioned texts: a
        preset, rules, or both (see `byline.typography.Normalization`). All base classifiers read
        the same texts.

    Attributes
    ----------
    classes_ : (n_authors,) str
    normalization_ : Normalization
    base_classifiers_ : dict of name to fitted classifier
    form_differences_ : tuple of FormDifference
        Conventions in which the authors' known texts differ; removed by ``normalization_``.
    known_forms_ : KnownForms or None
        The conventions of the normalised known texts; None if they are not compared.
    fallbacks_ : tuple of AnswerRule
        For texts that differ from the known texts in a convention.
    combination_ : Combination
    held_out_results_ : HeldOutResults
        For the texts and passages that the combination was adjusted to; empty if no author has two
        works. With hundreds of authors, a random selection of them.
    calibrator_ : Calibrator
        Converts log-odds to probabilities; fitted to these results and to simulated cases.
    training_record_ : TrainingRecord
        Identifies the known texts.
    rejection_rule_ : RejectionRule or None
        Rejects texts by unknown authors; None unless ``open_set``.
    reference_validation_ : ReferenceValidation or None
        How well cases like this one were answered; None without a reference population.

    See Also
    --------
    AuthorshipAttributor : One language model per author, faster and uncalibrated.
    byline.attribution.explain_answer : Explain a decision.

    Examples
    --------
    >>> from byline.attribution import NgramRidge, StackedAttributor
    >>> known = [f"The cat sat on the mat. The cat slept for {n} days." for n in range(3)]
    >>> known += [f"A dog ran in a park. A dog barked at {n} men." for n in range(3)]
    >>> stack = StackedAttributor([("ridge", NgramRidge())], folds=2, passage_lengths=(1,))
    >>> questioned = ["The cat sat on the mat. The cat slept.", "A dog ran in a park, a big dog."]
    >>> stack.fit(known, ["Ann"] * 3 + ["Bob"] * 3).predict(questioned).tolist()
    ['Ann', 'Bob']
    """

    fallbacks_: tuple[AnswerRule, ...] = ()
    known_forms_: KnownForms | None = None
    form_differences_: tuple[FormDifference, ...] = ()
    reference_validation_: ReferenceValidation | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "base_classifiers": [list, tuple, None],
        "folds": [whole(2)],
        "passage_lengths": [list, tuple],
        "random_state": [whole(0)],
        "n_jobs": N_JOBS,
        "max_held_out": [whole(1), None],
        "open_set": [BOOLEAN],
        "normalization": [str],
    }

    def __init__(
        self,
        base_classifiers: Sequence[tuple[str, BaseClassifier]] | None = None,
        *,
        folds: int = 5,
        passage_lengths: Sequence[int] = (20, 50, 150, 500, 2000, 10_000),
        random_state: int = 0,
        n_jobs: int | None = 1,
        max_held_out: int | None = None,
        open_set: bool = False,
        normalization: str = "edition",
    ) -> None:
        self.base_classifiers = base_classifiers
        self.folds = folds
        self.passage_lengths = passage_lengths
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_held_out = max_held_out
        self.open_set = open_set
        self.normalization = normalization

    @property
    def language_models_(self) -> AuthorshipAttributor | None:
        """The first base classifier with language models, which decides what to decline."""
        found = self.base_classifiers_.values()
        return next((each for each in found if isinstance(each, AuthorshipAttributor)), None)

    @property
    def n_held_out_(self) -> int:
        """Number of texts and passages in ``held_out_results_``."""
        return len(self.held_out_results_.labels)

    @property
    def encoder_(self) -> TextEncoder:
        """The encoder of `language_models_`; without these, a plain one that is not fitted."""
        if self.language_models_ is not None:
            return self.language_models_.encoder_
        return PlainTexts.of(self.base_classifiers_, str(self.normalization_)).encoder

    def fit(
        self,
        X: Iterable[str],
        y: Iterable[str],
        *,
        groups: Iterable[str] | None = None,
        validation: tuple[Iterable[str], Iterable[str]] | None = None,
        reference: ReferencePopulation | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Adjust the weights to held-out texts, and fit the base classifiers to all texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
            With one paragraph per line, as `byline.corpus.read_text` returns texts. Convert other
            texts with `byline.corpus.unwrap`, known and questioned texts by the same `LineRules`.
        y : sequence of str, (n_documents,)
            The author of each text.
        groups : sequence of str, (n_documents,), optional
            The work each text belongs to. Texts of one work are held out together. By default,
            every text is a work of its own.
        validation : (texts, authors), optional
            Texts by candidates that are not in ``X``, with lengths like those of the questioned
            texts. The weights are adjusted to them instead of held-out texts, so that each base
            classifier is trained only once.
        reference : ReferencePopulation, optional
            Texts by other people, with which cases like this one are simulated. The weights start
            from these cases. This takes as long as training up to 30 stacks without folds.
        progress : Progress, optional

        Raises
        ------
        UsageError
            If a parameter is out of range, or ``X``, ``y`` or ``groups`` do not contain strings.
        TrainingError
            If there are fewer than two authors (three with ``open_set`` and without ``reference``),
            a base classifier cannot be trained, no weight can be estimated, or no case can be
            simulated.

        Warns
        -----
        BylineWarning
            If an author has far less text than the others, or texts of ``reference`` are left out.
        """
        if "base_classifiers_" in vars(self):
            delattr(self, "base_classifiers_")  # a fit that fails must not leave a fitted state
        prototypes = without_normalization(self._check_params())
        texts, authors, works = check_training_texts(X, y, groups)
        classes, _ = group_by_author(texts, authors)
        known = normalize_known_texts(texts, authors, Normalization.parse(self.normalization))
        texts, normalization = link_known_features(prototypes, texts, known, reference)
        record = TrainingRecord.of(texts, authors, None if groups is None else works)
        held_out = texts_of_validation(validation, classes, normalization)
        simulation = plan_simulation(
            *(reference, texts, authors, works),
            normalization=normalization,
            lengths=self.passage_lengths,
            random_state=self.random_state,
        )
        splits = split_known_texts(
            *(texts, authors, works, held_out),
            n_folds=self.folds,
            lengths=self.passage_lengths,
            random_state=self.random_state,
            open_set=self.open_set,
            population=simulation.selected.as_fold_texts() if simulation else (),
            at_most=self.max_held_out,
        )
        fitted = fit_stack(prototypes, splits, simulation, n_jobs=self.n_jobs, progress=progress)
        set_normalization(fitted.base_classifiers.values(), normalization)
        self.combination_ = fitted.combination
        self.held_out_results_ = fitted.results
        self.calibrator_ = fitted.calibrator
        self.rejection_rule_ = fitted.rejection_rule
        self.fallbacks_ = fitted.fallbacks
        self.reference_validation_ = fitted.validation
        self.known_forms_ = known.forms
        self.form_differences_ = known.differences
        self.training_record_ = record
        self.normalization_ = normalization
        self.base_classifiers_ = fitted.base_classifiers
        self.classes_ = classes
        return self

    def base_classifier_scores(self, X: Iterable[str]) -> Floats:
        """Return the base classifiers' scores, (n_base_classifiers, n_documents, n_authors)."""
        return self.score_texts(X).by_base_classifier

    def score_authors(self, X: Iterable[str]) -> Floats:
        """Return the log-odds of every author for every text, (n_documents, n_authors)."""
        return self.score_texts(X).log_odds

    def predict_log_proba(self, X: Iterable[str]) -> Floats:
        """Return the natural logarithm of `predict_proba`, (n_documents, n_authors)."""
        return self.score_texts(X).log_probabilities()

    def predict_proba(self, X: Iterable[str]) -> Floats:
        """Return calibrated probabilities under a uniform prior, (n_documents, n_authors)."""
        return np.exp(self.predict_log_proba(X))

    def predict(
        self,
        X: Iterable[str],
        *,
        reject: bool = False,
        false_attribution_rate: Criterion | None = None,
    ) -> NDArray[Any]:
        """Return the author with the highest log-odds for every text; of equal ones, the first.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        reject : bool
            Return ``CANNOT_TELL`` for a text that `attribute` declines.
        false_attribution_rate : float or "even-odds", optional
            As in `attribute`; only with ``reject``. A text that is attributed to no candidate then
            gets ``NONE_OF_THE_CANDIDATES``.

        Returns
        -------
        (n_documents,), entries of ``classes_``; objects with ``reject``
        """
        rate = false_attribution_rate
        if rate is not None and not reject:
            raise UsageError("false_attribution_rate needs reject=True; pass both, or neither")
        texts = check_texts(X)
        scores = self.score_texts(texts)
        authors: NDArray[Any] = self.classes_[scores.log_odds.argmax(axis=1)]
        if reject:
            answers = self.attribute_scored(scores, texts=texts, false_attribution_rate=rate)
            return label_answers(authors, answers)
        return authors

    def attribute(
        self,
        texts: Iterable[str],
        paths: Sequence[str] | None = None,
        *,
        false_attribution_rate: Criterion | None = None,
    ) -> list[Attribution]:
        """Rank the candidates for every questioned text, or give the reason why it is declined.

        Texts that the stack's language models would decline are declined. Without these, they are
        very short texts, and texts of other words. Known texts, and their passages, are declined.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        paths : sequence of str, (n_documents,), optional
            Where the texts come from; copied to the results.
        false_attribution_rate : float or "even-odds", optional
            The author may be none of the candidates: decline texts whose first candidate is not
            clearly ahead, so that at most this share of texts by unknown authors is attributed to
            a candidate; or those that are more probable if an unknown author wrote them.

        Returns
        -------
        list of Attribution, (n_documents,)

        Raises
        ------
        UsageError
            If the stack was fitted without ``open_set``, or the false-attribution rate is too low
            for the held-out texts.
        """
        given, rate = check_texts(texts), false_attribution_rate
        scores = self.score_texts(given)
        return self.attribute_scored(scores, paths, texts=given, false_attribution_rate=rate)

    def attribute_scored(
        self,
        scores: StackScores,
        paths: Sequence[str] | None = None,
        *,
        texts: Sequence[str] = (),
        false_attribution_rate: Criterion | None = None,
    ) -> list[Attribution]:
        """Answer as `attribute` does, given scores; without texts, copies are not looked for."""
        rate = false_attribution_rate
        given = self.classes_, self.calibrator_.basis, self._open_set_answers(scores, rate)
        answers = scores.attributions(*given, paths=paths, false_attribution_rate=rate)
        return withhold_known(answers, map(self.normalization_.apply, texts), self.training_record_)

    def score_texts(self, X: Iterable[str], *, choice: RuleChoice | None = None) -> StackScores:
        """Normalise and score texts; ``choice`` is the rule of the text that they are parts of."""
        check_is_fitted(self, "base_classifiers_")
        texts = list(map(self.normalization_.apply, check_texts(X)))
        choices = [choice or self.choose_rule(text) for text in texts]
        blocks = text_blocks(texts, _MAX_AT_ONCE // len(self.classes_))
        reader = self.language_models_ or PlainTexts.of(self.base_classifiers_, "none")
        models = self.base_classifiers_, reader
        return StackScores.join(
            [StackScores.of(texts[block], *models, choices[block]) for block in blocks]
        )

    def choose_rule(self, text: str) -> RuleChoice:
        """Choose the base classifiers that can be applied to a normalised text."""
        rule = AnswerRule(tuple(self.base_classifiers_), self.combination_, self.calibrator_)
        known = self.known_forms_, self.base_classifiers_, rule, self.fallbacks_
        return choose_rule(text, *known, are_different=bool(self.form_differences_))

    def _open_set_answers(
        self, scores: StackScores, rate: Criterion | None
    ) -> list[OpenSetDecision | None]:
        rule, classes = self.rejection_rule_, self.classes_
        return make_open_set_answers(rule, scores.log_odds, scores.sizes, classes, rate)

    def _check_params(self) -> list[tuple[str, BaseClassifier]]:
        """Check the parameters, and return the base classifiers."""
        super()._check_params()
        check_passage_lengths(self.passage_lengths)
        if self.base_classifiers is None:
            return default_base_classifiers(random_state=self.random_state)
        check_base_classifiers(self.base_classifiers, set(super().get_params(deep=False)))
        return list(self.base_classifiers)
