"""Options of the language model, and the objects that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Self

import typer

from byline.cli.network_options import (
    FEEDFORWARD_OPTIONS,
    NETWORK_OPTIONS,
    PRETRAINED_OPTIONS,
    RECURRENT_OPTIONS,
    NetworkSettings,
)
from byline.cli.options import MODEL_PANEL, TextSettings, refuse_options
from byline.cli.plugin_choice import choice_or_plugin
from byline.named_settings import setting
from byline.plugins import LANGUAGE_MODELS

if TYPE_CHECKING:
    from byline.lm import FeedForwardLM, LanguageModel, PretrainedLM, RecurrentLM
    from byline.text import TextEncoder


class LmKind(StrEnum):
    """Families of language models."""

    NGRAM = "ngram"
    FEEDFORWARD = "feedforward"
    RECURRENT = "recurrent"
    PRETRAINED = "pretrained"


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    LmKind.NGRAM: ("order",),
    LmKind.FEEDFORWARD: ("order", *FEEDFORWARD_OPTIONS),
    LmKind.RECURRENT: RECURRENT_OPTIONS,
    LmKind.PRETRAINED: PRETRAINED_OPTIONS,
}
_OF_OTHER_TOKENS = (
    "unit",
    "sentence_rule",
    "stem",
    "keep_case",
    "replace_numbers",
    "drop_punctuation",
)


@dataclass(frozen=True, kw_only=True)
class KindSettings:
    """The family of language models, their order, and the random seed."""

    lm: Annotated[
        str,
        typer.Option(
            "--lm",
            parser=choice_or_plugin(LmKind, LANGUAGE_MODELS),
            metavar="[ngram|feedforward|recurrent|pretrained|PLUGIN]",
            help="Choose the family of language models: n-gram models, feed-forward or recurrent "
            "neural networks, a pretrained network that is trained further for each author (see "
            "--base), or those of another installed package. Networks are much slower.",
        ),
    ] = LmKind.NGRAM
    order: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100,
            metavar="N",
            help="Set the number of tokens in an n-gram, including the predicted token (ngram, "
            "feedforward). By default 4 for words and 6 for characters.",
            show_default=False,
            rich_help_panel=MODEL_PANEL,
        ),
    ] = None
    seed: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Set the seed of all random numbers."),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class ModelSettings(NetworkSettings, KindSettings, TextSettings):
    """The language model and its tokens."""

    def language_model(self) -> LanguageModel:
        """Return an unfitted language model with these settings."""
        is_plugin = self.lm not in _OPTIONS
        for name in NETWORK_OPTIONS if is_plugin else ("order", *NETWORK_OPTIONS):
            kinds = [kind for kind, options in _OPTIONS.items() if name in options]
            if self.lm not in kinds:
                refuse_options(self, [name], f"is only valid with {setting('lm', tuple(kinds))}")
        if is_plugin:
            return self.plugin_model()
        if self.lm is LmKind.FEEDFORWARD:
            return self.feedforward_model()
        if self.lm is LmKind.PRETRAINED:
            return self.pretrained_model()
        return self.recurrent_model() if self.lm is LmKind.RECURRENT else self.ngram_model()

    def ngram_model(self) -> LanguageModel:
        """Return an unfitted n-gram model."""
        from byline.lm import NgramLM

        return NgramLM(order=self.default_order)

    def plugin_model(self) -> LanguageModel:
        """Return an unfitted model of another installed package."""
        from byline.lm.registry import LANGUAGE_MODEL_KINDS

        model = LANGUAGE_MODEL_KINDS.make(self.lm)
        names = model.get_params(deep=False)
        if self.order is not None and "order" not in names:
            refuse_options(self, ["order"], f"is not a parameter of {setting('lm', self.lm)}")
        given = {"order": self.order, "random_state": self.seed}
        model.set_params(**{k: v for k, v in given.items() if k in names and v is not None})
        return model

    @property
    def default_order(self) -> int:
        """The order: as given, or what works well for words or for characters."""
        return self.order or (6 if self.of_characters else 4)

    def pretrained_model(self) -> PretrainedLM:
        """Return an unfitted pretrained network with the given options."""
        from byline.lm import PretrainedLM

        if self.base is None:
            raise typer.BadParameter(
                f"{setting('lm', 'pretrained')} needs {setting('base')}: the folder of the "
                "pretrained model"
            )
        return PretrainedLM(random_state=self.seed, **self.pretrained_parameters())

    def encoder(self) -> TextEncoder:
        """Return an unfitted encoder; a pretrained network has its own tokenizer."""
        from byline.text import SubwordEncoder

        if self.lm is not LmKind.PRETRAINED:
            return super().encoder()
        why = f"cannot be combined with {setting('lm', 'pretrained')}, which has its own tokenizer"
        refuse_options(self, _OF_OTHER_TOKENS, why)
        return SubwordEncoder(
            str(self.base or ""), language=self.language, normalization=self.normalize
        )

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Choose the tokens that suit these texts, unless the model has its own tokenizer."""
        return self if self.lm is LmKind.PRETRAINED else super().for_texts(texts)

    def recurrent_model(self) -> RecurrentLM:
        """Return an unfitted recurrent network: the prototype with the given options."""
        from byline.lm.inputs import set_parameters

        model = self.recurrent_prototype()
        set_parameters(model, {"random_state": self.seed, **self.recurrent_parameters()})
        return model

    def recurrent_prototype(self) -> RecurrentLM:
        """Return the recurrent network that the options modify."""
        from byline.lm import RecurrentLM

        return RecurrentLM()

    def feedforward_model(self) -> FeedForwardLM:
        """Return an unfitted feed-forward network: the prototype with the given options."""
        from byline.lm.inputs import set_parameters

        model = self.feedforward_prototype()
        if self.of_characters:
            model.set_params(context=self.default_order - 1)
        set_parameters(model, {"random_state": self.seed, **self.feedforward_parameters()})
        if self.order is not None:
            model.set_params(context=self._context_of_order(self.order))
        if (model.target_position or 1) > model.context + 1:
            raise typer.BadParameter(
                f"{setting('target_position', model.target_position)} is too large: with a "
                f"context of {model.context} tokens it must be 1 to {model.context + 1}"
            )
        return model

    def feedforward_prototype(self) -> FeedForwardLM:
        """Return the feed-forward network that the options modify."""
        from byline.lm import FeedForwardLM

        return FeedForwardLM()

    def _context_of_order(self, order: int) -> int:
        if self.context is not None:
            refuse_options(
                self, ["order"], f"contradicts {setting('context')}; give only one of them"
            )
        if order == 1:
            refuse_options(
                self, ["order"], f"must be 2 or more with {setting('lm', 'feedforward')}"
            )
        return order - 1
