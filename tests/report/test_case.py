from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from typing import Any

import pytest

from byline.answering import answer
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.open_set import OpenSetDecision
from byline.lm import NgramLM
from byline.report.case import CaseOrigin, case_html, case_summary
from byline.report.case_sentences import uncertainty_sentence
from byline.report.html import prose

HOSTILE = "<script>alert('&')</script>\"'"


def test_a_case_is_json(case: dict[str, Any]) -> None:
    assert json.loads(json.dumps(case, allow_nan=False)) == case


def test_every_text_has_an_answer_sentence(case: dict[str, Any]) -> None:
    letter, copied, empty = case["questioned"]
    assert letter["answer"].startswith(
        "If one of the 2 candidates wrote the text, it was most likely Ada ("
    )
    assert "as probable if Ada wrote it as if <script>" in letter["meaning"]
    assert copied["answer"].startswith(
        f"If one of the 2 candidates wrote the text, it was most likely {HOSTILE}"
    )
    assert [caveat["code"] for caveat in copied["caveats"]] == ["shared-passages"]
    assert empty["answer"] == "No author is named: the text is empty."
    assert empty["meaning"] is empty["explanation"] is empty["rolling"] is None


def test_the_performance_is_reported_by_length(case: dict[str, Any]) -> None:
    found = case["performance"]
    assert found["n_whole"] == found["whole"]["n"] == 24
    assert sum(row["n"] for row in found["by_length"]) == found["all"]["n"]
    assert found["all"]["n"] > 24  # with shorter passages
    for row in (found["all"], found["whole"], *found["by_length"]):
        low, high = row["accuracy_interval"]
        assert 0 <= low <= row["accuracy"] <= high <= 1
        assert 0 <= row["cllr_min"] <= row["cllr"]
    row = found["by_length"][case["questioned"][0]["length_row"]]
    assert row["longest"] == max(each["longest"] for each in found["by_length"])


def test_probability_and_likelihood_ratio_agree_and_state_their_basis(case: dict[str, Any]) -> None:
    for entry in case["questioned"][:2]:
        assert entry["calibration_basis"] == "24 held-out known texts"
        for place in entry["ranking"]:
            odds = place["probability"] / (1 - place["probability"])
            assert 10 ** place["log10_lr"] == pytest.approx(odds)  # of two candidates
    assert "calibrated on 24 held-out known texts. The probability assumes" in case_html(case)


def test_the_uncertainty_of_the_likelihood_ratio_is_described(case: dict[str, Any]) -> None:
    letter, copied, empty = case["questioned"]
    for entry in (letter, copied):
        alike = entry["alike"]
        assert alike["n_whole"] == 24 and 0 <= alike["n_right"] <= alike["n"] <= 24
        assert "Of 24 held-out known texts, " in entry["uncertainty"]
        assert "No interval of the likelihood ratio is stated: " in entry["uncertainty"]
        assert entry["uncertainty"].endswith("and shows how far the ratio changes.")
    assert sum(entry["alike"]["n"] for entry in (letter, copied)) > 0
    assert empty["alike"] is empty["uncertainty"] is None
    assert "No interval of the likelihood ratio is stated: " in case_html(case)


def test_variations_show_how_far_a_likelihood_ratio_changes() -> None:
    rows = [
        {"comparable": comparable, "log10_lr": ratio}
        for comparable, ratio in ((True, 0.5), (True, 1.5), (True, None), (False, 9.0))
    ]
    entry = {
        "declined": None,
        "ranking": [{"log10_lr": 1.0, "support": "moderate support"}],
        "sensitivity": {"variations": rows},
    }
    stated = uncertainty_sentence(entry, {"n_whole": 3, "n": 0, "n_right": 0})
    assert stated is not None
    assert stated.startswith("Of 3 held-out known texts, none had a first candidate with ")
    assert "In 2 variations for which the model was trained again, the log10 likelihood" in stated
    assert "is +0.50 to +1.50 (see" in stated


def test_the_base_classifiers_that_decided_are_reported(case: dict[str, Any]) -> None:
    letter = case["questioned"][0]
    assert list(letter["contributions"]) == ["language-models", "words"]
    assert letter["by_classifier"].startswith("Log-odds of Ada against <script>")
    assert "</table>\n</div>\n<p>Log-odds of Ada against &lt;script&gt;" in case_html(case)


