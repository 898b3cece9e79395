"""The case report: question, answer, evidence and method, so that others can check them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sklearn.base import BaseEstimator

from byline.answering import Answers
from byline.attribution import (
    AuthorshipAttributor,
    Evidence,
    ReferenceValidation,
    StackedAttributor,
)
from byline.attribution.rolling import rolling_attribution
from byline.attribution.stacking.combination import count_characters
from byline.attribution.training_record.record import RecordDifferences, TrainingRecord
from byline.report.case_details import LABELS, CaseDetails
from byline.report.case_sentences import (
    answer_sentence,
    contributions_sentence,
    likelihood_ratio_sentence,
)
from byline.report.charts.calibration import reliability_chart, tippett_chart
from byline.report.charts.lines import length_chart
from byline.report.evidence import evidence_part
from byline.report.html import render
from byline.report.keywords import keywords_summary
from byline.report.performance import (
    cases_like_summary,
    performance_summary,
    row_of_length,
    simulated_summary,
)
from byline.report.propositions import attribution_propositions, verbal_scale_table
from byline.report.rolling import rolling_part, rolling_summary
from byline.report.sensitivity import EXPLANATION, NOT_COMPARABLE, sensitivity_chart
from byline.report.summary import Summary, attribution_summary, json_values, versions


@dataclass(frozen=True, slots=True)
class CaseInput:
    """A file that an answer is based on.

    Attributes
    ----------
    role : str
        The role of the file, such as "model" or "questioned text".
    name : str
        The name given on the command line.
    sha256 : str
        64 hexadecimal digits.
    hashed : str
        What was hashed: the "file", or a "text" in UTF-8 that is not a file.

    Examples
    --------
    >>> CaseInput("model", "model.byline", "0" * 64, "file").role
    'model'
    """

    role: str
    name: str
    sha256: str
    hashed: str


@dataclass(frozen=True, slots=True)
class CaseOrigin:
    """What another examiner needs to repeat the attribution.

    Attributes
    ----------
    command : str
        The command line, quoted for a shell.
    inputs : tuple of CaseInput
        The files that were read.
    known : str or None
        The name of the known texts, if they were given.
    differences : Differences or None
        The differences between those and the model's training texts; None if one of them is not
        available.
    details : CaseDetails
        What the examiner states about the case.

    See Also
    --------
    case_summary : Adds it to the answers.

    Examples
    --------
    >>> CaseOrigin("byline attribute model.byline note.txt", ()).known is None
    True
    """

    command: str
    inputs: tuple[CaseInput, ...]
    known: str | None = None
    differences: RecordDifferences | None = None
    details: CaseDetails = field(default_factory=CaseDetails)


def answers_summary(
    answers: Answers, evidence: Sequence[Evidence | None] = (), *, top: int | None = None
) -> Summary:
    """Summarise the answers about questioned texts as a JSON-serialisable dictionary.

    Parameters
    ----------
    answers : Answers
        The answers, as `byline.answering.answer_texts` returns them.
    evidence : sequence of Evidence or None, optional
        The explanation of each answer, as `Answers.evidence` returns it.
    top : int, optional
        Keep only the first candidates of each ranking; by default all.

    Returns
    -------
    dict
        As `byline.report.attribution_summary` returns it, with the rules of "normalization". Each
        entry of "questioned" has "cases_like_this_one" (see `cases_like_summary`; None without a
        reference population).
    """
    shown = [replace(answer, ranking=answer.ranking[:top]) for answer in answers.attributions]
    keywords = [pair and keywords_summary(pair) for pair in answers.keywords]
    summary = attribution_summary(shown, evidence, answers.caveats, keywords)
    simulated = simulated_summary(_validation(answers.attributor))
    for entry, size in zip(summary["questioned"], count_characters(answers.texts), strict=True):
        entry["cases_like_this_one"] = json_values(cases_like_summary(simulated, int(size)))
    return summary | {"normalization": str(answers.attributor.normalization_)}


def case_summary(
    answers: Summary,
    attributor: AuthorshipAttributor | StackedAttributor,
    texts: Sequence[str],
    evidence: Sequence[Evidence | None],
    origin: CaseOrigin,
) -> Summary:
    """Summarise a case.

    Parameters
    ----------
    answers : dict
        As `answers_summary` returns it.
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered.
    texts : sequence of str
        The questioned texts.
    evidence : sequence of Evidence or None
        The explanation of each answer; None if declined.
    origin : CaseOrigin
        The command and the files.

    Returns
    -------
    dict
        The keys of ``answers``. Each entry of "questioned" also has "answer", "meaning" and
        "by_classifier" (sentences; the others are None without calibration), "propositions" (see
        `attribution_propositions`) and "verbal_scale" (see `verbal_scale_table`; both None without
        a likelihood ratio), "n_characters"
        (without white space), "length_row" (the index of its length in the performance by length,
        or None), "explanation" (see `evidence_part`) and "rolling" (see `rolling_summary`; None
        for short texts). Further keys: "candidates"; "performance" (see `performance_summary`;
        None without held-out texts, as for language models alone); "simulated" (see
        `simulated_summary`; None without a reference population); "case": see `CaseDetails`;
        "done": the command, files, known texts, versions, seed and settings.

    See Also
    --------
    case_html : The report made from the summary.

    Examples
    --------
    >>> from byline.answering import answer_texts
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> _ = model.fit(["The cat sat. The cat slept.", "A dog ran. A dog barked."], ["Ann", "Bob"])
    >>> answers = answer_texts(model, ["The cat sat."], ["note.txt"], model="toy.byline")
    >>> origin = CaseOrigin("byline attribute toy.byline note.txt", ())
    >>> case = (model, answers.texts, answers.evidence(), origin)
    >>> summary = case_summary(answers_summary(answers), *case)
    >>> [entry] = summary["questioned"]
    >>> entry["answer"].startswith("Of the 2 candidates, Ann fits the text best.")
    True
    >>> summary["done"]["command"]
    'byline attribute toy.byline note.txt'
    """
    is_stack = isinstance(attributor, StackedAttributor)
    performance = performance_summary(attributor) if is_stack else None
    questioned = [
        entry
        | _answer(entry, text, performance)
        | {
            "explanation": found and evidence_part(found, text, attributor.encoder_),
            "rolling": found and _rolling(attributor, text),
        }
        for entry, text, found in zip(answers["questioned"], texts, evidence, strict=True)
    ]
    known: TrainingRecord | None = getattr(attributor, "training_record_", None)
    added = {
        "questioned": questioned,
        "candidates": describe_candidates(attributor),
        "performance": performance,
        "simulated": simulated_summary(_validation(attributor)),
        "case": origin.details.to_dict(),
        "done": {
            "command": origin.command,
            "inputs": [asdict(each) for each in origin.inputs],
            "known": known and _known(known, origin),
            "versions": versions(),
            "seed": attributor.random_state,
            "settings": _settings(attributor),
        },
    }
    return answers | {key: json_values(value) for key, value in added.items()}


def describe_candidates(attributor: AuthorshipAttributor | StackedAttributor) -> list[Summary]:
    """Describe the known texts of each candidate, if the model has a record of them.

    Returns
    -------
    list of dict
        "author", "n_texts", "n_works" and "n_words"; the last three are None without a record.
    """
    known: TrainingRecord | None = getattr(attributor, "training_record_", None)
    return [
        {
            "author": author,
            "n_texts": known and len(known.by(author)),
            "n_works": known and known.n_works(author),
            "n_words": known and sum(document.n_words for document in known.by(author)),
        }
        for author in map(str, attributor.classes_)
    ]


def case_html(
    summary: Summary, *, template: str = "case.html.j2", package: str = "byline.report"
) -> str:
    """Return a case report as one HTML file.

    Parameters
    ----------
    summary : dict
        As `case_summary` returns it; a template of another package may use additional keys.
    template : str
        A template that extends ``case.html.j2`` can add sections in its blocks.
    package : str
        The package whose folder ``templates`` contains the template.

    See Also
    --------
    case_summary : The summary.

    Examples
    --------
    >>> from byline.answering import answer_texts
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> _ = model.fit(["The cat sat. The cat slept.", "A dog ran. A dog barked."], ["Ann", "Bob"])
    >>> answers = answer_texts(model, ["The cat sat."], ["note.txt"], model="toy.byline")
    >>> origin = CaseOrigin("byline attribute toy.byline note.txt", ())
    >>> case = (model, answers.texts, answers.evidence(), origin)
    >>> summary = case_summary(answers_summary(answers), *case)
    >>> page = case_html(summary)
    >>> page.startswith("<!doctype html>"), "byline attribute toy.byline note.txt" in page
    (True, True)
    """
    charts = {name: _charts(summary[name]) for name in ("performance", "simulated")}
    drawn = {"charts": charts, "rolling_part": rolling_part, "length_chart": length_chart}
    shown = drawn | {
        "labels": LABELS,
        "sensitivity_chart": sensitivity_chart,
        "explanation": EXPLANATION,
        "not_comparable": NOT_COMPARABLE,
    }
    return render(template, summary | shown, package)


def _validation(
    attributor: AuthorshipAttributor | StackedAttributor,
) -> ReferenceValidation | None:
    return getattr(attributor, "reference_validation_", None)


def _charts(performance: Summary | None) -> Summary | None:
    return performance and {
        "reliability": reliability_chart({"probabilities": performance["reliability"]}),
        "tippett": tippett_chart(performance["tippett"]),
    }


def _answer(entry: Summary, text: str, performance: Summary | None) -> Summary:
    """State the answer in sentences, and find the accuracy for the length of the text."""
    size = int(count_characters([text])[0])
    row = None if performance is None else row_of_length(performance["by_length"], size)
    propositions = attribution_propositions(entry)
    ratio = entry["ranking"][0]["log10_lr"] if propositions else None
    return {
        "propositions": propositions,
        "verbal_scale": propositions and verbal_scale_table(ratio),
        "answer": answer_sentence(entry),
        "meaning": likelihood_ratio_sentence(entry),
        "by_classifier": contributions_sentence(entry),
        "n_characters": size,
        "length_row": row,
    }


def _rolling(attributor: AuthorshipAttributor | StackedAttributor, text: str) -> Summary | None:
    rolling = rolling_attribution(attributor, text)
    return None if rolling.declined else rolling_summary(rolling)


def _known(known: TrainingRecord, origin: CaseOrigin) -> Summary:
    differences = origin.differences
    return {
        "sha256": known.sha256,
        "documents": [asdict(document) for document in known.documents],
        "given": origin.known,
        "missing": differences and [asdict(each) for each in differences.missing],
        "added": differences and [asdict(each) for each in differences.added],
    }


def _settings(attributor: AuthorshipAttributor | StackedAttributor) -> dict[str, Summary]:
    """Return the parameters of an attributor and of its base classifiers as JSON strings."""
    classifiers: Mapping[str, Any] = {}
    if isinstance(attributor, StackedAttributor):
        classifiers = attributor.base_classifiers_
    name = type(attributor).__name__
    shown = {name: attributor.get_params(deep=False)} | {
        f"{name}: {type(fitted).__name__}": fitted.get_params()
        for name, fitted in classifiers.items()
    }
    return {
        part: {key: _setting(value) for key, value in sorted(params.items())}
        for part, params in shown.items()
    }


def _setting(value: Any) -> str:
    return json.dumps(value, default=_name, ensure_ascii=False)


def _name(value: Any) -> Any:
    """Represent an estimator by its class, and other objects by their string."""
    if isinstance(value, BaseEstimator):
        return type(value).__name__
    return value.tolist() if hasattr(value, "tolist") else str(value)
