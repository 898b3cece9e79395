from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.cli import main

Run = Callable[..., Any]
LETTERS = [*"abcdefghijklmnopqrst"]


def _write(author: int, seed: int) -> str:
    own = np.random.default_rng(author).dirichlet(np.ones(len(LETTERS)))
    words = np.random.default_rng([author, seed]).choice(LETTERS, size=120, p=own)
    return "\n".join(" ".join(words[n : n + 8]) + "." for n in range(0, 120, 8))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of four authors with four texts each."""
    folder = tmp_path_factory.mktemp("population")
    for author, name in enumerate(("ada", "ben", "cleo", "dan")):
        (folder / name).mkdir()
        for seed in range(4):
            (folder / name / f"{seed}.txt").write_text(_write(author, seed))
    return folder


@pytest.fixture(scope="module")
def questioned(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a text by ada, one by ben, and one that is too short."""
    folder = tmp_path_factory.mktemp("questioned")
    texts = {"ada.txt": _write(0, 99), "ben.txt": _write(1, 99), "short.txt": "Too short."}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def test_texts_are_verified_against_the_other_authors(
    run: Run, corpus: Path, questioned: list[Path]
) -> None:
    ended = run("verify", corpus, *questioned, "--author", "ada", "--json")
    summary = json.loads(ended.out)
    own, other, short = summary["questioned"]
    assert own["answer"] == "yes" and own["probability"] > 0.5 and own["log10_lr"] > 0
    assert other["answer"] == "no" and other["probability"] < 0.5 and other["log10_lr"] < 0
    assert short["answer"] == "cannot tell" and short["probability"] is None
    assert "2 words" in short["declined"]
    assert summary["n_known"] == 4
    assert summary["reference"] == {"name": corpus.name, "n_authors": 3, "n_texts": 12}
    basis = own["calibrated_on"]
    assert basis["n_same"] == basis["n_different"] == 16
    assert basis["auc"] > 0.9


def test_the_same_seed_gives_the_same_answer(
    run: Run, corpus: Path, questioned: list[Path]
) -> None:
    first, again = (
        run("verify", corpus, questioned[0], "--author", "ada", "--seed", "3") for _ in range(2)
    )
    assert first.out == again.out
    words = " ".join(first.out.split())
    assert (
        "Did ada write the text? It is compared with 4 known texts by ada and 12 reference" in words
    )
    assert re.search(
        r"yes, with [a-z ]+ support: written by ada \(probability of authorship", words
    )
    assert "95 % interval of the log10 likelihood ratio: +" in words
    expected = "(40 samples of 4 authors; with so few authors, the interval is usually too narrow)."
    assert expected in words
    assert "Calibrated on" in words and "AUC" in words


def test_a_reference_corpus_replaces_the_other_authors(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "letter.txt").write_text(_write(0, 50))
    ended = run(
        "verify", tmp_path, questioned[0], "--author", "ada", "--reference", corpus, "--json"
    )
    assert "4 texts by ada in" in ended.err
    summary = json.loads(ended.out)
    assert summary["n_known"] == 1
    assert summary["reference"]["n_authors"] == 3  # without ada's own texts
    assert summary["questioned"][0]["answer"] in ("yes", "cannot tell")


def test_one_text_by_one_author_is_rejected(
    run: Run, questioned: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "letter.txt").write_text(_write(0, 50))
    ended = run("verify", tmp_path, questioned[0], "--author", "ada")
    assert ended.code == 5
    for part in ("1 text by 1 author", "at least 3 authors", "--reference"):
        assert part in ended.err


def test_an_unknown_author_is_rejected(run: Run, corpus: Path, questioned: list[Path]) -> None:
    ended = run("verify", corpus, questioned[0], "--author", "eve")
    assert ended.code == 2
    assert "no text by 'eve'; choose from ada, ben" in ended.err