def test_a_stack_without_held_out_texts_has_no_performance(
    stack_of_single_works: StackedAttributor, questioned: str
) -> None:
    stack = stack_of_single_works
    answers = answer(stack, [questioned], evidence=False)
    summary = case_summary(answers, CaseOrigin("byline", ()))
    [entry] = summary["questioned"]
    assert summary["performance"] is entry["length_row"] is None
    assert re.fullmatch(r"[\d,]+ simulated cases", entry["calibration_basis"])
    assert 0 < entry["ranking"][0]["probability"] < 1
    html = case_html(summary)
    assert f"calibrated on {entry['calibration_basis']}." in html
    assert "No author has a second work that could be held out." in html
    assert "language models alone" not in html[html.index('id="accuracy">') :][:900]


def test_the_method_is_reported(case: dict[str, Any], stack: StackedAttributor) -> None:
    done = case["done"]
    assert done["command"] == f"byline attribute '{HOSTILE}'"
    assert done["inputs"] == [
        {"role": "model", "name": HOSTILE, "sha256": "0" * 64, "hashed": "file"}
    ]
    assert done["known"]["sha256"] == stack.training_record_.sha256
    assert len(done["known"]["documents"]) == len(done["known"]["missing"]) == 24
    assert [each["work"] for each in done["known"]["added"]] == ["<u>", HOSTILE]
    assert done["settings"]["StackedAttributor"]["folds"] == "2"
    assert done["settings"]["words: NgramSVM"]["ngram_range"] == "[1, 1]"
    assert done["versions"]["byline"]
    assert [each["n_texts"] for each in case["candidates"]] == [12, 12]


def test_language_models_alone_have_no_performance_and_no_record(questioned: str) -> None:
    models = NgramLM(order=2, smoothing="witten-bell")
    alone = AuthorshipAttributor(models).fit(
        [questioned, questioned.replace("loom", "ship")], ["Ada", "Ben"]
    )
    answers = answer(alone, [questioned], evidence=False)
    summary = case_summary(answers, CaseOrigin("byline", ()))
    assert summary["performance"] is summary["done"]["known"] is None
    html = case_html(summary)
    assert "The accuracy for these candidates is unknown" in html
    assert "The model consists of language models alone." in html
    assert "has no record of its training texts" in html
    assert "No probability can be stated" in html


@pytest.mark.parametrize(
    ("given", "differing", "words"),
    [
        (None, None, "<code>known</code>"),
        ("papers", [], "all 24 SHA-256 values agree"),
        ("papers", [{"author": "A", "work": "<u>"}], "<bdi>A</bdi> (&lt;u&gt;)"),
    ],
)
def test_known_texts_that_are_given_again_are_compared(
    case: dict[str, Any], given: str | None, differing: list[Any] | None, words: str
) -> None:
    known = case["done"]["known"] | {"given": given, "missing": differing, "added": differing}
    html = case_html(case | {"done": case["done"] | {"known": known}})
    assert words in html


def test_the_command_is_shown_and_the_glossary_explains_the_terms(case: dict[str, Any]) -> None:
    html = case_html(case)
    assert "byline attribute &#39;&lt;script&gt;" in html
    glossary = html[html.index('<dl class="glossary">') :]
    assert re.findall(r"<dt>(.*?)</dt>", glossary) == [
        "Probability",
        "Likelihood ratio",
        "Open set",
        "p (p-value)",
        "95&nbsp;% interval",
        "Held out",
        "Work",
        "Calibration",
        "Simulated case",
        "Base classifier",
        "Author intercept",
        "Token",
        "Nat",
        "Perplexity",
    ]


def test_one_text_has_the_name_of_the_page_and_several_an_overview(case: dict[str, Any]) -> None:
    one = case_html(case | {"questioned": case["questioned"][:1]})
    assert "<title>Who wrote letter.txt?</title>" in one
    assert "(nearest)" in one
    assert "stroke-dasharray" in one
    several = case_html(case)
    assert "<title>Who wrote 3 questioned texts?</title>" in several
    assert 'href="#text-2"' in several
    assert "(nearest)" not in several


