"""A caveat about questioned texts that are also among the known or reference texts."""

from __future__ import annotations

from collections.abc import Iterator

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.verification import AuthorVerification
from byline.formatting import isolated_path, join_names


def verification_copy_caveats(found: AuthorVerification) -> Iterator[Caveat]:
    """Report that a questioned text was compared with itself, in whole or in part.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> answer = Verification("note.txt", "yes", 0.9, 0.95, None)
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> found = AuthorVerification(
    ...     "Ada", answer, 4, 3, 12, 100, performance, copies=("ada/1.txt",)
    ... )
    >>> [caveat.code for caveat in verification_copy_caveats(found)]
    ['also-known-text']
    """
    if found.copies:
        where = join_names(list(map(isolated_path, found.copies)))
        yield Caveat(
            "also-known-text",
            f"The text is also among the known or reference texts, in whole or in part ({where}). "
            "It was compared with itself, so the answer is meaningless.",
            {"paths": list(found.copies)},
        )
