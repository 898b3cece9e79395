"""Open-set attribution on ccat50 with few base classifiers, over many random sets of candidates.

`byline benchmark open-set` measures the default. Here only some base classifiers are stacked, and
only whole texts are held out: this quickly shows how well requested rates hold on average.

    python benchmarks/open_set.py CORPORA/ccat50 --task mixed --draws 12 --classifier word-ngrams
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from statistics import fmean, stdev

from byline.attribution import StackedAttributor
from byline.attribution.stacking import default_base_classifiers
from byline.errors import BylineWarning
from byline.experiments.open_set.answers import answer_open_set
from byline.experiments.open_set.cases import TASKS, OpenSetCase, draw_ccat50
from byline.experiments.open_set.metrics import OpenSetMetrics

RATES = (0.01, 0.05, 0.1, 0.2)


def main() -> None:
    """Print the AUC and the rates of each draw, and the mean of each rate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--task", choices=TASKS, default="mixed")
    parser.add_argument("--draws", type=int, default=12, help="number of random sets of candidates")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first draw")
    parser.add_argument("--classifier", nargs="+", required=True, help="stack these classifiers")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    chosen = [each for each in default_base_classifiers() if each[0] in options.classifier]
    stack = StackedAttributor(chosen, passage_lengths=(), open_set=True, n_jobs=options.jobs)
    by_rate: dict[object, list[float]] = {}
    for case in draw_ccat50(options.folder, options.task, options.draws, options.seed):
        metrics = measure(stack, case)
        shares = []
        for row in metrics.by_rate:
            by_rate.setdefault(row.rate, []).append(row.false_attribution_rate)
            shares.append(f"{row.rate}: {row.false_attribution_rate:.1%} / {row.missed_rate:.1%}")
        print(
            f"{case.name}: AUC {metrics.auc:.3f}; false / missed at {', '.join(shares)}", flush=True
        )
    for rate, found in by_rate.items():
        error = stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
        print(
            f"requested {rate}: {fmean(found):.1%} (standard error {error:.1%}), "
            f"{min(found):.1%} to {max(found):.1%}"
        )


def measure(stack: StackedAttributor, case: OpenSetCase) -> OpenSetMetrics:
    """Train the stack on a case and measure its answers."""
    fitted = stack.fit(case.known.texts, case.known.authors)
    return OpenSetMetrics.of([answer_open_set(fitted, case.questioned, RATES)])


if __name__ == "__main__":
    main()
