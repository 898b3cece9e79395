from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from byline.attribution import Attribution, Candidate, Evidence
from byline.attribution.caveats import Caveat
from byline.attribution.open_set import OpenSetDecision
from byline.experiments import Evaluation
from byline.report import (
    attribution_summary,
    evaluation_summary,
    print_attribution,
    print_evaluation,
    print_profile,
)
from byline.report.terminal import empty_table, in_sentences, plain, shorten_name
from byline.text import profile_texts


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=100, highlight=False)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_rankings_and_evidence_are_printed(
    console: Console, attribution: Attribution, declined: Attribution, evidence: Evidence
) -> None:
    print_attribution(
        console, attribution_summary([attribution, declined], [evidence, None]), top=2
    )
    text = printed(console)
    assert "Ada" in text
    assert "<script>" in text
    assert "Zoe" not in text
    assert "“<em>” +8.0" in text
    assert "cannot tell: the text is <empty>" in text


def test_probabilities_ratios_and_caveats_are_printed(
    console: Console, calibrated: Attribution, caveat: Caveat
) -> None:
    print_attribution(console, attribution_summary([calibrated], caveats=[[caveat]]))
    text = printed(console)
    assert text.index("Ada") < text.index("<script>")
    assert "90.0 %" in text
    assert "+1.26" in text
    assert "moderate support" in text
    assert "less than 0.1 %" in text
    assert "Caveat: by <script>" in text
    assert "uncalibrated" not in text
    told = " ".join(text.split())
    assert "calibrated on 3 held-out known texts and 9 simulated cases. It assumes" in told
    assert "log10 LR: this candidate against the others, from the same probabilities." in told


def test_open_set_results_are_printed(
    console: Console, calibrated: Attribution, declined: Attribution, open_set: OpenSetDecision
) -> None:
    accepted = replace(open_set, accepted=True, nearest="Ada", p_value=0.01)
    rejected = replace(declined, declined=open_set.declined, open_set=open_set)
    summary = attribution_summary([replace(calibrated, open_set=accepted), rejected])
    print_attribution(console, summary)
    text = printed(console)
    assert "  Attributed to Ada (p = 0.01, requested rate 5 %). The text is" in text
    assert "  Attributed to none of the candidates; the nearest is <script>" in text
    assert "cannot tell" not in text


def test_a_missing_calibration_is_stated_once(console: Console, attribution: Attribution) -> None:
    said = Caveat("uncalibrated", "There is no probability: no texts were <held> out.")
    print_attribution(console, attribution_summary([attribution], caveats=[[said]]))
    text = printed(console)
    assert "uncalibrated: no texts were <held> out" in text
    assert "Caveat" not in text


def test_names_cannot_control_the_terminal(console: Console) -> None:
    name = "[bold]A\x1b[31m\u009bb\udce9"
    place = Candidate(name, -9.0, -9.0, -1.0, 2.0, None, None, 1.0)
    print_attribution(
        console,
        attribution_summary([Attribution(name, 9, "log-likelihood", None, "why", None, (place,))]),
    )
    text = printed(console)
    assert "[bold]A?[31m?b?" in text
    assert "\x1b" not in text


def test_an_evaluation_is_printed_with_its_baseline(
    console: Console, evaluation: Evaluation
) -> None:
    print_evaluation(console, evaluation_summary(evaluation))
    text = printed(console)
    assert "66.7 %" in text
    assert "most frequent author" in text
    assert "33.3 %" in text
    assert "5 sentences" in text
    assert "Note: <u>two</u> texts are copies." in text


def test_a_profile_prints_names_without_markup(console: Console) -> None:
    text = "One sentence here. Another sentence there."
    print_profile(console, profile_texts({"[/red]x": [text], "y" * 300: [text, text]}))
    shown = printed(console)
    assert "[/red]x" in shown
    assert "yyy…" in shown
    # two texts of two sentences, three words, a full stop and an end mark each
    assert shown.splitlines()[2].split()[1:4] == ["2", "4", "20"]


def test_the_basis_of_the_calibration_is_printed_once(
    console: Console, calibrated: Attribution, declined: Attribution
) -> None:
    print_attribution(console, attribution_summary([calibrated, declined, calibrated]))
    assert printed(console).count("calibrated on") == 1


def test_lengths_and_names_have_one_layout() -> None:
    assert [in_sentences(n) for n in (None, 1, 20)] == ["whole texts", "1 sentence", "20 sentences"]
    assert plain("[b]\x1b[0m\ud800é\t").plain == "[b]?[0m?é?"
    assert shorten_name("n" * 40).plain == "n" * 40
    assert shorten_name("n" * 41).plain == "n" * 39 + "…"
    table = empty_table("text", "a", "b", texts=1)
    assert [column.justify for column in table.columns] == ["left", "right", "right"]
