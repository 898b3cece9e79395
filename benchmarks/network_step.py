"""Compare the network's training step with plain PyTorch, and both with the peak of this computer.

One run measures everything in turn, with one thread. The peak is the speed of NumPy's product of
two large float32 matrices. The work per n-gram is that of the network's matrix products, forward
and backward: 6 (hidden * V + context * embedding * hidden) operations, without biases.

    python benchmarks/network_step.py
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import cycle
from statistics import median
from typing import Any

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from byline.formatting import percent
from byline.lm.networks.arrays import NUMPY
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    backward,
    feedforward_network_shapes,
    forward,
    training_step,
    update,
)
from byline.lm.networks.layers import softmax_costs
from byline.lm.networks.ngram_windows import NgramWindows

CONTEXT, EMBEDDING, BATCH = 3, 100, 100
RATE, MOMENTUM = 0.2, 0.9
STEPS, ROUNDS = 300, 7
PEAK_SIZE = 2000
Step = Callable[[], Any]


def random_ngrams(n_words: int) -> NgramWindows:
    """Draw ``STEPS`` mini-batches of words whose frequencies follow Zipf's law."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, n_words + 1)
    words = rng.choice(n_words, p=shares / shares.sum(), size=(STEPS * BATCH, CONTEXT + 1))
    words = words.astype(np.int32)
    return NgramWindows(words[:, :-1].copy(), words[:, -1].copy())


def byline(data: NgramWindows, n_words: int, hidden: int) -> tuple[dict[str, Step], Step]:
    """Make Byline's step, and each part of it."""
    shapes = feedforward_network_shapes(
        n_inputs=n_words,
        context=CONTEXT,
        embedding_dim=EMBEDDING,
        hidden_dims=(hidden,),
        n_outputs=n_words,
    )
    network = FeedForwardNetwork.random(np.random.default_rng(0), shapes, 0.01)
    delta, work = network.map(np.zeros_like), Workspace(network, BATCH)
    batches = cycle(data.blocks(BATCH))
    fixed = next(batches)
    out, y = network.layers[-1], work.inputs[-1]
    parts = {
        "products with W_hid-out": lambda: (
            np.matmul(y, out, out=work.out),
            np.matmul(y.T, work.out, out=work.gradients[-1]),
            work.out @ out[:-1].T,
        ),
        "softmax and cost": lambda: softmax_costs(work.out, fixed.targets, rows=work.rows),
        "forward": lambda: forward(network, fixed.contexts, work),
        "backward, momentum": lambda: backward(
            network, fixed.contexts, fixed.targets, work, delta, MOMENTUM
        ),
        "update": lambda: update(network, delta, 1e-9, NUMPY),
    }

    def step() -> None:
        batch = next(batches)
        training_step(
            network,
            batch.contexts,
            batch.targets,
            work,
            delta,
            learning_rate=RATE,
            momentum=MOMENTUM,
        )

    return parts, step


def pytorch(torch: Any, data: NgramWindows, n_words: int, hidden: int, *, loader: bool) -> Step:
    """Make the usual step: modules, autograd and SGD, with slices or a DataLoader."""
    torch.manual_seed(0)
    nn = torch.nn
    network = nn.Sequential(
        nn.Embedding(n_words, EMBEDDING),
        nn.Flatten(),
        nn.Linear(CONTEXT * EMBEDDING, hidden),
        nn.Sigmoid(),
        nn.Linear(hidden, n_words),
    )
    optimiser = torch.optim.SGD(network.parameters(), lr=RATE, momentum=MOMENTUM)
    contexts, targets = (torch.tensor(a.astype(np.int64)) for a in (data.contexts, data.targets))

    def sliced() -> Iterator[Any]:
        for start in cycle(range(0, len(targets), BATCH)):
            yield contexts[start : start + BATCH], targets[start : start + BATCH]

    def loaded() -> Iterator[Any]:
        dataset = torch.utils.data.TensorDataset(contexts, targets)
        while True:
            yield from torch.utils.data.DataLoader(dataset, batch_size=BATCH)

    batches = loaded() if loader else sliced()

    def step() -> None:
        context, target = next(batches)
        optimiser.zero_grad()
        nn.functional.cross_entropy(network(context), target).backward()
        optimiser.step()

    return step


