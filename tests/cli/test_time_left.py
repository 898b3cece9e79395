"""The remaining time of jobs of several kinds: worked by hand, and on recorded trainings."""

from __future__ import annotations

import re

from byline.cli.time_left import TimeLeft
from byline.progress import PartialProgress, RepeatedProgress, Stage, announce

Report = tuple[float, int]


def _count(done: int, total: int, what: str) -> None:
    """Show nothing."""


# Two folds and a final fit of language models, one fit of ridge regression, four of weights.
STAGES = [Stage("models", 10)] * 3 + [Stage("ridge", 10)] + [Stage("calibration", 5)] * 4


def described(stages: list[Stage], reports: list[Report], total: int) -> list[str]:
    """Return the remaining time after each report of (seconds, steps done)."""
    now = 0.0
    left = TimeLeft(lambda: now)
    left.plan(stages)
    found = []
    for seconds, done in reports:
        now = seconds
        left.note(done, total)
        found.append(left.describe())
    return found


def test_each_kind_is_estimated_from_its_own_finished_jobs() -> None:
    reports: list[Report] = [
        (10, 5),  # within the first job: unknown
        (20, 10),  # a fold takes 20 s: two more take 40 s
        (25, 12),  # eight steps of 2 s, and 20 s
        (40, 20),  # 20 s
        (58, 29),  # 2 s
        (60, 30),  # a new kind begins: unknown
        (110, 39),
        (160, 40),  # another new kind
        (162, 43),
        (164, 45),  # a fit of weights takes 4 s: three more take 12 s
        (168, 50),
        (180, 60),
    ]
    assert described(STAGES, reports, 60) == [
        "",
        ", about 40 s left for models",
        ", about 36 s left for models",
        ", about 20 s left for models",
        ", about 2 s left for models",
        *("", "", "", ""),
        ", about 12 s left",
        ", about 8 s left",
        "",
    ]


def test_a_repeated_fold_has_the_times_of_the_first_one() -> None:
    # In the first fold, models take 20 s and the ridge 100 s. In the second, 10 s of the models
    # are over: 10 + 100 s are left.
    fold = [Stage("models", 10), Stage("ridge", 10)]
    reports: list[Report] = [(20, 10), (120, 20), (130, 25), (140, 30), (200, 31)]
    assert described([*fold, *fold], reports, 40) == [
        *("", ", about 2 min left", ", about 110 s left", ", about 100 s left"),
        ", about 90 s left",  # 40 s are expected, but nine of ten steps of 10 s are left
    ]


def test_a_stage_that_takes_longer_than_usual_has_time_left_for_its_steps() -> None:
    # Two jobs of 10 steps. The first takes 10 s. After 30 s, the second still has two steps.
    reports: list[Report] = [(10, 10), (40, 18)]
    assert described([Stage("a", 10)] * 2, reports, 20) == [
        ", about 10 s left",
        ", about 2 s left",
    ]


def test_stages_that_do_not_fit_the_steps_are_ignored() -> None:
    assert described([Stage("a", 10)], [(10, 10)], 20) == [", about 10 s left"]


def test_a_report_may_finish_several_stages() -> None:
    # 20 s for the first two, which are equal as far as anybody knows
    assert described([Stage("a", 1)] * 4, [(20, 2)], 4) == [", about 20 s left"]


def test_nothing_is_estimated_from_under_two_percent_of_equal_steps() -> None:
    # The first step takes 60 s because of what precedes it: 100 steps would take 99 minutes.
    assert described([], [(60, 1), (62, 2), (64, 3)], 100) == [
        "",
        ", about 51 min left",
        ", about 34 min left",
    ]


def test_parts_report_steps_of_the_whole() -> None:
    told: list[object] = []

    class Display:
        def __call__(self, done: int, total: int, what: str) -> None:
            told.append((done, total, what))

        def plan(self, stages: list[Stage]) -> None:
            told.append([stage.kind for stage in stages])

    PartialProgress(Display(), 30, 40)(5, 10, "weights")
    for fold in range(2):
        part = RepeatedProgress(Display(), fold, 2)
        announce(part, [Stage("models", 3), Stage("ridge", 1)])
        part(3, 4, "models")
    announce(_count, [Stage("a", 1)])  # has no method for it
    assert told == [
        (35, 40, "weights"),
        ["models", "ridge"] * 2,
        (3, 8, "models"),
        (7, 8, "models"),
    ]


# `byline train` on 34 texts by 8 authors (1.7 MB) on a busy computer: seconds and steps.
RECORDED: list[Report] = [
    *((2.1, 4), (4.6, 100), (9.3, 200), (14.1, 300), (18.0, 400), (22.7, 500), (25.8, 600)),
    *((38.0, 649), (58.8, 699), (58.9, 700), (77.3, 711), (83.0, 722), (92.7, 733)),
    *((100.1, 744), (109.3, 755), (114.6, 766), (125.6, 777), (193.3, 799), (193.3, 800)),
    *((228.0, 849), (228.8, 900), (229.7, 950), (230.3, 1000)),
]


def test_estimates_of_a_recorded_training_are_right_within_a_factor_of_two() -> None:
    kinds = [*["language-models"] * 6, "characters", "style", "word-ngrams"]
    stages = [*(Stage(kind, 100) for kind in kinds), *[Stage("calibration", 10)] * 10]
    ends = {"language-models": 25.8, None: 230.3}
    checked = []
    for (seconds, done), text in zip(RECORDED, described(stages, RECORDED, 1000), strict=True):
        if not text:
            continue
        found = re.fullmatch(r", about (\d+) s left(?: for (.+))?", text)
        assert found, text
        actual = ends[found[2]] - seconds
        # apart from a second of rounding
        assert actual / 2 - 1 <= float(found[1]) <= 2 * actual + 1, (seconds, text)
        checked.append(done)
    assert checked == [100, 200, 300, 400, 500, 950]
    assert described([], RECORDED[:3], 1000)[1:] == [", about 41 s left", ", about 37 s left"]
