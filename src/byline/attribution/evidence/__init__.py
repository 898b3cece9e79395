"""Evidence: the contributions of tokens and sentences to a comparison of candidates, in nats."""

from byline.attribution.evidence.comparison import ALL_OTHERS
from byline.attribution.evidence.explanation import explain, explain_answer
from byline.attribution.evidence.result import (
    END_MARK,
    Evidence,
    NgramEvidence,
    NgramTypeEvidence,
    SentenceEvidence,
    TokenEvidence,
    TypeEvidence,
)

__all__ = [
    "ALL_OTHERS",
    "END_MARK",
    "Evidence",
    "NgramEvidence",
    "NgramTypeEvidence",
    "SentenceEvidence",
    "TokenEvidence",
    "TypeEvidence",
    "explain",
    "explain_answer",
]
