"""Summaries: one plain dict per report, from which JSON, HTML and terminal text are made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from byline.answering.provenance import versions
from byline.attribution import Attribution, Evidence, SimilarCases
from byline.attribution.calibration import verbal_scale
from byline.attribution.caveats import Caveat
from byline.attribution.known_copy import KnownCopy
from byline.attribution.open_set import OpenSetDecision
from byline.experiments import Evaluation
from byline.formatting import rounds_to_zero
from byline.report.evidence import SENTENCE_DECIMALS, join_tokens

SCHEMA = 2
N_SENTENCES = 5
N_TOKENS = 12
STRONG_LOG_LR = 3.0  # nats, for language models without a stack: twenty times as likely

Summary = dict[str, Any]


def attribution_summary(
    attributions: Sequence[Attribution],
    evidence: Sequence[Evidence | None] = (),
    caveats: Sequence[Sequence[Caveat]] = (),
    keywords: Sequence[Sequence[Summary] | None] = (),
) -> Summary:
    """Summarise the attributions of questioned texts.

    Parameters
    ----------
    attributions : sequence of Attribution
    evidence : sequence of Evidence or None, optional
        One per text. The entry of a text has the key "evidence" only if this is given.
    caveats : sequence of sequences of Caveat, optional
        Those of each text. The entry of a text has the key "caveats" only if this is given.
    keywords : sequence of lists of dict or None, optional
        As `byline.report.keywords.keywords_summary` returns it for each text. The entry of a text
        has the key "keywords" only if this is given.

    Returns
    -------
    dict
        "schema" and "questioned", a list with one entry per text: "path"; "n_tokens"; "scored_by";
        "declined" (None, or the reason); "known_copy" (None; or "author", "share", "work" and
        "sentence", if the text is declined because it occurs in the known texts);
        "calibration_unavailable_reason" (None, or why there are no probabilities);
        "calibration_basis" (None, or what they are calibrated on);
        "similar_cases" (None, or the fields of `SimilarCases`, "accuracy" and "sentence");
        "ranking", best candidate first, with "author", "score" (which they are ranked by),
        "log_likelihood" and "log_likelihood_per_token" (nats) and "perplexity" (all three None
        without language models), "probability", "log10_lr", "support" (the ratio in words; all
        three None if not calibrated) and "posterior_uncalibrated"; "contributions" of the base
        classifiers to the log-odds of the first candidate against the second (nats; empty for
        language models alone); "open_set": None for a closed-set question, otherwise the fields of
        `OpenSetDecision`, "verdict" (one sentence), "points" (its basis, as sentences), "finding",
        "basis" and "sentence"; and "caveats", with "code", "severity", "sentence",
        "advice" and "figures". All values can be written as JSON; a number that is not finite is
        None.

    See Also
    --------
    print_attribution : Prints it.
    case_html : A report that can be handed to others.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> summary = attribution_summary(attributor.attribute(["The cat sat."]))
    >>> summary["questioned"][0]["ranking"][0]["author"]
    'Ann'
    """
    questioned = [_attribution(attribution) for attribution in attributions]
    if caveats:
        for entry, found in zip(questioned, caveats, strict=True):
            entry["caveats"] = [caveat.to_dict() for caveat in found]
    if keywords:
        for entry, words in zip(questioned, keywords, strict=True):
            entry["keywords"] = words
    if evidence:
        for entry, shown in zip(questioned, evidence, strict=True):
            entry["evidence"] = None if shown is None else evidence_summary(shown)
    return _with_schema({"questioned": questioned})


def evaluation_summary(evaluation: Evaluation) -> Summary:
    """Summarise an evaluation: "schema", "versions" and the keys of `Evaluation.figures`.

    See Also
    --------
    print_evaluation, evaluation_html : Show it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.experiments import Fold, evaluate_fitted
    >>> from byline.lm import NgramLM
    >>> known = [
    ...     Document("Ann", "The cat sat on the mat. The cat slept.", "ann/1.txt"),
    ...     Document("Bob", "A dog ran in a park. A dog barked.", "bob/1.txt"),
    ... ]
    >>> questioned = [Document("Ann", "The cat sat.", "ann/2.txt")]
    >>> fold = Fold(Corpus(known, "toy"), Corpus(questioned, "toy"))
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(fold.known.texts, fold.known.authors)
    >>> evaluation = evaluate_fitted(attributor, fold)
    >>> evaluation_summary(evaluation)["accuracy"]
    1.0
    """
    return _with_schema({"versions": versions(), **evaluation.figures()})


def evidence_summary(evidence: Evidence) -> Summary:
    """Summarise the evidence of words and sentences for and against two candidates.

    Returns
    -------
    dict
        "first" and "second" (the candidates); "log_lr" (nats, for the whole text); "constant" (the
        part of it that belongs to no word); "length_log_lr" (the part from the lengths of sentences
        and paragraphs); "base_classifiers": "name" and "log_lr" of each base classifier, which sum
        to "log_lr" together with "author_intercepts"; "strong": the log-LR of a word in the
        darkest shade; "sentences": the most discriminating ones, with "number" (from 1), "log_lr"
        and "tokens"; "tokens_for_first" and "tokens_for_second": "token", "unknown", "count" and
        "log_lr", where n-grams of characters stand for tokens that are characters.
    """
    return {
        "first": evidence.first,
        "second": evidence.second,
        "log_lr": evidence.log_lr,
        "constant": evidence.constant,
        "length_log_lr": evidence.length_log_lr,
        "author_intercepts": evidence.log_lr
        - math.fsum(log_lr for _, log_lr in evidence.by_classifier),
        "base_classifiers": [
            {"name": name, "log_lr": log_lr} for name, log_lr in evidence.by_classifier
        ],
        "strong": _strong(evidence),
        "n_sentences": len(evidence.sentences),
        "sentences": [
            {
                "number": sentence.number + 1,
                "log_lr": sentence.log_lr,
                "tokens": [
                    {"token": token.token, "unknown": token.unknown, "log_lr": token.log_lr}
                    for token in sentence.tokens
                ],
            }
            for sentence in evidence.top_sentences(N_SENTENCES)
            if not rounds_to_zero(sentence.log_lr, SENTENCE_DECIMALS)
        ],
        "tokens_for_first": _top_tokens(evidence, "first"),
        "tokens_for_second": _top_tokens(evidence, "second"),
    }


def how_split(split: Mapping[str, Any]) -> str:
    """Describe how texts were held out, given an evaluation's "split".

    Examples
    --------
    >>> how_split({"protocol": "document", "folds": 5, "random_state": 0})
    'by whole document, in 5 folds (seed 0)'
    """
    protocol = split["protocol"]
    if protocol == "test":
        return f"none; the questioned texts are a separate corpus, {split['test']}"
    if protocol == "hold-out":
        return f"{split['n_held_out']} whole documents, once"
    folds, seed = split["folds"], split["random_state"]
    unit = protocol if protocol == "sentence" else f"whole {protocol}"
    if folds == "leave-one-out":
        return f"by {unit}, leave-one-out"
    times = "one fifth held out once" if folds == 1 else f"in {folds} folds"
    return f"by {unit}, {times} (seed {seed})"


def _attribution(attribution: Attribution) -> Summary:
    return {
        "path": attribution.path,
        "n_tokens": attribution.n_tokens,
        "scored_by": attribution.scored_by,
        "declined": attribution.declined,
        "known_copy": _known_copy(attribution.known_copy),
        "calibration_unavailable_reason": attribution.calibration_unavailable_reason,
        "calibration_basis": attribution.calibration_basis,
        "similar_cases": _similar_cases(attribution.similar_cases),
        "ranking": [
            {
                "author": place.author,
                "score": place.score,
                "log_likelihood": place.log_likelihood,
                "log_likelihood_per_token": place.log_likelihood_per_token,
                "perplexity": place.perplexity,
                "probability": place.probability,
                "log10_lr": place.log10_lr,
                "support": None if place.log10_lr is None else verbal_scale(place.log10_lr),
                # A second probability would be mistaken for the calibrated one.
                "posterior_uncalibrated": None
                if place.probability is not None
                else place.posterior_uncalibrated,
            }
            for place in attribution.ranking
        ],
        "contributions": dict(attribution.contributions),
        "open_set": None if attribution.open_set is None else _open_set(attribution.open_set),
    }


def _similar_cases(found: SimilarCases | None) -> Summary | None:
    if found is None:
        return None
    return asdict(found) | {"accuracy": found.accuracy, "sentence": found.sentence}


def _known_copy(found: KnownCopy | None) -> Summary | None:
    return None if found is None else asdict(found) | {"sentence": found.headline}


def _open_set(answer: OpenSetDecision) -> Summary:
    return asdict(answer) | {
        "missed_attribution_rate": answer.missed_attribution_rate,
        "verdict": answer.verdict,
        "points": list(answer.points),
        "finding": answer.finding,
        "basis": answer.basis,
        "sentence": answer.sentence,
    }


def _strong(evidence: Evidence) -> float:
    """Return the log-LR of a strong word: for a stack, the value that 1 % of its words exceed."""
    sizes = [abs(token.log_lr) for sentence in evidence.sentences for token in sentence.tokens]
    if not evidence.by_classifier or not sizes:
        return STRONG_LOG_LR
    return float(np.quantile(sizes, 0.99)) or STRONG_LOG_LR


def _top_tokens(evidence: Evidence, favours: Literal["first", "second"]) -> list[Summary]:
    decimals = 2 if evidence.by_classifier else 1  # as they are printed
    if evidence.of_characters:  # one character alone means nothing to a reader
        runs = evidence.top_ngrams(N_TOKENS, favours=favours)
        runs = [entry for entry in runs if not rounds_to_zero(entry.log_lr, decimals)]
        return [
            {
                "token": join_tokens(entry.tokens, evidence),
                "unknown": False,
                "count": entry.count,
                "log_lr": entry.log_lr,
            }
            for entry in runs
        ]
    return [
        {
            "token": entry.token,
            "unknown": entry.unknown,
            "count": entry.count,
            "log_lr": entry.log_lr,
        }
        for entry in evidence.top_tokens(N_TOKENS, favours=favours)
        if not rounds_to_zero(entry.log_lr, decimals)
    ]


def _with_schema(values: Summary) -> Summary:
    return {"schema": SCHEMA} | {key: json_values(value) for key, value in values.items()}


def json_values(value: Any) -> Any:
    """Copy nested values as JSON needs them: lists for tuples, None for NaN and infinities.

    Negative zeros become 0.0.

    Examples
    --------
    >>> json_values({"values": (1, float("nan"), -0.0)})
    {'values': [1, None, 0.0]}
    """
    if isinstance(value, Mapping):
        return {str(key): json_values(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [json_values(entry) for entry in value]
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    return value
