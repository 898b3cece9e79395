"""How evaluations show themselves."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from rich.console import Console

from byline.experiments import (
    AuthorMetrics,
    Decision,
    Evaluation,
    LearningCurve,
    Metrics,
    OpenSetEvaluation,
)
from byline.experiments.open_set.evaluation import EvaluatedFold
from byline.experiments.open_set.metrics import RateMetrics
from byline.report.baselines import answers_sentences, print_baselines
from byline.report.data_table import DataTable
from byline.report.displays.display import Display
from byline.report.evaluation import evaluation_html, print_calibration
from byline.report.html import render
from byline.report.learning_curve import (
    learning_curve_html,
    learning_curve_section,
    learning_curve_summary,
    learning_curve_tables,
    print_learning_curve,
)
from byline.report.open_set import (
    open_set_html,
    open_set_section,
    open_set_summary,
    print_open_set,
)
from byline.report.summary import evaluation_summary
from byline.report.text import print_evaluation

_METRICS = (
    *("sentences", "n_questioned", "n_declined", "accuracy", "accuracy_low", "accuracy_high"),
    *("macro_f1", "mean_reciprocal_rank"),
)


def evaluation_display(evaluation: Evaluation) -> Display:
    """Return how an evaluation shows itself."""
    return Display(
        summary=partial(evaluation_summary, evaluation),
        write=partial(_print, evaluation),
        section=partial(_section, evaluation),
        page=lambda: evaluation_html(evaluation_summary(evaluation)),
        tables={
            "accuracy": partial(_accuracies, evaluation),
            "authors": partial(_authors, evaluation),
            "confusion": partial(_confusion, evaluation),
            "decisions": partial(_decisions, evaluation),
        },
    )


def _print(evaluation: Evaluation, console: Console) -> None:
    summary = evaluation_summary(evaluation)
    print_evaluation(console, summary)
    print_baselines(console, summary)
    print_calibration(console, summary)


def _section(evaluation: Evaluation) -> str:
    summary = evaluation_summary(evaluation)
    shown = {"evaluation": summary, "answers_sentences": list(answers_sentences(summary))}
    return render("notebook_evaluation.html.j2", shown)


def _accuracies(evaluation: Evaluation) -> DataTable:
    return DataTable(_METRICS, map(_row, (evaluation.whole, *evaluation.by_length)))


def _row(found: Metrics) -> tuple[float | None, ...]:
    counts = found.sentences, found.n_questioned, found.n_declined
    rates = found.accuracy, *found.accuracy_interval, found.macro_f1, found.mean_reciprocal_rank
    return *counts, *rates


def _authors(evaluation: Evaluation) -> DataTable:
    columns = tuple(AuthorMetrics.__dataclass_fields__)
    return DataTable.of(columns, map(asdict, evaluation.whole.per_author))


def _confusion(evaluation: Evaluation) -> DataTable:
    labels, matrix = (evaluation.whole.confusion[key] for key in ("labels", "matrix"))
    rows = ([author, *row] for author, row in zip(labels, matrix, strict=True))
    return DataTable(("author", *labels), rows)


def _decisions(evaluation: Evaluation) -> DataTable:
    return DataTable.of(tuple(Decision.__dataclass_fields__), map(asdict, evaluation.decisions))


def open_set_display(evaluation: OpenSetEvaluation) -> Display:
    """Return how an open-set evaluation shows itself."""
    return Display(
        summary=partial(open_set_summary, evaluation),
        write=lambda console: print_open_set(console, open_set_summary(evaluation)),
        section=lambda: open_set_section(open_set_summary(evaluation)),
        page=lambda: open_set_html(open_set_summary(evaluation)),
        tables={
            "rates": partial(_rates, evaluation),
            "folds": partial(_folds, evaluation),
        },
    )


def _rates(evaluation: OpenSetEvaluation) -> DataTable:
    rows = [asdict(each) for each in evaluation.metrics.by_rate]
    return DataTable.of(tuple(RateMetrics.__dataclass_fields__), rows)


def _folds(evaluation: OpenSetEvaluation) -> DataTable:
    return DataTable.of(tuple(EvaluatedFold.__dataclass_fields__), map(asdict, evaluation.folds))


def learning_curve_display(found: LearningCurve) -> Display:
    """Return how a learning curve shows itself."""
    return Display(
        summary=partial(learning_curve_summary, found),
        write=lambda console: print_learning_curve(console, learning_curve_summary(found)),
        section=lambda: learning_curve_section(learning_curve_summary(found)),
        page=lambda: learning_curve_html(learning_curve_summary(found)),
        tables={
            "points": lambda: learning_curve_tables(learning_curve_summary(found))["points"],
            "curves": lambda: learning_curve_tables(learning_curve_summary(found))["curves"],
        },
    )
