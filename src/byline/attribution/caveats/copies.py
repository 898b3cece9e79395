"""A caveat about questioned texts that contain a known or reference text."""

from __future__ import annotations

from collections.abc import Iterator

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.verification import AuthorVerification
from byline.formatting import isolated_path, join_names, percent


def verification_copy_caveats(found: AuthorVerification) -> Iterator[Caveat]:
    """Report that a questioned text that was not declined contains a known or reference text.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> answer = Verification("note.txt", "yes", 0.9, 0.95, None)
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> found = AuthorVerification(
    ...     "Ada", answer, 4, 3, 12, 100, performance, copies=("ada/1.txt",), copied_share=0.4
    ... )
    >>> [caveat.code for caveat in verification_copy_caveats(found)]
    ['also-known-text']
    """
    if found.copies and found.verification.declined is None:
        where = join_names(list(map(isolated_path, found.copies)))
        yield Caveat(
            "also-known-text",
            f"A part of the text ({percent(found.copied_share, 0)}) is also among the known or "
            f"reference texts ({where}). It was compared with itself, so the likelihood ratio is "
            "unreliable. Remove it from these texts, and repeat the verification.",
            {"paths": list(found.copies), "share": found.copied_share},
        )
