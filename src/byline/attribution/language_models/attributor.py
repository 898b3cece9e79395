"""`AuthorshipAttributor`: one language model per candidate author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.declining import TIED, are_tied, reason_to_decline
from byline.attribution.inputs import TextEstimatorMixin, check_new_author, check_texts
from byline.attribution.language_models.scoring import (
    LIKELIHOOD_RATIO,
    SCORE_RULES,
    score_documents,
)
from byline.attribution.language_models.sentence_scorer import SentenceScorer
from byline.attribution.language_models.training import (
    BACKGROUNDS,
    TrainingPlan,
    background_training,
    check_background,
    check_sample_size,
    equal_sample_size,
    prototype_for,
    train_language_models,
)
from byline.attribution.result import (
    Attribution,
    Paths,
    TextScores,
    label_declined,
    make_attributions,
)
from byline.attribution.training_data import (
    count_tokens_by_author,
    encode_training_texts,
    fit_encoders,
    group_by_author,
    tokenize_texts,
)
from byline.constraints import N_JOBS, Constraints, one_of, whole, within
from byline.lm import LanguageModel, NgramLM
from byline.processes.threads import limits_threads
from byline.progress import Progress
from byline.text import TextEncoder
from byline.text.subwords import token_unit
from byline.typography import Normalization


class AuthorshipAttributor(TextEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Attribute a text to the candidate author whose language model is least surprised by it.

    A scikit-learn classifier over raw texts, after Ge & Sun (2016, Eq. classifier, whose arg max of
    the perplexity is meant as arg min). Each author gets clones of one prototype language model.

    Parameters
    ----------
    language_model : LanguageModel, optional
        The prototype. By default ``NgramLM()``, or ``AdaptedNgramLM()`` with a background. Its
        ``random_state``, if it has one, is derived from this one's, the author and the sample.
    encoder : TextEncoder, optional
        The prototype that normalises and splits texts; ``TextEncoder()`` by default.
    vocabulary : {"shared", "per-author"}
        One vocabulary from all known texts; or each author's own, as in the paper, where an author
        with a small vocabulary has an unfair advantage, because ``<unk>`` is cheap.
    balance : {"equal-samples", "none"}
        ``equal-samples``: train each author's models on random samples as large as the smallest
        author's text, except for authors with far less; an author's score is the mean over the
        samples. ``none``: train on all text, so that more text makes a model less surprised.
    n_samples : int
        Number of random samples per author who has more text than the sample size.
    background : {"none", "pooled"}
        ``pooled``: train a language model on all known texts, to which adaptive models are fitted.
    score_rule : {"log-likelihood", "likelihood-ratio", "sum-of-perplexities"}
        ``log-likelihood``: the summed log-probability of the tokens (Eq. seq_prob_ngram).
        ``likelihood-ratio``: the same minus the log-likelihood under the background, comparable
        across texts. ``sum-of-perplexities``: the negative sum of the sentences' perplexities, as
        in the paper's program; for its reproduction only.
    cache : float
        From 0 to 0.99: the largest weight of the text's own preceding words in the prediction
        (`TextCache`). Above 0, repeated tokens count for less.
    min_tokens : int
        Decline a text with fewer words and punctuation marks, or five times as many characters.
    max_unknown : float
        Decline a text with a larger proportion of unknown tokens. A token is unknown if no
        candidate's vocabulary contains it.
    random_state : int
        Seed of the samples and models, whatever the order of authors and ``n_jobs`` are.
    n_jobs : int or None
        Number of training processes, with one thread each; -1 uses all cores.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted. Integers if ``y`` was; author names are then the digits.
    encoders_ : dict of author to TextEncoder
        With ``vocabulary="shared"``, the same object for all authors.
    models_ : dict of author to list of LanguageModel
        One model per sample; a single model if the author's text is exactly the sample size.
    n_tokens_per_author_ : dict of author to int
        Number of tokens in the known texts, without end marks.
    sample_size_ : int or None
        Number of tokens per sample; None with ``balance="none"``.
    background_ : LanguageModel or None
        None with ``background="none"``.
    scorer_ : SentenceScorer
        Scores sentences under ``models_``.

    See Also
    --------
    StackedAttributor : Byline's default: these models and other classifiers, calibrated.
    byline.attribution.explain : Explain a decision token by token.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(
    ...     NgramLM(order=2, smoothing="witten-bell"), min_tokens=3, max_unknown=0.9
    ... )
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> attributor.predict(["The cat sat.", "A dog.", "Hm"], reject=True).tolist()
    ['Ann', 'Bob', 'cannot tell']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "language_model": [LanguageModel, None],
        "encoder": [TextEncoder, None],
        "vocabulary": [one_of("shared", "per-author")],
        "balance": [one_of("equal-samples", "none")],
        "n_samples": [whole(1)],
        "background": [one_of(*BACKGROUNDS)],
        "score_rule": [one_of(*SCORE_RULES)],
        "cache": [within(0, 0.99)],
        "min_tokens": [whole(0)],
        "max_unknown": [within(0, 1)],
        "random_state": [whole(0)],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        language_model: LanguageModel | None = None,
        encoder: TextEncoder | None = None,
        *,
        vocabulary: str = "shared",
        balance: str = "equal-samples",
        n_samples: int = 3,
        background: str = "none",
        score_rule: str = "log-likelihood",
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
        self.score_rule = score_rule
        self.cache = cache
        self.min_tokens = min_tokens
        self.max_unknown = max_unknown
        self.random_state = random_state
        self.n_jobs = n_jobs

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name. The fitted state does not change before the next `fit`.

        A nested parameter, such as ``language_model__order``, replaces None by the default.
        """
        for name, default in (("language_model", NgramLM), ("encoder", TextEncoder)):
            nested = any(key.startswith(f"{name}__") for key in params)
            if nested and params.get(name, getattr(self, name)) is None:
                params = {name: default(), **{k: v for k, v in params.items() if k != name}}
        super().set_params(**params)
        return self

    @property
    def encoder_(self) -> TextEncoder:
        """The encoder that splits texts into tokens; with a shared vocabulary, every author's."""
        return self.encoders_[str(self.classes_[0])]

    @property
    def normalization_(self) -> Normalization:
        """The rules by which typographic differences are removed, from the encoder."""
        return Normalization.parse(self.encoder_.normalization)

    def fit(
        self,
        X: Iterable[str],
        y: Iterable[str],
        *,
        groups: Iterable[str] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Train every author's language models on the known texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        groups : ignored
            Accepted for compatibility with `StackedAttributor.fit`.
        progress : Progress, optional
            Called after each model.

        Raises
        ------
        UsageError
            If a parameter is out of range, or ``X`` or ``y`` do not contain strings.
        TrainingError
            If there are fewer than two authors, an author has no token, or a model cannot be
            trained.

        Warns
        -----
        BylineWarning
            If an author has under a quarter of the median author's tokens.
        """
        self._check_params()
        classes, known = group_by_author(X, y)
        encoder = TextEncoder() if self.encoder is None else clone(self.encoder)
        documents = {author: tokenize_texts(encoder, texts) for author, texts in known.items()}
        amounts = count_tokens_by_author(documents)
        sample_size = equal_sample_size(amounts) if self.balance == "equal-samples" else None
        encoders = fit_encoders(encoder, documents, shared=self.vocabulary == "shared")
        texts = encode_training_texts(encoders, documents)
        prototype = prototype_for(self.language_model, self.background)
        settings = self.n_samples, self.random_state, self.n_jobs
        plan = TrainingPlan(prototype, sample_size, *settings)
        if self.background == "pooled":
            background_plan = background_training(plan, texts)
            [[background]] = train_language_models(*background_plan, progress).values()
            plan = replace(plan, background=background)
        models = train_language_models(plan, texts, progress)
        return self._set_fitted_state(
            classes, encoders, models, amounts, sample_size, plan.background
        )

    def add_author(
        self, author: str, texts: Iterable[str], *, progress: Progress | None = None
    ) -> AuthorshipAttributor:
        """Return a new attributor with one more author.

        It shares the other authors' models and vocabularies with this one, and the background,
        which the new author's texts do not change. With a shared vocabulary, words that only the
        new author uses are unknown words.

        Parameters
        ----------
        author : str
        texts : sequence of str
        progress : Progress, optional

        Raises
        ------
        TrainingError
            If the author has fewer tokens than the other authors' samples (``sample_size_``).
        """
        check_is_fitted(self)
        author = check_new_author(author, self.classes_)
        documents = {author: tokenize_texts(self.encoder_, check_texts(texts))}
        amounts = count_tokens_by_author(documents)
        check_sample_size(author, amounts[author], self.sample_size_)
        if self.vocabulary == "shared":
            encoders = {author: self.encoder_}
        else:
            encoders = fit_encoders(clone(self.encoder_), documents, shared=False)
        prototype = self.models_[str(self.classes_[0])][0]
        settings = self.n_samples, self.random_state, self.n_jobs
        plan = TrainingPlan(prototype, self.sample_size_, *settings, self.background_)
        models = train_language_models(plan, encode_training_texts(encoders, documents), progress)
        extended: AuthorshipAttributor = clone(self).set_line_rules(self.line_rules_)
        return extended._set_fitted_state(
            np.array(sorted([*self.models_, author])),
            self.encoders_ | encoders,
            self.models_ | models,
            self.n_tokens_per_author_ | amounts,
            self.sample_size_,
            self.background_,
        )

    def score_authors(self, X: Iterable[str]) -> Floats:
        """Score every text under every author's models; the author with the highest score wins.

        A text without tokens has a row of zeros. A declined text is scored like any other.

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
            By the score rule, averaged over the samples; log-likelihoods and ratios are in nats.
        """
        return self.score_texts(X).scores

    def predict_joint_log_proba(self, X: Iterable[str]) -> Floats:
        """Return joint log-probabilities (nats) under a uniform prior, (n_documents, n_authors).

        There is no ``predict_proba``: the tokens of a text are not independent, so that the softmax
        of these values is much too close to 0 or 1. ``StackedAttributor([("language-models",
        models)])`` has calibrated probabilities.
        """
        return self.score_texts(X).joint

    def predict(self, X: Iterable[str], *, reject: bool = False) -> NDArray[Any]:
        """Return the author with the highest score for every text; of equal scores, the first.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        reject : bool
            Return ``CANNOT_TELL`` for a text that `attribute` declines.

        Returns
        -------
        (n_documents,), entries of ``classes_``; objects with ``reject``
        """
        scores = self.score_texts(X)
        authors: NDArray[Any] = self.classes_[scores.scores.argmax(axis=1)]
        return label_declined(authors, self.reasons_to_decline(scores)) if reject else authors

    def attribute(self, texts: Iterable[str], paths: Paths = None) -> list[Attribution]:
        """Rank the candidates for every questioned text, or give the reason why it is declined.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        paths : sequence of str, (n_documents,), optional
            Where the texts come from; copied to the results.
        """
        return self.attribute_scored(self.score_texts(texts), paths)

    def attribute_scored(self, scores: TextScores, paths: Paths = None) -> list[Attribution]:
        """Answer about texts as `attribute` does, given the result of `score_texts`."""
        return make_attributions(
            self.classes_,
            scores,
            scores=scores.scores,
            scored_by=self.score_rule,
            log_odds=scores.joint,
            reasons=self.reasons_to_decline(scores),
            paths=paths,
        )

    @limits_threads
    def score_texts(self, X: Iterable[str]) -> TextScores:
        """Compute all scores and token counts of texts; the other methods derive theirs."""
        check_is_fitted(self)
        self._check_params()
        tokenized = tokenize_texts(self.encoder_, check_texts(X))
        reference = self.background_ if self.score_rule == LIKELIHOOD_RATIO else None
        given = tokenized, self.encoders_, self.models_, SCORE_RULES[self.score_rule]
        return score_documents(*given, self.scorer_, reference, self.cache)

    def reasons_to_decline(self, scores: TextScores, *, ties: bool = True) -> list[str | None]:
        """Return why each text of `score_texts` is declined; equal scores only with ``ties``."""
        least, most, unit = self.min_tokens, self.max_unknown, token_unit(self.encoder_)
        columns = scores.n_tokens, scores.n_unknown, scores.has_words, are_tied(scores.scores)
        return [
            reason_to_decline(*own, unit=unit, min_tokens=least, max_unknown=most)
            or (TIED if ties and tied else None)
            for *own, tied in zip(*(each.tolist() for each in columns), strict=True)
        ]

    def _check_params(self) -> None:
        super()._check_params()
        check_background(self.background, self.language_model, self.score_rule, self.vocabulary)

    def _set_fitted_state(
        self,
        classes: NDArray[Any],
        encoders: Mapping[str, TextEncoder],
        models: Mapping[str, list[LanguageModel]],
        amounts: Mapping[str, int],
        sample_size: int | None,
        background: LanguageModel | None = None,
    ) -> Self:
        authors = [str(author) for author in classes]
        self.classes_ = classes
        self.encoders_ = {author: encoders[author] for author in authors}
        self.models_ = {author: models[author] for author in authors}
        self.n_tokens_per_author_ = {author: amounts[author] for author in authors}
        self.sample_size_ = sample_size
        self.background_ = background
        self.scorer_ = SentenceScorer(self.models_)
        return self
