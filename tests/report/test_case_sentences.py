from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from byline.attribution import Attribution
from byline.attribution.open_set import OpenSetDecision
from byline.formatting import bounded_percent, times_as_much
from byline.report import attribution_summary
from byline.report.case_sentences import answer_sentence, ratio_sentence


def entry(*told: tuple[float, float, str]) -> dict[str, Any]:
    """A questioned text with candidates A, B, C ... of a probability, log10 LR and its words."""
    return {
        "declined": None,
        "open_set": None,
        "calibration_unavailable_reason": None,
        "ranking": [
            {"author": author, "probability": probability, "log10_lr": ratio, "support": words}
            for author, (probability, ratio, words) in zip("ABC", told, strict=False)
        ],
    }


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.5, "50.0 %"),
        (0.9989, "99.9 %"),
        (0.99999, "more than 99.9 %"),
        (0.0004, "less than 0.1 %"),
    ],
)
def test_no_probability_is_rounded_to_certainty(probability: float, words: str) -> None:
    assert bounded_percent(probability) == words


@pytest.mark.parametrize(
    ("log10_ratio", "words"),
    [
        (0.0, "1.0 times"),
        (0.5, "3.2 times"),
        (1.25, "18 times"),  # 10 ** 1.25 = 17.78
        (3.2, "1,600 times"),  # 1,584.9
        (-2.0, "1/100"),
    ],
)
def test_ratios_have_two_digits(log10_ratio: float, words: str) -> None:
    assert times_as_much(log10_ratio) == words


def test_a_sure_answer_names_its_probability_and_ratio() -> None:
    sure = entry((0.95, 1.25, "moderate support"), (0.05, -1.25, "for the others"))
    assert answer_sentence(sure) == (
        "If one of the 2 candidates wrote it, it was most likely A, with a probability of 95.0 %."
    )
    assert ratio_sentence(sure) == (
        "Such a text is about 18 times as probable if A wrote it as if B did (log10 likelihood "
        "ratio 1.2): moderate support for A."
    )
    assert ratio_sentence(sure, [-1.0, 2.0]) == ratio_sentence(sure)
    assert "(log10 likelihood ratio 1.2, the highest that is stated)" in str(
        ratio_sentence(sure, [-1.0, 1.25])
    )


def test_an_unsure_answer_says_that_nobody_stands_out() -> None:
    unsure = entry((0.4, 0.1, "-"), (0.35, 0.0, "-"), (0.25, -0.1, "-"))
    assert answer_sentence(unsure).startswith("No candidate stands out: A is the likeliest of")
    assert str(ratio_sentence(unsure)).endswith("that supports neither side.")
    assert "one of the other candidates" in str(ratio_sentence(unsure))


def test_a_text_by_none_of_them_names_nobody(
    declined: Attribution, open_set: OpenSetDecision
) -> None:
    rejected = replace(declined, declined=open_set.declined, open_set=open_set)
    [entry] = attribution_summary([rejected])["questioned"]
    assert answer_sentence(entry).startswith("None of the candidates is named: <script>")
    assert "comes nearest, but 25.0% of texts by authors left out" in answer_sentence(entry)


def test_what_is_declined_or_uncalibrated_is_not_made_surer(
    attribution: Attribution, declined: Attribution
) -> None:
    lacking, none = attribution_summary([attribution, declined])["questioned"]
    assert answer_sentence(lacking) == (
        "Of the 3 candidates, Ada fits the text best; how sure that is cannot be said, as no texts "
        "were <held> out."
    )
    assert answer_sentence(none) == "Nobody is named: the text is <empty>."
    assert ratio_sentence(lacking) is ratio_sentence(none) is None
