"""The output of `byline lm perplexity`, as JSON and as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import typer

from byline.attribution.text_language_model import LOG_10, ScoredToken, TextLanguageModel
from byline.errors import UsageError
from byline.lm import Measurement, NgramLM, Scoring

_DESCRIPTIONS = {
    ("sentence_start", False): "first words without context",
    ("sentence_end", False): "sentence ends not scored",
    ("unknown", "score"): "unknown words scored",
    ("unknown", "skip"): "unknown words skipped",
    ("unknown", "ge-sun-2016"): "unknown words summed but not counted",
    ("positions", "every"): "every position scored",
    ("positions", "full"): "full n-grams only",
}


@dataclass(frozen=True, slots=True)
class ScoredText:
    """The measurement of a text, and its tokens if they were requested."""

    path: str
    measurement: Measurement
    tokens: tuple[ScoredToken, ...] | None


def score_text(
    path: str, model: TextLanguageModel, text: str, scoring: Scoring, *, tokens: bool
) -> ScoredText:
    """Measure one text.

    Raises
    ------
    UsageError
        The model was not fitted for these scoring options, or ``tokens`` are requested and the
        model has no n-gram orders.
    """
    measurement = model.measure(text, scoring)
    if not tokens:
        return ScoredText(path, measurement, None)
    if not isinstance(model.model, NgramLM):
        raise UsageError(f"--tokens requires an n-gram model; this is a {model.model.kind} model")
    return ScoredText(path, measurement, tuple(model.full_scores(text, scoring)))


def measurements_to_json(
    rows: Sequence[ScoredText], total: Measurement, scoring: Scoring
) -> dict[str, Any]:
    """Return the results of all texts together and of each text; null if not a finite number."""
    texts = []
    for row in rows:
        text = {"path": row.path, **_figures(row.measurement)}
        if row.tokens is not None:
            text["tokens"] = [
                {
                    "token": token.token,
                    "log10_probability": _finite(token.log10_probability),
                    "order": token.order,
                    "oov": token.is_oov,
                }
                for token in row.tokens
            ]
        texts.append(text)
    return {"schema": 1, "scoring": asdict(scoring), **_figures(total), "texts": texts}


def print_measurements(rows: Sequence[ScoredText], total: Measurement, scoring: str) -> None:
    """Print the requested tokens and the results of each text, then those of all texts together.

    Each line of results includes the description ``scoring``, if it is not empty.
    """
    for row in rows:
        for token in row.tokens or ():
            typer.echo(_line(token))
        typer.echo(f"{row.path}: {_sentence(row.measurement, scoring)}")
    if len(rows) > 1:
        typer.echo(f"all {len(rows)} texts: {_sentence(total, scoring)}")


def describe_differences(scoring: Scoring, default: Scoring) -> str:
    """Describe how ``scoring`` differs from the default of a model; empty if it does not."""
    return "; ".join(
        _DESCRIPTIONS[name, value]
        for name, value in asdict(scoring).items()
        if value != getattr(default, name)
    )


def _figures(row: Measurement) -> dict[str, Any]:
    return {
        "perplexity": _finite(row.perplexity),
        "n_tokens": row.n_tokens,
        "n_oov": row.n_oov,
        "log10_probability": _finite(row.log_prob / LOG_10),
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def _line(token: ScoredToken) -> str:
    log10 = token.log10_probability
    excluded = "OOV" if token.is_oov else "-"
    return f"{token.token}\t{excluded if log10 is None else f'{log10:.6f}'}\t{token.order}"


def _sentence(row: Measurement, scoring: str) -> str:
    how = f" ({scoring})" if scoring else ""
    if not row.n_tokens:
        return f"no token was scored, so there is no perplexity{how}"
    return (
        f"perplexity {row.perplexity:.2f}, {row.n_tokens:,} tokens scored, "
        f"{row.n_oov:,} unknown, log10 probability {row.log_prob / LOG_10:.2f}{how}"
    )
