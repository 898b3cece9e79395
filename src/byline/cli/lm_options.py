"""Options of `byline lm`: smoothing, count cut-offs, presets, and text that is tokenised."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import typer

from byline.cli.model_options import LmKind, ModelSettings
from byline.cli.options import TextSettings, refuse_options

if TYPE_CHECKING:
    from byline.lm import FeedForwardLM, LanguageModel, NgramLM, Scoring
    from byline.text import TextEncoder
    from byline.text.pretokenized import PretokenizedEncoder

TokenisedOption = Annotated[
    bool,
    typer.Option(
        "--tokenised",
        help="Take TEXT as it is: one sentence a line, tokens between spaces. Blank lines are "
        "skipped, as by SRILM; in models of `--preset kenlm` they are empty sentences. "
        "`--preset ge-sun-2016` still prunes the vocabulary.",
    ),
]
_NGRAM_OPTIONS = ("smoothing", "interpolate", "min_count", "open_vocabulary")
_TEXT_OPTIONS = tuple(field.name for field in fields(TextSettings))
SRILM_ORDER = 3
_MIN_COUNT = re.compile(r"([1-9]\d{0,8})=([1-9]\d{0,8})")


class SmoothingMethod(StrEnum):
    """How n-gram probabilities are estimated."""

    GOOD_TURING = "good-turing"
    KNESER_NEY = "kneser-ney"
    MODIFIED_KNESER_NEY = "modified-kneser-ney"
    WITTEN_BELL = "witten-bell"
    ABSOLUTE = "absolute"


class Preset(StrEnum):
    """Programs, and a paper, whose defaults a model may have."""

    SRILM = "srilm"
    KENLM = "kenlm"
    GE_SUN_2016 = "ge-sun-2016"

    @property
    def family(self) -> LmKind:
        """The models it is of."""
        return LmKind.FEEDFORWARD if self is Preset.GE_SUN_2016 else LmKind.NGRAM


def _min_counts(given: list[str] | None) -> list[str] | None:
    for value in given or ():
        if not _MIN_COUNT.fullmatch(value):
            raise typer.BadParameter(f"{value!r} is not like 3=2, an order and a count")
    return given


@dataclass(frozen=True, kw_only=True)
class FitSettings(ModelSettings):
    """Which language model, over which tokens, smoothed how or trained how."""

    smoothing: Annotated[
        SmoothingMethod | None,
        typer.Option(help="Smoothing of n-grams; modified-kneser-ney.", show_default=False),
    ] = None
    interpolate: Annotated[
        bool | None,
        typer.Option(
            "--interpolate/--back-off",
            help="Let the order below add to seen n-grams, or serve unseen ones alone; "
            "interpolated, except for good-turing.",
            show_default=False,
        ),
    ] = None
    preset: Annotated[
        Preset | None,
        typer.Option(
            help="Defaults of SRILM's ngram-count (order 3, good-turing, minimum counts, closed "
            "vocabulary) or of KenLM's lmplz; or, for feedforward, the paper's, text and "
            "vocabulary included. Other options change them.",
            show_default=False,
        ),
    ] = None
    min_count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORDER=COUNT",
            callback=_min_counts,
            help="Leave out n-grams of an order, and of higher ones, seen less often; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None
    open_vocabulary: Annotated[
        bool,
        typer.Option(
            "--open-vocabulary",
            help="Give unknown words a probability; the default, but not with --preset srilm.",
        ),
    ] = False
    tokenised: TokenisedOption = False

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Settle what the tokens of these texts are, unless something else does."""
        settled = self.tokenised or self.preset is Preset.GE_SUN_2016
        return self if settled else super().for_texts(texts)

    def encoder(self) -> TextEncoder | PretokenizedEncoder:
        """Make the unfitted encoder these settings describe."""
        from byline.text import TextEncoder
        from byline.text.pretokenized import PretokenizedEncoder

        if self.tokenised:
            refuse_options(self, _TEXT_OPTIONS, "changes a text; --tokenised takes it as it is")
            if self.preset is Preset.GE_SUN_2016:
                return PretokenizedEncoder.like_ge_sun_2016()
            blank_lines = "sentence" if self.preset is Preset.KENLM else "skip"
            return PretokenizedEncoder(blank_lines=blank_lines)
        if self.preset is Preset.GE_SUN_2016:
            refuse_options(self, _TEXT_OPTIONS, "is settled by --preset ge-sun-2016")
            return TextEncoder.like_ge_sun_2016()
        return super().encoder()

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model these settings describe."""
        if self.lm is not LmKind.NGRAM:
            refuse_options(self, _NGRAM_OPTIONS, "goes with --lm ngram only")
        if self.preset is not None and self.preset.family is not self.lm:
            family = self.preset.family.value
            raise typer.BadParameter(f"--preset {self.preset.value} goes with --lm {family} only")
        if self.preset is Preset.KENLM:
            names = ("smoothing", "interpolate")
            refuse_options(self, names, "cannot be chosen with --preset kenlm")
        return super().language_model()

    def feedforward_prototype(self) -> FeedForwardLM:
        """Make the feed-forward network that options change, the preset's where there is one."""
        from byline.lm import FeedForwardLM

        return FeedForwardLM.like_ge_sun_2016() if self.preset else super().feedforward_prototype()

    def ngram_model(self) -> NgramLM:
        """Make the unfitted n-gram model, the preset's where there is one."""
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
        """Return the preset's minimum counts, changed as the options say."""
        min_counts = {n: 2 for n in range(3, model.order + 1) if self.preset is Preset.SRILM}
        for value in self.min_count or ():
            order, count = map(int, value.split("="))
            if order > model.order:
                raise typer.BadParameter(
                    f"--min-count {value}: the model's orders are 1 to {model.order}"
                )
            min_counts[order] = count
        return min_counts


@dataclass(frozen=True, kw_only=True)
class ScoringSettings:
    """What of a text is scored, where not as the model was fitted."""

    no_sos: Annotated[
        bool, typer.Option("--no-sos", help="Score a sentence's first word without context.")
    ] = False
    no_eos: Annotated[
        bool, typer.Option("--no-eos", help="Do not score the ends of sentences.")
    ] = False
    unknown: Annotated[
        Literal["skip", "score", "ge-sun-2016"] | None,
        typer.Option(
            help="Unknown words: left out, as by SRILM; scored like others; or, as by the paper's "
            "program, in the sum of log-probabilities but not in the number it is divided by. By "
            "default as the model was fitted.",
            show_default=False,
        ),
    ] = None
    positions: Annotated[
        Literal["every", "full"] | None,
        typer.Option(
            help="Score every token, or only those whose whole context is in the sentence: full "
            "n-grams.",
            show_default=False,
        ),
    ] = None

    def scoring(self, own: Scoring) -> Scoring:
        """Change a model's own scoring as these settings say."""
        return replace(
            own,
            sentence_start=own.sentence_start and not self.no_sos,
            sentence_end=own.sentence_end and not self.no_eos,
            unknown=self.unknown or own.unknown,
            positions=self.positions or own.positions,
        )
