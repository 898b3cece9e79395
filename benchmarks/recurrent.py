"""A recurrent network (GRU) beside the feed-forward one and Kneser-Ney, by perplexity and CPU time.

One model a course of Ge & Sun (2016), words pruned as there, the authors' split of seed 0. The GRU
is written out in NumPy: sentences of like length go through together, each from a state of zeros;
embeddings and softmax share one table; AdamW, with a rate that falls to zero. All models but the
paper's setting learn ``</s>``; no perplexity counts it, and all count ``<unk>``.

    OMP_NUM_THREADS=1 python benchmarks/recurrent.py CORPORA/lectures16/stemmed --courses 3 7 10 12
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lectures import Course, Sentences, prepare, texts
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from byline.errors import BylineWarning
from byline.lm import FeedForwardLM, LanguageModel, NgramLM, Scoring

Floats = NDArray[np.float32]
Measured = tuple[float, float, float]  # validation and test perplexity, CPU seconds
SCORED_TOGETHER = 2000  # words


@dataclass(frozen=True)
class Settings:
    """Of a GRU and its training; chosen by the validation parts of courses 7 and 12."""

    units: int = 128  # of the state and of an embedding
    epochs: int = 6
    drop_in: float = 0.1  # share of the embeddings' values left out in training
    drop_out: float = 0.3  # and of the states' before the softmax
    batch_words: int = 350
    rate: float = 0.01  # the highest, after warm_up of all steps
    warm_up: float = 0.05
    weight_decay: float = 0.1  # of all but the biases
    max_norm: float = 1.0  # of the gradient


@dataclass(frozen=True)
class Batch:
    """Sentences of like length, one a column, beginning with ``<s>``: (n_steps, n_sentences)."""

    inputs: NDArray[np.int32]
    real: NDArray[np.intp]  # places in the flattened batch that are no padding
    targets: NDArray[np.int32]  # of those places

    @classmethod
    def of(cls, sentences: Sentences, end: int) -> Batch:
        """Pad on the right; ``end`` is the id of ``</s>``, ``end + 1`` that of ``<s>``."""
        targets = np.full((max(map(len, sentences)) + 1, len(sentences)), -1, dtype=np.int32)
        for column, sentence in enumerate(sentences):
            targets[: len(sentence), column] = sentence
            targets[len(sentence), column] = end
        inputs = np.full_like(targets, end + 1)
        inputs[1:] = np.where(targets[:-1] < 0, end, targets[:-1])
        real = np.flatnonzero(targets >= 0)
        return cls(inputs, real, targets.ravel()[real])


def batches(
    sentences: Sentences, n_words: int, end: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """Cut sentences sorted by length, those of one length in random order; shuffle the batches."""
    order = rng.permutation(len(sentences))
    lengths = np.array([len(sentences[i]) + 1 for i in order])
    by_length = np.argsort(lengths, kind="stable")
    cuts = [0]
    for i, length in enumerate(lengths[by_length]):
        if length * (i + 1 - cuts[-1]) > n_words and i > cuts[-1]:
            cuts.append(i)
    groups = np.split(order[by_length], cuts[1:])
    for i in rng.permutation(len(groups)):
        yield Batch.of([sentences[j] for j in groups[i]], end)


class Gru:
    """Weights and gradients as views of one vector each; the gates side by side: r, z, new n."""

    def __init__(self, n_events: int, units: int) -> None:
        self.n_events, self.units = n_events, units
        shapes = {"words": (n_events + 1, units), "W": (units, 3 * units), "U": (units, 3 * units)}
        shapes |= {"b": (1, 3 * units), "b_n": (1, units), "b_out": (1, n_events)}
        ends = np.cumsum([rows * columns for rows, columns in shapes.values()])
        self.n_matrix = int(ends[2])  # the values before the biases
        self.flat, self.flat_gradient = np.zeros((2, ends[-1]), dtype=np.float32)
        self.w, self.g = (
            dict(zip(shapes, map(np.reshape, np.split(a, ends[:-1]), shapes.values()), strict=True))
            for a in (self.flat, self.flat_gradient)
        )

    def start(self, sentences: Sentences, rng: np.random.Generator) -> None:
        """Draw the weights; the softmax begins with the words' frequencies."""
        for name, bound in (("words", 0.3), ("W", self.units**-0.5), ("U", self.units**-0.5)):
            self.w[name][...] = rng.uniform(-bound, bound, self.w[name].shape)
        counts = np.bincount(np.concatenate(sentences), minlength=self.n_events) + 0.5
        counts[-1] = len(sentences)
        self.w["b_out"][...] = np.log(counts / counts.sum())

    def forward(self, y_in: Floats) -> tuple[Floats, ...]:
        """States, the first of zeros, and what else `backward` needs: r, z, n, U's part of n."""
        (n_steps, n_columns, units), w = y_in.shape, self.w
        x = (y_in.reshape(-1, units) @ w["W"] + w["b"]).reshape(n_steps, n_columns, -1)
        rz, n = x[:, :, : 2 * units], x[:, :, 2 * units :]  # inputs of the gates, to become them
        s = np.zeros((n_steps + 1, n_columns, units), dtype=np.float32)
        u_n = np.empty_like(s[1:])
        for t in range(n_steps):
            u = s[t] @ w["U"]
            np.negative(np.add(rz[t], u[:, : 2 * units], out=rz[t]), out=rz[t])
            np.reciprocal(np.exp(rz[t]) + 1, out=rz[t])
            np.add(u[:, 2 * units :], w["b_n"], out=u_n[t])
            n[t] += rz[t, :, :units] * u_n[t]
            np.tanh(n[t], out=n[t])
            np.subtract(s[t], n[t], out=s[t + 1])
            s[t + 1] *= rz[t, :, units:]
            s[t + 1] += n[t]  # s = n + z (s_before - n)
        return s, rz[:, :, :units], rz[:, :, units:], n, u_n

    def backward(self, y_in: Floats, kept: tuple[Floats, ...], d_states: Floats) -> Floats:
        """Set the gradients of the recurrent weights; return that of ``y_in``, a word a row."""
        (s, r, z, n, u_n), units, g = kept, self.units, self.g
        to_z, to_n, to_r = (s[:-1] - n) * z * (1 - z), (1 - z) * (1 - n * n), u_n * r * (1 - r)
        d_u = np.empty((*n.shape[:2], 3 * units), dtype=np.float32)
        d_n, d = np.empty_like(n), np.zeros_like(n[0])
        transposed = np.ascontiguousarray(self.w["U"].T)
        for t in reversed(range(len(n))):
            d += d_states[t]
            np.multiply(d, to_z[t], out=d_u[t, :, units : 2 * units])
            np.multiply(d, to_n[t], out=d_n[t])
            np.multiply(d_n[t], to_r[t], out=d_u[t, :, :units])
            np.multiply(d_n[t], r[t], out=d_u[t, :, 2 * units :])
            d *= z[t]
            d += d_u[t] @ transposed
        flat = d_u.reshape(-1, 3 * units)
        np.matmul(s[:-1].reshape(-1, units).T, flat, out=g["U"])
        g["b_n"][...] = flat[:, 2 * units :].sum(axis=0)
        flat[:, 2 * units :] = d_n.reshape(-1, units)
        np.matmul(y_in.reshape(-1, units).T, flat, out=g["W"])
        g["b"][...] = flat.sum(axis=0)
        return np.asarray(flat @ self.w["W"].T)

    def scores(self, y_out: Floats) -> Floats:
        """Logarithms of the events' probabilities after each state, less one constant a row."""
        z_out = y_out @ self.w["words"][:-1].T
        z_out += self.w["b_out"]
        z_out -= z_out.max(axis=1, keepdims=True)
        return np.asarray(z_out)

    def learn(self, batch: Batch, settings: Settings, rng: np.random.Generator) -> None:
        """Set the gradient of the batch's mean cost."""
        (w, g), inputs, n = (self.w, self.g), batch.inputs.ravel(), len(batch.real)
        mask_in = _mask(rng, (len(inputs), self.units), settings.drop_in)
        y_in = (w["words"][inputs] * mask_in).reshape(*batch.inputs.shape, -1)
        kept = self.forward(y_in)
        mask_out = _mask(rng, (n, self.units), settings.drop_out)
        y_out = kept[0][1:].reshape(-1, self.units)[batch.real] * mask_out
        d_out = self.scores(y_out)
        np.exp(d_out, out=d_out)
        d_out *= 1 / d_out.sum(axis=1, keepdims=True)
        d_out[np.arange(n), batch.targets] -= 1
        np.matmul(d_out.T, y_out / n, out=g["words"][:-1])
        g["words"][-1] = 0
        g["b_out"][...] = d_out.mean(axis=0)
        d_states = np.zeros((len(inputs), self.units), dtype=np.float32)
        d_states[batch.real] = (d_out @ w["words"][:-1]) * (mask_out / n)
        d_in = self.backward(y_in, kept, d_states.reshape(y_in.shape)) * mask_in
        order = np.argsort(inputs, kind="stable")
        starts = np.flatnonzero(np.diff(inputs[order], prepend=-1))
        g["words"][inputs[order[starts]]] += np.add.reduceat(d_in[order], starts)

    def perplexity(self, sentences: Sentences) -> float:
        """Of the words alone."""
        costs, end = [np.zeros(0)], self.n_events - 1
        for batch in batches(sentences, SCORED_TOGETHER, end, np.random.default_rng(0)):
            is_word = batch.targets != end
            states = self.forward(self.w["words"][batch.inputs])[0][1:]
            z_out = self.scores(states.reshape(-1, self.units)[batch.real[is_word]])
            z_target = z_out[np.arange(len(z_out)), batch.targets[is_word]]
            costs.append((np.log(np.exp(z_out).sum(axis=1)) - z_target).astype(np.float64))
        return float(np.exp(np.concatenate(costs).mean()))


