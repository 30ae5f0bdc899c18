"""Means over test sets: the same as the sets taken by themselves, whatever the number of runs, and tests that hold."""

import math
from itertools import combinations

import numpy as np
import pytest

from adjudge.stats.intervals import bootstrap_limits
from adjudge.stats.macro import SetRows, macro_bootstrap, macro_pairs, macro_randomisation, set_scores
from adjudge.stats.resampling import bootstrap, estimate, quotient, randomisation
from adjudge.stats.tests.systems.base import TestOptions
from adjudge.stats.units import Units

PAIRS = list(combinations(range(3), 2))


def resampled(times):
    return TestOptions(None, 1, resamples=times)


def rows(values):
    return np.stack([values, np.ones(len(values))], axis=1)


def made(rng, shifts, segments=40, seed=1, units=None, runs=1):
    common = rng.normal(size=segments)
    systems = {
        system: tuple(rows(common + shift + rng.normal(size=segments)) for _ in range(runs))
        for system, shift in shifts.items()
    }
    return SetRows(systems, quotient, units or Units.of(segments), seed)


def all_of(sets, trials=2000, groups=None):
    groups = groups or [list(range(len(sets)))]
    scores = [set_scores(own, 3, resampled(300)) for own in sets]
    means = [macro_pairs([scores[i] for i in g], [sets[i] for i in g], PAIRS) for g in groups]
    return scores, means, macro_randomisation(sets, groups, means, PAIRS, trials=trials)


def test_one_set_is_what_its_own_tests_say():
    rng = np.random.default_rng(1)
    own = made(rng, {0: 0.0, 1: 0.3, 2: 0.3})
    scores, (mean,), (p_values,) = all_of([own])
    for i, (a, b) in enumerate(PAIRS):
        test = randomisation(own.systems[a][0], own.systems[b][0], quotient, trials=2000, seed=1)
        assert (mean.delta[i], p_values[i]) == pytest.approx((test.delta, test.p))
    alone = bootstrap(own.systems[1][0], quotient, resamples=300, seed=1)
    assert np.quantile(scores[0].resampled[:, 1], [0.025, 0.975]) == pytest.approx([alone.low, alone.high])


def test_sets_of_any_length_count_alike_and_missing_systems_are_left_out_of_pairs():
    rng = np.random.default_rng(2)
    sets = [
        made(rng, {0: 0, 1: 1, 2: 2}, 20, 1),
        made(rng, {0: 0, 1: 1}, 90, 2),
        made(rng, {0: 0, 2: 1}, 30, 3),
    ]
    scores, (mean, last), _ = all_of(sets, 50, [[0, 1, 2], [2]])
    assert mean.sets.tolist() == [2, 2, 1]
    assert mean.units.tolist() == [109, 49, 20]
    assert mean.delta[0] == pytest.approx(np.mean([own.scores[0] - own.scores[1] for own in scores[:2]]))
    assert np.isnan(last.delta[[0, 2]]).all()
    assert math.isnan(scores[1].scores[2])


def test_groups_are_tested_as_if_they_were_alone():
    rng = np.random.default_rng(3)
    sets = [made(rng, {0: 0, 1: 0.2, 2: 0.4}, 30, seed) for seed in (1, 2, 3)]
    groups = [[0, 1, 2], [0, 2], [1]]
    *_, together = all_of(sets, 1500, groups)
    for group, p_values in zip(groups, together, strict=True):
        *_, (alone,) = all_of([sets[i] for i in group], 1500)
        assert p_values == pytest.approx(alone)


def test_runs_of_training_are_means_and_a_copied_run_changes_nothing():
    rng = np.random.default_rng(4)
    single = made(rng, {0: 0.0, 1: 0.4, 2: 0.1})
    copied = SetRows(
        {0: single.systems[0] * 3, 1: single.systems[1], 2: single.systems[2] * 2}, quotient, single.units, 1
    )
    (first,), (mean,), (p_single,) = all_of([single])
    (second,), (again,), (p_copied,) = all_of([copied])
    assert second.scores == pytest.approx(first.scores)
    assert again.delta == pytest.approx(mean.delta)
    assert p_copied == pytest.approx(p_single)


