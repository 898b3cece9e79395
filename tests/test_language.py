"""Retired terms do not occur in the project, and the glossary defines the terms that replace them.

The project was first written in a private idiom. Each pattern below is a term of that idiom; beside
it stands the standard term. An exception needs its reason: there the words are meant literally.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("benchmarks", "docs", "examples", "fuzz", "scripts", "src", "tests")
SUFFIXES = {".css", ".j2", ".js", ".md", ".py", ".toml"}
# What is counted, and what it is counted per, in phrases such as "one model an author".
COUNTED = (
    r"(?:answers?|bytes|chunks?|columns?|files?|folders?|folds?|jobs?|lines?|log-probabilit(?:y|ies)"
    r"|models?|n-grams|nats|numbers?|pages?|passages?|points?|process(?:es)?|records?|rows?|samples?"
    r"|scores?|seconds?|sentences?|tasks?|texts?|threads?|tokens?|values?|vectors?|weights?|words?)"
)
PER = (
    r"(?:author|candidate|character|class|column|core|day|document|file|fold|job|label|length|line"
    r"|minute|model|order|page|paragraph|passage|process|row|run|sample|second|sentence|split|task"
    r"|text|token|word)"
)
RETIRED = {
    r"\btelling\b": "distinctive words, keywords, keyness",
    r"\bbeside\b": "next to, with, compared with, in addition to",
    r"\bcourse of (?:the|an?|its|long) (?:long )?texts?\b|\btext.s course\b": "rolling attribution",
    r"\bsecond hand\b|\bchanges? of hand\b": "change of author, change point",
    r"\bhabits?\b": "function-word profile, frequency profile",
    r"\bcaution(?:s|ed|ary)?\b": "caveat, warning",
    r"\b(?:plain|bare) words\b": "word n-grams without punctuation",
    r"\bsp(?:eak|eaks|oke|oken) (?:for|against)\b": "supports, favours, is evidence for",
    r"\bstrangers?\b": "unknown author, impostor",
    r"\bnamed (?:rightly|wrongly)\b|\brightly named\b": "correctly attributed, misattributed",
    r"\bmend(?:s|ed|ing|able)?\b": "clean, correct",
    r"\bwished\b": "false-attribution rate",
    r"\bt(?:ell|ells|old|elling)\b[^.\n]{0,40}\bapart\b": "discriminate, distinguish",
    r"\btells? (?:most|least)\b": "is the most (least) discriminating",
    r"\blearnt\b": "trained, fitted",
    r"\b(?:in|into|of|as|few|five|long) pieces\b": "chunk, passage",
    r"\bdraws? (?:of|from) (?:text|sentences|known)\b|\bn_draws\b|--draws\b": "random sample",
    rf"\b{COUNTED} an? {PER}\b": "per",
    r"\bheld against\b": "compared with",
    r"\bb(?:ear|ears|ore|orne) out\b": "the calibration data support",
    r"\b(?:go|goes|went|going) on from there\b": "resume",
    r"\bc(?:ome|omes|ame) (?:to nothing|of it)\b": "fails; result",
    r"\b(?:their|its) due\b": "author intercept",
    r"\bnam(?:e|es|ed|ing) (?:nobody|somebody)\b": "decline, attribute",
    r"\bgiven to (?:somebody|anybody|nobody)\b": "attributed",
    r"\b(?:InPieces|KnownTexts|known_texts_|members_|usual_members|uncalibrated_|TakesTexts)\b": "",
    r"\b(?:TellingNgram|AuthorTelling|KnownCounts|TextCourse|cautions_about)\b": "",
    r"\b(?:JobBoard|KnownShelf|ModelShelf|OwnFolder)\b": "",
}
# All begin with a word. That the whole does, too, saves most of the time.
PATTERN = re.compile(rf"\b(?:{'|'.join(f'(?:{each})' for each in RETIRED)})", re.IGNORECASE)
EXCEPTIONS = {
    "tests/test_language.py": {"": "this list"},
    "CHANGELOG.md": {"": "it names what was renamed"},
    "src/byline/corpus/emails/phrases.py": {"(?:caution|": "what servers of e-mail write"},
}
# The terms of the field that replace the retired ones.
TERMS = (
    "distinctive words",
    "keyness",
    "author comparison",
    "rolling attribution",
    "segment",
    "change point",
    "function-word profile",
    "caveat",
    "base classifier",
    "component",
    "word n-grams without punctuation",
    "evidence",
    "unknown author",
    "impostor",
    "misattributed",
    "to clean",
    "false-attribution rate",
    "missed-attribution rate",
    "chunk",
    "passage",
    "random sample",
    "training texts",
    "cross-validation",
    "held-out text",
    "author intercept",
    "questioned text",
    "known texts",
    "candidate author",
    "perplexity",
    "cross-entropy",
    "likelihood ratio",
    "Cllr",
    "ELUB",
    "calibration",
    "simulated case",
    "uncalibrated",
    "open set",
    "authorship verification",
    "background model",
)


def _files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and "corpus/files" not in path.as_posix():
                yield path


def _retired(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    allowed = EXCEPTIONS.get(name, {})
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not any(phrase in line for phrase in allowed) and (found := PATTERN.search(line)):
            yield f"{name}:{number}: {found[0]!r} in: {line.strip()[:100]}"


def test_no_retired_term_is_used() -> None:
    found = [line for path in _files() for line in _retired(path)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "one model an author",
        "it tells the two authors apart",
        "as far as the texts bear out",
        "two nats a token",
    ],
)
def test_the_former_idiom_is_recognised(line: str) -> None:
    assert PATTERN.search(line)


def test_the_glossary_defines_the_terms() -> None:
    glossary = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    defined = {line for line in glossary.splitlines() if line and not line.startswith((" ", "#"))}
    assert set(TERMS) - defined == set()