def peak_step() -> Step:
    """Make a step that multiplies two large matrices."""
    square = np.ones((PEAK_SIZE, PEAK_SIZE), dtype=np.float32)
    out = np.empty_like(square)
    return lambda: np.matmul(square, square, out=out)


def seconds(step: Step, repeats: int) -> float:
    """Measure the CPU seconds of one step."""
    started = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - started) / repeats


def measure(steps: dict[str, Step], hidden: int, n_words: int) -> None:
    """Measure all steps in turn and print the table."""
    top = peak_step()
    times: dict[str, list[float]] = {name: [] for name in steps}
    tops: list[float] = []
    for step in (*steps.values(), top):
        seconds(step, 3)
    for _ in range(ROUNDS):
        tops.append(seconds(top, 5))
        for name, step in steps.items():
            times[name].append(seconds(step, STEPS))
    flops_per_second = 2 * PEAK_SIZE**3 / median(tops)
    work = 6 * BATCH * (hidden * n_words + CONTEXT * EMBEDDING * hidden)
    print(f"\nV {n_words}, M {BATCH}, N_emb {EMBEDDING}, N_hid {hidden}")
    print(f"peak {flops_per_second / 1e9:.1f} GFLOP/s")
    print("step | ms | tokens per second | share of the peak | lowest, highest")
    for name, found in times.items():
        shares = sorted(work / each / flops_per_second for each in found)
        each = median(found)
        print(
            f"{name} | {1e3 * each:.2f} | {BATCH / each:,.0f} | "
            f"{percent(work / each / flops_per_second)} | "
            f"{percent(shares[0])}, {percent(shares[-1])}",
            flush=True,
        )


def wall_rate(n_words: int, hidden: int, threads: int) -> float:
    """Measure the tokens per second (wall-clock time) of one process with ``threads`` threads."""
    with threadpool_limits(threads):
        _, step = byline(random_ngrams(n_words), n_words, hidden)
        for _ in range(STEPS):
            step()
        started = time.perf_counter()
        for _ in range(5 * STEPS):
            step()
    return 5 * STEPS * BATCH / (time.perf_counter() - started)


def compare_threads(n_words: int, hidden: int) -> None:
    """Compare two threads in one process with two processes of one thread each."""
    one, two = (wall_rate(n_words, hidden, threads) for threads in (1, 2))
    job = joblib.delayed(wall_rate)(n_words, hidden, 1)
    both = sum(joblib.Parallel(2)([job, job]))
    print(
        f"tokens per second: one thread {one:,.0f}; two threads in one process {two:,.0f} "
        f"({two / one:.2f}); two processes of one thread {both:,.0f} ({both / one:.2f})"
    )


def find_torch() -> Any:
    """Import PyTorch and limit it to one thread; return None if it is not installed."""
    try:
        torch = import_module("torch")
    except ImportError:
        print("PyTorch is not installed, so its steps are left out")
        return None
    torch.set_num_threads(1)
    return torch


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=int, default=1877, help="V")
    parser.add_argument("--hidden", type=int, nargs="+", default=[100, 400], help="N_hid")
    options = parser.parse_args()
    torch = find_torch()
    data = random_ngrams(options.words)
    with threadpool_limits(1):
        for hidden in options.hidden:
            parts, step = byline(data, options.words, hidden)
            steps = {"Byline": step}
            if torch is not None:
                for name, loader in (("PyTorch, slices", False), ("PyTorch, DataLoader", True)):
                    steps[name] = pytorch(torch, data, options.words, hidden, loader=loader)
            measure(steps, hidden, options.words)
            with np.errstate(all="ignore"):
                for name, part in parts.items():
                    took = median(seconds(part, STEPS) for _ in range(ROUNDS))
                    print(f"  {name}: {1e3 * took:.2f} ms")
    for hidden in options.hidden:
        compare_threads(options.words, hidden)


if __name__ == "__main__":
    main()
