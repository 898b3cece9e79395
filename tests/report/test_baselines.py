from typing import Any

import pytest

from byline.report.baselines import answers_sentences

COUNTS = {"counts": {}, "n_with": 0, "n_correct_with": 0, "n_without": 9}


@pytest.mark.parametrize(("n_authors", "n_sentences"), [(20, 0), (21, 1)])
def test_a_shortlist_is_stated_with_many_candidates(n_authors: int, n_sentences: int) -> None:
    summary: dict[str, Any] = {"n_authors": n_authors, "n_declined": 0, "answer_caveats": COUNTS}
    summary["shortlist"] = {"recall": {1: 0.5, 10: 0.75, 100: 0.95}, "size": 1234}
    assert list(answers_sentences(summary)) == n_sentences * [
        "The author is among the best 10 candidates for 75.0 % and among the best 100 candidates "
        "for 95.0 % of the texts. The author of 99 % of the texts is among the best 1,234."
    ]
