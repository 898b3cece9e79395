"""The case report: question, answer, evidence and method, so that others can check them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from byline.answering import Answer
from byline.attribution import AuthorshipAttributor, ReferenceValidation, StackedAttributor
from byline.attribution.stacking.combination import count_characters
from byline.attribution.training_record.record import RecordDifferences, TrainingRecord
from byline.corpus import Corpus
from byline.report.added_sections import CaseMaterial, render_sections, summarize_sections
from byline.report.case_details import LABELS, CaseDetails
from byline.report.case_evidence import explanation_part
from byline.report.case_sentences import (
    accuracy_sentence,
    answer_sentence,
    contributions_sentence,
    likelihood_ratio_sentence,
    uncertainty_sentence,
)
from byline.report.evidence import MAX_TOKENS
from byline.report.figures.cases import sensitivity_figure
from byline.report.figures.performance import performance_figures
from byline.report.html import render
from byline.report.keywords import keywords_summary
from byline.report.performance import (
    alike_summary,
    cases_like_summary,
    performance_summary,
    row_of_length,
    simulated_summary,
)
from byline.report.propositions import attribution_propositions, verbal_scale_table
from byline.report.rolling import rolling_of, rolling_summary
from byline.report.sensitivity import (
    EXPLANATION,
    NOT_COMPARABLE,
    sensitivity_summary,
)
from byline.report.summary import SCHEMA, Summary, attribution_summary, json_values


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
    command : str or None
        The command line, quoted for a shell; None if the answer comes from a Python program.
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

    command: str | None
    inputs: tuple[CaseInput, ...]
    known: str | None = None
    differences: RecordDifferences | None = None
    details: CaseDetails = field(default_factory=CaseDetails)


def answers_summary(answers: Sequence[Answer], *, top: int | None = None) -> Summary:
    """Summarise the answers about questioned texts as a JSON-serialisable dictionary.

    Parameters
    ----------
    answers : sequence of Answer
        The answers of one model, as `byline.answering.answer` returns them.
    top : int, optional
        Keep only the first candidates of each ranking; by default all.

    Returns
    -------
    dict
        As `byline.report.attribution_summary` returns it, with the rules of "normalization" and
        "provenance" (the attributes of `Provenance`; None without answers). Each entry of
        "questioned" has "sha256" (of the text, in UTF-8), "cases_like_this_one" (see
        `cases_like_summary`; None without a reference population), "keywords" if the known texts
        were given, "evidence" if it was asked for, and "sensitivity" if it was computed (see
        `sensitivity_summary`).
    """
    if not answers:
        return {"schema": SCHEMA, "normalization": None, "provenance": None, "questioned": []}
    provenance = answers[0].provenance
    simulated = simulated_summary(_validation(answers[0].attributor))
    return {
        "schema": SCHEMA,
        "normalization": provenance.normalization,
        "provenance": json_values(provenance.to_dict()),
        "questioned": [_entry(each, simulated, top) for each in answers],
    }


def _entry(answer: Answer, simulated: Summary | None, top: int | None) -> Summary:
    shown = replace(answer.attribution, ranking=answer.ranking[:top])
    keywords = answer.keywords and keywords_summary(answer.keywords)
    [entry] = attribution_summary(
        [shown],
        [answer.evidence] if answer.is_explained else (),
        [answer.caveats],
        [keywords] if answer.has_known_corpus else (),
    )["questioned"]
    entry["sha256"] = answer.text_sha256
    size = int(count_characters([answer.text])[0])
    cases = None if answer.attribution.known_copy else cases_like_summary(simulated, size)
    entry["cases_like_this_one"] = json_values(cases)
    if answer.sensitivity is not None:
        entry["sensitivity"] = sensitivity_summary(answer.sensitivity)
    return dict(entry)


def case_summary(
    answers: Sequence[Answer], origin: CaseOrigin, known: Corpus | None = None
) -> Summary:
    """Summarise a case.

    Parameters
    ----------
    answers : sequence of Answer
        The answers of one model about one or more texts, with their evidence.
    origin : CaseOrigin
        The command and the files.
    known : Corpus, optional
        The known texts, for the sections of other packages.

    Returns
    -------
    dict
        The keys of `answers_summary`. Each entry of "questioned" also has "answer", "meaning" and
        "by_classifier" (sentences; the others are None without calibration), "alike" (see
        `alike_summary`), "uncertainty" (a sentence), "propositions" (see
        `attribution_propositions`) and "verbal_scale" (see `verbal_scale_table`; both None without
        a likelihood ratio), "n_characters"
        (without white space), "length_row" (the index of its length in the performance by length,
        or None), "measured_accuracy" ("n", "accuracy", "accuracy_interval" of texts of about this
        length, or None; and "sentence"), "explanation" (see `explanation_part`) and "rolling" (see
        `rolling_summary`; None for short texts). Further keys: "candidates"; "performance" (see
        `performance_summary`; None without held-out texts, as for language models alone);
        "simulated" (see `simulated_summary`; None without a reference population); "case": see
        `CaseDetails`;
        "done": the command, files, known texts, versions, seed and settings; "sections": see
        `ReportSection` (only if a package adds any).

    See Also
    --------
    case_html : The report made from the summary.

    Examples
    --------
    >>> from byline.answering import answer
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> _ = model.fit(["The cat sat. The cat slept.", "A dog ran. A dog barked."], ["Ann", "Bob"])
    >>> answers = answer(model, ["The cat sat."], paths=["note.txt"])
    >>> summary = case_summary(answers, CaseOrigin("byline attribute toy.byline note.txt", ()))
    >>> [entry] = summary["questioned"]
    >>> entry["answer"].startswith("Of the 2 candidates, Ann fits the text best.")
    True
    >>> summary["done"]["command"]
    'byline attribute toy.byline note.txt'
    """
    first = answers[0]
    attributor = first.attributor
    is_stack = isinstance(attributor, StackedAttributor)
    performance = performance_summary(attributor) if is_stack else None
    summary = answers_summary(answers)
    questioned = [
        entry
        | _answer(entry, each, performance)
        | {"explanation": explanation_part(entry, each, MAX_TOKENS), "rolling": _rolling(each)}
        for entry, each in zip(summary["questioned"], answers, strict=True)
    ]
    record: TrainingRecord | None = getattr(attributor, "training_record_", None)
    added = {
        "questioned": questioned,
        "candidates": describe_candidates(attributor),
        "performance": performance,
        "simulated": simulated_summary(_validation(attributor)),
        "case": origin.details.to_dict(),
        "done": {
            "command": origin.command,
            "inputs": [asdict(each) for each in origin.inputs],
            "known": record and _known(record, origin),
            "versions": first.provenance.versions,
            "seed": first.provenance.seed,
            "settings": first.provenance.settings,
        },
    }
    summary |= {key: json_values(value) for key, value in added.items()}
    texts = [each.text for each in answers]
    material = CaseMaterial(attributor, texts, summary["questioned"], known)
    sections = summarize_sections(material)
    return summary | {"sections": sections} if sections else summary


def describe_answer(answer: Answer, *, at_most: int) -> Summary:
    """Return the entry of one answer in `case_summary`, without the rolling attribution.

    Parameters
    ----------
    answer : Answer
    at_most : int
        Approximate largest number of tokens in "explanation".
    """
    [entry] = answers_summary([answer])["questioned"]
    explanation = json_values(explanation_part(entry, answer, at_most))
    return dict(entry | _answer(entry, answer, None) | {"explanation": explanation})


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
    >>> from byline.answering import answer
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> _ = model.fit(["The cat sat. The cat slept.", "A dog ran. A dog barked."], ["Ann", "Bob"])
    >>> answers = answer(model, ["The cat sat."], paths=["note.txt"])
    >>> summary = case_summary(answers, CaseOrigin("byline attribute toy.byline note.txt", ()))
    >>> page = case_html(summary)
    >>> page.startswith("<!doctype html>"), "byline attribute toy.byline note.txt" in page
    (True, True)
    """
    questioned = summary["questioned"]
    size = questioned[0]["n_characters"] if len(questioned) == 1 else None
    shown = {
        "labels": LABELS,
        "figures": {
            "performance": performance_figures(summary["performance"], size),
            "simulated": performance_figures(summary["simulated"], size, "simulated-"),
        },
        "rolling_of": rolling_of,
        "sensitivity_figure": sensitivity_figure,
        "explanation": EXPLANATION,
        "not_comparable": NOT_COMPARABLE,
        "sections": render_sections(summary.get("sections", [])),
    }
    return render(template, summary | shown, package)


