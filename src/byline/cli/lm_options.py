"""Options of `byline lm`: smoothing, minimum counts, presets, tokenised text, and scoring."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import typer

from byline.cli.model_options import LmKind, ModelSettings
from byline.cli.options import MODEL_PANEL, TextSettings, refuse_options

if TYPE_CHECKING:
    from byline.lm import FeedForwardLM, LanguageModel, NgramLM, Scoring
    from byline.text import TextEncoder
    from byline.text.pretokenized import PretokenizedEncoder

TokenisedOption = Annotated[
    bool,
    typer.Option(
        "--tokenised",
        help="Read TEXT as it is: one sentence per line, tokens separated by spaces. Blank lines "
        "are skipped, as in SRILM; with `--preset kenlm` they are empty sentences. "
        "`--preset ge-sun-2016` still prunes the vocabulary.",
    ),
]
_NGRAM_OPTIONS = ("smoothing", "interpolate", "min_count", "open_vocabulary")
_TEXT_OPTIONS = tuple(field.name for field in fields(TextSettings))
SRILM_ORDER = 3
_MIN_COUNT = re.compile(r"([1-9]\d{0,8})=([1-9]\d{0,8})")


class SmoothingMethod(StrEnum):
    """Smoothing methods of n-gram models."""

    GOOD_TURING = "good-turing"
    KNESER_NEY = "kneser-ney"
    MODIFIED_KNESER_NEY = "modified-kneser-ney"
    WITTEN_BELL = "witten-bell"
    ABSOLUTE = "absolute"


class Preset(StrEnum):
    """Programs, and a paper, whose defaults can be used."""

    SRILM = "srilm"
    KENLM = "kenlm"
    GE_SUN_2016 = "ge-sun-2016"

    @property
    def family(self) -> LmKind:
        """The family of models to which the preset belongs."""
        return LmKind.FEEDFORWARD if self is Preset.GE_SUN_2016 else LmKind.NGRAM


def _min_counts(given: list[str] | None) -> list[str] | None:
    for value in given or ():
        if not _MIN_COUNT.fullmatch(value):
            raise typer.BadParameter(f"{value!r} does not have the form ORDER=COUNT, such as 3=2")
    orders = [value.partition("=")[0] for value in given or ()]
    for order in orders:
        if orders.count(order) > 1:
            raise typer.BadParameter(f"order {order} has several counts; give one per order")
    return given


@dataclass(frozen=True, kw_only=True)
class FitSettings(ModelSettings):
    """The language model, its tokens, and how it is smoothed or trained."""

    smoothing: Annotated[
        SmoothingMethod | None,
        typer.Option(
            help="Smooth n-gram counts with this method. The default is modified-kneser-ney.",
            rich_help_panel=MODEL_PANEL,
            show_default=False,
        ),
    ] = None
    interpolate: Annotated[
        bool | None,
        typer.Option(
            "--interpolate/--back-off",
            help="Interpolate with the next lower order, or use it for unobserved n-grams only. "
            "The default is --interpolate, except with good-turing.",
            rich_help_panel=MODEL_PANEL,
            show_default=False,
        ),
    ] = None
    preset: Annotated[
        Preset | None,
        typer.Option(
            help="Use the defaults of SRILM's ngram-count (order 3, good-turing, minimum counts, "
            "closed vocabulary), of KenLM's lmplz, or, with --lm feedforward, of the paper of Ge & "
            "Sun (2016), including its text processing and vocabulary. Other options override "
            "them.",
            rich_help_panel=MODEL_PANEL,
            show_default=False,
        ),
    ] = None
    min_count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORDER=COUNT",
            callback=_min_counts,
            help="Remove n-grams of this order and of higher orders with fewer occurrences. Can be "
            "repeated.",
            rich_help_panel=MODEL_PANEL,
            show_default=False,
        ),
    ] = None
    open_vocabulary: Annotated[
        bool,
        typer.Option(
            "--open-vocabulary",
            help="Give unknown words a probability. This is the default, except with "
            "--preset srilm.",
            rich_help_panel=MODEL_PANEL,
        ),
    ] = False
    tokenised: TokenisedOption = False

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Choose the tokens that suit these texts, unless other options determine them."""
        settled = self.tokenised or self.preset is Preset.GE_SUN_2016
        return self if settled else super().for_texts(texts)

    def encoder(self) -> TextEncoder | PretokenizedEncoder:
        """Make the unfitted encoder for these settings."""
        from byline.text import TextEncoder
        from byline.text.pretokenized import PretokenizedEncoder

        if self.tokenised:
            refuse_options(
                self,
                _TEXT_OPTIONS,
                "cannot be combined with --tokenised, which uses the text as it is",
            )
            if self.preset is Preset.GE_SUN_2016:
                return PretokenizedEncoder.like_ge_sun_2016()
            blank_lines = "sentence" if self.preset is Preset.KENLM else "skip"
            return PretokenizedEncoder(blank_lines=blank_lines)
        if self.preset is Preset.GE_SUN_2016:
            refuse_options(self, _TEXT_OPTIONS, "is determined by --preset ge-sun-2016")
            return TextEncoder.like_ge_sun_2016()
        return super().encoder()

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model for these settings."""
        if self.lm is not LmKind.NGRAM:
            refuse_options(self, _NGRAM_OPTIONS, "is only valid with --lm ngram")
        if self.lm is LmKind.PRETRAINED:
            refuse_options(self, ["tokenised"], "cannot be combined with --lm pretrained")
        if self.preset is not None and self.preset.family is not self.lm:
            family = self.preset.family.value
            raise typer.BadParameter(
                f"--preset {self.preset.value} is only valid with --lm {family}"
            )
        if self.preset is Preset.KENLM:
            names = ("smoothing", "interpolate")
            refuse_options(self, names, "is determined by --preset kenlm")
        return super().language_model()

    def feedforward_prototype(self) -> FeedForwardLM:
        """Make the feed-forward network that the options change, according to the preset."""
        from byline.lm import FeedForwardLM

        return FeedForwardLM.like_ge_sun_2016() if self.preset else super().feedforward_prototype()

    def ngram_model(self) -> NgramLM:
        """Make the unfitted n-gram model, according to the preset and the options."""
        from byline.lm import NgramLM

        chosen: dict[str, Any] = {
            "smoothing": self.smoothing and self.smoothing.value,
            "interpolate": self.interpolate,
            "open_vocabulary": self.open_vocabulary or None,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        if self.preset is Preset.SRILM:
            model = NgramLM.like_srilm(self.order or SRILM_ORDER, **given)
        elif self.preset is Preset.KENLM:
            model = NgramLM.like_kenlm(self.default_order)
        else:
            model = NgramLM(order=self.default_order, **given)
        if self.min_count:
            model.set_params(min_counts=self._min_counts_of(model))
        return model

    def _min_counts_of(self, model: NgramLM) -> dict[int, int]:
        """Return the minimum counts of the preset, overridden by the options."""
        min_counts = {n: 2 for n in range(3, model.order + 1) if self.preset is Preset.SRILM}
        for value in self.min_count or ():
            order, count = map(int, value.split("="))
            if order > model.order:
                raise typer.BadParameter(
                    f"--min-count {value}: the order must be from 1 to {model.order}"
                )
            min_counts[order] = count
        return min_counts


@dataclass(frozen=True, kw_only=True)
class ScoringSettings:
    """Which tokens of a text are scored, if it differs from the training of the model."""

    no_sos: Annotated[
        bool, typer.Option("--no-sos", help="Score the first word of a sentence without context.")
    ] = False
    no_eos: Annotated[
        bool, typer.Option("--no-eos", help="Do not score the end of a sentence.")
    ] = False
    unknown: Annotated[
        Literal["skip", "score", "ge-sun-2016"] | None,
        typer.Option(
            help="Skip unknown words, like SRILM; score them like other words; or, like the "
            "program of Ge & Sun (2016), include them in the sum of log-probabilities but not in "
            "the number of tokens. The default depends on the model.",
            show_default=False,
        ),
    ] = None
    positions: Annotated[
        Literal["every", "full"] | None,
        typer.Option(
            help="Score every token, or only full n-grams: tokens whose whole context is in the "
            "sentence.",
            show_default=False,
        ),
    ] = None

    def scoring(self, own: Scoring) -> Scoring:
        """Return the default scoring of a model, changed by these settings."""
        return replace(
            own,
            sentence_start=own.sentence_start and not self.no_sos,
            sentence_end=own.sentence_end and not self.no_eos,
            unknown=self.unknown or own.unknown,
            positions=self.positions or own.positions,
        )
