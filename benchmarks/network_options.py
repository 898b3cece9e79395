"""Compare options of the feed-forward language model, each changed from a common starting point.

There is one network per course of stemmed sentences, in plain PyTorch with one thread, on the 8:1:1
split of the authors' program. The validation part stops training, and the options were chosen by
it. Perplexity includes <unk>; </s> is predicted but not scored. Times are CPU times of training
alone. The starting point was Byline's default before this comparison; the default is now D with 10
epochs.

    python benchmarks/network_options.py CORPORA/lectures16/stemmed --courses 3 7 8 10 12
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as nn
from lectures import Sentences, prepare, texts

from byline.lm.networks.ngram_windows import ngram_windows

Tensor = Any  # torch is not typed here
LONGEST = 7  # words of context
BLOCK = 1000
ACTIVATIONS = {"logistic": torch.sigmoid, "tanh": torch.tanh, "relu": torch.relu}


@dataclass(frozen=True)
class Options:
    """The options of a network; the defaults are the starting point of the comparison."""

    context: int = 3
    embedding: int = 100
    hidden: int = 100
    activation: str = "logistic"
    bypass: str = ""  # which part of the embeddings is added to the hidden layer's output
    tied: bool = False  # use the embeddings as output weights; both have the same width
    predict_end: bool = True
    init: str = "normal"
    init_scale: float = 0.1
    unigram_bias: bool = False
    optimizer: str = "sgd"
    rate: float = 0.5
    momentum: float = 0.9
    schedule: str = "steps"
    epochs: int = 8
    early_end: bool = True  # stop when the validation cost rises; otherwise keep the best epoch
    batch: int = 100
    weight_decay: float = 0.0
    dropout_in: float = 0.0
    dropout_hidden: float = 0.0
    noise: float = 0.0  # share of context words replaced by random words of the unigram
    smoothing: float = 0.0  # share of the target's probability given to the unigram
    ema: float = 0.0  # decay of the running average of the weights, updated every tenth step
    seed: int = 0


@dataclass(frozen=True)
class Part:
    """N-grams: contexts (n, LONGEST), targets (n,)."""

    contexts: Tensor
    targets: Tensor

    def words(self, end: int) -> Part:
        """Exclude the n-grams that predict the end of a sentence."""
        kept = self.targets != end
        return Part(self.contexts[kept], self.targets[kept])


@dataclass(frozen=True)
class Course:
    """The three parts of a course; ids below n_words are words, then come </s> and <s>."""

    n_words: int
    training: Part
    validation: Part
    test: Part


def read_course(sentences: list[list[str]], number: int) -> Course:
    """Prune and split one course, and encode it as ids."""
    course = prepare(number, sentences, seed=0)
    n_words = course.vocabulary_size
    return Course(
        n_words,
        _part(course.training, n_words),
        _part(course.validation, n_words),
        _part(course.test, n_words),
    )


def _part(sentences: Sentences, end: int) -> Part:
    data = ngram_windows(
        sentences, context=LONGEST, target_position=LONGEST + 1, end=end, predict_end=True
    )
    return Part(*(torch.tensor(ids.astype(np.int64)) for ids in (data.contexts, data.targets)))


class Net:
    """The network in plain PyTorch."""

    def __init__(self, options: Options, course: Course) -> None:
        self.o = o = options
        self.generator = torch.Generator().manual_seed(o.seed)
        self.n_out = course.n_words + int(o.predict_end)
        counts = torch.bincount(course.training.targets, minlength=self.n_out)[: self.n_out]
        self.unigram = (counts + 1e-3) / (counts + 1e-3).sum()
        self.weights: dict[str, Tensor] = {}
        self._draw(n_in=o.context * o.embedding, n_words=course.n_words)
        if o.unigram_bias:
            self.weights["out_bias"] = self.unigram.log()
        for weight in self.weights.values():
            weight.requires_grad_()

    def _draw(self, n_in: int, n_words: int) -> None:
        o = self.o
        self._add("embedding", n_words + 2, o.embedding, bias=False)
        self._add("hidden", n_in, o.hidden)
        if o.bypass == "linear":
            self._add("bypass", n_in, o.hidden, bias=False)
        elif o.bypass == "scaled":
            self.weights["bypass"] = torch.ones(o.context, o.embedding) / o.context
        if not o.tied:
            self._add("out", o.hidden, self.n_out)
        else:
            self.weights["out_bias"] = torch.zeros(self.n_out)

    def _add(self, name: str, n_in: int, n_out: int, *, bias: bool = True) -> None:
        scale = self.o.init_scale
        if self.o.init == "glorot" and name != "embedding":
            scale = math.sqrt(2 / (n_in + n_out))
        self.weights[name] = scale * torch.randn(n_in, n_out, generator=self.generator)
        if bias:
            self.weights[name + "_bias"] = torch.zeros(n_out)

    def z_out(self, contexts: Tensor, *, training: bool) -> Tensor:
        """Compute the inputs of the softmax layer: (batch, n_out)."""
        o, w = self.o, self.weights
        x = w["embedding"][contexts[:, LONGEST - o.context :]].flatten(1)
        x = nn.dropout(x, o.dropout_in, training and o.dropout_in > 0)
        y = ACTIVATIONS[o.activation](torch.addmm(w["hidden_bias"], x, w["hidden"]))
        y = y + self._bypass(x) if o.bypass else y
        y = nn.dropout(y, o.dropout_hidden, training and o.dropout_hidden > 0)
        if o.tied:
            return torch.addmm(w["out_bias"], y, w["embedding"][: self.n_out].T)
        return torch.addmm(w["out_bias"], y, w["out"])

    def _bypass(self, x: Tensor) -> Tensor:
        if self.o.bypass == "last":
            return x[:, -self.o.embedding :]
        if self.o.bypass == "linear":
            return x @ self.weights["bypass"]
        positions = x.reshape(len(x), self.o.context, -1)
        return (positions * self.weights["bypass"]).sum(1)

    def mean_cost(self, part: Part, weights: dict[str, Tensor] | None = None) -> float:
        """Compute the cross-entropy (nats) with the current weights, or with ``weights``."""
        own = self.weights
        self.weights = weights or own
        with torch.no_grad():
            blocks = zip(part.contexts.split(BLOCK), part.targets.split(BLOCK), strict=True)
            total = sum(
                float(nn.cross_entropy(self.z_out(c, training=False), t, reduction="sum"))
                for c, t in blocks
            )
        self.weights = own
        return total / len(part.targets)


def make_optimizer(o: Options, net: Net) -> Any:
    """Make the optimizer; weight decay applies to matrices, not to biases."""
    biases = [w for name, w in net.weights.items() if name.endswith("_bias")]
    matrices = [w for name, w in net.weights.items() if not name.endswith("_bias")]
    groups = [
        {"params": matrices, "weight_decay": o.weight_decay},
        {"params": biases, "weight_decay": 0.0},
    ]
    if o.optimizer == "adam":
        return torch.optim.Adam(groups, lr=o.rate, betas=(o.momentum, 0.999), fused=True)
    if o.optimizer == "adagrad":
        return torch.optim.Adagrad(groups, lr=o.rate, fused=True)
    return torch.optim.SGD(groups, o.rate, o.momentum, fused=True)


def rate_at(o: Options, step: int, n_steps: int) -> float:
    """Return the learning rate of a step, from 0, with ``n_steps`` per epoch."""
    done = step / (n_steps * o.epochs)
    if o.schedule == "linear":
        return o.rate * (1 - done)
    if o.schedule == "constant":
        return o.rate
    return float(o.rate * 0.6 ** max(0, step // n_steps - 2))


def batches(o: Options, net: Net, part: Part) -> Iterator[Part]:
    """Yield the mini-batches of an epoch in random order, with noise if the option is set."""
    order = torch.randperm(len(part.targets), generator=net.generator)
    for start in range(0, len(order), o.batch):
        rows = order[start : start + o.batch]
        contexts = part.contexts[rows]
        if o.noise:
            drawn = torch.multinomial(net.unigram, contexts.numel(), replacement=True)
            replaced = torch.rand(contexts.shape) < o.noise
            contexts = torch.where(replaced, drawn.reshape(contexts.shape), contexts)
        yield Part(contexts, part.targets[rows])


def cost(o: Options, net: Net, batch: Part) -> Tensor:
    """Compute the cross-entropy of a batch, with smoothed targets if the option is set."""
    z = net.z_out(batch.contexts, training=True)
    if not o.smoothing:
        return nn.cross_entropy(z, batch.targets)
    log_y = nn.log_softmax(z, dim=1)
    own = nn.nll_loss(log_y, batch.targets)
    return (1 - o.smoothing) * own - o.smoothing * (log_y @ net.unigram).mean()


@dataclass(frozen=True)
class Result:
    """The result of a training run: perplexities, epochs, seconds of training."""

    validation: float
    test: float
    epochs: int
    seconds: float


class Run:
    """A training run with its network, optimizer and average weights."""

    def __init__(self, options: Options, course: Course) -> None:
        torch.manual_seed(options.seed)
        self.o, self.end, self.step = options, course.n_words, 0
        self.net = Net(options, course)
        self.optimizer = make_optimizer(options, self.net)
        self.average = {name: w.detach().clone() for name, w in self.net.weights.items()}

    def epoch(self, part: Part) -> None:
        """Train on all n-grams once."""
        o, n_steps = self.o, math.ceil(len(part.targets) / self.o.batch)
        for batch in batches(o, self.net, part):
            for group in self.optimizer.param_groups:
                group["lr"] = rate_at(o, self.step, n_steps)
            self.optimizer.zero_grad()
            cost(o, self.net, batch).backward()
            self.optimizer.step()
            self.step += 1
            if o.ema and self.step % 10 == 0:
                decay = min(o.ema, self.step / (self.step + 100))
                for name, w in self.net.weights.items():
                    self.average[name].lerp_(w.detach(), 1 - decay)

    def weights(self) -> dict[str, Tensor]:
        """Copy the weights that are used for scoring."""
        now = self.average if self.o.ema else self.net.weights
        return {name: w.detach().clone() for name, w in now.items()}


def train(o: Options, course: Course) -> Result:
    """Train until all epochs are done or the validation cost rises."""
    run = Run(o, course)
    parts = [course.training, course.validation]
    training, validation = parts if o.predict_end else [p.words(run.end) for p in parts]
    costs: list[float] = []
    seconds, best = 0.0, run.weights()
    for _ in range(o.epochs):
        start = time.process_time()
        run.epoch(training)
        seconds += time.process_time() - start
        now = run.weights()
        costs.append(run.net.mean_cost(validation, now))
        if costs[-1] <= min(costs):
            best = now
        elif o.early_end:
            break
    of_validation, of_test = (
        math.exp(run.net.mean_cost(part.words(run.end), best))
        for part in (course.validation, course.test)
    )
    return Result(of_validation, of_test, len(costs), seconds)


def rows() -> dict[str, Options]:
    """Return the rows of the table: changes of the starting point, then of rows B, D and M."""
    d = Options()
    linear = replace(d, schedule="linear")
    bypass = replace(linear, bypass="last")
    both = replace(bypass, dropout_in=0.2, dropout_hidden=0.2)
    more = replace(both, dropout_in=0.3, rate=0.6, early_end=False, epochs=10)
    plain = replace(both, rate=6.0, momentum=0.0, early_end=False)
    glorot = replace(d, init="glorot", rate=0.1)
    return {
        "start": d,
        "linear decay": linear,
        "batches of 200": replace(d, batch=200),
        "linear decay, batches of 50, rate 0.3, 5 epochs": replace(
            linear, batch=50, rate=0.3, epochs=5
        ),
        "output bias log unigram": replace(d, unigram_bias=True),
        "tanh, Glorot, rate 0.1": replace(glorot, activation="tanh"),
        "ReLU, Glorot, rate 0.1": replace(glorot, activation="relu"),
        "linear decay, Adam 0.002": replace(linear, optimizer="adam", rate=2e-3),
        "Adagrad 0.1": replace(d, optimizer="adagrad", rate=0.1, schedule="constant"),
        "dropout of embeddings 0.2": replace(d, dropout_in=0.2),
        "dropout of hidden 0.3": replace(d, dropout_hidden=0.3),
        "noise 0.1": replace(d, noise=0.1),
        "label smoothing 0.1": replace(d, smoothing=0.1),
        "averaged weights": replace(d, ema=0.99),
        "tied, rate 0.2": replace(d, tied=True, rate=0.2),
        "context 5": replace(d, context=5),
        "bypass of all, linear": replace(d, bypass="linear"),
        "bypass of the last word": replace(d, bypass="last"),
        "B: bypass of the last word, linear decay": bypass,
        "B, rate 0.2": replace(bypass, rate=0.2),
        "B, 4 epochs": replace(bypass, epochs=4),
        "bypass, averaged weights": replace(d, bypass="last", ema=0.99),
        "B, tanh, Glorot, rate 0.3": replace(bypass, activation="tanh", init="glorot", rate=0.3),
        "B, dropout of embeddings 0.3": replace(bypass, dropout_in=0.3),
        "B scaled by position, dropout of embeddings 0.3": replace(
            bypass, bypass="scaled", dropout_in=0.3
        ),
        "D: B, dropouts 0.2": both,
        "D, averaged weights": replace(both, ema=0.99),
        "D, averaged weights, constant rate": replace(both, ema=0.99, schedule="constant"),
        "D, ReLU": replace(both, activation="relu"),
        "D, tanh, Glorot, Adam 0.002": replace(
            both, activation="tanh", init="glorot", optimizer="adam", rate=2e-3
        ),
        "D, batches of 200, rate 0.7": replace(both, batch=200, rate=0.7),
        "D, context 5": replace(both, context=5),
        "D, rate 0.3": replace(both, rate=0.3),
        "D, rate 0.6": replace(both, rate=0.6),
        "D, rate 0.7": replace(both, rate=0.7),
        "D, rate 0.6, context 4": replace(both, rate=0.6, context=4),
        "D, dropouts 0.3, width 200": replace(
            both, dropout_in=0.3, dropout_hidden=0.3, embedding=200, hidden=200
        ),
        "D, rate 6, no momentum": plain,
        "D, rate 8, no momentum": replace(plain, rate=8.0),
        "D, rate 6, no momentum, context 4, decay 2e-6": replace(
            plain, weight_decay=2e-6, context=4
        ),
        "M: D, dropout 0.3, rate 0.6, 10 epochs": more,
        "M, context 4": replace(more, context=4),
        "M, </s> not predicted": replace(more, predict_end=False),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("--courses", type=int, nargs="+", default=list(range(1, 17)))
    parser.add_argument("--rows", nargs="+", default=list(rows()))
    options = parser.parse_args()
    torch.set_num_threads(1)
    lines = texts(options.stemmed)
    courses = [read_course(lines[number], number) for number in options.courses]
    print(f"{'option':50}validation   test  epochs  seconds  relative")
    reference = math.nan
    for name in options.rows:
        results = [train(rows()[name], course) for course in courses]
        seconds = sum(result.seconds for result in results) / len(results)
        reference = seconds if name == "start" else reference
        of_validation, of_test, epochs = (
            sum(figures) / len(results)
            for figures in zip(*((r.validation, r.test, r.epochs) for r in results), strict=True)
        )
        figures = f"{of_validation:10.2f} {of_test:6.2f} {epochs:7.1f}"
        print(f"{name:50}{figures} {seconds:8.1f} {seconds / reference:9.2f}", flush=True)


if __name__ == "__main__":
    main()
