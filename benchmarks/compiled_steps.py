"""Measure what compiled code (numba) would bring for the network's training step and for counting.

Numba is not a dependency of Byline; install it to run this. Each compiled function does
the same as Byline's, which is checked first, and compilation is not counted. The functions take
turns, so that the load of the machine is the same for both.

    python benchmarks/compiled_steps.py
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import cycle
from statistics import median
from typing import Any

import numpy as np
from network_step import BATCH, CONTEXT, EMBEDDING, MOMENTUM, RATE, random_ngrams
from threadpoolctl import threadpool_limits

from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    feedforward_network_shapes,
    forward,
    training_step,
)
from byline.lm.ngrams.counts import add_sentence_boundaries, count_ngrams

N_WORDS, ROUNDS, STEPS = 1877, 9, 150
N_TOKENS, N_TYPES, SENTENCE, ORDER = 700_000, 20_000, 20, 4


def softmax(z: Any, targets: Any) -> float:
    """Turn inputs into derivatives of the cost, and return the sum of the costs."""
    cost = 0.0
    for i in range(z.shape[0]):
        top = z[i, 0]
        for j in range(z.shape[1]):
            top = max(top, z[i, j])
        shift = top if abs(top) > np.float32(50) else np.float32(0)
        target, total = z[i, targets[i]] - shift, np.float32(0)
        for j in range(z.shape[1]):
            z[i, j] = np.exp(z[i, j] - shift)
            total += z[i, j]
        factor = np.float32(1) / total
        for j in range(z.shape[1]):
            z[i, j] *= factor
        cost += np.log(float(total)) - float(target)
        z[i, targets[i]] -= np.float32(1)
    return cost


def descend(weights: Any, delta: Any, gradient: Any, momentum: Any, rate: Any) -> None:
    """Add a gradient to the momentum, and the result to the weights, in one pass."""
    w, d, g = weights.ravel(), delta.ravel(), gradient.ravel()
    for i in range(w.size):
        d[i] = momentum * d[i] + g[i]
        w[i] -= rate * d[i]


def descend_embedding(w: Any, d: Any, rows: Any, dz: Any, momentum: Any, rate: Any) -> None:
    """Do the same for embeddings, of which few rows have a gradient."""
    d *= momentum
    for k in range(rows.size):
        for j in range(d.shape[1]):
            d[rows[k], j] += dz[k, j]
    flat, own = w.ravel(), d.ravel()
    for i in range(flat.size):
        flat[i] -= rate * own[i]


def count(parents: Any, words: Any, n_words: int) -> Any:
    """Count the n-grams of one order with a hash table: distinct keys, counts, and numbers."""
    size = 1
    while size < 2 * len(words):
        size *= 2
    table = np.full(size, -1, np.int64)
    keys, counts = np.empty(len(words), np.int64), np.zeros(len(words), np.int32)
    numbers, n = np.full(len(words), -1, np.int64), 0
    for i in range(len(words)):
        if parents[i] < 0:
            continue
        key = parents[i] * n_words + words[i]
        cell = ((key * 0x9E3779B97F4A7C15) >> 20) & (size - 1)
        while table[cell] >= 0 and keys[table[cell]] != key:
            cell = (cell + 1) & (size - 1)
        if table[cell] < 0:
            table[cell] = n
            keys[n] = key
            n += 1
        counts[table[cell]] += 1
        numbers[i] = table[cell]
    return keys[:n], counts[:n], numbers


def compiled() -> dict[str, Callable[..., Any]]:
    """Compile the functions that are defined above."""
    numba: Any = import_module("numba")
    jit = numba.njit(fastmath=True)
    return {
        "softmax": jit(softmax),
        "descend": jit(descend),
        "descend_embedding": jit(descend_embedding),
        "count": numba.njit(count),
    }


def new_network(hidden: int) -> tuple[FeedForwardNetwork, FeedForwardNetwork, Workspace]:
    """Make a network, its momentum, and the memory of a mini-batch."""
    shapes = feedforward_network_shapes(
        n_inputs=N_WORDS,
        context=CONTEXT,
        embedding_dim=EMBEDDING,
        hidden_dims=(hidden,),
        n_outputs=N_WORDS,
    )
    network = FeedForwardNetwork.random(np.random.default_rng(0), shapes, 0.01)
    return network, network.map(np.zeros_like), Workspace(network, BATCH)


def fused_step(
    parts: dict[str, Callable[..., Any]], network: Any, delta: Any, work: Workspace, batch: Any
) -> float:
    """Do a training step: BLAS for the products, and compiled code for all else."""
    momentum, rate, share = np.float32(MOMENTUM), np.float32(RATE), np.float32(1 / BATCH)
    dz = forward(network, batch.contexts, work)
    cost = float(parts["softmax"](dz, batch.targets))
    for i in (1, 0):
        y, layer = work.inputs[i], network.layers[i]
        dy = dz @ layer[:-1].T
        np.matmul(y.T * share, dz, out=work.gradients[i])
        parts["descend"](layer, delta.layers[i], work.gradients[i], momentum, rate)
        if i:
            dz = dy * (work.hidden[0] * (1 - work.hidden[0]))
    rows = dy.reshape(BATCH * CONTEXT, -1) * share
    parts["descend_embedding"](
        network.embedding, delta.embedding, batch.contexts.reshape(-1), rows, momentum, rate
    )
    return cost


def numpy_step(network: Any, delta: Any, work: Workspace, batch: Any) -> float:
    """Do Byline's training step."""
    given = network, batch.contexts, batch.targets, work, delta
    return float(training_step(*given, learning_rate=RATE, momentum=MOMENTUM))