def test_an_open_set_decision_is_reported(case: dict[str, Any], open_set: OpenSetDecision) -> None:
    accepted = replace(open_set, accepted=True, nearest="Ada", p_value=0.01)
    told = asdict(accepted) | {
        name: getattr(accepted, name)
        for name in ("verdict", "points", "finding", "basis", "sentence")
    }
    html = case_html(case | {"questioned": [case["questioned"][0] | {"open_set": told}]})
    assert '<p class="verdict">Attributed to Ada.</p>' in html
    assert "<li>p = 0.01: this is the share of texts by unknown authors" in html
    assert "Even if somebody else wrote the text" not in html
    assert "Even if somebody else wrote the text" in case_html(case)


def test_an_uncalibrated_case_states_no_probability(case: dict[str, Any]) -> None:
    questioned = [
        entry
        | {
            "ranking": [
                place | {"probability": None, "log10_lr": None, "support": None}
                for place in entry["ranking"]
            ]
        }
        for entry in case["questioned"]
    ]
    html = case_html(case | {"questioned": questioned})
    assert "Distance from the best" in html
    assert "Probability of each candidate" not in html
    assert "How well each candidate fits" in html
    assert '<th scope="col">Probability</th><td></td><th scope="col">log10' not in html


def test_the_first_screen_has_answer_accuracy_caveats_and_a_figure(case: dict[str, Any]) -> None:
    html = case_html(case)
    letter, copied, _ = case["questioned"]
    first = html[html.index('id="text-1"') : html.index('id="evidence-1"')]
    assert letter["answer"].partition(" (")[0].replace(HOSTILE, "") in first
    measured = letter["measured_accuracy"]
    row = case["performance"]["by_length"][letter["length_row"]]
    assert measured["n"] == row["n"] and measured["accuracy"] == row["accuracy"]
    assert f"Of {measured['n']} held-out texts and passages by these candidates" in first
    assert "Probability of each candidate" in first
    width = 100 * letter["ranking"][0]["probability"]
    assert f'<rect class="filled" width="{round(width, 2)}%"' in first
    assert 'style="' not in first  # the local page shows it, whose policy forbids that
    second = html[html.index('id="text-2"') : html.index('id="evidence-2"')]
    assert f"{len(copied['caveats'])} caveat" in second


def test_the_table_of_contents_lists_all_sections(case: dict[str, Any]) -> None:
    html = case_html(case)
    targets = re.findall(r'<li class="level-\d"><a href="#([^"]+)">', html)
    sections = re.findall(r'<div class="inside" id="([^"]+)">', html)
    assert [each for each in targets if each in sections] == sections
    assert set(targets) - set(sections) == {"overview", "text-1", "text-2", "text-3"}
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_a_known_text_is_the_headline_of_its_report(
    stack: StackedAttributor, known_text: str
) -> None:
    summary = case_summary(answer(stack, [known_text]), CaseOrigin(None, ()))
    [entry] = summary["questioned"]
    assert entry["known_copy"] | {"sentence": ""} == {
        "author": HOSTILE,
        "share": 1.0,
        "work": f"{HOSTILE}0",
        "sentence": "",
    }
    assert entry["answer"].startswith("The text is one of the known texts by ")
    assert entry["ranking"] == [] and entry["measured_accuracy"]["accuracy"] is None
    html = case_html(summary)
    verdict = html[html.index('<p class="verdict">') :].partition("</p>")[0]
    assert "The model was trained on it" in verdict
    assert "Accuracy in such cases" not in html


def test_the_first_screen_states_why(case: dict[str, Any]) -> None:
    part = case["questioned"][0]["explanation"]
    values = [word["log_lr"] for word in part["strongest"]]
    assert 1 <= len(values) <= 5 and values == sorted(values, reverse=True)
    listed = [*part["for_first"]["tokens"], *part["for_second"]["tokens"]]
    assert max(map(abs, values)) == max(abs(entry["log_lr"]) for entry in listed)
    html = case_html(case)
    first = html[html.index('id="text-1"') : html.index('id="evidence-1"')]
    assert "Why: the words with the strongest evidence" in first
    assert "the only other candidate" in first


def test_sentences_show_code_as_code() -> None:
    assert str(prose("Use `byline evaluate`, -2 < `a")) == (
        "Use <code>byline evaluate</code>, \N{MINUS SIGN}2 &lt; a"
    )
    assert str(prose("`<b>`")) == "<code>&lt;b&gt;</code>"
