"""Declare which values the parameters of an estimator can have, and check them.

An estimator declares them in ``_parameter_constraints``, as scikit-learn's own do: a list of
constraints for each parameter, of which one must hold. A constraint is one that scikit-learn can
read: None, a class, ``"boolean"``, or the result of a function of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

# scikit-learn does not publish these classes, but reads no others.
from sklearn.utils._param_validation import (
    Interval,
    InvalidParameterError,
    Options,
    StrOptions,
    make_constraint,
)

from byline.errors import UsageError

Constraints: TypeAlias = Mapping[str, Sequence[Any]]
BOOLEAN = "boolean"


class ParameterError(UsageError, InvalidParameterError):  # type: ignore[misc]
    """A parameter of an estimator has a value that it cannot have."""


def whole(least: int, most: int | None = None) -> Any:
    """Return the constraint that a value is a whole number.

    Parameters
    ----------
    least : int
    most : int, optional

    Examples
    --------
    >>> describe([whole(1)]), describe([whole(1, 9), None])
    ('a whole number of at least 1', 'a whole number from 1 to 9 or None')
    """
    return Interval(Integral, least, most, closed="left" if most is None else "both")


def within(least: float, most: float, *, closed: str = "both") -> Any:
    """Return the constraint that a value is a number from ``least`` to ``most``.

    Parameters
    ----------
    least, most : float
    closed : {"both", "left"}
        With ``left``, the value is below ``most``.

    Examples
    --------
    >>> describe([within(0, 0.5)]), describe([within(0, 1, closed="left")])
    ('a number from 0 to 0.5', 'a number from 0 to below 1')
    """
    return Interval(Real, least, most, closed=closed)


def at_least(least: float) -> Any:
    """Return the constraint that a value is a finite number of at least ``least``.

    Examples
    --------
    >>> describe([at_least(0)])
    'a number of at least 0'
    """
    return Interval(Real, least, None, closed="left")


def positive() -> Any:
    """Return the constraint that a value is a finite number above zero.

    Examples
    --------
    >>> describe([positive()])
    'a finite number above 0'
    """
    return Interval(Real, 0, None, closed="neither")


def one_of(*choices: str) -> Any:
    """Return the constraint that a value is one of some strings.

    Examples
    --------
    >>> describe([one_of("word", "char")])
    "'char' or 'word'"
    """
    return StrOptions(set(choices))


#: Constraints of a number of processes.
N_JOBS = (whole(1), Options(Integral, {-1}), None)
#: Constraints of the parameters that decide which tokens become ``<unk>``.
PRUNING: Constraints = {
    "min_count": (whole(1),),
    "min_frequency": (within(0, 1, closed="left"),),
}
#: Constraints of a sequence; `check_elements` checks what it contains.
SEQUENCE = (list, tuple, np.ndarray)


def check_parameters(estimator: Any) -> None:
    """Check the parameters of an estimator.

    Parameters
    ----------
    estimator : estimator
        With ``_parameter_constraints``. Parameters without constraints are not checked.

    Raises
    ------
    ParameterError
        No constraint of a parameter holds.

    Examples
    --------
    >>> from byline.attribution import BurrowsDelta
    >>> check_parameters(BurrowsDelta(500))
    >>> check_parameters(BurrowsDelta(0))
    Traceback (most recent call last):
    ...
    byline.constraints.ParameterError: The 'n_words' parameter of BurrowsDelta must be a whole \
number of at least 1. Got 0 instead.
    """
    for name, checks in _checks_of(estimator.__class__).items():
        value = getattr(estimator, name)
        is_bool = isinstance(value, bool | np.bool_)  # which are integers to Python
        allowed = (check for check, of_bool in checks if of_bool or not is_bool)
        if not any(check(value) for check in allowed):
            raise ParameterError(
                f"The {name!r} parameter of {type(estimator).__name__} must be "
                f"{describe(estimator._parameter_constraints[name])}. Got {value!r:.200} instead."
            )


def check_elements(estimator: Any, name: str, constraint: Any, most: int | None = None) -> None:
    """Check the elements of a parameter if it is a sequence.

    Parameters
    ----------
    estimator : estimator
    name : str
    constraint : constraint
        Of every element.
    most : int, optional
        Largest number of elements; there must be at least one.

    Raises
    ------
    ParameterError
        An element cannot be used, or the number of elements is wrong.
    """
    values = getattr(estimator, name)
    if not isinstance(values, SEQUENCE):
        return
    holds = make_constraint(constraint).is_satisfied_by
    fit = all(not isinstance(each, bool | np.bool_) and holds(each) for each in values)
    if not len(values) or not fit or (most is not None and len(values) > most):
        number = "at least one value" + ("" if most is None else f" and at most {most}")
        raise ParameterError(
            f"The {name!r} parameter of {type(estimator).__name__} must be {number}, each "
            f"{_describe(constraint)}. Got {values!r:.200} instead."
        )


@cache
def _checks_of(kind: Any) -> dict[str, list[tuple[Callable[[Any], bool], bool]]]:
    """Return for each parameter a function per constraint, and whether it is one of truth values.

    An encoder is checked for every text.
    """
    return {
        name: [(make_constraint(each).is_satisfied_by, each == BOOLEAN) for each in constraints]
        for name, constraints in kind._parameter_constraints.items()
    }


def describe(constraints: Sequence[Any]) -> str:
    """Describe constraints in words.

    Examples
    --------
    >>> describe([BOOLEAN]), describe([int, tuple, None])
    ('True or False', 'an int, a tuple or None')
    """
    *others, last = map(_describe, constraints)
    return f"{', '.join(others)} or {last}" if others else last


def _describe(constraint: Any) -> str:
    if constraint == BOOLEAN:
        return "True or False"
    if isinstance(constraint, Interval):
        return _describe_interval(constraint)
    if isinstance(constraint, Options):
        return " or ".join(map(repr, sorted(constraint.options)))
    if constraint is Real:
        return "a number"
    if isinstance(constraint, type):
        name = constraint.__name__
        return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"
    return str(constraint)


def _describe_interval(interval: Any) -> str:
    noun = "whole number" if interval.type is Integral else "number"
    if interval.right is not None:
        below = "" if interval.closed == "both" else "below "
        return f"a {noun} from {interval.left:,} to {below}{interval.right:,}"
    if interval.closed == "neither":
        return f"a finite {noun} above {interval.left}"
    return f"a {noun} of at least {interval.left}"
