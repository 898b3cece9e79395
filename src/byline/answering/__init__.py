"""From questioned texts and a model to complete answers: ranking, caveats, evidence, keywords."""

from byline.answering.answers import (
    answer,
    answer_caveats,
    reading_options,
)
from byline.answering.known_corpus import KnownCorpus, check_known_texts, compare_known_texts
from byline.answering.provenance import Provenance
from byline.answering.result import Answer
from byline.answering.sensitivity import (
    SensitivityPlan,
    check_trained_on,
    plan_sensitivity,
    run_variations,
)
from byline.answering.similarity import AuthorSimilarity, measure_similarity
from byline.answering.variations import Variation
from byline.answering.varied_answers import Sensitivity, VariedAnswer
from byline.answering.verification import VerificationAnswer, VerificationMaterial, verify_texts

__all__ = [
    "Answer",
    "AuthorSimilarity",
    "KnownCorpus",
    "Provenance",
    "Sensitivity",
    "SensitivityPlan",
    "Variation",
    "VariedAnswer",
    "VerificationAnswer",
    "VerificationMaterial",
    "answer",
    "answer_caveats",
    "check_known_texts",
    "check_trained_on",
    "compare_known_texts",
    "measure_similarity",
    "plan_sensitivity",
    "reading_options",
    "run_variations",
    "verify_texts",
]
