"""The division of known texts into those that are fitted and those that are held out."""

from __future__ import annotations

import pytest

from byline.attribution.stacking.training_splits import TrainingSplits, split_known_texts

TEXTS = [f"Text number {n} is here. It has a second sentence." for n in range(9)]
AUTHORS = ["ann"] * 4 + ["bob"] * 4 + ["cyd"]


def _split(works: list[str]) -> TrainingSplits:
    return split_known_texts(
        *(TEXTS, AUTHORS, works, None), n_folds=2, lengths=(), random_state=0, open_set=False
    )


@pytest.mark.parametrize(
    ("works", "expected"),
    [
        # The only work of cyd is never held out.
        (list("abcdefghi"), 8),
        # Topics that both authors wrote about are held out together.
        (list("abcdabcdi"), 4),
        (list("aabbccddi"), 4),
    ],
)
def test_held_out_works_are_counted(works: list[str], expected: int) -> None:
    splits = _split(works)
    assert splits.n_works == expected
    assert sum(part.n_texts for part in splits.parts) == 8
