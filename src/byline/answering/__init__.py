"""From questioned texts and a model to complete answers: ranking, caveats, evidence, keywords."""

from byline.answering.answers import (
    Answers,
    answer_caveats,
    answer_texts,
    check_known_texts,
    compare_known_texts,
    reading_options,
)
from byline.answering.sensitivity import (
    SensitivityPlan,
    check_trained_on,
    plan_sensitivity,
    run_variations,
)
from byline.answering.variations import Variation
from byline.answering.varied_answers import Sensitivity, VariedAnswer

__all__ = [
    "Answers",
    "Sensitivity",
    "SensitivityPlan",
    "Variation",
    "VariedAnswer",
    "answer_caveats",
    "answer_texts",
    "check_known_texts",
    "check_trained_on",
    "compare_known_texts",
    "plan_sensitivity",
    "reading_options",
    "run_variations",
]
