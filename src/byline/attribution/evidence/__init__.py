"""Why one candidate rather than another: the tokens and sentences that decided, in nats."""

from byline.attribution.evidence.explaining import explain, explain_answer
from byline.attribution.evidence.result import (
    END_MARK,
    Evidence,
    SentenceEvidence,
    TokenEvidence,
    TypeEvidence,
)

__all__ = [
    "END_MARK",
    "Evidence",
    "SentenceEvidence",
    "TokenEvidence",
    "TypeEvidence",
    "explain",
    "explain_answer",
]
