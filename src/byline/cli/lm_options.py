"""Options of `byline lm`: smoothing, count cut-offs, presets, and text that is tokenised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.options import DEFAULT_ORDER, LmKind, ModelSettings, TextSettings

if TYPE_CHECKING:
    from byline.lm import LanguageModel, NgramLM
    from byline.text import TextEncoder
    from byline.text.tokenised import TokenisedEncoder

TokenisedOption = Annotated[
    bool,
    typer.Option(
        "--tokenised",
        help="Take TEXT as it is: one sentence a line, tokens between spaces. Blank lines are "
        "skipped, as by SRILM; in models of `--preset kenlm` they are empty sentences.",
    ),
]
_NGRAM_OPTIONS = ("smoothing", "interpolate", "preset", "min_count", "open_vocabulary")
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
    """Programs whose defaults a model may have."""

    SRILM = "srilm"
    KENLM = "kenlm"


def _min_counts(given: list[str] | None) -> list[str] | None:
    for value in given or ():
        if not _MIN_COUNT.fullmatch(value):
            raise typer.BadParameter(f"{value!r} is not like 3=2, an order and a count")
    return given


@dataclass(frozen=True, kw_only=True)
class SmoothingSettings(ModelSettings):
    """Which language model, over which tokens, smoothed how."""

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
            "vocabulary) or of KenLM's lmplz; other options change them.",
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

    def encoder(self) -> TextEncoder | TokenisedEncoder:
        """Make the unfitted encoder these settings describe."""
        from byline.text.tokenised import TokenisedEncoder

        if not self.tokenised:
            return super().encoder()
        text_options = [field.name for field in fields(TextSettings)]
        self._refuse(text_options, "changes a text, and --tokenised takes it as it is")
        return TokenisedEncoder(blank_lines="sentence" if self.preset is Preset.KENLM else "skip")

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model these settings describe."""
        model = super().language_model()  # refuses options of networks, or is a network
        if self.lm is not LmKind.NGRAM:
            self._refuse(_NGRAM_OPTIONS, "goes with --lm ngram only")
            return model
        if self.preset is Preset.KENLM:
            self._refuse(["smoothing", "interpolate"], "cannot be chosen with --preset kenlm")
        return self._ngram_model()

    def _ngram_model(self) -> NgramLM:
        from byline.lm import NgramLM

        order = self.order or DEFAULT_ORDER[self.unit]
        chosen: dict[str, Any] = {
            "smoothing": self.smoothing and self.smoothing.value,
            "interpolate": self.interpolate,
            "open_vocabulary": self.open_vocabulary or None,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        if self.preset is Preset.SRILM:
            model = NgramLM.like_srilm(self.order or SRILM_ORDER, **given)
        elif self.preset is Preset.KENLM:
            model = NgramLM.like_kenlm(order)
        else:
            model = NgramLM(order=order, **given)
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

    def _refuse(self, names: Sequence[str], why: str) -> None:
        defaults = {field.name: field.default for field in fields(self)}
        for name in names:
            value = getattr(self, name)
            if value != defaults[name]:
                option = "back-off" if (name, value) == ("interpolate", False) else name
                raise typer.BadParameter(f"--{option.replace('_', '-')} {why}")