def test_equal_systems_are_told_apart_as_often_as_said_by_either_test():
    rng = np.random.default_rng(5)
    alarms = np.zeros(2)
    for _ in range(200):
        sets = [made(rng, dict.fromkeys(range(3), 0.0), 25, seed) for seed in (1, 2)]
        _, (mean,), (p_values,) = all_of(sets, 200)
        alarms += [p_values[0] < 0.05, macro_bootstrap(mean)[0] < 0.05]
    assert (alarms >= 3).all()
    assert (alarms <= 20).all()  # 10 expected, standard deviation 3.1


def test_intervals_of_means_and_of_differences_hold_as_often_as_said():
    rng = np.random.default_rng(7)
    held = np.zeros(2)
    for _ in range(300):
        sets = [made(rng, {0: 0.0, 1: 0.5, 2: 0.0}, size, seed) for size, seed in ((30, 1), (60, 2))]
        scores = [set_scores(own, 3, resampled(200)) for own in sets]
        mean = macro_pairs(scores, sets, PAIRS)
        system = np.mean([own.resampled[:, 1] for own in scores], axis=0)
        seen = float(np.mean([own.scores[1] for own in scores]))
        known = estimate(seen, system)
        limits = bootstrap_limits(float(mean.delta[0]), mean.resampled[:, 0], 0.05, int(mean.units[0]))
        held += [known.low <= 0.5 <= known.high, limits.low <= -0.5 <= limits.high]
    assert (held >= 270).all()  # 285 expected, standard deviation 3.8
    assert (held <= 296).all()


def test_whole_units_are_drawn():
    rng = np.random.default_rng(6)
    units = Units.of(40, [str(i // 10) for i in range(40)])
    own = made(rng, {0: 0.0, 1: 2.0, 2: 0.0}, units=units)
    *_, (p_values,) = all_of([own])
    assert p_values[0] == pytest.approx(2 / 2**4, abs=0.03)  # four units swap in 16 ways, 2 of them as far


def many_systems(rng, count, segments, seed, without=()):
    shifts = {system: 0.03 * system for system in range(count) if system not in without}
    return made(rng, shifts, segments, seed)


def test_very_many_pairs_have_the_p_values_that_few_have():
    """Screened by slopes and drawn by other signs: within what chance allows of trials that see every pair closely."""
    rng = np.random.default_rng(8)
    systems, trials = 12, 20_000
    sets = [many_systems(rng, systems, 50, 1), many_systems(rng, systems, 30, 2, without={3, 7})]
    groups = [[0, 1], [1]]
    pairs = list(combinations(range(systems), 2))
    scores = [set_scores(own, systems, resampled(100)) for own in sets]

    def tested(some):
        means = [macro_pairs([scores[i] for i in g], [sets[i] for i in g], some) for g in groups]
        return macro_randomisation(sets, groups, means, some, trials=trials)

    screened = tested(pairs)
    closely = [np.concatenate(parts) for parts in zip(tested(pairs[:40]), tested(pairs[40:]), strict=True)]
    for many, few in zip(screened, closely, strict=True):
        assert np.array_equal(np.isnan(many), np.isnan(few))
        known = ~np.isnan(few)
        error = np.sqrt(2 * few[known] * (1 - few[known]) / trials)
        assert np.all(np.abs(many[known] - few[known]) < 4.5 * error + 2 / trials)
        assert len(set(np.round(few[known], 2))) > 10


def test_pairs_that_are_decided_stop_early_and_others_do_not():
    rng = np.random.default_rng(9)
    sets = [many_systems(rng, 12, 60, seed) for seed in (1, 2)]
    pairs = list(combinations(range(12), 2))
    scores = [set_scores(own, 12, resampled(100)) for own in sets]
    means = [macro_pairs(scores, sets, pairs)]
    whole = macro_randomisation(sets, [[0, 1]], means, pairs, trials=60_000)[0]
    seen = []

    def decided(lower):
        seen.append(lower.copy())
        return lower >= 0.2

    (early,) = macro_randomisation(sets, [[0, 1]], means, pairs, trials=60_000, decided=decided)
    assert len(seen) > 3
    open_pairs = whole < 0.15
    assert 0 < open_pairs.sum() < len(pairs)
    assert np.array_equal(early[open_pairs], whole[open_pairs])  # these saw every trial
    assert np.any(early[whole > 0.4] != whole[whole > 0.4])
    assert np.all((early >= 0.2) == (whole >= 0.2))
