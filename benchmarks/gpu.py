"""Train the networks of courses on a GPU; compare perplexity and speed with the CPU.

Each course is trained with the paper's setting: on the GPU one after the other, and on the CPU with
one thread per process. The table shows both test perplexities (every position, no sentence marks),
the tokens per second of training on the GPU, and the share of the GPU's peak performance that the
matrix products of the network reach. The peak is measured by the product of two large float32
matrices. To end within four minutes, it trains the first four courses, begins no further one after
200 seconds, and says how many were trained. PyTorch is needed, except with `--cpu-only`.

    python benchmarks/gpu.py CORPORA/lectures16/stemmed -j 4
    python benchmarks/gpu.py CORPORA/lectures16/stemmed -j 2 --courses 1 --cpu-only
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import joblib
from lectures import Course, prepare, texts
from threadpoolctl import threadpool_limits

from byline.errors import BylineWarning
from byline.formatting import percent
from byline.lm import FeedForwardLM, Scoring

PEAK_SIZE = 8192
CPU_ONLY = "; or leave the GPU out: --cpu-only"
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


def peak_performance(torch: Any) -> float:
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


def cuda_torch() -> Any:
    """Import PyTorch, or end the program with the reason why there is no GPU to use."""
    try:
        torch = import_module("torch")
    except ImportError:
        raise SystemExit(f"PyTorch is not installed: pip install torch{CPU_ONLY}") from None
    if not torch.cuda.is_available():
        raise SystemExit(f"PyTorch finds no CUDA device here{CPU_ONLY}")
    return torch


def fit_all_on_cpu(courses: list[Course], jobs: int) -> list[tuple[FeedForwardLM, float, float]]:
    """Train all courses with NumPy, in several processes."""
    started = time.perf_counter()
    fitted = list(joblib.Parallel(jobs)(joblib.delayed(fit)(course, "cpu") for course in courses))
    n = sum(amount_of_work(model, own)[0] for (model, *_), own in zip(fitted, courses, strict=True))
    seconds = sum(seconds for *_, seconds in fitted)
    print(
        f"CPU: {len(courses)} courses, {seconds:.1f} s of training in {jobs} processes "
        f"({time.perf_counter() - started:.1f} s), {n / seconds:,.0f} tokens per second in each",
        flush=True,
    )
    return fitted


def compare_on_gpu(
    courses: list[Course],
    on_cpu: list[tuple[FeedForwardLM, float, float]],
    top: float,
    is_time_left: Callable[[], bool],
) -> float:
    """Train on the GPU while there is time; print the table; return the largest difference."""
    print("course | CPU | GPU | difference | CPU s | GPU s | tokens per second | share of peak")
    tokens = operations = seconds = worst = 0.0
    done = 0
    for course, (_, expected, cpu_seconds) in zip(courses, on_cpu, strict=True):
        if not is_time_left():
            break
        model, found, gpu_seconds = fit(course, "cuda")
        n, flops = amount_of_work(model, course)
        tokens, operations, seconds = tokens + n, operations + flops, seconds + gpu_seconds
        difference = found / expected - 1
        worst = max(worst, abs(difference))
        done += 1
        print(
            f"{course.number} | {expected:.2f} | {found:.2f} | {100 * difference:+.3f} % | "
            f"{cpu_seconds:.1f} | {gpu_seconds:.1f} | {n / gpu_seconds:,.0f} | "
            f"{percent(flops / gpu_seconds / top, 2)}",
            flush=True,
        )
    if not done:
        raise SystemExit("no time was left for the GPU; raise --seconds, or use more --jobs")
    print(
        f"{done} of {len(courses)} courses: {seconds:.1f} s, {tokens / seconds:,.0f} tokens per "
        f"second, {percent(operations / seconds / top, 2)} of the peak; "
        f"largest difference {100 * worst:.3f} %"
    )
    return worst


def main() -> None:
    """Print the tables."""
    started = time.perf_counter()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("--seed", type=int, default=0, help="seed of the split")
    parser.add_argument("--courses", type=int, default=4, help="number of courses, at most 16")
    parser.add_argument(
        "--seconds", type=float, default=200, help="time after which no further course is begun"
    )
    parser.add_argument(
        "--jobs", "-j", type=int, default=1, help="processes for the training on the CPU"
    )
    parser.add_argument("--cpu-only", action="store_true", help="leave out the GPU")
    options = parser.parse_args()
    torch = None if options.cpu_only else cuda_torch()
    if torch is not None:
        top = peak_performance(torch)
        name, version = torch.cuda.get_device_name(), torch.__version__
        print(f"{name}, PyTorch {version}: {top / 1e12:.1f} TFLOP/s", flush=True)
    lines_of = list(texts(options.stemmed).items())[: options.courses]
    courses = [prepare(number, lines, options.seed) for number, lines in lines_of]
    on_cpu = fit_all_on_cpu(courses, options.jobs)
    if torch is None:
        for course, (_, perplexity, seconds) in zip(courses, on_cpu, strict=True):
            print(f"course {course.number}: test perplexity {perplexity:.2f}, {seconds:.1f} s")
        return
    ends = started + options.seconds
    worst = compare_on_gpu(courses, on_cpu, top, lambda: time.perf_counter() < ends)
    if worst > ALLOWED:
        raise SystemExit(f"the perplexities differ by more than {percent(ALLOWED)}")


if __name__ == "__main__":
    main()
