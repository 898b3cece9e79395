from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import Corpus, Document, Finding
from byline.corpus.checking import CleaningStep, Examination, examine, read_for_checking
from byline.corpus.checking.examination import FINDERS
from byline.corpus.extraction import ExcludedPart
from byline.errors import UsageError


def prose(about: str, n: int = 150) -> str:
    """Return lines that share no eight consecutive words with lines about another subject."""
    return "\n".join(
        f"The {about} came home with the {about} on day {day} and slept." for day in range(n)
    )


def corpus_of(*rows: tuple[str, str]) -> Corpus:
    return Corpus(
        (Document(author, text, f"{author}/{i}.txt") for i, (author, text) in enumerate(rows)), "c"
    )


def found(examination: Examination) -> dict[str, Finding]:
    return {finding.code: finding for finding in examination.findings}


CLEAN = (("Quill", prose("cat")), ("Sail", prose("dog")))


def test_a_clean_corpus_has_no_findings() -> None:
    examination = examine(corpus_of(*CLEAN))
    assert examination.findings == ()
    assert examination.cleaning_steps == ()
    assert not examination.has_errors
    assert examination.language == "en"


def test_sizes_are_counted_per_author() -> None:
    corpus = corpus_of(
        ("Sail", "one two"), ("Quill", prose("cat", 2)), ("Sail", "three"), ("Sail", " ")
    )
    quill, sail = examine(corpus).sizes
    # "The cat came home with the cat on day 0 and slept." has twelve words and 50 characters.
    assert (quill.author, quill.n_texts, quill.n_words, quill.n_characters) == ("Quill", 1, 24, 101)
    assert (sail.n_texts, sail.n_words, sail.shortest, sail.longest) == (2, 3, 1, 2)


def test_findings_name_the_step_that_fixes_them() -> None:
    twin = prose("rope", 40)
    corpus = corpus_of(
        *CLEAN,
        ("Quill", "Anna Quill\n" + prose("ship")),
        ("Quill", twin),
        ("Quill", twin + "\nAnd so it ended."),
        ("Sail", prose("crew", 60) + "\n-- Harbour Newsroom 000 111 2222"),
        ("Sail", prose("caf\xc3\xa9", 60) + "\n> Is it?\n> Yes."),
    )
    findings = found(examine(corpus))
    assert {code: finding.cleaning_step for code, finding in findings.items()} == {
        "own-name-line": "own-names",
        "near-duplicate-within-author": "duplicates",
        "credit-line": "boilerplate",
        "mojibake": "mojibake",
        "quoted-lines": "email",
    }
    assert findings["credit-line"].paths == ("Sail/5.txt",)
    assert (
        "Sail/5.txt, line 61: “-- Harbour Newsroom 000 111 2222”" in findings["credit-line"].message
    )
    assert (
        "“Ã© came home with the cafÃ©” instead of “é came home with the café”"
        in findings["mojibake"].message
    )
    assert (
        "Quill/3.txt (100 % of its words are in Quill/4.txt)"
        in findings["near-duplicate-within-author"].message
    )


def test_near_duplicates_by_two_authors_are_found() -> None:
    text = prose("rope", 40)
    corpus = corpus_of(*CLEAN, ("Quill", text), ("Sail", text + "\nAnd so it ended for all of us."))
    finding = found(examine(corpus))["near-duplicate-across-authors"]
    assert (finding.severity, finding.cleaning_step) == ("warning", None)
    assert finding.paths == ("Quill/2.txt", "Sail/3.txt")


def test_an_exact_duplicate_is_reported_once() -> None:
    text = prose("rope", 40)
    findings = found(examine(corpus_of(*CLEAN, ("Quill", text), ("Quill", text))))
    assert list(findings) == ["duplicate-within-author"]
    assert findings["duplicate-within-author"].cleaning_step == CleaningStep.DUPLICATES


def test_an_own_name_is_reported_once_as_a_line_or_in_a_sentence() -> None:
    line = found(examine(corpus_of(("Quill", "A. Quill\n" + prose("cat")), CLEAN[1])))
    assert list(line) == ["own-name-line"]
    sentence = prose("cat") + "\nAnd Quill, who was there, said that it was over."
    assert list(found(examine(corpus_of(("Quill", sentence), CLEAN[1])))) == ["own-name"]


def test_a_line_that_closes_many_texts_is_found_unless_cleaning_removes_it() -> None:
    texts = [("Quill", f"{prose('abcde'[n], 20)}\nThat is all from the harbour.") for n in range(5)]
    finding = found(examine(corpus_of(*texts, CLEAN[1])))["common-line"]
    assert "“That is all from the harbour.” in 5 texts by Quill" in finding.message
    texts = [("Quill", f"{prose('abcde'[n], 20)}\n-- Newsroom 000 111 2222") for n in range(5)]
    assert "common-line" not in found(examine(corpus_of(*texts, CLEAN[1])))


