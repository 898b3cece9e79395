"""Answer who wrote a text, with lengths of sentences in the report of the case."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from byline.answering import KnownCorpus, answer
from byline.attribution import load_attributor
from byline.corpus import read_corpus, read_text
from byline.report.case import CaseInput, CaseOrigin, case_summary
from sentence_lengths.part import case_with_lengths_html, lengths_part


def main(model: str, known: str, questioned: str, report: str) -> None:
    """Write the report of one text's case."""
    attributor, corpus, text = load_attributor(model), read_corpus(known), read_text(questioned)
    prepared = KnownCorpus.of(corpus, attributor)
    answers = answer(attributor, [text], prepared, paths=[questioned])
    origin = CaseOrigin(
        command=f"python -m sentence_lengths {model} {known} {questioned} {report}",
        inputs=(_hashed("model", model), _hashed("questioned text", questioned)),
        known=corpus.name,
        differences=prepared.differences,
    )
    summary = case_summary(answers, origin)
    parts = lengths_part([text], corpus, attributor.encoder_.language)
    Path(report).write_text(case_with_lengths_html(summary, parts), encoding="utf-8")


def _hashed(role: str, path: str) -> CaseInput:
    return CaseInput(role, path, hashlib.sha256(Path(path).read_bytes()).hexdigest(), "file")


if __name__ == "__main__":
    main(*sys.argv[1:])