def _validation(
    attributor: AuthorshipAttributor | StackedAttributor,
) -> ReferenceValidation | None:
    return getattr(attributor, "reference_validation_", None)


def _answer(entry: Summary, answer: Answer, performance: Summary | None) -> Summary:
    """State the answer in sentences, and find the accuracy for the length of the text."""
    size = int(count_characters([answer.text])[0])
    is_measured = performance is not None and not entry["known_copy"]
    row = row_of_length(performance["by_length"], size) if performance and is_measured else None
    propositions = attribution_propositions(entry)
    ratio = entry["ranking"][0]["log10_lr"] if propositions else None
    alike = None
    if ratio is not None and isinstance(answer.attributor, StackedAttributor):
        alike = alike_summary(answer.attributor, ratio)
    return {
        "propositions": propositions,
        "verbal_scale": propositions and verbal_scale_table(ratio),
        "answer": answer_sentence(entry),
        "meaning": likelihood_ratio_sentence(entry),
        "alike": alike,
        "uncertainty": uncertainty_sentence(entry, alike),
        "by_classifier": contributions_sentence(entry),
        "n_characters": size,
        "length_row": row,
        "measured_accuracy": _measured(entry, performance, row, size),
    }


def _measured(entry: Summary, performance: Summary | None, row: int | None, size: int) -> Summary:
    """Return the accuracy in simulated cases like this one, otherwise on held-out known texts."""
    simulated: Summary | None = entry["cases_like_this_one"]
    found, reference = simulated, None if simulated is None else str(simulated["name"])
    if found is None and performance is not None and row is not None:
        found = performance["by_length"][row]
    sentence = accuracy_sentence(found, size, reference=reference)
    if entry["known_copy"]:
        found, sentence = None, "No accuracy is stated, because the model was trained on the text."
    return {
        **{name: found and found[name] for name in ("n", "accuracy", "accuracy_interval")},
        "sentence": sentence,
    }


def _rolling(answer: Answer) -> Summary | None:
    if not answer.is_explained or answer.declined or answer.rolling.declined:
        return None
    return rolling_summary(answer.rolling)


def _known(known: TrainingRecord, origin: CaseOrigin) -> Summary:
    differences = origin.differences
    return {
        "sha256": known.sha256,
        "documents": [asdict(document) for document in known.documents],
        "given": origin.known,
        "missing": differences and [asdict(each) for each in differences.missing],
        "added": differences and [asdict(each) for each in differences.added],
    }
