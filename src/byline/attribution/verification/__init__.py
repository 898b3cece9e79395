"""Authorship verification, the question whether a text is by a certain author."""

from byline.attribution.verification.calibrating import AnswerRule, Performance
from byline.attribution.verification.case import AuthorVerification, verify_author
from byline.attribution.verification.measures import area_under_curve, c_at_1
from byline.attribution.verification.problem import Problem
from byline.attribution.verification.verifier import NO, YES, AuthorshipVerifier, Verification

__all__ = [
    "NO",
    "YES",
    "AnswerRule",
    "AuthorVerification",
    "AuthorshipVerifier",
    "Performance",
    "Problem",
    "Verification",
    "area_under_curve",
    "c_at_1",
    "verify_author",
]
