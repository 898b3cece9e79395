"""LambdaG on the problems that ``pan14_av.py --export`` wrote; for an environment of its own.

Its authors' settings: n-grams of words up to order 10, Kneser-Ney, lower case, sentences; English
texts prepared by POSNoise with spaCy's small English model (it knows no Greek or Spanish). Every
problem has its known text refitted, and as many samples of reference sentences as asked for.

    pip install lambdag posnoise
    python benchmarks/pan14_lambdag.py en_essays.json scores.json --posnoise en_core_web_sm
"""

from __future__ import annotations

import argparse
import json
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


def main() -> None:
    """Score the problems in a random order, and keep what is done after each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problems", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--references", type=int, default=2, help="samples of reference sentences")
    parser.add_argument("--posnoise", help="spaCy model; without, texts stay as they are")
    options = parser.parse_args()
    started = time.process_time()
    data = json.loads(options.problems.read_text(encoding="utf-8"))
    texts = prepare(data["texts"], options.posnoise)
    prepared = time.process_time() - started
    scores: dict[str, float] = {}
    for place in np.random.default_rng(0).permutation(len(data["problems"])).tolist():
        problem = data["problems"][place]
        scores[problem["name"]] = score(problem, texts, options.references)
        seconds = time.process_time() - started
        record = {"scores": scores, "preparing": prepared, "seconds": seconds}
        options.scores.write_text(json.dumps(record), encoding="utf-8")


def prepare(texts: list[str], model: str | None) -> list[str]:
    """Mask what texts are about, where there is a model to find it."""
    if model is None:
        return texts
    nlp = import_module("spacy").load(model, disable=["parser", "ner"])
    noise = import_module("posnoise").POSNoise(nlp_model=nlp)
    return [noise.pos_noise(text) for text in texts]


def score(problem: dict[str, Any], texts: list[str], n_references: int) -> float:
    """Score one problem against texts of problems that share none with it."""
    method = import_module("lambdag").LambdaGMethod(
        basis="tokens",
        order=10,
        smoothing="kneser_ney",
        lowercasing=True,
        sentenize=True,
        num_references=n_references,
        random_seed=0,
    )
    known = " ".join(texts[place] for place in problem["known"])
    references = {str(place): {texts[place]} for place in problem["references"]}
    asked = [(known, "known", texts[problem["questioned"]], "questioned")]
    return float(method.lambdag(asked, references)[0])


if __name__ == "__main__":
    main()
