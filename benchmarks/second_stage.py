"""Measure whether the default, trained on the profiles' shortlist, answers better than profiles.

Pseudo-authors are made as in ``stack_cost.py``. The profiles rank all of them for each questioned
text of a random sample. The default is then trained on the known texts of the best candidates, and
attributes the text. "Sum" adds the log-odds of both stages for the candidates on the shortlist. A
text whose author is not on the shortlist is misattributed by all three, so nothing is trained for
it. Differences are paired, in points, with 95 % bootstrap intervals.

Answers are kept in a folder. If the measurement is interrupted, the same command resumes it.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stack_cost import Labelled, cpu_seconds, pseudo_authors

from byline.attribution import (
    StackedAttributor,
    load_attributor,
    profile_attributor,
    save_attributor,
)
from byline.errors import BylineWarning
from byline.experiments.benchmarks.metrics import compare_methods

Answer = dict[str, Any]
N_KNOWN, N_WORDS = 4, 500  # known texts per pseudo-author, and words per text
_COLUMNS = (
    "shortlist", "texts", "author on it", "profiles", "default", "difference", "McNemar p",
    "sum", "difference", "McNemar p", "second stage: CPU",
)  # fmt: skip


def main() -> None:
    """Attribute a sample of texts in two stages, and print the accuracy of each stage."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="texts in AUTHOR/*.txt")
    parser.add_argument("--keep", type=Path, required=True, help="folder for models and answers")
    parser.add_argument("--authors", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=100, help="number of questioned texts")
    parser.add_argument("--shortlist", type=int, nargs="+", default=[5, 10])
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    known, questioned = pseudo_authors([options.folder], options.authors, N_KNOWN, N_WORDS)
    sample = np.random.default_rng(0).permutation(options.authors)[: options.sample].tolist()
    model = options.keep / f"{options.authors}.byline"
    first = _rank(model, known, [questioned[0][number] for number in sample])
    print(f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|")
    for length in options.shortlist:
        stored = options.keep / f"{options.authors}-{length}.jsonl"
        shortlists = {
            number: np.sort(np.argsort(-row, kind="stable")[:length])
            for number, row in zip(sample, first, strict=True)
        }
        _train_missing(stored, shortlists, known, questioned[0], options.jobs)
        answers = {answer["text"]: answer for answer in _stored(stored)}
        print(_row(length, shortlists, dict(zip(sample, first, strict=True)), answers), flush=True)


def _rank(model: Path, known: Labelled, texts: list[str]) -> NDArray[np.float64]:
    """Return the log-odds of the profiles; pseudo-author n is in column n."""
    if not model.exists():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BylineWarning)  # about authors with little text
            save_attributor(profile_attributor().fit(*known), model)
    profiles = load_attributor(model)
    assert isinstance(profiles, StackedAttributor)  # noqa: S101
    return profiles.score_texts(texts).log_odds


def _train_missing(
    stored: Path,
    shortlists: dict[int, NDArray[np.intp]],
    known: Labelled,
    texts: Sequence[str],
    n_jobs: int,
) -> None:
    """Train the default for each text that has no answer yet and whose author is on the list."""
    done = {answer["text"] for answer in _stored(stored)}
    with ProcessPoolExecutor(n_jobs) as pool, stored.open("a", encoding="utf-8") as stream:
        jobs = []
        for number, shortlist in shortlists.items():
            if number in shortlist and number not in done:
                chosen = {f"{author:04}" for author in shortlist}
                is_chosen = [owner in chosen for owner in known[1]]
                own, owners = (list(compress(part, is_chosen)) for part in known)
                jobs.append(pool.submit(_second_stage, number, own, owners, texts[number]))
        for job in as_completed(jobs):
            stream.write(json.dumps(job.result()) + "\n")
            stream.flush()


def _second_stage(number: int, known: list[str], authors: list[str], text: str) -> Answer:
    """Train the default, and return its log-odds for one text, in order of the authors."""
    started = cpu_seconds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        stack = StackedAttributor(n_jobs=1).fit(known, authors)
        [log_odds] = stack.score_texts([text]).log_odds.tolist()
    return {"text": number, "log_odds": log_odds, "cpu": cpu_seconds() - started}


def _stored(path: Path) -> list[Answer]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def _row(
    length: int,
    shortlists: dict[int, NDArray[np.intp]],
    first: dict[int, NDArray[np.float64]],
    answers: dict[int, Answer],
) -> str:
    """Compare the stages on all sampled texts, one by one."""
    correct = np.zeros((3, len(shortlists)), dtype=bool)
    for place, (number, shortlist) in enumerate(shortlists.items()):
        if number in shortlist:
            profiles = first[number][shortlist]
            default = np.asarray(answers[number]["log_odds"])
            for row, log_odds in enumerate((profiles, default, profiles + default)):
                correct[row, place] = shortlist[log_odds.argmax()] == number
    spent = [answers[number]["cpu"] for number in shortlists if number in answers]
    n_listed = sum(number in shortlist for number, shortlist in shortlists.items())
    cells = [str(length), f"{len(shortlists):,}", f"{n_listed / len(shortlists):.1%}"]
    cells += [f"{correct[0].mean():.1%}"]
    for second in correct[1:]:
        cells += [f"{second.mean():.1%}", *_difference(correct[0], second)]
    return f"| {' | '.join([*cells, f'{np.mean(spent):.1f} s'])} |"


def _difference(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> tuple[str, str]:
    """Return the difference in points with its interval, and the p-value of McNemar's test."""
    found = compare_methods("second stage", "profiles", second.tolist(), first.tolist())
    points, low, high = (100 * share for share in (found.difference, *found.interval))
    return f"{points:+.1f} ({low:+.1f} to {high:+.1f})", f"{found.p_value:.2g}"


if __name__ == "__main__":
    main()