def _mask(rng: np.random.Generator, shape: tuple[int, int], share: float) -> Floats:
    return (rng.random(shape, dtype=np.float32) >= share) * np.float32(1 / (1 - share))


class AdamW:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019), gradients cut to a norm."""

    def __init__(self, model: Gru) -> None:
        self.model, self.n_steps = model, 0
        self.mean, self.square, self.step = np.zeros((3, len(model.flat)), dtype=np.float32)

    def update(self, rate: float, decay: float, max_norm: float) -> None:
        """Take one step down the gradient."""
        w, g, step, beta_1, beta_2 = self.model.flat, self.model.flat_gradient, self.step, 0.9, 0.99
        self.n_steps += 1
        g *= min(1.0, max_norm / (float(np.sqrt(g @ g)) + 1e-6))
        self.mean *= beta_1
        self.mean += np.multiply(g, 1 - beta_1, out=step)
        self.square *= beta_2
        self.square += np.multiply(np.square(g, out=g), 1 - beta_2, out=step)
        np.sqrt(self.square, out=step)
        step *= (1 - beta_2**self.n_steps) ** -0.5
        np.divide(self.mean, step + np.float32(1e-8), out=step)
        step *= rate / (1 - beta_1**self.n_steps)
        w[: self.model.n_matrix] *= 1 - rate * decay
        w -= step


def train(course: Course, settings: Settings, seed: int = 0) -> Gru:
    """Run all epochs: the falling rate ends training, not the validation part."""
    rng = np.random.default_rng(seed)
    model = Gru(course.vocabulary_size + 1, settings.units)
    model.start(course.training, rng)
    optimizer, rise = AdamW(model), settings.warm_up
    for epoch in range(settings.epochs):
        data = list(batches(course.training, settings.batch_words, course.vocabulary_size, rng))
        for i, batch in enumerate(data):
            model.learn(batch, settings, rng)
            done = (epoch + i / len(data)) / settings.epochs
            rate = settings.rate * min(done / rise, (1 - done) / (1 - rise))
            optimizer.update(rate, settings.weight_decay, settings.max_norm)
    return model


MODELS: dict[str, LanguageModel | Settings] = {
    "feed-forward, default": FeedForwardLM(),
    "feed-forward, paper": FeedForwardLM.like_ge_sun_2016(),
    "modified Kneser-Ney": NgramLM(),
    "GRU, equal cost": Settings(),
    "GRU, triple cost": Settings(units=200, epochs=10, drop_in=0.2, drop_out=0.5),
}


def measure(model: LanguageModel | Settings, course: Course) -> Measured:
    """Train on one thread, then score."""
    held_out, begin = (course.validation, course.test), time.process_time()
    if isinstance(model, Settings):
        gru = train(course, model)
        seconds = time.process_time() - begin
        return gru.perplexity(course.validation), gru.perplexity(course.test), seconds
    size = course.vocabulary_size
    model.fit(course.training, vocabulary_size=size, validation=course.validation)
    seconds = time.process_time() - begin
    scoring = Scoring(sentence_start=model.sentence_start, sentence_end=False)
    validation, test = (model.measure([part], scoring).perplexity for part in held_out)
    return validation, test, seconds


def main() -> None:
    """Print a line for each course and model, then the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, a sentence a line")
    parser.add_argument("--courses", type=int, nargs="+", default=list(range(1, 17)))
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    print("perplexity of validation and test part, CPU seconds; both beside the first model's")
    lines = texts(options.stemmed)
    found: dict[str, list[Measured]] = {name: [] for name in options.models}
    for number in options.courses:
        course = prepare(number, lines[number], seed=0)
        for name, rows in found.items():
            with threadpool_limits(1):
                rows.append(measure(MODELS[name], course))
            _print_row(f"course {number}", name, rows[-1], found[options.models[0]][-1])
    means = {name: np.mean(rows, axis=0).tolist() for name, rows in found.items()}
    for name, mean in means.items():
        _print_row("mean", name, mean, means[options.models[0]])


def _print_row(head: str, name: str, measured: Measured, first: Measured) -> None:
    cells = "".join(f"{figure:8.2f}" for figure in measured)
    _, test, seconds = (a / b for a, b in zip(measured, first, strict=True))
    print(f"{head:10}{name:22}{cells}{test:8.3f}{seconds:8.2f}", flush=True)


if __name__ == "__main__":
    main()