def test_main_knows_the_command() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "--help"])
    assert ended.value.code == 0


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """Fit 40 calibrations instead of 1,000 to estimate an interval."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("byline.attribution.verification.author_verification.N_RESAMPLES", 40)
        yield


@pytest.fixture(scope="module")
def reported(
    corpus: Path, questioned: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], str, Path]:
    """The JSON document and the page of a report on all three texts, and the file of the case."""
    folder = tmp_path_factory.mktemp("report")
    case, page, out = folder / "case.toml", folder / "report.html", folder / "out.json"
    case.write_text('case_number = "17/2026"\nexaminer = "<b>Ada & Co</b>"\ndate = 2026-11-30\n')
    args = ["verify", str(corpus), *map(str, questioned), "--author", "ada", "--json"]
    with pytest.raises(SystemExit) as ended, out.open("w") as stream, redirect_stdout(stream):
        main([*args, "--report", str(page), "--case", str(case)])
    assert ended.value.code in (0, None)
    return json.loads(out.read_text()), page.read_text(encoding="utf-8"), case


def test_a_report_states_the_ratio_with_its_interval(
    reported: tuple[dict[str, Any], str, Path],
) -> None:
    summary, page, _ = reported
    own, other, short = summary["questioned"]
    for entry, side in ((own, "H1"), (other, "H2")):
        interval = entry["interval"]
        assert interval["low"] <= entry["log10_lr"] <= interval["high"]
        assert (interval["n_resamples"], interval["n_authors"]) == (40, 4)
        without = entry["without_known_texts"]
        assert without["n"] == 4 and without["low"] <= without["high"]
        assert entry["support"].endswith(f"support for {side}")
        assert [step["is_here"] for step in entry["verbal_scale"]].count(True) == 1
        assert entry["sentences"]["findings"] in page
    assert short["interval"] is None and short["evidence"] is None
    assert "No likelihood ratio is stated: " in page


def test_a_report_shows_the_evidence(reported: tuple[dict[str, Any], str, Path]) -> None:
    summary, page, _ = reported
    for entry in summary["questioned"][:2]:
        evidence = entry["evidence"]
        parts = [each["log_lr"] for each in evidence["similarities"]]
        total = evidence["intercept"] + sum(parts)
        assert evidence["log10_lr"] == pytest.approx(total / np.log(10))
        assert evidence["words"]["log_lr"] == pytest.approx(total)
        assert evidence["for_same"] and evidence["for_different"]
    assert "Evidence for and against" in page and 'class="marked-text"' in page


def test_a_report_counts_the_answers_in_simulated_cases(
    reported: tuple[dict[str, Any], str, Path],
) -> None:
    for entry in reported[0]["questioned"]:
        simulated = entry["simulated"]
        for kind in ("same", "different"):
            row = simulated["outcomes"][kind]
            assert row["n"] == simulated[f"n_{kind}"] == 16
            assert row["right"] + row["wrong"] + row["withheld"] == row["n"]
            assert row["right"] > row["wrong"]
        assert simulated["known_texts"] == [3, 3.5, 4]
        assert 0 <= simulated["cllr_min"] <= simulated["cllr"] < 1
        assert simulated["bounds"][0] < 0 < simulated["bounds"][1]


def test_a_report_lists_the_material(
    reported: tuple[dict[str, Any], str, Path], corpus: Path, questioned: list[Path]
) -> None:
    summary, page, _ = reported
    listed = {each["sha256"]: each for each in summary["material"]}
    files = [*questioned, *corpus.glob("*/*.txt")]
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    assert sorted(listed) == sorted(digests)
    assert all(digest in page for digest in digests)
    roles = [each["role"] for each in summary["material"]]
    assert [roles.count(role) for role in dict.fromkeys(roles)] == [3, 4, 12]
    own = listed[digests[0]]
    assert (own["author"], own["n_words"], own["hashed"]) == (None, 120, "file")


def test_a_report_states_what_the_examiner_states(
    reported: tuple[dict[str, Any], str, Path],
) -> None:
    summary, page, case = reported
    assert summary["case"]["case_number"] == "17/2026"
    assert summary["case"]["instructions"] is None
    assert "17/2026" in page and "2026-11-30" in page and "not stated" in page
    assert "<b>Ada" not in page and "&lt;b&gt;Ada &amp; Co&lt;/b&gt;" in page
    assert summary["propositions"]["H1"] in page
    assert f"--case {case}" in page and page.count("<script") == 1 and "://" not in page


def test_a_report_is_the_same_again(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    args = ("verify", corpus, questioned[0], "--author", "ada", "--report", page)
    assert run(*args).code == 0
    before = page.read_text(encoding="utf-8")
    assert run(*args).code == 0
    assert page.read_text(encoding="utf-8") == before
    assert "No details of the case are stated" in before


def test_a_text_that_is_not_a_file_is_hashed_as_it_was_read(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    table = tmp_path / "known.csv"
    rows = [f'{path.parent.name},"{path.read_text()}"' for path in sorted(corpus.glob("*/*.txt"))]
    table.write_text("\n".join(["author,text", *rows]))
    summary = json.loads(run("verify", table, questioned[0], "--author", "ada", "--json").out)
    assert {each["hashed"] for each in summary["material"] if each["author"]} == {"text"}
    assert "known.csv" in summary["material"][1]["name"]


def test_an_invalid_report_or_case_is_rejected_first(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    args = ("verify", corpus, questioned[0], "--author", "ada")
    ended = run(*args, "--report", tmp_path / "report.pdf")
    assert ended.code != 0 and "reports are HTML" in ended.err
    case = tmp_path / "case.html"
    case.write_text("examinor = 1")
    ended = run(*args, "--report", tmp_path / "report.html", "--case", case)
    assert ended.code == 2 and "do you mean 'examiner'?" in ended.err
    ended = run(*args, "--report", case, "--case", case)
    assert "would be replaced" in ended.err


def test_an_author_who_is_named_twice_is_rejected(
    run: Run, corpus: Path, questioned: list[Path]
) -> None:
    for more in ((), ("--author", "ben")):
        ended = run("verify", corpus, questioned[0], *("--author", "ada") * 2, *more)
        assert ended.code == 2
        assert "--author names 'ada' more than once; name each author once" in ended.err


@pytest.fixture(scope="module")
def joint(
    corpus: Path, questioned: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], str]:
    """The JSON document and the page of a report about two authors and all three texts."""
    folder = tmp_path_factory.mktemp("joint")
    page, out = folder / "report.html", folder / "out.json"
    args = ["verify", str(corpus), *map(str, questioned), "--author", "cleo", "--author", "ada"]
    with pytest.raises(SystemExit) as ended, out.open("w") as stream, redirect_stdout(stream):
        main([*args, "--json", "--report", str(page)])
    assert ended.value.code in (0, None)
    return json.loads(out.read_text()), page.read_text(encoding="utf-8")


def test_several_authors_are_verified_jointly(
    run: Run, corpus: Path, questioned: list[Path], joint: tuple[dict[str, Any], str]
) -> None:
    summary, _ = joint
    assert summary["kind"] == "joint verification"
    assert summary["authors"] == ["ada", "cleo"]
    assert summary["prior"] == pytest.approx(dict.fromkeys(("ada", "cleo", "somebody else"), 1 / 3))
    assert summary["n_known"] == {"ada": 4, "cleo": 4}
    assert summary["reference"] == {"name": corpus.name, "n_authors": 2, "n_texts": 8}
    own, other, short = summary["questioned"]
    assert own["answer"] == "ada"
    assert other["answer"] == "somebody else"
    assert short["answer"] == "cannot tell" and "2 words" in short["declined"]
    for entry in (own, other):
        ratios = [10 ** entry["separate"][name]["log10_lr"] for name in ("ada", "cleo")]
        expected = [ratio / (sum(ratios) + 1) for ratio in (*ratios, 1)]
        assert list(entry["probabilities"].values()) == pytest.approx(expected)
    authors = ("--author", "cleo", "--author", "ada")
    words = " ".join(run("verify", corpus, questioned[0], *authors).out.split())
    assert "Who wrote the text: ada, cleo or somebody else?" in words
    assert "95 % interval" in words
    assert "depends on the 4 authors of the calibration. With so few, it is usually too" in words
    assert "the 2 authors and somebody else are equally likely beforehand" in words


def test_a_joint_report_compares_all_propositions(joint: tuple[dict[str, Any], str]) -> None:
    summary, page = joint
    assert summary["labels_of"] == {"ada": "H1", "cleo": "H2", "somebody else": "H0"}
    assert all(stated in page for stated in summary["propositions"].values())
    own, other, short = summary["questioned"]
    for entry in (own, other):
        pairs = [(each["first"], each["second"]) for each in entry["comparisons"]]
        assert pairs == [("ada", "somebody else"), ("cleo", "somebody else"), ("ada", "cleo")]
        first, second, both = entry["comparisons"]
        assert both["log10_lr"] == pytest.approx(first["log10_lr"] - second["log10_lr"])
        for each in entry["comparisons"]:
            assert each["interval"]["low"] <= each["log10_lr"] <= each["interval"]["high"]
        in_scale = [len(step["comparisons"]) for step in entry["verbal_scale"]]
        assert sum(in_scale) == 3
        assert all(sentence in page for sentence in entry["findings"])
    assert own["favoured"] == ["H1"] and other["favoured"] == ["H0"]
    assert own["comparisons"][0]["support"].endswith("for H1")
    assert short["findings"] == short["comparisons"] == short["posterior"] == []
    assert "No likelihood ratio is stated: " in page


def test_a_joint_report_states_probabilities_for_several_prior_odds(
    joint: tuple[dict[str, Any], str],
) -> None:
    own = joint[0]["questioned"][0]
    equal, doubtful, closed = own["posterior"]
    assert equal["posterior"] == pytest.approx(own["probabilities"])
    assert doubtful["prior"] == {"ada": 0.25, "cleo": 0.25, "somebody else": 0.5}
    assert doubtful["posterior"]["somebody else"] > equal["posterior"]["somebody else"]
    assert closed["posterior"]["somebody else"] == 0


def test_a_joint_report_has_the_evidence_and_the_cases_of_each_author(
    joint: tuple[dict[str, Any], str],
) -> None:
    summary, page = joint
    for entry in summary["questioned"][:2]:
        for author, own in entry["separate"].items():
            evidence, ratio = own["evidence"], own["log10_lr"]
            low, high = own["simulated"]["bounds"]
            assert ratio == pytest.approx(min(max(evidence["log10_lr"], low), high))
            assert evidence["words"]["first"] == author
            assert own["without_known_texts"]["n"] == 4
    for label, author in (("H1", "ada"), ("H2", "cleo")):
        assert f"{label}: <bdi>{author}</bdi>" in page
        assert f'id="text-1-{label}-evidence"' in page and f"{label} is true" in page
    roles = [each["role"] for each in summary["material"]]
    assert [roles.count(role) for role in dict.fromkeys(roles)] == [3, 8, 8]
    assert all(each["sha256"] in page for each in summary["material"])
    assert page.count("<script") == 1 and "://" not in page  # Byline's own


def test_a_known_text_is_not_verified_in_the_document_and_the_report(
    run: Run, corpus: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    command = ["verify", corpus, corpus / "ada" / "1.txt", "--report", report, "--json"]
    for authors in (["--author", "ada"], ["--author", "ada", "--author", "ben"]):
        ended = run(*command, *authors)
        [entry] = json.loads(ended.out)["questioned"]
        assert entry["answer"] == "cannot tell" and "compared with itself" in entry["declined"]
        verdict = "No likelihood ratio is stated: 100"
        assert verdict in report.read_text(encoding="utf-8")


def test_an_author_is_named_as_folders_are_read(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    known = tmp_path / "known"
    shutil.copytree(corpus, known)
    (known / "ada").rename(known / "a\u202eda")
    ended = run("verify", known, questioned[0], "--author", "a\u202eda", "--json")
    assert json.loads(ended.out)["author"] == "a\\u202eda"


def test_a_joint_verification_without_other_authors_states_it(
    run: Run, corpus: Path, questioned: list[Path], tmp_path: Path
) -> None:
    report, names = tmp_path / "report.html", ["ada", "ben", "cleo", "dan"]
    authors = [part for name in names for part in ("--author", name)]
    ended = run("verify", corpus, questioned[0], *authors, "--report", report)
    assert "There are no reference texts by other authors" in " ".join(ended.out.split())
    page = report.read_text(encoding="utf-8")
    assert "who belongs to the same population as they, wrote" in page
    assert "0 reference texts" not in ended.out + page
