"""The classifier that joins language models with other classifiers of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.inputs import (
    TextEstimatorMixin,
    check_authors,
    check_jobs,
    check_number,
    check_texts,
)
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import (
    CANNOT_TELL,
    LOG_ODDS,
    NONE_OF_THE_CANDIDATES,
    Attribution,
    CalibratedProbabilities,
    make_attributions,
)
from byline.attribution.stacking.base_classifiers import (
    BaseClassifier,
    check_base_classifiers,
    default_base_classifiers,
    language_of,
)
from byline.attribution.stacking.fitting import fit_stack
from byline.attribution.stacking.held_out import (
    HeldOutTexts,
    assign_folds,
    held_out,
    limit_held_out_texts,
    texts_of_validation,
)
from byline.attribution.stacking.scores import StackScores, count_characters, text_blocks
from byline.attribution.stacking.unknown_authors import leave_authors_out, make_open_set_answers
from byline.attribution.training_data import group_by_author
from byline.attribution.training_record.record import TrainingRecord
from byline.errors import UsageError
from byline.progress import Progress
from byline.text import TextEncoder

# Characters times authors of texts scored at once: with some 100 characters a sentence and three
# models an author, log-probabilities of 500 MB.
_MOST_AT_ONCE = 2_000_000_000
_MOST_SCORES = 2_000_000  # of a member, to learn weights from: 200 MB with four members


class StackedAttributor(TextEstimatorMixin, ClassifierMixin, _BaseComposition):  # type: ignore[misc]
    """Joins members' scores by weights learnt from known texts that were held out of them.

    Stacked generalisation (Wolpert 1992) for authorship: every member learns from all but one fold
    of the known texts and scores the texts of that fold, whole and in shorter runs of sentences;
    a conditional logit learns from these how much each member's score tells at each length
    (`Combination`). Then every member learns from all texts.

    Parameters
    ----------
    members : sequence of (name, classifier), optional
        Prototypes, each with ``fit`` and a ``decision_function`` with a column an author; those of
        `default_base_classifiers` where None.
    folds : int
        Parts that are held out in turn; at least 2.
    lengths : sequence of int
        Sentences of the shorter runs, one a held-out text and length.
    random_state : int
        Of the folds and runs; members have their own.
    n_jobs : int or None
        Processes in which members learn, one thread each; -1 for all cores. With 1, members may
        start processes of their own.
    open_set : bool
        Learn also when to name nobody, from authors left out in turn: it takes about twice as
        long, and three authors or more.

    Attributes
    ----------
    classes_ : (n_authors,) str
    base_classifiers_ : dict of name to fitted classifier
    combination_ : Combination
    held_out_results_ : HeldOutResults
        About the texts and runs that the combination was learnt from; of hundreds of authors not
        all, but as many of each as of any other.
    calibrator_ : Certainty
        What makes probabilities of log-odds, learnt from these answers.
    training_record_ : TrainingRecord
        Which texts the stack learnt from.
    rejection_ : Rejection or None
        What tells texts by none of the candidates; None unless ``open_set``.
    """

    def __init__(
        self,
        members: Sequence[tuple[str, BaseClassifier]] | None = None,
        *,
        folds: int = 5,
        lengths: Sequence[int] = (1, 5, 20),
        random_state: int = 0,
        n_jobs: int | None = 1,
        open_set: bool = False,
    ) -> None:
        self.members = members
        self.folds = folds
        self.lengths = lengths
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.open_set = open_set

    @property
    def language_models_(self) -> AuthorshipAttributor | None:
        """The first member that is a language model an author, which tells what is too little."""
        members = self.base_classifiers_.values()
        return next((each for each in members if isinstance(each, AuthorshipAttributor)), None)

    @property
    def n_held_out_(self) -> int:
        """Texts and runs that ``held_out_results_`` are about."""
        return len(self.held_out_results_.labels)

    @property
    def calibration_unavailable_reason_(self) -> str | None:
        """Why probabilities are not to be trusted, in plain words; None where they are."""
        return self.held_out_results_.too_few()

    @property
    def encoder_(self) -> TextEncoder:
        """The encoder of `language_models_`: what cuts a text into the tokens of an explanation.

        Raises
        ------
        UsageError
            No member is a language model an author.
        """
        if self.language_models_ is None:
            raise _no_language_models(self.base_classifiers_)
        return self.language_models_.encoder_

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, those of the members too (``ngrams__ridge``)."""
        if self.members is None:
            own: dict[str, Any] = super().get_params(deep=False)
            return own
        params: dict[str, Any] = self._get_params("members", deep=deep)
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; a member's name replaces the member."""
        self._set_params("members", **params)
        return self

    def fit(
        self,
        X: Iterable[str],
        y: Iterable[str],
        *,
        groups: Iterable[str] | None = None,
        validation: tuple[Iterable[str], Iterable[str]] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn the members' weights from held-out texts, then the members from all texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
            A paragraph a line, as `byline.corpus.read_text` returns texts; `byline.corpus.unwrap`
            makes such of others, both here and of the questioned ones.
        y : sequence of str, (n_documents,)
            The author of each text.
        groups : sequence of str, (n_documents,), optional
            The work each text belongs to. Texts of one work are held out together. By default,
            every text is a work of its own.
        validation : (texts, authors), optional
            Texts of candidates, of lengths such as will be asked about, that are not in ``X``. The
            weights are learnt from these as they are, instead of from folds of ``X``; each member
            learns once.
        progress : Progress, optional

        Raises
        ------
        UsageError
            A parameter is out of its range, or ``X``, ``y`` or ``groups`` are not strings.
        TrainingError
            Fewer than two authors, or three with ``open_set``; or what a member raises.

        Warns
        -----
        BylineWarning
            An author has a single work.
        """
        if "base_classifiers_" in vars(self):
            delattr(self, "base_classifiers_")  # what cannot learn now has not learnt before either
        members = self._check_params()
        texts: list[str] = check_texts(X)
        authors: list[Any] = list(check_authors(y))
        works = (
            list(map(str, range(len(texts)))) if groups is None else check_texts(groups, "group")
        )
        classes, _ = group_by_author(texts, authors)
        if len(works) != len(texts):
            raise UsageError(
                f"there are {len(texts)} texts but {len(works)} groups; give one group per text"
            )
        known_texts = TrainingRecord.of(texts, authors, None if groups is None else works)
        language = language_of(members)
        if validation is None:
            how: dict[str, Any] = {"n_folds": self.folds, "random_state": self.random_state}
            units = assign_folds(texts, authors, works, language=language, **how)
            texts, authors = [unit.text for unit in units], [unit.author for unit in units]
            parts = held_out(units, lengths=self.lengths, language=language, **how)
        else:
            pairs = sorted(zip(authors, texts, strict=True))
            authors, texts = [author for author, _ in pairs], [text for _, text in pairs]
            parts = [texts_of_validation(validation, classes)]
        most = _MOST_SCORES // len(classes)
        parts = limit_held_out_texts(parts, most, random_state=self.random_state)
        left_out = self._leave_out(texts, authors, most, language)
        learnt = fit_stack(
            *(members, texts, authors, parts, left_out), n_jobs=self.n_jobs, progress=progress
        )
        self.combination_ = learnt.combination
        self.held_out_results_ = learnt.answers
        self.calibrator_ = learnt.certainty
        self.rejection_ = learnt.rejection
        self.training_record_ = known_texts
        self.base_classifiers_ = learnt.members
        self.classes_ = classes
        return self

    def base_classifier_scores(self, X: Iterable[str]) -> Floats:
        """Every member's scores, each in its own unit.

        Returns
        -------
        (n_members, n_documents, n_authors) float64
        """
        return self.score_texts(X).by_base_classifier

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Log-odds of every author for every text; the highest answers.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
        """
        return self.score_texts(X).log_odds

    def predict_log_proba(self, X: Iterable[str]) -> Floats:
        """Natural logarithm of `predict_proba`."""
        texts = check_texts(X)
        return self.calibrator_.log_probabilities(
            self.score_texts(texts).log_odds, count_characters(texts)
        )

    def predict_proba(self, X: Iterable[str]) -> Floats:
        """Probabilities of the authors, every author equally likely beforehand.

        Fitted to how often such answers about texts of such a length were right on known texts
        held out, by weights that had not learnt from them; see `Temperatures`. Where few could be
        held out, ``calibration_unavailable_reason_`` says so.

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``; rows sum to 1
        """
        return np.exp(self.predict_log_proba(X))

    def predict(
        self, X: Iterable[str], *, false_attribution_rate: float | None = None
    ) -> NDArray[Any]:
        """Name the author with the highest log-odds of every text, or ``CANNOT_TELL``.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        false_attribution_rate : float, optional
            The author may be none of the candidates: then as in `attribute`, and the answer is
            ``NONE_OF_THE_CANDIDATES``.

        Returns
        -------
        (n_documents,) str
        """
        texts = check_texts(X)
        scored = self.score_texts(texts)
        answers: NDArray[Any] = self.classes_[scored.log_odds.argmax(axis=1)]
        told = make_open_set_answers(
            self.rejection_, scored.log_odds, texts, self.classes_, false_attribution_rate
        )
        rejected = np.array([each is not None and not each.accepted for each in told], dtype=bool)
        if rejected.any():
            answers = np.where(rejected, NONE_OF_THE_CANDIDATES, answers.astype(object))
        declined = np.array([reason is not None for reason in scored.reasons], dtype=bool)
        if not declined.any():
            return answers
        return np.where(declined, CANNOT_TELL, answers.astype(object))

    def attribute(
        self,
        texts: Iterable[str],
        paths: Sequence[str] | None = None,
        *,
        false_attribution_rate: float | None = None,
    ) -> list[Attribution]:
        """Rank the candidates for every questioned text, or say why not.

        What its language models would decline is declined.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        paths : sequence of str, (n_documents,), optional
            Where the texts came from; handed on to the answers.
        false_attribution_rate : float, optional
            The author may be none of the candidates. A text whose first candidate does not stand
            out enough is declined, so that of texts by none of them no larger share is given to
            somebody. None: one of the candidates wrote it.

        Returns
        -------
        list of Attribution, (n_documents,)

        Raises
        ------
        UsageError
            No member is a language model an author; or the stack has not learnt when to name
            nobody (``open_set``), or ``false_attribution_rate`` is too low to be told.
        """
        questioned = check_texts(texts)
        scored = self.score_texts(questioned)
        if scored.language_model_scores is None:
            raise _no_language_models(self.base_classifiers_)
        log_probs = self.calibrator_.log_probabilities(
            scored.log_odds, count_characters(questioned)
        )
        return make_attributions(
            self.classes_,
            scored.language_model_scores,
            scores=scored.log_odds,
            scored_by=LOG_ODDS,
            log_odds=scored.log_odds,
            calibrated=CalibratedProbabilities(
                self.calibration_unavailable_reason_,
                np.exp(log_probs),
                self.calibrator_.log10_likelihood_ratios(log_probs),
            ),
            reasons=scored.reasons,
            paths=paths,
            open_set=make_open_set_answers(
                self.rejection_, scored.log_odds, questioned, self.classes_, false_attribution_rate
            ),
        )

    def score_texts(self, X: Iterable[str]) -> StackScores:
        """All that is known of texts under every member: what the other methods draw on.

        Of many texts and authors some are scored after others, which bounds memory.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        """
        check_is_fitted(self, "base_classifiers_")
        texts = check_texts(X)
        blocks = text_blocks(texts, _MOST_AT_ONCE // len(self.classes_))
        members = self.base_classifiers_, self.language_models_, self.combination_
        return StackScores.join([StackScores.of(texts[block], *members) for block in blocks])

    def _leave_out(
        self, texts: Sequence[str], authors: Sequence[Any], at_most: int, language: str
    ) -> list[HeldOutTexts]:
        """Leave authors out in turn, where it is to be learnt when to name nobody."""
        if not self.open_set:
            return []
        parts = leave_authors_out(
            texts,
            authors,
            n_groups=self.folds,
            lengths=self.lengths,
            random_state=self.random_state,
            language=language,
        )
        return limit_held_out_texts(parts, at_most, random_state=self.random_state)

    def _check_params(self) -> list[tuple[str, BaseClassifier]]:
        """Refuse parameters that cannot be used; return the members."""
        check_number("folds", self.folds, 2)
        check_number("random_state", self.random_state, 0)
        check_jobs(self.n_jobs)
        if not isinstance(self.open_set, bool):
            raise UsageError(f"open_set is {self.open_set!r}; it is True or False")
        if not isinstance(self.lengths, tuple | list):
            raise UsageError(f"lengths is {self.lengths!r}; it is a tuple such as (5, 20)")
        for length in self.lengths:
            check_number("lengths", length, 1)
        if self.members is None:
            return default_base_classifiers(random_state=self.random_state)
        check_base_classifiers(self.members, set(super().get_params(deep=False)))
        return list(self.members)


def _no_language_models(members: Mapping[str, BaseClassifier]) -> UsageError:
    return UsageError(
        f"none of the members {', '.join(members)} is an AuthorshipAttributor, which tells when a "
        "text is too little to go by; add one, or ask decision_function"
    )
