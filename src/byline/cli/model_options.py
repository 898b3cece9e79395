"""Options of the language model and of the attributor, and the objects they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.network_options import (
    FEEDFORWARD_OPTIONS,
    NETWORK_OPTIONS,
    RECURRENT_OPTIONS,
    NetworkSettings,
)
from byline.cli.options import TextSettings, refuse_options

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, StackedAttributor
    from byline.lm import FeedForwardLM, LanguageModel, RecurrentLM


class AttributionMethod(StrEnum):
    """What names the author."""

    STACKED = "stacked"
    LANGUAGE_MODELS = "language-models"


class LmKind(StrEnum):
    """Families of language models."""

    NGRAM = "ngram"
    FEEDFORWARD = "feedforward"
    RECURRENT = "recurrent"


# A network costs minutes an author where an n-gram model costs a fraction of a second.
DEFAULT_N_SAMPLES = {LmKind.NGRAM: 3, LmKind.FEEDFORWARD: 1, LmKind.RECURRENT: 1}
_OPTIONS = {
    LmKind.NGRAM: ("order",),
    LmKind.FEEDFORWARD: ("order", *FEEDFORWARD_OPTIONS),
    LmKind.RECURRENT: RECURRENT_OPTIONS,
}


@dataclass(frozen=True, kw_only=True)
class KindSettings:
    """Which kind of language model, how far it looks, and what its random numbers start from."""

    lm: Annotated[LmKind, typer.Option("--lm", help="Family of the language model.")] = LmKind.NGRAM
    order: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100,
            help="Tokens of an n-gram, the predicted one included; 4 for words, 6 for characters "
            "(ngram, feedforward).",
            show_default=False,
        ),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn at random.")] = 0


@dataclass(frozen=True, kw_only=True)
class ModelSettings(NetworkSettings, KindSettings, TextSettings):
    """Which language model, over which tokens."""

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model these settings describe."""
        for name in ("order", *NETWORK_OPTIONS):
            kinds = [kind for kind, options in _OPTIONS.items() if name in options]
            if self.lm not in kinds:
                refuse_options(self, [name], f"is only valid with --lm {' or '.join(kinds)}")
        if self.lm is LmKind.FEEDFORWARD:
            return self.feedforward_model()
        return self.recurrent_model() if self.lm is LmKind.RECURRENT else self.ngram_model()

    def ngram_model(self) -> LanguageModel:
        """Make the unfitted n-gram model."""
        from byline.lm import NgramLM

        return NgramLM(order=self.default_order)

    @property
    def default_order(self) -> int:
        """Tokens of an n-gram: as told, or what does well for words or for characters."""
        return self.order or (6 if self.of_characters else 4)

    def recurrent_model(self) -> RecurrentLM:
        """Make the unfitted recurrent network: the prototype, changed as the options say."""
        from byline.lm.inputs import set_parameters

        model = self.recurrent_prototype()
        set_parameters(model, {"random_state": self.seed, **self.recurrent_parameters()})
        return model

    def recurrent_prototype(self) -> RecurrentLM:
        """Make the recurrent network that options change."""
        from byline.lm import RecurrentLM

        return RecurrentLM()

    def feedforward_model(self) -> FeedForwardLM:
        """Make the unfitted feed-forward network: the prototype, changed as the options say."""
        from byline.lm.inputs import set_parameters

        model = self.feedforward_prototype()
        if self.of_characters:
            model.set_params(context=self.default_order - 1)
        set_parameters(model, {"random_state": self.seed, **self.feedforward_parameters()})
        if self.order is not None:
            model.set_params(context=self._context_of_order(self.order))
        if (model.target_position or 1) > model.context + 1:
            raise typer.BadParameter(
                f"--target-position {model.target_position}: with a context of {model.context} "
                f"tokens it is 1 to {model.context + 1}"
            )
        return model

    def feedforward_prototype(self) -> FeedForwardLM:
        """Make the feed-forward network that options change."""
        from byline.lm import FeedForwardLM

        return FeedForwardLM()

    def _context_of_order(self, order: int) -> int:
        if self.context is not None:
            raise typer.BadParameter("--order and --context say the same; give one of them")
        if order == 1:
            raise typer.BadParameter("--order must be 2 or more with --lm feedforward")
        return order - 1


