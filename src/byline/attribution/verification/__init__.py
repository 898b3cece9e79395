"""Authorship verification, the question whether a text is by a certain author."""

from byline.attribution.verification.author_verification import AuthorVerification, verify_author
from byline.attribution.verification.calibration import (
    VerificationCalibrator,
    VerificationPerformance,
    c_at_1,
    roc_auc,
)
from byline.attribution.verification.problems import VerificationProblem
from byline.attribution.verification.verifier import NO, YES, AuthorshipVerifier, Verification

__all__ = [
    "NO",
    "YES",
    "AuthorVerification",
    "AuthorshipVerifier",
    "Verification",
    "VerificationCalibrator",
    "VerificationPerformance",
    "VerificationProblem",
    "c_at_1",
    "roc_auc",
    "verify_author",
]
