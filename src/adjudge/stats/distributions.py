"""The normal, Student's t and binomial distribution, of numbers or of arrays that broadcast as in numpy.

They are those of `scipy.special` (ndtr, ndtri, stdtr, stdtrit, bdtr, owens_t) to about 14 digits. Importing that takes
longer than most comparisons do, so they are part of the compiled core.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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


def _each(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function of every element; a float where all arguments are numbers."""
    if all(np.ndim(argument) == 0 for argument in arguments):
        return function(*map(float, arguments))
    arrays = np.broadcast_arrays(*arguments)
    columns = (np.ascontiguousarray(array, np.float64).ravel() for array in arrays)
    return function(*columns).reshape(arrays[0].shape)