def hashed_levels(
    parts: dict[str, Callable[..., Any]], stream: Any, n_words: int
) -> list[tuple[Any, Any]]:
    """Count n-grams with hash tables; the distinct ones are sorted, as Byline stores them."""
    found = []
    is_start = stream == n_words - 1
    parents = np.zeros(len(stream), np.int64)
    for _ in range(ORDER):
        keys, counts, numbers = parts["count"](parents, stream, n_words)
        order = np.argsort(keys)
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        found.append((keys[order], counts[order]))
        numbers = np.where(numbers >= 0, ranks[numbers], -1)
        parents = np.full(len(stream), -1, np.int64)
        parents[1:] = numbers[:-1]
        parents[is_start] = -1
    return found


def do_next(step: Callable[[Any], float], batches: Iterator[Any]) -> float:
    """Do a step with the next mini-batch."""
    return step(next(batches))


def check(is_equal: bool) -> None:
    """End the program if the compiled code does not compute the same."""
    if not is_equal:
        raise SystemExit("the compiled code computes something else")


def seconds(step: Callable[[], Any], repeats: int) -> float:
    """Measure the CPU seconds of a call."""
    started = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - started) / repeats


def compare(name: str, own: Callable[[], Any], other: Callable[[], Any], repeats: int) -> None:
    """Measure two functions in turn, and print their medians."""
    times = [(seconds(own, repeats), seconds(other, repeats)) for _ in range(ROUNDS)]
    first, second = (1e3 * median(column) for column in zip(*times, strict=True))
    ratio = median(a / b for a, b in times)
    print(f"{name} | {first:.2f} ms | {second:.2f} ms | {ratio:.2f} times", flush=True)


def main() -> None:
    """Print the table."""
    started = time.perf_counter()
    parts = compiled()
    print("work | Byline, NumPy | with numba | as fast")
    with threadpool_limits(1):
        for hidden in (100, 400):
            data = random_ngrams(N_WORDS)
            own, other = new_network(hidden), new_network(hidden)
            for batch, _ in zip(data.blocks(BATCH), range(20), strict=False):
                expected = numpy_step(*own, batch)
                check(math.isclose(expected, fused_step(parts, *other, batch), rel_tol=1e-4))
            batches = cycle(data.blocks(BATCH))
            compare(
                f"training step, N_hid {hidden}",
                partial(do_next, partial(numpy_step, *own), batches),
                partial(do_next, partial(fused_step, parts, *other), batches),
                STEPS,
            )
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, N_TYPES + 1)
    words = rng.choice(N_TYPES, p=shares / shares.sum(), size=N_TOKENS).astype(np.int32)
    sentences = np.split(words, np.arange(SENTENCE, N_TOKENS, SENTENCE))
    stream = add_sentence_boundaries(sentences, N_TYPES, sentence_end=True)
    levels = count_ngrams(stream, ORDER, N_TYPES, sentence_start=True)
    for level, (_, counts) in zip(levels, hashed_levels(parts, stream, N_TYPES + 2), strict=True):
        check(sorted(level.counts.tolist()) == sorted(counts.tolist()))
    compare(
        f"counting 1- to {ORDER}-grams of {N_TOKENS:,} words",
        lambda: count_ngrams(stream, ORDER, N_TYPES, sentence_start=True),
        lambda: hashed_levels(parts, stream, N_TYPES + 2),
        1,
    )
    print(f"{time.perf_counter() - started:.0f} s in all, with the compilation")


if __name__ == "__main__":
    main()
