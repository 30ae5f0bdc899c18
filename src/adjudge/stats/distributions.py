"""Distributions: normal, Student's t and binomial of numbers or of arrays that broadcast as in numpy, and two others.

They agree with `scipy.special` (ndtr, ndtri, stdtr, stdtrit, bdtr, owens_t, chdtrc, nctdtr) to about 14 digits.
Importing scipy takes longer than most comparisons do, so most of them are part of the compiled core.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge import _native


def normal_cdf(x: Any) -> Any:
    """The chance that a standard normal variable is at most x."""
    return _each(_native.normal_cdf, x)


def normal_quantile(p: Any) -> Any:
    """The value below which a standard normal variable lies with the chance p; infinite at 0 and 1, NaN outside."""
    return _each(_native.normal_quantile, p)


def t_cdf(freedom: Any, t: Any) -> Any:
    """The chance that Student's t with so many degrees of freedom is at most t."""
    return _each(_native.t_cdf, freedom, t)


def t_quantile(freedom: Any, p: Any) -> Any:
    """The value below which Student's t lies with the chance p; infinite at 0 and 1, NaN outside."""
    return _each(_native.t_quantile, freedom, p)


def binomial_cdf(k: Any, n: Any, p: Any) -> Any:
    """The chance of at most k successes in n trials that succeed with the chance p each."""
    return _each(_native.binomial_cdf, k, n, p)


def most_even_successes(chance: Any, n: Any) -> Any:
    """The largest number of successes in n even trials whose `binomial_cdf` is at most a chance; -1 without any."""
    return _each(_native.most_even_successes, chance, n)


def owens_t(h: Any, a: Any) -> Any:
    """Owen's T for 0 <= a <= 1: the chance of 0 < Y < a X and X > h for independent standard normal X and Y."""
    return _each(_native.owens_t, h, a)


def log_factorials(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithms of n! for every number n."""
    return _log_factorial_table(1 << int(numbers.max(initial=0)).bit_length())[numbers]


@cache
def _log_factorial_table(size: int) -> NDArray[np.float64]:
    return np.array([math.lgamma(number + 1) for number in range(size)])


def chi_square_tail(freedom: int, x: float) -> float:
    """The chance that a chi-square variable with so many degrees of freedom is more than x."""
    half = x / 2
    if half <= 0:
        return 1.0
    powers = np.arange(freedom / 2 - 1, -0.25, -1.0).tolist()  # down to 0, or to 1/2
    terms = [math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers]
    return math.fsum(terms) + (math.erfc(math.sqrt(half)) if freedom % 2 else 0.0)


NODES = 100
"""Of each piece of an integral."""
FARTHEST = 12.0
"""Standard deviations beyond which a chance is nothing."""


def noncentral_t_cdf(freedom: float, shift: float, t: float) -> float:
    """The chance that Student's t of a variable with the mean `shift` and variance 1 is at most t.

    Given the standard deviation s that t is divided by, that is the chance of a normal variable below t s - shift;
    it is integrated over s, in pieces where it rises and where it does not.
    """
    spread = FARTHEST / math.sqrt(2 * freedom)
    edges = [max(-1.0, -spread), spread]
    if t:
        rise = shift / t - 1, FARTHEST / abs(t)
        edges += [min(max(rise[0] + side * rise[1], edges[0]), edges[1]) for side in (-1, 1)]
    nodes, weights = _legendre()
    ends = np.unique(edges)
    middle, half = ((ends[1:] + side * ends[:-1]) / 2 for side in (1, -1))
    u = (middle[:, None] + half[:, None] * nodes).ravel()  # s - 1
    density = np.exp((freedom - 1) * np.log1p(u) - freedom * (u + u * u / 2))
    mass = density * (half[:, None] * weights).ravel()
    return float(mass @ normal_cdf(t * (1 + u) - shift) / mass.sum())


@cache
def _legendre() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights of Gauss and Legendre's quadrature from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


def _each(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function of every element; a float where all arguments are numbers."""
    if all(np.ndim(argument) == 0 for argument in arguments):
        return function(*map(float, arguments))
    arrays = np.broadcast_arrays(*arguments)
    columns = (np.ascontiguousarray(array, np.float64).ravel() for array in arrays)
    return function(*columns).reshape(arrays[0].shape)
