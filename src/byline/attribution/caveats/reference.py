"""Caveats about simulated cases that are easier or smaller than the user's case."""

from __future__ import annotations

from collections.abc import Iterator

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.stacking import ReferenceValidation
from byline.formatting import isolated, percent, quantity


def reference_caveats(validation: ReferenceValidation | None) -> Iterator[Caveat]:
    """Find out whether the reference population has too few authors or too little text."""
    if validation is None:
        return
    name = isolated(validation.name)
    n_candidates, n_wanted = validation.n_candidates, validation.n_wanted
    if n_candidates < n_wanted:
        yield Caveat(
            "few-reference-authors",
            f"Only {quantity(n_candidates, 'author')} of the reference corpus {name} could be "
            f"candidates at once, and this case has {n_wanted}. The simulated cases have fewer "
            "candidates, so that they are easier than this one. Add texts by other people to the "
            "reference corpus.",
            {"n_candidates": n_wanted, "n_simulated": n_candidates},
        )
    if validation.factor < 1:
        yield Caveat(
            "short-reference-texts",
            "The known texts of the simulated cases have only about "
            f"{percent(validation.factor, 0)} of the words of yours, because the reference corpus "
            f"{name} has too little text per author, or because yours is more than Byline "
            "simulates. The accuracy for this case may be higher than in these cases.",
            {"share": validation.factor},
        )
