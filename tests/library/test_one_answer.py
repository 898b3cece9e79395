"""The command, the local page and Python give one answer about one text."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import byline
from byline.cli import main
from byline.report.case import case_html
from byline.web.messages import Ask, ModelFile, Upload
from byline.web.worker.attribution import ask
from byline.web.worker.loaded_models import LoadedModels

pytestmark = pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")  # of little text


def _answer_sections(page: str) -> list[str]:
    """Return the sections of a report that depend on the answer alone."""
    sections = re.split(r"(?=<h2)", page)
    wanted = ("The answer", "Caveats", "All candidates", "Evidence", "Rolling", "Propositions")
    return [each for each in sections if re.match(rf"<h2[^>]*>({'|'.join(wanted)})", each)]


def test_command_page_and_python_give_one_answer(
    model_file: Path,
    known: Path,
    letter: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = tmp_path / "command.html"
    monkeypatch.setattr(sys, "argv", ["byline"])
    monkeypatch.chdir(letter.parent)
    arguments = ["attribute", str(model_file), letter.name, "--known", str(known), "--open-set"]
    with pytest.raises(SystemExit):
        main([*arguments, "--report", str(report), "--json"])
    [of_command] = json.loads(capsys.readouterr().out)["questioned"]
    with pytest.raises(SystemExit):
        main(arguments)
    printed = capsys.readouterr().out

    given = ModelFile("given", model_file.name, model_file)
    upload = Upload(letter, letter.name, is_file=True)
    task = Ask(given, (upload,), open_set=True)
    of_page = ask(task, LoadedModels(given, known), lambda *_: None).case

    [found] = byline.attribute(model_file, [Path(letter.name)], known, open_set=True)

    shown = json.loads(json.dumps(found.to_dict()))
    assert {key: shown[key] for key in of_command} == of_command
    [entry] = of_page["questioned"]
    assert {key: entry[key] for key in of_command} == of_command
    assert [line.rstrip() for line in printed.rstrip().splitlines()] == str(found).splitlines()
    found.save_report(tmp_path / "python.html")
    sections = [
        _answer_sections(page)
        for page in (
            report.read_text(encoding="utf-8"),
            case_html(of_page),
            (tmp_path / "python.html").read_text(encoding="utf-8"),
        )
    ]
    assert len(sections[0]) >= 5
    assert sections[0] == sections[1] == sections[2]
