"""Authorship verification: decide whether a given author wrote a text."""

from byline.attribution.verification.author_verification import AuthorVerification, verify_author
from byline.attribution.verification.calibration import (
    VerificationCalibrator,
    VerificationPerformance,
)
from byline.attribution.verification.joint_verification import (
    SOMEBODY_ELSE,
    JointVerification,
    verify_authors,
)
from byline.attribution.verification.measures import c_at_1, roc_auc
from byline.attribution.verification.problems import VerificationProblem
from byline.attribution.verification.result import NO, YES, Verification
from byline.attribution.verification.verifier import AuthorshipVerifier

__all__ = [
    "NO",
    "SOMEBODY_ELSE",
    "YES",
    "AuthorVerification",
    "AuthorshipVerifier",
    "JointVerification",
    "Verification",
    "VerificationCalibrator",
    "VerificationPerformance",
    "VerificationProblem",
    "c_at_1",
    "roc_auc",
    "verify_author",
    "verify_authors",
]
