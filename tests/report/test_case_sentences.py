from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from byline.attribution import Attribution
from byline.attribution.open_set import OpenSetDecision
from byline.formatting import bounded_percent, times_as_much
from byline.report import attribution_summary
from byline.report.case_sentences import (
    answer_sentence,
    contributions_sentence,
    likelihood_ratio_sentence,
)


def entry(*values: tuple[float, float, str]) -> dict[str, Any]:
    """A questioned text with candidates A, B, C: probability, log10 LR, verbal equivalent."""
    return {
        "declined": None,
        "open_set": None,
        "calibration_unavailable_reason": None,
        "ranking": [
            {"author": author, "probability": probability, "log10_lr": ratio, "support": words}
            for author, (probability, ratio, words) in zip("ABC", values, strict=False)
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


def test_a_calibrated_answer_states_its_probability_and_likelihood_ratio() -> None:
    certain = entry((0.95, 1.25, "moderate support"), (0.05, -1.25, "for the others"))
    assert answer_sentence(certain) == (
        "If one of the 2 candidates wrote the text, it was most likely A (probability 95.0 %)."
    )
    assert likelihood_ratio_sentence(certain) == (
        "The text is about 18 times as probable if A wrote it as if B wrote it (log10 "
        "likelihood ratio 1.25). This is moderate support for A."
    )


def test_an_uncertain_answer_says_that_no_candidate_stands_out() -> None:
    uncertain = entry((0.4, 0.1, "-"), (0.35, 0.0, "-"), (0.25, -0.1, "-"))
    assert answer_sentence(uncertain).startswith(
        "No candidate is clearly favoured. The most likely of the 3 candidates is A"
    )
    assert str(likelihood_ratio_sentence(uncertain)).endswith("The evidence supports neither side.")
    assert "one of the other candidates" in str(likelihood_ratio_sentence(uncertain))


def test_the_base_classifiers_that_decided_are_stated_for_two_candidates() -> None:
    found = entry((0.7, 0.4, "-"), (0.3, -0.4, "-")) | {"contributions": {"style": -0.5, "b": 2}}
    assert contributions_sentence(found) == (
        "Log-odds of A against B by base classifier, before calibration (nats): "
        "b +2.00, style -0.50."
    )
    assert contributions_sentence(found | {"contributions": {}}) is None
    assert contributions_sentence(found | {"ranking": found["ranking"][:1]}) is None


def test_a_rejected_text_has_no_named_author(
    declined: Attribution, open_set: OpenSetDecision
) -> None:
    rejected = replace(declined, declined=open_set.declined, open_set=open_set)
    [entry] = attribution_summary([rejected])["questioned"]
    assert answer_sentence(entry).startswith(
        "Attributed to none of the candidates; the nearest is <script>"
    )
    assert "p = " not in answer_sentence(entry)
    assert any(point.startswith("p = 0.25: ") for point in entry["open_set"]["points"])
    assert "The text is about 4.0 times as probable if an unknown" in entry["open_set"]["basis"]


def test_declined_and_uncalibrated_answers_state_no_probability(
    attribution: Attribution, declined: Attribution
) -> None:
    lacking, none = attribution_summary([attribution, declined])["questioned"]
    assert answer_sentence(lacking) == (
        "Of the 3 candidates, Ada fits the text best. No probability can be stated: no texts were "
        "<held> out."
    )
    assert answer_sentence(none) == "No author is named: the text is <empty>."
    assert likelihood_ratio_sentence(lacking) is likelihood_ratio_sentence(none) is None
