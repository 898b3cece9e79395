from __future__ import annotations

import io
import json
import shlex
from dataclasses import replace

import pytest
from rich.console import Console

from byline.corpus import Corpus, Document, Finding
from byline.corpus.checking import AuthorSize, CleaningStep, Examination
from byline.corpus.cleaning import Change, CleanedCorpus, clean_corpus
from byline.corpus.cleaning.folder import name_files
from byline.corpus.extraction import ExcludedPart
from byline.report.corpus import (
    MAX_AUTHORS,
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


def test_a_summary_is_json_with_a_schema_number() -> None:
    summary = examination_summary(EXAMINATION, "letters")
    assert json.loads(json.dumps(summary)) == summary
    assert summary["schema"] == 2
    assert (summary["n_texts"], summary["n_words"], summary["language"]) == (3, 350, "en")
    assert summary["findings"][1] == {
        "severity": "warning",
        "code": "page-header",
        "message": "1 text has headers",
        "paths": ["b.txt"],
        "cleaning_step": "page-headers",
    }
    assert summary["excluded"] == [{"kind": "footnotes", "n": 3, "example": "See there"}]
    assert summary["command"] == "byline corpus clean letters -o letters-cleaned --page-headers"


@pytest.mark.parametrize("known", ["letters", "my letters/", "-x", "a/b.csv", "it's", "/"])
def test_the_command_is_valid_in_a_shell(known: str) -> None:
    command = cleaning_command([CleaningStep.OWN_NAMES, CleaningStep.EMAIL], known)
    assert command is not None
    words = shlex.split(command)
    assert words[:3] == ["byline", "corpus", "clean"]
    assert known in words
    assert {"-o", "--own-names", "--email"} <= set(words)


@pytest.mark.parametrize(
    ("known", "output"),
    [
        ("a/letters/", "letters-cleaned"),
        ("known.csv", "known-cleaned"),
        (".", "../known-cleaned"),
        ("..", "../../known-cleaned"),
    ],
)
def test_the_output_folder_is_not_inside_the_known_texts(known: str, output: str) -> None:
    assert f"-o {output} " in str(cleaning_command([CleaningStep.EMAIL], known))


def test_without_cleaning_steps_there_is_no_command() -> None:
    assert cleaning_command([], "letters") is None


def test_the_command_reads_the_texts_as_they_were_read() -> None:
    columns = ("--columns", "author=user,text=body")
    command = cleaning_command([CleaningStep.DUPLICATES], "posts.csv", columns)
    assert command == (
        "byline corpus clean posts.csv -o posts-cleaned --columns author=user,text=body "
        "--duplicates"
    )


def test_findings_are_printed_by_severity_and_names_are_not_markup() -> None:
    text = printed(examination_summary(EXAMINATION, "letters"))
    places = [
        text.index(part)
        for part in (
            "letters: 3 texts by 2 authors, 350 words, language: en",
            "[b]Ben",
            "Errors that you must fix before training (1)",
            "unreadable: a.txt cannot be read",
            "Warnings that `byline corpus clean` can fix (1)",
            "page-header (--page-headers): 1 text has headers",
            "Warnings that need your decision (1)",
            "common-line: 1 line closes texts",
            "Excluded from the texts: footnotes (3), for example “See there”",
            "After you have fixed the errors, this command writes cleaned copies",
            "byline corpus clean letters -o letters-cleaned --page-headers",
        )
    ]
    assert places == sorted(places)
    without_errors = replace(EXAMINATION, findings=FINDINGS[1:])
    assert "\nThis command writes" in printed(examination_summary(without_errors, "letters"))


def test_without_findings_the_output_says_so() -> None:
    text = printed(examination_summary(Examination("c", (), None, (), ()), "c"))
    assert "No problems were found." in text


def test_only_some_of_many_authors_are_printed() -> None:
    sizes = tuple(AuthorSize(f"author{n}", 1, 1, 1, 1, 1) for n in range(MAX_AUTHORS + 3))
    text = printed(examination_summary(Examination("c", sizes, None, (), ()), "c"))
    assert f"author{MAX_AUTHORS - 1} " in text
    assert f"author{MAX_AUTHORS} " not in text
    assert "3 more authors (--json lists all)" in text


def test_control_characters_are_not_sent_to_the_terminal() -> None:
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


def test_the_summary_of_cleaning_is_json_with_the_new_files() -> None:
    cleaned = clean_corpus(CORPUS)
    summary = cleaning_summary(cleaned, "t.csv", name_files(cleaned.corpus))
    assert json.loads(json.dumps(summary)) == summary
    assert summary["n_changes"] == {"duplicate-within-author": 1, "html-entity": 1}
    assert summary["changes"][0] == {
        "path": "t.csv, row 2", "code": "html-entity", "line": 1, "before": "&amp;", "after": "&",
    }  # fmt: skip
    assert summary["texts"][0]["file"] == "a_b/000002.txt"
    assert summary["texts"][0]["metadata"] == {"year": "1801"}


def test_the_report_has_one_line_per_change() -> None:
    cleaned = clean_corpus(CORPUS)
    report = cleaning_report(cleaning_summary(cleaned, "t.csv", name_files(cleaned.corpus)))
    assert report.splitlines() == [
        "Changes to t.csv",
        "",
        "       1  duplicate-within-author",
        "       1  html-entity",
        "",
        "The texts by a/b are in the folder a_b",
        "",
        "t.csv, row 2, line 1: html-entity: “&amp;” replaced by “&”",
        "t.csv, row 4: removed (duplicate-within-author), because t.csv, row 3 contains its words",
    ]


def test_long_changes_are_shortened_and_control_characters_escaped() -> None:
    changes = (
        Change("a", "gutenberg", 1, "x" * 500, ""),
        Change("a", "control-character", 2, "\x1a", ""),
    )
    report = cleaning_report(cleaning_summary(CleanedCorpus(Corpus([], "c"), changes), "c", []))
    assert f"“{'x' * 200}… (500 characters)” removed" in report
    assert "“\\x1a” removed" in report


def test_the_output_names_the_folder_and_the_report() -> None:
    stream = io.StringIO()
    cleaned = clean_corpus(CORPUS)
    summary = cleaning_summary(cleaned, "t.csv", name_files(cleaned.corpus))
    print_cleaning(Console(file=stream, width=100), summary, "out", "out.changes.txt")
    assert "Wrote 2 texts to out. All changes are listed in out.changes.txt." in stream.getvalue()
    print_cleaning(Console(file=stream, width=100), summary | {"n_changes": {}}, "out", "r")
    assert (
        "Nothing that cleaning can change was found. The texts are unchanged." in stream.getvalue()
    )
