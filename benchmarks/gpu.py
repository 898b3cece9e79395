"""Train the networks of the 16 courses on a GPU; compare perplexity and speed with the CPU.

Each course is trained with the paper's setting: on the GPU one after the other, and on the CPU with
one thread per process. The table shows both test perplexities (every position, no sentence marks),
the tokens per second of training on the GPU, and the share of the GPU's peak performance that the
matrix products of the network reach. The peak is measured by the product of two large float32
matrices. PyTorch is needed.

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
from byline.formatting import percent
from byline.lm import FeedForwardLM, Scoring

PEAK_SIZE = 8192
ALLOWED = 0.005  # largest relative difference of the perplexities
BARE = Scoring(sentence_start=False, sentence_end=False)


def fit(course: Course, device: str) -> tuple[FeedForwardLM, float, float]:
    """Train with the paper's setting; return the model, test perplexity and seconds of training."""
    warnings.simplefilter("ignore", BylineWarning)
    model = FeedForwardLM.like_ge_sun_2016().set_params(training__device=device)
    started = time.perf_counter()
    with threadpool_limits(1):
        model.fit(
            course.training, vocabulary_size=course.vocabulary_size, validation=course.validation
        )
        seconds = time.perf_counter() - started
        return model, model.measure([course.test], BARE).perplexity, seconds


def peak_performance() -> float:
    """Measure the floating-point operations per second of a large product on the GPU."""
    square = torch.ones((PEAK_SIZE, PEAK_SIZE), device="cuda")
    _ = square @ square
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(10):
        _ = square @ square
    torch.cuda.synchronize()
    return 10 * 2 * PEAK_SIZE**3 / (time.perf_counter() - started)


def amount_of_work(model: FeedForwardLM, course: Course) -> tuple[int, float]:
    """Count the n-grams of all epochs, and the operations of their matrix products."""
    n = sum(max(len(sentence) - model.context, 0) for sentence in course.training)
    hidden, n_words = model.hidden_dims[0], model.network_.n_outputs
    operations = 6 * hidden * (n_words + model.context * model.embedding_dim)
    n *= len(model.history_)
    return n, float(n * operations)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("--seed", type=int, default=0, help="seed of the split")
    parser.add_argument(
        "--jobs", "-j", type=int, default=1, help="processes for the training on the CPU"
    )
    options = parser.parse_args()
    top = peak_performance()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}: {top / 1e12:.1f} TFLOP/s")
    courses = [prepare(n, lines, options.seed) for n, lines in texts(options.stemmed).items()]
    workers = joblib.Parallel(options.jobs)
    on_cpu = workers(joblib.delayed(fit)(course, "cpu") for course in courses)
    print("course | CPU | GPU | difference | CPU s | GPU s | tokens per second | share of peak")
    tokens = operations = seconds = 0.0
    worst = 0.0
    for course, (_, expected, cpu_seconds) in zip(courses, on_cpu, strict=True):
        model, found, gpu_seconds = fit(course, "cuda")
        n, flops = amount_of_work(model, course)
        tokens, operations, seconds = tokens + n, operations + flops, seconds + gpu_seconds
        difference = found / expected - 1
        worst = max(worst, abs(difference))
        print(
            f"{course.number} | {expected:.2f} | {found:.2f} | {100 * difference:+.3f} % | "
            f"{cpu_seconds:.1f} | {gpu_seconds:.1f} | {n / gpu_seconds:,.0f} | "
            f"{percent(flops / gpu_seconds / top, 2)}",
            flush=True,
        )
    print(
        f"all: {seconds:.1f} s, {tokens / seconds:,.0f} tokens per second, "
        f"{percent(operations / seconds / top, 2)} of the peak; "
        f"largest difference {100 * worst:.3f} %"
    )
    if worst > ALLOWED:
        raise SystemExit(f"the perplexities differ by more than {percent(ALLOWED)}")


if __name__ == "__main__":
    main()
