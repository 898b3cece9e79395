"""The 16 courses' networks on a GPU: the same perplexity as on the CPU, and how fast.

Trains every course in the paper's setting on the GPU, one after the other, and on the CPU, one
thread a process; prints both test perplexities (every position, no sentence marks), the tokens
a second of the GPU's training, and the share of the card's ceiling (a large product of float32
matrices) that the products of the network reach. Needs PyTorch.

    python benchmarks/gpu.py CORPORA/lectures16/stemmed -j 16
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import joblib
import torch
from lectures import Course, prepare, texts
from threadpoolctl import threadpool_limits

from byline.errors import BylineWarning
from byline.lm import FeedForwardLM, Scoring

CEILING_SIZE = 8192
ALLOWED = 0.005  # relative difference of the perplexities
BARE = Scoring(sentence_start=False, sentence_end=False)


def fit(course: Course, device: str) -> tuple[FeedForwardLM, float, float]:
    """Train in the paper's setting; also the test perplexity, and seconds of training."""
    warnings.simplefilter("ignore", BylineWarning)
    model = FeedForwardLM.like_ge_sun_2016().set_params(training__device=device)
    started = time.perf_counter()
    with threadpool_limits(1):
        model.fit(
            course.training, vocabulary_size=course.vocabulary_size, validation=course.validation
        )
        seconds = time.perf_counter() - started
        return model, model.measure([course.test], BARE).perplexity, seconds


def ceiling() -> float:
    """Floating-point operations a second of a large product on the GPU."""
    square = torch.ones((CEILING_SIZE, CEILING_SIZE), device="cuda")
    _ = square @ square
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(10):
        _ = square @ square
    torch.cuda.synchronize()
    return 10 * 2 * CEILING_SIZE**3 / (time.perf_counter() - started)


def work(model: FeedForwardLM, course: Course) -> tuple[int, float]:
    """Trained n-grams over all epochs, and the operations of their products."""
    n = sum(max(len(sentence) - model.context, 0) for sentence in course.training)
    hidden, n_words = model.hidden_dims[0], model.network_.n_outputs
    operations = 6 * hidden * (n_words + model.context * model.embedding_dim)
    n *= len(model.history_)
    return n, float(n * operations)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, a sentence a line")
    parser.add_argument("--seed", type=int, default=0, help="of the split")
    parser.add_argument("--jobs", "-j", type=int, default=1, help="processes of the CPU's turn")
    options = parser.parse_args()
    top = ceiling()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}: {top / 1e12:.1f} TFLOP/s")
    courses = [prepare(n, lines, options.seed) for n, lines in texts(options.stemmed).items()]
    workers = joblib.Parallel(options.jobs)
    on_cpu = workers(joblib.delayed(fit)(course, "cpu") for course in courses)
    print("course | CPU | GPU | difference | CPU s | GPU s | tokens a second | share of ceiling")
    tokens = operations = seconds = 0.0
    worst = 0.0
    for course, (_, expected, cpu_seconds) in zip(courses, on_cpu, strict=True):
        model, found, gpu_seconds = fit(course, "cuda")
        n, flops = work(model, course)
        tokens, operations, seconds = tokens + n, operations + flops, seconds + gpu_seconds
        difference = found / expected - 1
        worst = max(worst, abs(difference))
        print(
            f"{course.number} | {expected:.2f} | {found:.2f} | {difference:+.3%} | "
            f"{cpu_seconds:.1f} | {gpu_seconds:.1f} | {n / gpu_seconds:,.0f} | "
            f"{flops / gpu_seconds / top:.2%}",
            flush=True,
        )
    print(
        f"all: {seconds:.1f} s, {tokens / seconds:,.0f} tokens a second, "
        f"{operations / seconds / top:.2%} of the ceiling; largest difference {worst:.3%}"
    )
    if worst > ALLOWED:
        raise SystemExit(f"the perplexities differ by more than {ALLOWED:.1%}")


if __name__ == "__main__":
    main()
