"""`SharedNgramLM`: a language model whose n-grams may be counts that it shares with others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from byline.array_types import Floats
from byline.errors import ModelFileError
from byline.lm.base import LanguageModel, Sentence
from byline.lm.ngrams.estimation import NgramTreeLM
from byline.lm.ngrams.joint_counts import JointCounts
from byline.lm.ngrams.joint_scores import joint_log_probs
from byline.lm.ngrams.smoothing import Smoothing
from byline.lm.ngrams.tree import NgramTree


@dataclass(frozen=True, slots=True, eq=False)
class SharedCounts:
    """The place of a model in the counts that it shares with others.

    Attributes
    ----------
    joint : JointCounts
    group, model : int
        Number of the model's group, and its number in the group.
    """

    joint: JointCounts
    group: int
    model: int

    def restore_tree(self) -> NgramTree:
        """Estimate the probabilities of the model."""
        return self.joint.restore_tree(self.group, self.model)


def shared_counts(models: Sequence[object]) -> JointCounts | None:
    """Return the counts that models share, if they are all models of these counts, in order."""
    shared = [getattr(model, "_shared", None) for model in models]
    first = shared[0]
    if not isinstance(first, SharedCounts):
        return None
    places = [
        (group, model) for group, n in enumerate(first.joint.n_models) for model in range(int(n))
    ]
    found = [
        (each.group, each.model)
        for each in shared
        if isinstance(each, SharedCounts) and each.joint is first.joint
    ]
    return first.joint if found == places and len(found) == len(shared) else None


class SharedNgramLM(NgramTreeLM):
    """Base class of n-gram models that can share counts with other models.

    Attributes
    ----------
    tree_ : NgramTree
        Made from the shared counts when it is first needed.
    """

    _shared: SharedCounts | None = None

    @abstractmethod
    def make_smoothing(self) -> Smoothing:
        """Return the smoothing method with its parameters."""

    @classmethod
    def log_probs_of_all(
        cls, models: Sequence[LanguageModel], sentences: Sequence[Sentence]
    ) -> Iterator[Floats]:
        """Compute `batch_log_probs` under several models; all at once if they share counts."""
        joint = shared_counts(models)
        if joint is None:
            return super().log_probs_of_all(models, sentences)
        start, end = models[0].sentence_start, models[0].sentence_end
        return iter(joint_log_probs(joint, sentences, sentence_start=start, sentence_end=end))

    @classmethod
    def unfitted(cls, params: Mapping[str, Any]) -> Self:
        """Make a model without n-grams from the parameters of a state.

        Raises
        ------
        ModelFileError
            A parameter is missing or invalid.
        """
        with cls._rejecting_invalid_states():
            return cls._from_params(params)

    def join(self, groups: Sequence[Sequence[NgramTree]]) -> JointCounts:
        """Join the trees of models with the parameters of this one; see `JointCounts`."""
        return JointCounts.from_trees(groups, self.order, self.n_events, self.make_smoothing())

    @classmethod
    def from_joint_counts(
        cls, params: Mapping[str, Any], joint: JointCounts, group: int, model: int
    ) -> Self:
        """Rebuild a model from counts that it shares with others; its tree is made when needed.

        Parameters
        ----------
        params : mapping
            Those of `get_state`.
        joint : JointCounts
        group, model : int
            The place of this model in ``joint``.

        Raises
        ------
        ModelFileError
            A parameter is missing, or does not suit the counts.
        """
        rebuilt = cls.unfitted(params)
        described = rebuilt.order, rebuilt.n_events, rebuilt.make_smoothing()
        if described != (joint.order, joint.n_events, joint.smoothing):
            raise ModelFileError(f"the parameters of the {cls._name} do not suit its counts")
        rebuilt._shared = SharedCounts(joint, group, model)
        return rebuilt

    @cached_property
    def tree_(self) -> NgramTree:  # type: ignore[override]  # it can be set, as fit does
        """N-grams, log-probabilities and back-off weights; made from shared counts when needed."""
        if self._shared is None:
            raise AttributeError("the n-gram model is not fitted")
        return self._shared.restore_tree()

    def __getstate__(self) -> Any:
        """Leave out the counts of other models."""
        if self._shared is None:
            return super().__getstate__()
        tree = self.tree_
        return {**super().__getstate__(), "tree_": tree, "_shared": None}
