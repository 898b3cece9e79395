"""How the answer about a questioned text shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rich.console import Console

from byline.answering import Answer
from byline.attribution import Evidence
from byline.errors import UsageError
from byline.report.case import (
    CaseInput,
    CaseOrigin,
    answers_summary,
    case_html,
    case_summary,
    describe_answer,
)
from byline.report.data_table import DataTable
from byline.report.displays.display import Display
from byline.report.evidence import sentences_as_written
from byline.report.html import render
from byline.report.summary import Summary, attribution_summary
from byline.report.text import print_attribution

N_TOKENS = 400  # of a text that a notebook shows with colours
_RANKING = (
    *("author", "probability", "log10_lr", "support", "score"),
    *("log_likelihood_per_token", "perplexity"),
)
_TOKENS = ("sentence", "position", "token", "unknown", "log_lr")
_SENTENCES = ("sentence", "log_lr", "length_log_lr", "text")
_CAVEATS = ("code", "severity", "sentence", "advice")


def answer_display(answer: Answer) -> Display:
    """Return how an answer shows itself."""
    return Display(
        summary=partial(_summary, answer),
        write=partial(_print, answer),
        section=partial(_section, answer),
        page=partial(_page, answer),
        tables={
            "ranking": partial(_ranking, answer),
            "tokens": partial(_tokens, answer),
            "sentences": partial(_sentences, answer),
            "caveats": partial(_caveats, answer),
        },
    )


def _summary(answer: Answer) -> Summary:
    """Return the document of ``byline attribute --json`` about one text, in one level."""
    document = answers_summary([answer])
    [entry] = document.pop("questioned")
    return {**document, **entry}


def _print(answer: Answer, console: Console) -> None:
    print_attribution(console, answers_summary([answer]))


def _section(answer: Answer) -> str:
    entry = describe_answer(answer, at_most=N_TOKENS)
    return render("notebook_answer.html.j2", {"entry": entry, "id": f"byline-{id(answer)}"})


def _page(answer: Answer) -> str:
    source = answer.provenance
    name = answer.path or "questioned text"
    inputs = [CaseInput("questioned text", name, answer.text_sha256, "text")]
    if source.model is not None and source.model_sha256 is not None:
        inputs.insert(0, CaseInput("model", source.model, source.model_sha256, "file"))
    origin = CaseOrigin(None, tuple(inputs), answer.known_name, answer.differences)
    return case_html(case_summary([answer], origin))


def _ranking(answer: Answer) -> DataTable:
    [entry] = attribution_summary([answer.attribution])["questioned"]
    return DataTable.of(_RANKING, entry["ranking"])


def _caveats(answer: Answer) -> DataTable:
    return DataTable.of(_CAVEATS, [caveat.to_dict() for caveat in answer.caveats])


def _tokens(answer: Answer) -> DataTable:
    return DataTable(_TOKENS, _token_rows(_evidence(answer)))


def _token_rows(evidence: Evidence) -> Iterator[tuple[Any, ...]]:
    for sentence in evidence.sentences:
        for position, token in enumerate(sentence.tokens, start=1):
            yield sentence.number + 1, position, token.token, token.unknown, token.log_lr


def _sentences(answer: Answer) -> DataTable:
    evidence = _evidence(answer)
    written = sentences_as_written(evidence, answer.text, answer.attributor.encoder_)
    rows = (
        (sentence.number + 1, sentence.log_lr, sentence.length_log_lr, text)
        for sentence, text in zip(evidence.sentences, written, strict=True)
    )
    return DataTable(_SENTENCES, rows)


def _evidence(answer: Answer) -> Evidence:
    if answer.evidence is None:
        why = "the text was declined" if answer.declined else "the text is too long"
        if not answer.is_explained:
            why = "it was not asked for; use evidence=True"
        raise UsageError(f"the answer has no evidence: {why}")
    return answer.evidence
