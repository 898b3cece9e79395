"""From questioned texts and a model to complete answers: ranking, caveats, evidence, keywords."""

from byline.answering.answers import (
    Answers,
    answer_caveats,
    answer_texts,
    check_known_texts,
    compare_known_texts,
    reading_options,
)

__all__ = [
    "Answers",
    "answer_caveats",
    "answer_texts",
    "check_known_texts",
    "compare_known_texts",
    "reading_options",
]