@dataclass(frozen=True, kw_only=True)
class AttributorSettings(ModelSettings):
    """How the authors' models are learnt and compared."""

    method: Annotated[
        AttributionMethod,
        typer.Option(
            help="Language models stacked with classifiers of n-grams, weighed on known texts held "
            "out; or language models alone: quicker, and authors can be added."
        ),
    ] = AttributionMethod.STACKED
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Equal samples of the known texts an author; 3 for ngram, 1 for networks.",
            show_default=False,
        ),
    ] = None
    unequal: Annotated[
        bool,
        typer.Option(
            "--unequal",
            help="Learn from all known text of every author, however unequal: favours authors "
            "with more.",
        ),
    ] = False
    background: Annotated[
        bool,
        typer.Option(
            "--background",
            help="Learn one language model from all authors together, and adapt it to each.",
        ),
    ] = False
    mixture: Annotated[
        bool,
        typer.Option(
            "--mixture",
            help="Mix each network with an n-gram model (feedforward, recurrent): slow, and best "
            "for single sentences.",
        ),
    ] = False
    cache: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.99,
            metavar="SHARE",
            help="How far language models expect again what a questioned text has said before, so "
            "that repeated words count for less; try 0.5 where the genre is another.",
        ),
    ] = 0.0
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Hold known texts out to learn how sure language models alone may be, which takes "
            "six times as long; the stack does so anyway.",
        ),
    ] = False
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 1

    def attributor(self) -> AuthorshipAttributor | StackedAttributor:
        """Make the unfitted attributor these settings describe."""
        from byline.attribution import StackedAttributor
        from byline.attribution.stacking import LANGUAGE_MODELS, default_base_classifiers

        if self.method is AttributionMethod.STACKED:
            members = default_base_classifiers(self.language_models(), random_state=self.seed)
        elif self.calibrate:
            members = [(LANGUAGE_MODELS, self.language_models())]
        else:
            return self.language_models(jobs=self.jobs)
        return StackedAttributor(members, random_state=self.seed, n_jobs=self.jobs)

    def language_models(self, *, jobs: int = 1) -> AuthorshipAttributor:
        """Make the unfitted language models, one an author."""
        from byline.attribution import AuthorshipAttributor

        if self.unequal and self.draws is not None:
            raise typer.BadParameter("--draws goes with equal samples, not with --unequal")
        return AuthorshipAttributor(
            self.language_model(),
            self.encoder(),
            balance="none" if self.unequal else "equal-samples",
            n_samples=self.draws or DEFAULT_N_SAMPLES[self.lm],
            background="pooled" if self.background else "none",
            cache=self.cache,
            random_state=self.seed,
            n_jobs=jobs,
        )

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model: one alone, or a mixture."""
        model = super().language_model()
        if not self.mixture:
            return model
        if self.lm is LmKind.NGRAM:
            raise typer.BadParameter("--mixture is only valid with --lm feedforward or recurrent")
        from byline.lm import MixtureLM

        return MixtureLM((self.ngram_model(), model), weights=(0.5, 0.5))

    def ngram_model(self) -> LanguageModel:
        """Make the unfitted n-gram model, which adapts the background where there is one."""
        if not self.background:
            return super().ngram_model()
        from byline.lm.ngrams.adapted import AdaptedNgramLM

        model = AdaptedNgramLM(order=self.default_order)
        if self.of_characters:
            model.set_params(strength=0.0)
        return model

    def recurrent_prototype(self) -> RecurrentLM:
        """Make the recurrent network that options change."""
        from byline.lm import RecurrentLM

        return RecurrentLM.for_adaptation() if self.background else super().recurrent_prototype()

    def feedforward_prototype(self) -> FeedForwardLM:
        """Make the feed-forward network that options change."""
        from byline.lm import FeedForwardLM

        return (
            FeedForwardLM.for_adaptation() if self.background else super().feedforward_prototype()
        )
