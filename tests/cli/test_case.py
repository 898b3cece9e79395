"""The report of a case, from known texts to the page, with and without calibration."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from byline.report.html import SCRIPT_ELEMENT

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]
HOSTILE = "<script>alert(1)</script> & 'co'"
_MODELS: dict[str, bytes] = {}


@pytest.fixture(scope="session")
def twelve(tmp_path_factory: pytest.TempPathFactory, sentences: Sentences) -> Path:
    """A folder of two authors with twelve texts each; the name of one author is hostile."""
    folder = tmp_path_factory.mktemp("case") / "papers"
    for author, words in (("ada", "ada"), (HOSTILE.replace("/", "⁄"), "ben")):
        (folder / author).mkdir(parents=True)
        for number in range(12):
            text = sentences(words, 12, number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def calibrated(run: Run, twelve: Path, tmp_path: Path) -> Path:
    """A model of them, trained once."""
    path = tmp_path / "model's <b>.byline"
    if "bytes" not in _MODELS:
        assert run("train", twelve, "-o", path, "--order", "2").code == 0
        _MODELS["bytes"] = path.read_bytes()
    path.write_bytes(_MODELS["bytes"])
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_calibrated_answer_has_a_probability_and_no_caveats(
    run: Run, calibrated: Path, questioned: Path
) -> None:
    ended = run("attribute", calibrated, questioned)
    assert "probability  log10 LR" in ended.out
    assert "uncalibrated" not in ended.out
    assert "Caveat" not in ended.out
    [text] = json.loads(run("attribute", calibrated, questioned, "--json").out)["questioned"]
    assert text["calibration_unavailable_reason"] is None
    assert text["caveats"] == []
    assert sum(place["probability"] for place in text["ranking"]) == pytest.approx(1)
    first, second = text["ranking"]
    assert first["log10_lr"] == pytest.approx(-second["log10_lr"])
    assert first["support"] + " for the others" == second["support"]


def test_the_report_of_a_case(
    run: Run, calibrated: Path, questioned: Path, twelve: Path, tmp_path: Path
) -> None:
    report = tmp_path / "case.html"
    ended = run("attribute", calibrated, questioned, "--report", report, "--known", twelve)
    assert (ended.code, ended.err) == (0, f"note: {report} was written\n")
    html = report.read_text(encoding="utf-8").replace(SCRIPT_ELEMENT, "")
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    for section in ("All candidates", "Method and data"):
        assert f">{section}</h2></summary>" in html
    assert "Keywords in this text" in html
    assert "all 24 SHA-256 values agree" in html
    assert sha256(calibrated) in html
    assert sha256(questioned) in html
    for path in sorted(twelve.glob("*/*.txt")):
        assert sha256(path) in html  # one line and no line end: the text is the file


def test_the_printed_command_repeats_the_attribution(
    run: Run, calibrated: Path, questioned: Path, tmp_path: Path
) -> None:
    report = tmp_path / "case.html"
    assert run("attribute", "--report", report, "--top=1", calibrated, questioned).code == 0
    html = report.read_text(encoding="utf-8")
    [shown] = re.findall(r'<pre class="command"><code>(.*?)</code></pre>', html, re.DOTALL)
    for entity, sign in (("&#39;", "'"), ("&#34;", '"'), ("&lt;", "<"), ("&gt;", ">")):
        shown = shown.replace(entity, sign)
    name, *args = shlex.split(shown.replace("&amp;", "&"))
    assert name == "byline"
    assert args == [
        *("attribute", str(calibrated), str(questioned), "--top", "1", "--report", str(report))
    ]
    report.unlink()
    assert run(*args).code == 0
    assert report.read_text(encoding="utf-8") == html


def test_only_the_given_paths_are_reported(
    run: Run, calibrated: Path, questioned: Path, twelve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = twelve.parent
    shutil.copy(calibrated, folder / "model.byline")
    shutil.copy(questioned, folder / "-letter.txt")
    monkeypatch.chdir(folder)
    args = ("model.byline", "-letter.txt")
    assert run("attribute", "--report", "c.html", "--known", "papers", "--", *args).code == 0
    html = (folder / "c.html").read_text(encoding="utf-8")
    assert str(folder) not in html
    command = "byline attribute --report c.html --known papers -- model.byline -letter.txt"
    assert command in html


def test_different_known_texts_are_reported_with_a_warning(
    run: Run, calibrated: Path, questioned: Path, twelve: Path, tmp_path: Path
) -> None:
    papers = tmp_path / "other"
    shutil.copytree(twelve, papers)
    changed = papers / "ada" / "3.txt"
    changed.write_text(changed.read_text().replace("engine", "ocean"))
    report = tmp_path / "case.html"
    ended = run("attribute", calibrated, questioned, "--report", report, "--known", papers)
    assert "the texts in other are not those that" in ended.err
    assert "(1 missing, 1 added)" in ended.err
    html = report.read_text(encoding="utf-8")
    assert "are not those that the model was trained on" in html
    assert html.count("<bdi>ada</bdi> (ada/3.txt)") == 2


def test_keywords_are_in_the_json(
    run: Run, calibrated: Path, questioned: Path, twelve: Path
) -> None:
    ended = run("attribute", calibrated, questioned, "--json", "--top", "1", "--known", twelve)
    [text] = json.loads(ended.out)["questioned"]
    first, second = (each["author"] for each in text["keywords"])
    assert first == text["ranking"][0]["author"] == "ada"
    assert second != first


def test_known_texts_by_other_authors_are_rejected(
    run: Run, calibrated: Path, questioned: Path, known: Path
) -> None:
    ended = run("attribute", calibrated, questioned, "--known", known)
    assert ended.code == 2
    assert "has no text by" in ended.err


def test_a_model_without_a_record_is_reported(
    run: Run, known: Path, questioned: Path, tmp_path: Path
) -> None:
    model = tmp_path / "alone.byline"
    assert run("train", known, "-o", model, "--method", "language-models").code == 0
    [text] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
    assert text["calibration_unavailable_reason"]
    report = tmp_path / "case.html"
    ended = run("attribute", model, questioned, "--report", report, "--known", known)
    assert ended.code == 0
    html = report.read_text(encoding="utf-8")
    assert "No probability can be stated" in html


def test_standard_input_is_hashed_as_it_was_read(
    run: Run,
    calibrated: Path,
    sentences: Sentences,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = sentences("ben", 12, 95)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    report = tmp_path / "case.html"
    assert run("attribute", calibrated, "-", "--report", report).code == 0
    html = report.read_text(encoding="utf-8")
    assert f"<code>{hashlib.sha256(text.encode()).hexdigest()}</code> of the text" in html
    assert "standard input" in html


def test_a_very_long_text_has_a_caveat_instead_of_evidence(
    run: Run, calibrated: Path, questioned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byline.attribution.evidence.explanation.MAX_EXPLAINED_CHARACTERS", 100)
    report = tmp_path / "case.html"
    ended = run("attribute", calibrated, questioned, "--json", "--report", report)
    [text] = json.loads(ended.out)["questioned"]
    assert [caveat["code"] for caveat in text["caveats"]] == ["not-explained"]
    assert text["ranking"]
    assert "only for texts of up to 100 characters" in report.read_text("utf-8")
    out = run("attribute", calibrated, questioned).out
    assert "Caveat: The text has" in out
    assert "evidence for" not in out


def test_a_copied_text_has_a_caveat(
    run: Run, calibrated: Path, questioned: Path, twelve: Path, tmp_path: Path
) -> None:
    copied = tmp_path / "copied.txt"
    stolen = (twelve / "ada" / "0.txt").read_text()[:400]
    copied.write_text(questioned.read_text() + " " + stolen)
    ended = run("attribute", calibrated, copied)
    caveat = "Caveat: 1 passage of the text is also in the known texts by ada, word for word"
    assert caveat in ended.out


def test_a_report_is_written_completely_or_not_at_all(
    run: Run, calibrated: Path, questioned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "case.html"
    report.write_text("the one before")
    monkeypatch.setattr("pathlib.Path.replace", _fail)
    ended = run("attribute", calibrated, questioned, "--report", report)
    assert ended.code == 7
    assert report.read_text() == "the one before"
    assert sorted(tmp_path.glob(".byline-*")) == []


def _fail(self: Path, target: Path) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("place", ["questioned", "model", "known", "inside", "folder", "/dev/null"])
def test_a_report_does_not_replace_other_files(
    run: Run, calibrated: Path, questioned: Path, twelve: Path, place: str
) -> None:
    places = {
        "questioned": questioned,
        "model": calibrated,
        "known": twelve,
        "inside": twelve / "ada" / "0.txt",
        "folder": twelve.parent,
    }
    report = places.get(place, Path(place))
    ended = run("attribute", calibrated, questioned, "--known", twelve, "--report", report)
    assert ended.code == 7
    assert ended.out == ""


def test_a_report_states_the_details_of_the_case(
    run: Run, calibrated: Path, questioned: Path, tmp_path: Path
) -> None:
    details, report = tmp_path / "case.toml", tmp_path / "case.html"
    details.write_text('case_number = "17/2026"\nexaminer = "<i>Ada</i>"\n')
    ended = run("attribute", calibrated, questioned, "--report", report, "--case", details)
    assert (ended.code, ended.err) == (0, f"note: {report} was written\n")
    html = report.read_text(encoding="utf-8")
    assert "17/2026" in html and "&lt;i&gt;Ada&lt;/i&gt;" in html
    assert html.count("not stated") == 9
    # The answer states the probability, then the ratio; the scale is shown in full.
    ratio, probability = "as probable if ada wrote it", "it was most likely ada (probability"
    assert 0 < html.index(probability) < html.index(ratio)
    assert "ada wrote the questioned text." in html
    assert "extremely strong support" in html and html.count("◀ this text") == 1


def test_details_of_the_case_need_a_report(
    run: Run, calibrated: Path, questioned: Path, tmp_path: Path
) -> None:
    details = tmp_path / "case.toml"
    details.write_text('case_number = "17"')
    ended = run("attribute", calibrated, questioned, "--case", details)
    assert ended.code == 2
    assert "--case is shown in a report; give --report FILE.html, too" in ended.err
