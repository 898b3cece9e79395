"""The classifier: one language model per candidate author, and the least surprised one answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from byline.attribution.inputs import (
    TextEstimatorMixin,
    check_authors_have_names,
    check_choice,
    check_jobs,
    check_number,
    check_texts,
    check_type,
)
from byline.attribution.language_models.samples import check_sample_size, equal_sample_size
from byline.attribution.language_models.scoring import (
    LIKELIHOOD_RATIO,
    SCORE_RULES,
    TextScores,
    score_documents,
)
from byline.attribution.language_models.sentence_scorer import SentenceScorer
from byline.attribution.language_models.training import (
    BACKGROUNDS,
    TrainingPlan,
    background_training,
    check_background,
    prototype_for,
    train_language_models,
)
from byline.attribution.result import CANNOT_TELL, Attribution, make_attributions, reason_to_decline
from byline.attribution.training_data import (
    count_tokens_by_author,
    encode_training_texts,
    fit_encoders,
    group_by_author,
)
from byline.errors import UsageError
from byline.lm import LanguageModel, NgramLM
from byline.progress import Progress
from byline.text import TextEncoder


class AuthorshipAttributor(TextEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Names the candidate author whose language model is least surprised by a text.

    A scikit-learn classifier over raw texts (Ge & Sun 2016, Eq. classifier, whose arg max of
    perplexity is meant as arg min). Every author gets clones of one language model prototype.

    Parameters
    ----------
    language_model : LanguageModel, optional
        The prototype; where None ``NgramLM()``, or ``AdaptedNgramLM()`` with a background. Its
        ``random_state``, if it has one, is replaced by a seed derived from this estimator's, the
        author and the draw.
    encoder : TextEncoder, optional
        The prototype of what cuts texts into token ids; ``TextEncoder()`` where None.
    vocabulary : {"shared", "per-author"}
        One vocabulary from all known texts, so that all models speak of the same events; or each
        author's own, as in the paper, where a small vocabulary wins unfairly by cheap ``<unk>``.
    balance : {"equal-samples", "none"}
        Learn every author from as many tokens as the author with the least has, drawn ``n_samples``
        times (a score is the mean over draws); or from all their text, where the author with more
        is less surprised by everything.
    n_samples : int
        Samples of an author who has more text than the sample's size.
    background : {"none", "pooled"}
        A language model learnt from all authors' known texts together, which models that adapt one
        are fitted on top of. It is learnt from all text, whatever ``balance`` is.
    score : {"log-likelihood", "likelihood-ratio", "sum-of-perplexities"}
        The rule; read it with ``get_params()["score"]``, as ``.score`` is the accuracy method.
        A text's summed log-probability (Eq. seq_prob_ngram); that minus the background's, which
        ranks authors alike and can be compared across texts; or the negative sum of its sentences'
        perplexities, as the paper's program has it, for the reproduction only.
    cache : float
        From 0 to 0.99: how far words that a text has used before are expected again
        whoever wrote it (`TextCache`). Above 0 tokens that are repeated count for less.
    min_tokens : int
        A text of fewer words and marks is declined; of characters (``unit="char"``), five times.
    max_unknown : float
        A text with a larger share of unknown tokens is declined. Unknown is a token that stands in
        no candidate's vocabulary.
    random_state : int
        Same seed, same models, for any order of authors and any ``n_jobs``.
    n_jobs : int or None
        Processes that learn, one thread each; -1 for all cores. Scoring runs in this process.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted. Whole numbers where ``y`` was; the names are their digits.
    encoders_ : dict of author to TextEncoder
        One and the same object for all authors with ``vocabulary="shared"``.
    models_ : dict of author to list of LanguageModel
        One model a draw; one alone where the author's text is exactly the sample.
    n_tokens_per_author_ : dict of author to int
        Tokens of the known texts, end marks not counted.
    sample_size_ : int or None
        Tokens in every sample; None with ``balance="none"``.
    background_ : LanguageModel or None
        None with ``background="none"``.
    scorer_ : SentenceScorer
        Scores under ``models_``, by one index of all their n-grams where a call's texts are long
        or many enough to pay for it, or always after ``scorer_.join()``.
    """

    def __init__(
        self,
        language_model: LanguageModel | None = None,
        encoder: TextEncoder | None = None,
        *,
        vocabulary: str = "shared",
        balance: str = "equal-samples",
        n_samples: int = 3,
        background: str = "none",
        score: str = "log-likelihood",
        cache: float = 0.0,
        min_tokens: int = 10,
        max_unknown: float = 0.5,
        random_state: int = 0,
        n_jobs: int | None = 1,
    ) -> None:
        self.language_model = language_model
        self.encoder = encoder
        self.vocabulary = vocabulary
        self.balance = balance
        self.n_samples = n_samples
        self.background = background
        self._score = score  # `score` itself is the method every scikit-learn classifier has
        self.cache = cache
        self.min_tokens = min_tokens
        self.max_unknown = max_unknown
        self.random_state = random_state
        self.n_jobs = n_jobs

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, those of the prototypes too (``language_model__order``)."""
        return {**super().get_params(deep), "score": self._score}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; what was learnt stays as it is until the next ``fit``.

        A parameter of a prototype that is None, such as ``language_model__order``, is one of the
        default prototype, which then stands there.
        """
        self._score = params.pop("score", self._score)
        for name, default in (("language_model", NgramLM), ("encoder", TextEncoder)):
            nested = any(key.startswith(f"{name}__") for key in params)
            if nested and params.get(name, getattr(self, name)) is None:
                params = {name: default(), **{k: v for k, v in params.items() if k != name}}
        super().set_params(**params)
        return self

    @property
    def encoder_(self) -> TextEncoder:
        """The encoder that cuts texts into tokens: with a shared vocabulary, every author's."""
        return self.encoders_[str(self.classes_[0])]

    def fit(
        self,
        X: Iterable[str],
        y: Iterable[str],
        *,
        works: Iterable[str] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn every author's models from known texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        works : ignored
            Taken as a stack takes it.
        progress : Progress, optional
            Told of each model as it is finished.

        Raises
        ------
        UsageError
            A parameter is out of its range, or ``X`` or ``y`` are not strings.
        TrainingError
            Fewer than two authors, an author without a token, or a model that cannot be learnt.

        Warns
        -----
        BylineWarning
            The least text of an author is under a tenth of the median author's.
        """
        self._check_params()
        classes, known = group_by_author(X, y)
        encoder = TextEncoder() if self.encoder is None else clone(self.encoder)
        documents = {a: [encoder.tokenize(text) for text in texts] for a, texts in known.items()}
        amounts = count_tokens_by_author(documents)
        budget = equal_sample_size(amounts) if self.balance == "equal-samples" else None
        encoders = fit_encoders(encoder, documents, shared=self.vocabulary == "shared")
        texts = encode_training_texts(encoders, documents)
        plan = self._plan(prototype_for(self.language_model, self.background), budget)
        if self.background == "pooled":
            [[background]] = train_language_models(
                *background_training(plan, texts), progress
            ).values()
            plan = replace(plan, background=background)
        models = train_language_models(plan, texts, progress)
        return self._set_learnt(classes, encoders, models, amounts, budget, plan.background)

    def add_author(
        self, author: str, texts: Iterable[str], *, progress: Progress | None = None
    ) -> AuthorshipAttributor:
        """Return a new attributor that knows one more author.

        The others' models and vocabularies are the same objects as here, and so is the background,
        which the new author's texts are no part of. With a shared vocabulary words that only the
        new author uses are unknown.

        Parameters
        ----------
        author : str
        texts : sequence of str
        progress : Progress, optional

        Raises
        ------
        UsageError
            The author is already known, or the texts are not strings.
        TrainingError
            The author has fewer tokens than the samples of the others (``sample_size_``).
        """
        check_is_fitted(self)
        check_authors_have_names(self.classes_)
        [author] = check_texts([author], "author")
        if author in self.models_ or author == CANNOT_TELL:
            raise UsageError(f"the name {author!r} is taken; add the author under another name")
        documents = {author: [self.encoder_.tokenize(text) for text in check_texts(texts)]}
        amounts = count_tokens_by_author(documents)
        check_sample_size(author, amounts[author], self.sample_size_)
        if self.vocabulary == "shared":
            encoders = {author: self.encoder_}
        else:
            encoders = fit_encoders(clone(self.encoder_), documents, shared=False)
        plan = self._plan(
            self.models_[str(self.classes_[0])][0], self.sample_size_, self.background_
        )
        models = train_language_models(plan, encode_training_texts(encoders, documents), progress)
        grown: AuthorshipAttributor = clone(self)
        return grown._set_learnt(
            np.array(sorted([*self.models_, author])),
            self.encoders_ | encoders,
            self.models_ | models,
            self.n_tokens_per_author_ | amounts,
            self.sample_size_,
            self.background_,
        )

    def decision_function(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Every author's score of every text; the highest answers.

        It has one column an author for two authors too, so a scorer that wants one column (ROC
        AUC) must ask for ``predict_proba``. A text without a token has a row of zeros; a declined
        text's row is computed like any other.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
            Log-likelihoods in nats, mean over the draws; with ``score="likelihood-ratio"`` minus
            the background's; with ``score="sum-of-perplexities"`` negative sums of perplexities,
            which have no unit.
        """
        return self.scored(X).scores

    def predict_joint_log_proba(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Joint log-probability of text and author, every author equally likely beforehand.

        Returns
        -------
        (n_documents, n_authors) float64, nats: log-likelihood minus ``log(n_authors)``, by any rule
        """
        return self.scored(X).joint

    def predict_log_proba(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Natural logarithm of `predict_proba`, and as uncalibrated.

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
        """
        return self.scored(X).log_posteriors

    def predict_proba(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Uncalibrated posteriors: the softmax of `predict_joint_log_proba`.

        Tokens are no independent witnesses, so these sit near 0 or 1 long before they deserve to.
        They serve scikit-learn's tools and are no measure of confidence.

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``; rows sum to 1
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Iterable[str]) -> NDArray[Any]:
        """Name the author of every text, or ``CANNOT_TELL``.

        Returns
        -------
        (n_documents,) str
        """
        scored = self.scored(X)
        declined = np.array([reason is not None for reason in self.reasons(scored)], dtype=bool)
        answers: NDArray[Any] = self.classes_[scored.scores.argmax(axis=1)]
        if not declined.any():
            return answers
        return np.where(declined, CANNOT_TELL, answers.astype(object))

    def attribute(
        self, texts: Iterable[str], paths: Sequence[str] | None = None
    ) -> list[Attribution]:
        """Rank the candidates for every questioned text, or say why not.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        paths : sequence of str, (n_documents,), optional
            Where the texts came from; handed on to the answers.

        Returns
        -------
        list of Attribution, (n_documents,)
        """
        scored = self.scored(texts)
        return make_attributions(
            self.classes_,
            scored,
            scores=scored.scores,
            scored_by=self._score,
            log_odds=scored.joint,
            reasons=self.reasons(scored),
            paths=paths,
        )

    def scored(self, X: Iterable[str]) -> TextScores:
        """All that is known of texts under every author's models: what the other methods draw on.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        """
        check_is_fitted(self)
        self._check_params()
        tokenized = [self.encoder_.tokenize(text) for text in check_texts(X)]
        rule = SCORE_RULES[self._score]
        reference = self.background_ if self._score == LIKELIHOOD_RATIO else None
        return score_documents(
            *(tokenized, self.encoders_, self.models_, rule, self.scorer_, reference, self.cache)
        )

    def reasons(self, scored: TextScores) -> list[str | None]:
        """Why each text of `scored` is declined; None where it is not."""
        counts = zip(scored.n_tokens.tolist(), scored.n_unknown.tolist(), strict=True)
        least, most = self.min_tokens, self.max_unknown
        return [
            reason_to_decline(*each, unit=self.encoder_.unit, min_tokens=least, max_unknown=most)
            for each in counts
        ]

    def _check_params(self) -> None:
        check_choice("vocabulary", self.vocabulary, ("shared", "per-author"))
        check_choice("balance", self.balance, ("equal-samples", "none"))
        check_choice("score", self._score, tuple(SCORE_RULES))
        check_number("n_samples", self.n_samples, 1)
        check_number("cache", self.cache, 0, 0.99, whole=False)
        check_number("min_tokens", self.min_tokens, 0)
        check_number("max_unknown", self.max_unknown, 0, 1, whole=False)
        check_number("random_state", self.random_state, 0)
        check_type("language_model", self.language_model, LanguageModel)
        check_type("encoder", self.encoder, TextEncoder)
        check_choice("background", self.background, BACKGROUNDS)
        check_background(self.background, self.language_model, self._score, self.vocabulary)
        check_jobs(self.n_jobs)

    def _plan(
        self,
        prototype: LanguageModel,
        budget: int | None,
        background: LanguageModel | None = None,
    ) -> TrainingPlan:
        return TrainingPlan(
            prototype, budget, self.n_samples, self.random_state, self.n_jobs, background
        )

    def _set_learnt(
        self,
        classes: NDArray[Any],
        encoders: Mapping[str, TextEncoder],
        models: Mapping[str, list[LanguageModel]],
        amounts: Mapping[str, int],
        budget: int | None,
        background: LanguageModel | None = None,
    ) -> Self:
        authors = [str(author) for author in classes]
        self.classes_ = classes
        self.encoders_ = {author: encoders[author] for author in authors}
        self.models_ = {author: models[author] for author in authors}
        self.n_tokens_per_author_ = {author: amounts[author] for author in authors}
        self.sample_size_ = budget
        self.background_ = background
        self.scorer_ = SentenceScorer(self.models_)
        return self
