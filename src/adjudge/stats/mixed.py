"""Systems' scores freed of their raters' severity: a mixed model with crossed random effects, fitted by REML.

    score = system + rater + item + translation + error

The system is fixed; raters, items and (where some translations were rated twice) translations are drawn from
populations whose variances are estimated. What a system owes to strict raters or hard items is thereby taken from it.

Items and translations can be eliminated with nothing but divisions: a translation belongs to one item, so what is left
of the equations for items stays diagonal. Raters and systems remain, as dense equations. A step of the fit therefore
takes time proportional to judgements + items × (raters + systems)² + (raters + systems)³; without translations the
larger of items and raters is eliminated instead. Some ten steps are enough, the first of which follows the average
information (Gilmour, Thompson and Cullis 1995).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError
from adjudge.stats.agreement import numbered, refuse_holes
from adjudge.stats.mixed_equations import Equations, State

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

STEPS = 60
PRECISION = 1e-6
"""How flat the likelihood must be: its slope over logarithms of variances, by the root of the judgements."""
FLOOR = 1e-9
"""A variance below this share of all variance is none."""
ERROR_FLOOR = 1e-7
"""That of the error stays above this, so that the equations can be solved."""
FARTHEST = 4.0
"""By how much a logarithm may change in the first step."""


@dataclass(frozen=True, eq=False)
class RaterModel:
    """Scores of systems with raters' and items' share taken out; systems, raters and items as they were coded."""

    systems: Floats
    """Estimated scores, NaN for systems without judgements."""
    covariance: Floats
    """Of the estimates; NaN for systems without judgements."""
    raters: Floats
    """How far each rater scores above the others, drawn towards 0 where little is known; NaN without judgements."""
    variances: dict[str, float]
    """error, rater, item, translation: those that can be estimated."""
    left_out: dict[str, str]
    """Effects that are not in the model, and why."""
    judgements: int
    log_likelihood: float
    """Restricted."""
    steps: int
    converged: bool

    @property
    def errors(self) -> Floats:
        """Standard errors of the systems' scores, which hold for other raters and other items too."""
        return np.sqrt(np.diag(self.covariance))

    def differences(self) -> Differences:
        """All pairs of systems, row less column."""
        from scipy.special import ndtr  # late: commands that need none of it start faster

        delta = np.subtract.outer(self.systems, self.systems)
        own = np.diag(self.covariance)
        error = np.sqrt(np.maximum(np.add.outer(own, own) - 2 * self.covariance, 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = 2 * ndtr(-np.abs(delta) / error)
        p = np.where(error > 0, p, np.where(delta == 0, 1.0, np.where(np.isnan(delta), math.nan, 0.0)))
        np.fill_diagonal(p, math.nan)
        return Differences(delta, error, p)


@dataclass(frozen=True, eq=False)
class Differences:
    """Of systems' scores in a model, with standard errors and two-sided p (normal: for many raters and items)."""

    delta: Floats
    error: Floats
    p: Floats


def rater_model(
    scores: Floats,
    systems: NDArray[Any],
    raters: NDArray[Any],
    items: NDArray[Any],
    *,
    systems_known: int = 0,
    raters_known: int = 0,
    translations: bool = True,
) -> RaterModel:
    """Fit the model to judgements: each a score, and the codes of its system, rater and item.

    An effect that the judgements cannot tell from others is left out, and `left_out` says why. `translations=False`
    leaves out theirs, as if what several raters say of one translation had nothing in common but system and item.
    There are as many systems and raters as the codes say, or more where more are known.
    """
    scores = np.asarray(scores, dtype=np.float64)
    codes = [np.asarray(column) for column in (systems, raters, items)]
    if any(column.shape != scores.shape for column in codes) or scores.ndim != 1:
        raise UsageError(
            "every judgement has a score, a system, a rater and an item: four lists of one length"
        )
    refuse_holes(scores)
    if any((column < 0).any() for column in codes):
        raise DataError("a model of raters needs the system, the rater and the item of every judgement")
    present, system = np.unique(codes[0], return_inverse=True)
    known, rater = np.unique(codes[1], return_inverse=True)
    item = numbered(codes[2])
    size = (
        max(systems_known, int(codes[0].max(initial=-1)) + 1),
        max(raters_known, int(codes[1].max(initial=-1)) + 1),
    )
    if len(scores) <= len(present):
        raise DataError(
            f"a mixed model needs more judgements than systems, and there are {len(scores):,} of {len(present):,}: "
            "nothing is left to estimate errors from"
        )
    translation = numbered(item * len(present) + system)
    factors = {"rater": rater.astype(np.int64), "item": item, "translation": translation}
    left_out = _cannot_be_told(system, factors)
    if not translations:
        left_out.setdefault("translation", "not asked for")
    used = {name: column for name, column in factors.items() if name not in left_out}
    fit = _fitted(scores, system.astype(np.int64), used)

    estimates, covariance = np.full(size[0], math.nan), np.full((size[0], size[0]), math.nan)
    estimates[present], covariance[np.ix_(present, present)] = fit.fixed, fit.covariance
    above = np.full(size[1], math.nan)
    above[known] = fit.rater if fit.rater is not None else 0.0
    return RaterModel(
        estimates,
        covariance,
        above,
        fit.variances,
        left_out,
        len(scores),
        fit.log_likelihood,
        fit.steps,
        fit.converged,
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    fixed: Floats
    covariance: Floats
    rater: Floats | None
    variances: dict[str, float]
    log_likelihood: float
    steps: int
    converged: bool


def _cannot_be_told(system: NDArray[Any], factors: dict[str, Codes]) -> dict[str, str]:
    """Effects that these judgements cannot tell from others, and why."""
    reasons: dict[str, str] = {}
    for name, column in factors.items():
        levels = int(column.max()) + 1
        if levels == 1:
            reasons[name] = f"only one {name}"
        elif levels == len(column):
            reasons[name] = f"no {name} has two judgements"
        elif _groups(system, column) == levels:
            alone = (
                "every system has one translation"
                if name == "translation"
                else f"every {name} has one system"
            )
            reasons[name] = f"{alone} only"
    if "translation" not in reasons and int(factors["translation"].max()) == int(factors["item"].max()):
        reasons["translation"] = "every item was translated by one system only"
    if not {"rater", "item"} & reasons.keys():
        pairs = numbered(factors["rater"] * (int(factors["item"].max()) + 1) + factors["item"])
        if int(pairs.max()) == int(factors["rater"].max()) == int(factors["item"].max()):
            reasons["item"] = "every rater judged one item alone"
    return reasons


def _groups(system: NDArray[Any], column: Codes) -> int:
    """Into how many groups of systems and levels the judgements fall that nothing connects."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    systems, levels = int(system.max()) + 1, int(column.max()) + 1
    graph = coo_array((np.ones(len(column)), (system, systems + column)), shape=(systems + levels,) * 2)
    return int(connected_components(graph.tocsr(), directed=False, return_labels=False))


def _fitted(scores: Floats, system: Codes, factors: dict[str, Codes]) -> _Fit:
    centre = float(scores.mean())
    off = scores - centre
    count = np.bincount(system)
    within = off - (np.bincount(system, off) / count)[system]
    scale = math.sqrt(float(within @ within) / (len(scores) - len(count)))
    if scale <= 1e-13 * max(1.0, float(np.abs(scores).max())):  # every judgement of a system is the same
        means = np.bincount(system, scores) / count
        nothing = dict.fromkeys(("error", *factors), 0.0)
        return _Fit(means, np.zeros((len(count),) * 2), None, nothing, math.inf, 0, True)
    equations = Equations(off / scale, system, factors)
    names = ("error", *equations.names)
    variance = _start(within / scale, factors, names)
    at, steps, converged = _climb(equations, variance)
    variances = at.variance * (at.variance > FLOOR) * scale**2
    variances[0] = at.variance[0] * scale**2
    degrees = len(scores) - len(count)
    likelihood = -at.value - degrees * (math.log(2 * math.pi) / 2 + math.log(scale))
    rater = None
    if "rater" in factors:
        rater = scale * equations.effects(at, "rater")
    return _Fit(
        at.fixed * scale + centre,
        at.covariance * scale**2,
        rater,
        {name: float(v) for name, v in zip(names, variances, strict=True)},
        likelihood,
        steps,
        converged,
    )


def _start(within: Floats, factors: dict[str, Codes], names: tuple[str, ...]) -> Floats:
    """Variances to begin with: each effect's own by analysis of variance, as if the others were noise."""
    n, squares = len(within), float((within**2).sum())
    variances: dict[str, float] = {}
    for name in names[1:]:
        size = np.bincount(factors[name]).astype(np.float64)
        between = float((np.bincount(factors[name], within) ** 2 / size).sum())
        noise = (squares - between) / (n - len(size))
        variances[name] = (between - len(size) * noise) / (n - float((size**2).sum()) / n)
    if {"item", "translation"} <= variances.keys():  # what translations share is their item's
        variances["translation"] -= max(variances["item"], 0.0)
    total = squares / n
    effects = [min(max(v, 0.02 * total), 0.9 * total) for v in variances.values()]
    return np.array([max(0.1 * total, total - sum(effects)), *effects])


def _climb(equations: Equations, variance: Floats) -> tuple[State, int, bool]:
    """The likeliest variances, by quasi-Newton steps (BFGS) on their logarithms, begun with the average information.

    Each variance is a floor plus an exponential, so that one that vanishes needs no special care.
    """
    from scipy.optimize import minimize

    floor = np.full(len(variance), FLOOR)
    floor[0] = ERROR_FLOOR
    best: list[State] = []

    @lru_cache(maxsize=1)  # the place to begin with is asked for twice
    def value_at(place: bytes) -> tuple[float, Floats]:
        x = np.frombuffer(place)
        free = np.exp(np.minimum(x, 30.0))
        try:
            at = equations.at(floor + free)
        except np.linalg.LinAlgError:  # too far: there the equations cannot be solved with so many digits
            return math.inf, np.zeros(len(x))
        if not best or at.value < best[0].value:
            best[:] = [at]
        return at.value, at.gradient * free

    def value(x: Floats) -> tuple[float, Floats]:
        return value_at(x.tobytes())

    curvature = equations.information(variance) * np.outer(variance, variance)
    curvature += np.diag(np.diag(curvature)) * 1e-3
    inverse = np.linalg.inv(curvature)
    begin = np.log(variance)
    first = inverse @ value(begin)[1]
    inverse *= min(1.0, FARTHEST / float(np.abs(first).max(initial=1e-300)))
    enough = PRECISION * (1 + math.sqrt(len(equations.y)))
    options = {"gtol": enough, "norm": math.inf, "maxiter": STEPS, "hess_inv0": (inverse + inverse.T) / 2}
    optimum = minimize(value, begin, jac=True, method="BFGS", options=options)
    slope = np.abs(best[0].gradient * (best[0].variance - floor)).max()
    # A search that cannot find anything likelier has lost precision, not its way.
    return best[0], int(optimum.nit), bool(slope < 100 * enough)
