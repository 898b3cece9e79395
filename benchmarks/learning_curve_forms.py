"""Compare forms of the error rate by the number of known words, on measured learning curves.

Each file is what ``byline evaluate --learning-curve --json`` printed. Every form is fitted to the
accuracies of each length of the questioned text, with and without the largest amount of known text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from byline.array_types import Floats

_SMALLEST = 1e-6  # an error rate, so that its logarithm exists
Share = Callable[[Floats, float, float], Floats]


def main() -> None:
    """Print the mean differences of each form."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    curves = [curve for path in parser.parse_args().files for curve in read_curves(path)]
    print(f"{len(curves)} lengths")
    print("| form of the error rate | root mean square difference | largest amount, predicted |")
    print("|---|---|---|")
    for (name, share), has_floor in product(SHARES.items(), (False, True)):
        found = np.mean([differences(share, has_floor, *curve) for curve in curves], axis=0)
        form = f"{name}, with a floor" if has_floor else name
        print(f"| {form} | {found[0]:.3f} | {found[1]:.3f} |")


def read_curves(path: Path) -> Iterator[tuple[Floats, Floats, float]]:
    """Yield log known words, error rates, and the error rate of random guessing."""
    found = json.loads(path.read_text("utf-8"))
    guessing = 1 - 1 / len(found["authors"])
    for length in found["text_words"]:
        own = [point for point in found["points"] if point["text_words"] == length]
        words = np.log([point["known_words"] for point in own])
        yield words, 1 - np.array([point["accuracy"] for point in own]), guessing


def power(x: Floats, log_start: float, exponent: float) -> Floats:
    """Fall in proportion to a power of the number of words, from 1."""
    return np.minimum(1, np.exp(exponent * (log_start - x)))


def logistic(x: Floats, log_midpoint: float, exponent: float) -> Floats:
    """Fall as the logistic function of the logarithm of the number of words."""
    return np.asarray(1 / (1 + np.exp(exponent * (x - log_midpoint))))


SHARES: dict[str, Share] = {"power of n": power, "logistic in log n": logistic}


def differences(
    share: Share, has_floor: bool, x: Floats, errors: Floats, guessing: float
) -> tuple[float, float]:
    """Return the root mean square difference, and that of the largest amount when predicted."""
    fitted = fit(share, has_floor, x, errors, guessing)(x)
    predicted = fit(share, has_floor, x[:-1], errors[:-1], guessing)(x)
    return float(np.sqrt(np.mean((fitted - errors) ** 2))), abs(float(predicted[-1] - errors[-1]))


def fit(
    share: Share, has_floor: bool, x: Floats, errors: Floats, guessing: float
) -> Callable[[Floats], Floats]:
    """Fit a form by maximum likelihood, from several starts."""

    def rate(x: Floats, parameters: Floats) -> Floats:
        place, exponent, floor = parameters
        return np.asarray(floor + (guessing - floor) * share(x, place, exponent))

    def cost(parameters: Floats) -> float:
        expected = np.clip(rate(x, parameters), _SMALLEST, 1 - _SMALLEST)
        return float(-(errors * np.log(expected) + (1 - errors) * np.log1p(-expected)).sum())

    middle = float(x.mean())
    bounds = [(middle - 15, middle + 15), (0.01, 5), (0, 0.99 * guessing if has_floor else 0)]
    floors = (0.0, 0.5 * float(errors.min())) if has_floor else (0.0,)
    starts = product((middle - 2, middle, middle + 2), (0.3, 1.0), floors)
    fits = (minimize(cost, each, method="L-BFGS-B", bounds=bounds) for each in starts)
    best = min(fits, key=lambda each: float(each.fun)).x
    return lambda x: rate(x, best)


if __name__ == "__main__":
    main()