def test_other_speakers_and_tags_need_review() -> None:
    corpus = corpus_of(
        *CLEAN,
        ("Quill", prose("crew", 30) + "\n>> Is it so?\n>> It is."),
        ("Sail", "<p>" + prose("rope", 30) + "<br>and <i>more</i></p>"),
    )
    findings = found(examine(corpus))
    assert "Quill/2.txt (2 turns)" in findings["several-speakers"].message
    assert "(5 places)" in findings["markup-tag"].message


def test_errors_come_first_and_then_fixable_warnings() -> None:
    text = prose("rope", 40)
    corpus = corpus_of(("Quill", text + " &amp;"), ("Sail", text + " &amp;"), ("Sail", "x"))
    examination = examine(corpus)
    assert examination.has_errors
    ranks = [
        (finding.severity != "error", finding.cleaning_step is None)
        for finding in examination.findings
    ]
    assert ranks == sorted(ranks)


def test_findings_of_readers_are_included() -> None:
    reader = Finding("error", "unreadable", "x.txt cannot be read", ("x.txt",))
    examination = examine(corpus_of(*CLEAN), findings=[reader])
    assert examination.findings == (reader,)
    assert examination.has_errors


def test_excluded_parts_of_files_are_added_up() -> None:
    documents = [
        Document(
            author, text, f"{author}.docx", excluded=(ExcludedPart("footnotes", 3, "See there"),)
        )
        for author, text in CLEAN
    ]
    assert examine(Corpus(documents, "c")).excluded == (ExcludedPart("footnotes", 6, "See there"),)


def test_progress_is_reported_in_every_pass() -> None:
    reported: list[tuple[int, int]] = []
    examine(corpus_of(*CLEAN), progress=lambda done, total, what: reported.append((done, total)))
    assert reported == [(step, 6) for step in range(1, 7)]


def test_an_unknown_unit_or_language_is_rejected() -> None:
    with pytest.raises(UsageError):
        examine(corpus_of(*CLEAN), unit="line")
    with pytest.raises(UsageError):
        examine(corpus_of(*CLEAN), language="english")


def test_an_empty_corpus_is_reported_as_an_error() -> None:
    examination = examine(Corpus([], "none"))
    assert [finding.code for finding in examination.findings] == ["too-few-authors"]
    assert (examination.sizes, examination.language) == ((), None)


def test_every_step_but_duplicates_has_a_finder() -> None:
    assert set(FINDERS) == set(CleaningStep) - {CleaningStep.DUPLICATES}


def test_reading_for_checking_keeps_the_lines_of_files(tmp_path: Path) -> None:
    lines = "The rope is\nlong and so\nis the day.\n\nIt is\ncold.\n"
    for author in ("Quill", "Sail"):
        (tmp_path / author).mkdir()
        (tmp_path / author / "a.txt").write_text(lines.replace("cold", author), encoding="utf-8")
    (tmp_path / "Quill" / "bad.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "Sail" / "b.srt").write_text(
        "1\n00:00:01,000 --> 00:00:02,000\nAhoy\nthere.\n", encoding="utf-8"
    )
    corpus, findings = read_for_checking(tmp_path)
    assert corpus.texts[0] == lines.replace("cold", "Quill")
    assert corpus.texts[1].split() == lines.replace("cold", "Sail").split()
    assert corpus.texts[2].split() == ["Ahoy", "there."]
    assert [(finding.code, finding.paths) for finding in findings] == [
        ("unreadable", ("Quill/bad.txt",))
    ]


def test_known_problems_of_the_ccat50_corpus_are_found(some_authors: Callable[..., Path]) -> None:
    known = ("DavidLawder", "HeatherScoffield", "LynneO_Donnell", "MartinWolk", "SarahDavison")
    corpus, _ = read_for_checking(some_authors("ccat50/train", *known))
    findings = found(examine(corpus))
    # duplicates.tsv lists nine pairs of them in the training part
    assert len(findings["duplicate-within-author"].paths) == 18
    assert findings["html-entity"].cleaning_step == "mojibake"
    assert len(findings["near-duplicate-within-author"].paths) > 20
    assert "foreign-passage" not in findings


def test_clean_essays_have_no_findings(shared: Path) -> None:
    corpus, findings = read_for_checking(shared / "corpora" / "federalist" / "known")
    assert examine(corpus, findings=findings).findings == ()


def test_texts_and_passages_in_other_languages_are_found() -> None:
    french = (
        "La corde que nous avions achetée au port était plus longue qu'il ne fallait, et pourtant "
        "personne ne voulait la couper, parce qu'une corde coupée ne sera jamais aussi forte. "
    )
    corpus = corpus_of(*CLEAN, ("Quill", french * 6), ("Sail", f"{prose('crew')}\n{french * 4}"))
    findings = found(examine(corpus))
    assert (
        "(en): Quill/2.txt (fr). A model would distinguish languages"
        in findings["other-language"].message
    )
    assert findings["foreign-passage"].paths == ("Sail/3.txt",)
    assert "Sail/3.txt, line 1" in findings["foreign-passage"].message
