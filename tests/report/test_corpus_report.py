from __future__ import annotations

import io
import json
import shlex
from dataclasses import replace

import pytest
from rich.console import Console

from byline.corpus import Corpus, Document, Finding
from byline.corpus.checking import AuthorSize, CleaningStep, Examination
from byline.corpus.cleaning import Change, CleanedCorpus, mend
from byline.corpus.cleaning.folder import name_files
from byline.corpus.extraction import ExcludedPart
from byline.report.corpus import (
    MOST_AUTHORS,
    cleaning_command,
    cleaning_report,
    cleaning_summary,
    examination_summary,
    print_cleaning,
    print_examination,
)

FINDINGS = (
    Finding("error", "unreadable", "a.txt cannot be read", ("a.txt",)),
    Finding("warning", "page-header", "1 text has headers", ("b.txt",), CleaningStep.PAGE_HEADERS),
    Finding("warning", "common-line", "1 line closes texts", ("b.txt",)),
)
EXAMINATION = Examination(
    "letters",
    (AuthorSize("Ada", 2, 300, 1_700, 100, 200), AuthorSize("[b]Ben", 1, 50, 300, 50, 50)),
    "en",
    FINDINGS,
    (ExcludedPart("footnotes", 3, "See there"),),
)


def printed(summary: dict[str, object], width: int = 100) -> str:
    stream = io.StringIO()
    print_examination(Console(file=stream, width=width), summary)
    return stream.getvalue()


def test_a_summary_is_json_with_a_schema() -> None:
    summary = examination_summary(EXAMINATION, "letters")
    assert json.loads(json.dumps(summary)) == summary
    assert summary["schema"] == 1
    assert (summary["n_texts"], summary["n_words"], summary["language"]) == (3, 350, "en")
    assert summary["findings"][1] == {
        "severity": "warning",
        "code": "page-header",
        "message": "1 text has headers",
        "paths": ["b.txt"],
        "cleaning_step": "page-headers",
    }
    assert summary["excluded"] == [{"kind": "footnotes", "n": 3, "example": "See there"}]
    assert summary["command"] == "byline corpus mend letters -o letters-mended --page-headers"


@pytest.mark.parametrize("known", ["letters", "my letters/", "-x", "a/b.csv", "it's", "/"])
def test_the_command_can_be_typed(known: str) -> None:
    command = cleaning_command([CleaningStep.OWN_NAMES, CleaningStep.EMAIL], known)
    assert command is not None
    words = shlex.split(command)
    assert words[:3] == ["byline", "corpus", "mend"]
    assert known in words
    assert {"-o", "--own-names", "--email"} <= set(words)


@pytest.mark.parametrize(
    ("known", "mended"),
    [
        ("a/letters/", "letters-mended"),
        ("known.csv", "known-mended"),
        (".", "../known-mended"),
        ("..", "../../known-mended"),
    ],
)
def test_the_folder_to_write_lies_not_within_the_texts(known: str, mended: str) -> None:
    assert f"-o {mended} " in str(cleaning_command([CleaningStep.EMAIL], known))


def test_without_anything_to_mend_there_is_no_command() -> None:
    assert cleaning_command([], "letters") is None


def test_findings_are_printed_by_severity_and_names_as_they_are() -> None:
    text = printed(examination_summary(EXAMINATION, "letters"))
    places = [
        text.index(part)
        for part in (
            "letters: 3 texts by 2 authors, 350 words, in the language en",
            "[b]Ben",
            "Errors: nothing can be learnt before they are mended (1)",
            "unreadable: a.txt cannot be read",
            "Warnings that a command mends (1)",
            "page-header (--page-headers): 1 text has headers",
            "Warnings that ask for your judgement (1)",
            "common-line: 1 line closes texts",
            "Left out of the texts: 3 footnotes, as “See there”",
            "Once the errors are mended, this mends what a command can",
            "byline corpus mend letters -o letters-mended --page-headers",
        )
    ]
    assert places == sorted(places)
    without_errors = replace(EXAMINATION, findings=FINDINGS[1:])
    assert "\nThis mends what" in printed(examination_summary(without_errors, "letters"))


def test_texts_in_good_order_are_said_to_be() -> None:
    text = printed(examination_summary(Examination("c", (), None, (), ()), "c"))
    assert "Nothing was found that should be mended." in text


def test_of_many_authors_some_are_printed() -> None:
    sizes = tuple(AuthorSize(f"author{n}", 1, 1, 1, 1, 1) for n in range(MOST_AUTHORS + 3))
    text = printed(examination_summary(Examination("c", sizes, None, (), ()), "c"))
    assert f"author{MOST_AUTHORS - 1} " in text
    assert f"author{MOST_AUTHORS} " not in text
    assert "and 3 more authors (--json lists them)" in text


def test_control_characters_do_nothing_to_a_terminal() -> None:
    finding = Finding("warning", "mojibake", "a \x1b[31m red text", ("a",))
    summary = examination_summary(Examination("c", (), None, (finding,), ()), "c\x1b[2J")
    assert "\x1b" not in printed(summary)


CORPUS = Corpus(
    [
        Document("a/b", "Rope &amp; Sail", "t.csv, row 2", metadata={"year": "1801"}),
        Document("Ben", "ship", "t.csv, row 3"),
        Document("Ben", "ship", "t.csv, row 4"),
    ],
    "t.csv",
)


def test_what_was_mended_is_json_with_where_each_text_is_now() -> None:
    mended = mend(CORPUS)
    summary = cleaning_summary(mended, "t.csv", name_files(mended.corpus))
    assert json.loads(json.dumps(summary)) == summary
    assert summary["n_changes"] == {"duplicate-within-author": 1, "html-entity": 1}
    assert summary["changes"][0] == {
        "path": "t.csv, row 2", "code": "html-entity", "line": 1, "before": "&amp;", "after": "&",
    }  # fmt: skip
    assert summary["texts"][0]["file"] == "a_b/000002.txt"
    assert summary["texts"][0]["metadata"] == {"year": "1801"}


def test_the_report_has_a_line_a_change() -> None:
    mended = mend(CORPUS)
    report = cleaning_report(cleaning_summary(mended, "t.csv", name_files(mended.corpus)))
    assert report.splitlines() == [
        "What was mended of t.csv",
        "",
        "       1  duplicate-within-author",
        "       1  html-entity",
        "",
        "a/b is written to the folder a_b",
        "",
        "t.csv, row 2, line 1: html-entity: “&amp;” became “&”",
        "t.csv, row 4: left out (duplicate-within-author): its words are in t.csv, row 3",
    ]


def test_long_changes_are_cut_and_controls_shown_as_escapes() -> None:
    changes = (
        Change("a", "gutenberg", 1, "x" * 500, ""),
        Change("a", "control-character", 2, "\x1a", ""),
    )
    report = cleaning_report(cleaning_summary(CleanedCorpus(Corpus([], "c"), changes), "c", []))
    assert f"“{'x' * 200}… (500 characters)” left out" in report
    assert "“\\x1a” left out" in report


def test_where_the_texts_are_is_printed() -> None:
    stream = io.StringIO()
    mended = mend(CORPUS)
    summary = cleaning_summary(mended, "t.csv", name_files(mended.corpus))
    print_cleaning(Console(file=stream, width=100), summary, "out", "out.changes.txt")
    assert "2 texts written to out; every change is in out.changes.txt" in stream.getvalue()
    print_cleaning(Console(file=stream, width=100), summary | {"n_changes": {}}, "out", "r")
    assert "Nothing was found to mend" in stream.getvalue()
