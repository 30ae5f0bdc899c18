"""Systems' scores freed of their raters' severity: a mixed model with crossed random effects, fitted by REML.

    score = system + rater + rater × system + document + document × system + item + item × system + error

The system is fixed; all else is drawn from populations whose variances are estimated. What a system owes to strict
raters or hard items is thereby taken from it, and what single raters or documents favour adds to its error. An effect
enters where the judgements can tell it from the others; item × system is called translation.

Differences are tested by Student's t with Satterthwaite's degrees of freedom: 2 v² / (g' A g), v the variance of the
difference, g its slope over the variances and A the inverse of their expected information (Giesbrecht and Burns 1985).
A variance estimated as 0 keeps its uncertainty there. In balanced designs this is the analysis of variance.

Items and translations, or raters and rater × system, can be eliminated with nothing but divisions: the second divides
the first. The rest are dense columns, W of them. A step of the fit takes time proportional to judgements + W³. Some ten
steps are enough, which follow the average information (Gilmour, Thompson and Cullis 1995).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError
from adjudge.stats.agreement import refuse_holes, renumber
from adjudge.stats.components import linked_rows
from adjudge.stats.distributions import t_cdf
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
"""By how much the logarithms may change in one step."""


STEP = 1e-3
"""By which share of its own uncertainty a variance is changed to see what follows from it."""
NOT_ASKED = "not asked for"
PARENTS = {"translation": "item", "rater_system": "rater", "document_system": "document", "item": "document"}
"""Effects that divide others: what the others share is theirs."""


@dataclass(frozen=True, eq=False)
class MixedModel:
    """Scores of systems with raters' and items' share taken out; systems, raters and items as they were coded."""

    systems: Floats
    """Estimated scores, NaN for systems without judgements."""
    covariance: Floats
    """Of the estimates; NaN for systems without judgements, −∞ between systems that nothing connects."""
    degrees: Floats
    """Satterthwaite's degrees of freedom: of each system's score on the diagonal, of differences beside it."""
    raters: Floats
    """How far each rater scores above the others, drawn towards 0 where little is known; NaN without judgements."""
    variances: dict[str, float]
    """error, rater, rater_system, document, document_system, item, translation: those that can be estimated."""
    left_out: dict[str, str]
    """Effects that are not in the model, and why."""
    tested: frozenset[str]
    """Effects whose variance is in the errors, by itself or as part of another: errors hold for others of the kind."""
    judgements: int
    log_likelihood: float
    """Restricted."""
    steps: int
    converged: bool

    @property
    def errors(self) -> Floats:
        """Standard errors of the systems' scores."""
        return np.sqrt(np.diag(self.covariance))

    def differences(self) -> ModelDifferences:
        """All pairs of systems, row less column."""
        delta = np.subtract.outer(self.systems, self.systems)
        error = np.sqrt(_variances_of_differences(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = 2 * t_cdf(self.degrees, -np.abs(delta) / error)
        p = np.where(error > 0, p, np.where(delta == 0, 1.0, np.where(np.isnan(delta), math.nan, 0.0)))
        np.fill_diagonal(p, math.nan)
        return ModelDifferences(delta, error, self.degrees, p)


@dataclass(frozen=True, eq=False)
class ModelDifferences:
    """Differences of systems' scores in a model, with standard errors, degrees of freedom and two-sided p."""

    delta: Floats
    error: Floats
    degrees: Floats
    p: Floats


def fit_mixed_model(
    scores: Floats,
    systems: NDArray[Any],
    raters: NDArray[Any],
    items: NDArray[Any],
    documents: NDArray[Any] | None = None,
    *,
    systems_known: int = 0,
    raters_known: int = 0,
    translations: bool = True,
) -> MixedModel:
    """Fit the model to judgements: each a score, and the codes of its system, rater, item and perhaps document.

    An effect that the judgements cannot tell from others is left out, and `left_out` says why. `translations=False`
    leaves out theirs, as if what several raters say of one translation had nothing in common but system and item.
    There are as many systems and raters as the codes say, or more where more are known.
    """
    scores = np.asarray(scores, dtype=np.float64)
    codes = [np.asarray(column) for column in (systems, raters, items)]
    if documents is not None:
        codes.append(np.asarray(documents))
    _refuse(scores, codes)
    present, system = np.unique(codes[0], return_inverse=True)
    known, rater = np.unique(codes[1], return_inverse=True)
    size = (
        max(systems_known, int(codes[0].max(initial=-1)) + 1),
        max(raters_known, int(codes[1].max(initial=-1)) + 1),
    )
    factors = _factors(system, rater, *codes[2:])
    left_out = _cannot_be_told(system, factors)
    if not translations:
        left_out.setdefault("translation", NOT_ASKED)
    used = {name: column for name, column in factors.items() if name not in left_out}
    fit = _fit(scores, system.astype(np.int64), used)

    estimates, square = np.full(size[0], math.nan), np.ix_(present, present)
    covariance, degrees = np.full((size[0],) * 2, math.nan), np.full((size[0],) * 2, math.nan)
    estimates[present], covariance[square], degrees[square] = fit.fixed, fit.covariance, fit.degrees
    covariance[square] = np.where(_confounded_pairs(system, factors), -math.inf, covariance[square])
    above = np.full(size[1], math.nan)
    above[known] = fit.rater if fit.rater is not None else 0.0
    return MixedModel(
        estimates,
        covariance,
        degrees,
        above,
        fit.variances,
        left_out,
        _testable(system, factors, left_out),
        len(scores),
        fit.log_likelihood,
        fit.steps,
        fit.converged,
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    fixed: Floats
    covariance: Floats
    degrees: Floats
    rater: Floats | None
    variances: dict[str, float]
    log_likelihood: float
    steps: int
    converged: bool


def _refuse(scores: Floats, codes: list[NDArray[Any]]) -> None:
    if any(column.shape != scores.shape for column in codes) or scores.ndim != 1:
        raise UsageError(
            "every judgement has a score, a system, a rater and an item: four lists of one length"
        )
    refuse_holes(scores)
    if any((column < 0).any() for column in codes):
        raise DataError("a model of raters needs the system, the rater and the item of every judgement")
    systems = len(np.unique(codes[0]))
    if len(scores) <= systems:
        raise DataError(
            f"a mixed model needs more judgements than systems, and there are {len(scores):,} of {systems:,}: "
            "nothing is left to estimate errors from"
        )


def _factors(system: NDArray[Any], rater: NDArray[Any], *columns: NDArray[Any]) -> dict[str, Codes]:
    """All effects that there may be, the coarse before the fine."""
    systems = int(system.max()) + 1
    whole = {"rater": renumber(rater)}
    whole |= {name: renumber(column) for name, column in zip(("item", "document"), columns, strict=False)}
    factors: dict[str, Codes] = {}
    for name, divided in (
        ("rater", "rater_system"),
        ("document", "document_system"),
        ("item", "translation"),
    ):
        if name in whole:
            factors[name] = whole[name]
            factors[divided] = renumber(whole[name] * systems + system)
    return factors


def _cannot_be_told(system: NDArray[Any], factors: dict[str, Codes]) -> dict[str, str]:
    """Effects that these judgements cannot tell from others, and why."""
    reasons: dict[str, str] = {}
    for name, column in factors.items():
        levels, words = int(column.max()) + 1, name.replace("_", " × ")
        if levels == 1:
            reasons[name] = f"there is only one {words}"
        elif levels == len(column):
            reasons[name] = f"no {words} has two judgements"
        elif _is_aliased(system, column):
            reasons[name] = f"every system has only one {words.removesuffix(' × system')}"
        else:
            estimable = [other for other in factors if other not in reasons]
            same = next(
                (other for other in estimable[: estimable.index(name)] if _is_same(column, factors[other])),
                "",
            )
            if same:
                reasons[name] = f"it groups judgements as {same.replace('_', ' × ')} does"
    return reasons


def _is_aliased(system: NDArray[Any], column: Codes) -> bool:
    """Whether every system belongs to one level of an effect: then the two cannot be told apart."""
    return len(np.unique(linked_rows(system, column, int(system.max()) + 1))) == int(column.max()) + 1


def _confounded_pairs(system: NDArray[Any], factors: dict[str, Codes]) -> NDArray[np.bool_]:
    """Systems × systems: whether their difference is also that of two raters, items or documents."""
    systems = int(system.max()) + 1
    apart = np.zeros((systems, systems), dtype=bool)
    for name in ("rater", "item", "document"):
        if name in factors and _is_aliased(system, factors[name]):
            group = linked_rows(system, factors[name], systems)
            apart |= group[:, None] != group[None]
    return apart


def _testable(system: NDArray[Any], factors: dict[str, Codes], left_out: dict[str, str]) -> frozenset[str]:
    asked = {name for name in factors if left_out.get(name) != NOT_ASKED}
    return frozenset(name for name in asked if not _is_aliased(system, factors[name]))


def _is_same(column: Codes, other: Codes) -> bool:
    levels = int(other.max()) + 1
    if levels != int(column.max()) + 1:
        return False
    return int(renumber(column * levels + other).max()) + 1 == levels


def _variances_of_differences(covariance: Floats) -> Floats:
    diagonal = np.diag(covariance)
    between: Floats = np.maximum(np.add.outer(diagonal, diagonal) - 2 * covariance, 0.0)
    return between


def _fit(scores: Floats, system: Codes, factors: dict[str, Codes]) -> _Fit:
    centre = float(scores.mean())
    off = scores - centre
    count = np.bincount(system)
    within = off - (np.bincount(system, off) / count)[system]
    scale = math.sqrt(float(within @ within) / (len(scores) - len(count)))
    if scale <= 1e-13 * max(1.0, float(np.abs(scores).max())):  # every judgement of a system is the same
        means = np.bincount(system, scores) / count
        nothing = dict.fromkeys(("error", *factors), 0.0)
        none = np.zeros((len(count),) * 2)
        return _Fit(means, none, np.full(none.shape, math.inf), None, nothing, math.inf, 0, True)
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
        _degrees(equations, at),
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
    changed = dict(variances)
    for name, parent in PARENTS.items():
        if {name, parent} <= variances.keys():
            variances[name] -= max(changed[parent], 0.0)
    total = squares / n
    effects = [min(max(v, 0.02 * total), 0.9 * total) for v in variances.values()]
    return np.array([max(0.1 * total, total - sum(effects)), *effects])


def _climb(equations: Equations, variance: Floats) -> tuple[State, int, bool]:
    """The likeliest variances, by Newton's steps on their logarithms within a region that can be trusted.

    The average information is the curvature. Each variance is a floor plus an exponential, so that one that vanishes
    needs no special care.
    """
    from scipy.optimize import minimize

    floor = np.full(len(variance), FLOOR)
    floor[0] = ERROR_FLOOR
    best: list[State] = []

    def free(x: Floats) -> Floats:
        return np.exp(np.minimum(x, 30.0))

    def value(x: Floats) -> tuple[float, Floats]:
        try:
            at = equations.at(floor + free(x))
        except np.linalg.LinAlgError:  # too far: there the equations cannot be solved with so many digits
            return math.inf, np.zeros(len(x))
        if not best or at.value < best[0].value:
            best[:] = [at]
        return at.value, at.gradient * free(x)

    def curvature(x: Floats) -> Floats:
        curved = equations.information(floor + free(x)) * np.outer(free(x), free(x))
        return curved + np.diag(np.diag(curved) * 1e-3 + 1e-12)

    enough = PRECISION * (1 + math.sqrt(len(equations.y)))
    options = {"gtol": enough, "maxiter": STEPS, "max_trust_radius": FARTHEST}
    begin = np.log(variance)
    optimum = minimize(value, begin, jac=True, hess=curvature, method="trust-exact", options=options)
    slope = np.abs(best[0].gradient * (best[0].variance - floor)).max()
    # A search that cannot find anything likelier has lost precision, not its way.
    return best[0], int(optimum.nit), bool(slope < 100 * enough)


def _degrees(equations: Equations, at: State) -> Floats:
    """Satterthwaite's degrees of freedom of systems (on the diagonal) and of their differences; at least 1."""
    information, slopes = _slopes(equations, at)
    diagonal = np.diag(at.covariance)
    variance = _variances_of_differences(at.covariance) + np.diag(diagonal)
    slope = np.array([_differences_of(part) for part in slopes])
    uncertain = np.einsum("iab,ij,jab->ab", slope, np.linalg.pinv(information, hermitian=True), slope)
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees: Floats = 2 * variance**2 / uncertain
    return np.maximum(np.where(uncertain > 0, degrees, math.inf), 1.0)


def _differences_of(covariance: Floats) -> Floats:
    """Slopes of variances: of differences, and on the diagonal of systems."""
    diagonal = np.diag(covariance)
    between: Floats = np.add.outer(diagonal, diagonal) - 2 * covariance
    return between + np.diag(diagonal)


def _slopes(equations: Equations, at: State) -> tuple[Floats, Floats]:
    """The expected information on the variances, and how the covariance of systems changes with each of them.

    Both by small differences: -½ ∂ tr(P V_k) / ∂θ_l is the information. What follows from the variance of the error
    is known from the rest: with all variances doubled, traces are halved and covariances doubled.
    """
    error = float(at.variance[0])
    sizes = np.array([len(equations.y) / equations.sizes[name] for name in equations.names])
    steps = STEP * (error / sizes + at.variance[1:])
    place = np.array([error, *np.maximum(at.variance[1:], 2 * steps)])
    here = equations.at(place)
    traces, covariances = [], []
    for number, step in enumerate(steps, start=1):
        move = np.zeros(len(place))
        move[number] = step
        above, below = equations.at(place + move), equations.at(place - move)
        traces.append((above.traces - below.traces) / (2 * step))
        covariances.append((above.covariance - below.covariance) / (2 * step))
    information = np.empty((len(place),) * 2)
    slopes = np.empty((len(place), *here.covariance.shape))
    if traces:
        information[:, 1:], slopes[1:] = -np.array(traces).T / 2, covariances
    information[1:, 1:] = (information[1:, 1:] + information[1:, 1:].T) / 2
    known = place[1:]
    information[0, 1:] = information[1:, 0] = (here.traces[1:] / 2 - information[1:, 1:] @ known) / error
    information[0, 0] = (here.traces[0] / 2 - information[0, 1:] @ known) / error
    slopes[0] = (here.covariance - np.tensordot(known, slopes[1:], 1)) / error
    return information, slopes
