"""What is said of annotators: as a slow twin with scipy says it, planted peculiarities found, edges defined."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from adjudge.data.judgements import BAD_REFERENCE
from adjudge.errors import DataError
from adjudge.human.curves import agreeing_with_others
from adjudge.human.diagnostics import _changes, diagnoses
from adjudge.human.grouping import RatingsOnce
from conftest import benchmark_module
from helpers.diagnosed import campaign, flags
from helpers.judging import rankings, ratings, read_pairs, read_wmt21, some_ratings

annotators = benchmark_module("annotators")


def slow(rows, name):
    """The figures of one annotator, from the definitions."""
    answers, order = {}, {}
    for number, (who, system, item, score) in enumerate(rows):
        answers.setdefault((system, item), {}).setdefault(who, []).append(score)
        order.setdefault((who, system, item), sum(row[0] == who for row in rows[:number]))
    own, theirs, singles, when = [], [], [], []
    for (system, item), by in answers.items():
        others = [np.mean(x) for who, x in by.items() if who != name]
        if name in by and others:
            own.append(np.mean(by[name]))
            theirs.append(np.mean(others))
            singles.append(others)
            when.append(order[name, system, item])
    return own, theirs, singles, when, [np.mean(by[name]) for by in answers.values() if name in by]


def slow_change(rows, name):
    """The slope of differences over one's own turn with a constant for each of the others, by least squares."""
    answers, order = {}, {}
    for number, (who, system, item, score) in enumerate(rows):
        answers.setdefault((system, item), {}).setdefault(who, []).append(score)
        order.setdefault((who, system, item), sum(row[0] == who for row in rows[:number]))
    people = sorted({row[0] for row in rows} - {name})
    left, right, judged = [], [], 0
    for (system, item), by in answers.items():
        others = [who for who in by if who != name]
        judged += bool(name in by and others)
        for other in others if name in by else ():
            root = len(others) ** -0.5
            right.append(root * (np.mean(by[name]) - np.mean(by[other])))
            left.append([root * order[name, system, item], *(root * (who == other) for who in people)])
    table = np.array(left)
    met = int((table[:, 1:] > 0).any(0).sum()) if left else 0
    if judged - met - 1 <= 0 or np.linalg.matrix_rank(table) < met + 1:
        return math.nan
    return 100 * np.linalg.lstsq(table, np.array(right), rcond=None)[0][0]


def slow_interval(rows, name):
    """Between what one's own scores may have changed in 100 judgements, by scipy."""
    mine = [row for row in rows if row[0] == name]
    answers, order = {}, {}
    for turn, (_, system, item, score) in enumerate(mine):
        answers.setdefault((system, item), []).append(score)
        order.setdefault((system, item), turn)
    line = stats.linregress(list(order.values()), [np.mean(answers[key]) for key in order])
    reach = stats.t.ppf(0.975, len(answers) - 2) * line.stderr
    return 100 * (line.slope - reach), 100 * (line.slope + reach)


def freed(rows, seen, known):
    """What everyone adds beside the median, by solving the equations: seen = own less the others' mean of it."""
    names = list(seen)
    by = {}
    for who, system, item, _ in rows:
        by.setdefault((system, item), set()).add(who)
    met = np.zeros((len(names), len(names)))
    for people in by.values():
        for person in people:
            for other in people - {person}:
                met[names.index(person), names.index(other)] += 1 / (len(people) - 1)
    reached = np.linalg.matrix_power((met > 0) | np.eye(len(names), dtype=bool), len(names)) > 0
    met /= np.where(met.sum(1, keepdims=True) > 0, met.sum(1, keepdims=True), 1)
    values = np.array([seen[name] for name in names])
    present = np.array([known(name) for name in names], dtype=bool)
    inner = np.zeros(len(names))
    if present.any():
        inner[present] = np.linalg.lstsq(
            np.eye(int(present.sum())) - met[np.ix_(present, present)], values[present], rcond=None
        )[0]
    own = values + met @ inner
    for place, part in enumerate(reached):
        few = part & present if (part & present).any() else part & ~np.isnan(values)
        seen[names[place]] = own[place] - (np.median(own[few]) if few.any() else 0)
    return seen


@given(some_ratings)
def test_figures_of_ratings(rows):
    all_of_them = diagnoses(ratings(rows))
    severities, spreads, slopes = {}, {}, {}
    for diagnosis in all_of_them:
        own, theirs, singles, _, every = slow(rows, diagnosis.annotator)
        assert diagnosis.judgements == sum(row[0] == diagnosis.annotator for row in rows)
        assert diagnosis.compared == len(own)
        assert diagnosis.mean == pytest.approx(np.mean(every))
        if len(every) > 1:
            assert diagnosis.deviation == pytest.approx(np.std(every, ddof=1), abs=1e-9)
        if not own:
            assert (diagnosis.severity, diagnosis.agreement, diagnosis.spread, diagnosis.drift) == (None,) * 4
        if len(own) > 1 and np.ptp(own) > 0 and np.ptp(theirs) > 1e-6:
            assert diagnosis.agreement == pytest.approx(np.corrcoef(own, theirs)[0, 1], abs=1e-6)
        slopes[diagnosis.annotator] = slow_change(rows, diagnosis.annotator)
        severities[diagnosis.annotator] = np.mean(theirs) - np.mean(own) if own else math.nan
        if len(own) > 1 and np.ptp(own) > 0:
            weights = np.concatenate([np.full(len(x), 1 / len(x)) for x in singles])
            values = np.concatenate(singles)
            mean = np.average(values, weights=weights)
            variance = np.average((values - mean) ** 2, weights=weights)
            if variance > 1e-9:
                spreads[diagnosis.annotator] = np.log(np.std(own) / math.sqrt(variance))

    def nobody(name):
        return False  # so few judgements that others are taken as they are

    for name, seen in (("severity", severities), ("spread", spreads), ("drift", slopes)):
        all_names = {value.annotator: seen.get(value.annotator, math.nan) for value in all_of_them}
        for who, expected in freed(rows, all_names, nobody).items():
            ours = getattr(next(value for value in all_of_them if value.annotator == who), name)
            if name == "drift" and not math.isnan(expected):
                low, high = slow_interval(rows, who)
                expected = min(max(expected, min(low, 0)), max(high, 0))
            if ours is None:
                assert math.isnan(expected)
            else:
                assert (math.log(ours) if name == "spread" else ours) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_freed_of_the_others(seed):
    """Twelve people of whom any two or three judge a translation: severities by solving for all of them at once."""
    rng = np.random.default_rng(seed)
    who, truth, severity = list("ABCDEFGHIJKL"), rng.normal(60, 15, 200), rng.normal(0, 20, 12)
    rows = []
    for i in range(200):
        for person in rng.choice(12, rng.integers(2, 4), replace=False):
            rows.append((who[person], "x", str(i), truth[i] - severity[person] + rng.normal(0, 5)))
    all_of_them = diagnoses(ratings(rows))
    seen = {}
    for diagnosis in all_of_them:
        own, theirs, *_ = slow(rows, diagnosis.annotator)
        seen[diagnosis.annotator] = np.mean(theirs) - np.mean(own)
    for name, expected in freed(rows, seen, lambda name: True).items():
        assert next(value for value in all_of_them if value.annotator == name).severity == pytest.approx(
            expected, abs=1e-4
        )
    expected = {who[p]: severity[p] - np.median(severity) for p in range(12)}
    ours = {value.annotator: value.severity for value in all_of_them}
    assert np.abs([ours[name] - expected[name] for name in who]).max() < 6


def test_nothing_peculiar():
    assert flags(ratings(campaign())) == {}


def test_other_company_is_no_change():
    """Who judges beside a severe person first and beside a generous one later has not changed, nor have they."""
    rng = np.random.default_rng(2)
    rows, severity = [], {"A": 0, "S": 60, "G": -20, "H": 5}
    for i in range(200):
        truth = rng.normal(60, 10)
        for who in ("A", "S" if i < 100 else "G", *("H" if i % 3 == 0 else "")):
            rows.append((who, "x", str(i), truth - severity[who] + rng.normal(0, 8)))
    by_annotator = {diagnosis.annotator: diagnosis for diagnosis in diagnoses(ratings(rows))}
    assert not [flag for entry in by_annotator.values() for flag in entry.flags if "changes by" in flag]
    assert max(abs(entry.drift) for entry in by_annotator.values()) < 10


def test_nobody_of_wmt21_is_accused_by_the_company_they_had(shared):
    """M1506 was said to drift by −63.3 points in 100 judgements, beside two people one of whom gives 0 to all."""
    by_annotator = {
        diagnosis.annotator: diagnosis
        for diagnosis in diagnoses(read_wmt21(shared.data / "01_wmt21_da_toen/is-en/human"))
    }
    for name in (
        "M1506",
        "M1292",
        "M0206",
    ):  # their own scores change by less than 2 points in 100 judgements
        assert not [flag for flag in by_annotator[name].flags if "changes by" in flag], by_annotator[name]
    for entry in by_annotator.values():
        if any("changes by" in flag for flag in entry.flags):
            assert abs(entry.drift) * entry.judgements / 100 < 100  # no more than the scale has


def test_beside_one_other_nobody_is_peculiar():
    rows = [(who, "x", str(i), 50.0 + i % 7 + (40 if who == "A" else 0)) for i in range(40) for who in "AB"]
    assert flags(ratings(rows)) == {}
    assert [diagnosis.others for diagnosis in diagnoses(ratings(rows))] == [1, 1]


@pytest.mark.parametrize(
    ("panels", "panel", "scale"),
    [
        (30, annotators.Panel(10, 100, 3), "five grades"),
        (40, annotators.Panel(40, 400, 2), annotators.PENALTIES),
        *(
            pytest.param(200, panel, scale, marks=pytest.mark.slow)
            for panel in annotators.HONEST
            for scale in annotators.SCALES
        ),
    ],
)
def test_honest_panels_are_left_alone(panels, panel, scale):
    """Somebody is flagged in one of twenty at the most; up to three standard errors more may come by chance."""
    assert annotators.flagged(panel, panels, scale) < 0.05 + 3 * math.sqrt(0.05 * 0.95 / panels)


@pytest.mark.parametrize(
    ("off", "wide", "flag"), [(40, 1.0, "scores"), (0, 0.3, "spreads"), (0, 3.0, "spreads")]
)
def test_who_differs_by_more_than_people_do_is_found(off, wide, flag):
    """A hundred judgements each beside single others show that it is beyond what anybody may differ by."""
    panel, rng, others = annotators.Panel(10, 500, 2), np.random.default_rng(4), 0
    for _ in range(10):
        judged = panel.judged(rng)
        mine = judged.annotator.codes == judged.annotator.names.index("p0")
        score = np.where(mine, 60 - off + wide * (judged.score - 60), judged.score)
        by_annotator = {
            diagnosis.annotator: diagnosis.flags
            for diagnosis in diagnoses(replace(judged, score=score))
            if diagnosis.flags
        }
        assert any(text.startswith(flag) for text in by_annotator["p0"])
        others += len(by_annotator) - 1
    assert others <= 1


@pytest.mark.parametrize(
    ("panels", "panel"),
    [
        (20, annotators.Panel(3, 100, 3)),
        *(
            pytest.param(200, panel, marks=pytest.mark.slow)
            for panel in annotators.HONEST[:4]
            if panel.items >= 60
        ),
    ],
)
def test_who_changes_is_found_and_nobody_else(panels, panel):
    """80 points in 100 judgements are found in every panel; nobody else is accused, nor anybody where nobody does."""
    assert annotators.changing(panel, panels, 80.0)[0] > 0.95
    for change in (0.0, 20.0, 80.0):
        right, wrong = annotators.changing(panel, panels, change)
        assert wrong < 0.05
        assert change or right < 0.05


def test_degrees_of_freedom_are_what_constants_leave():
    """Thirty judgements, each beside another person: with a constant for each of them nothing is left to see."""
    rng = np.random.default_rng(5)
    rows = []
    for i in range(30):
        rows += [("A", "x", str(i), 50 + 2.0 * i + rng.normal(0, 3)), (f"o{i}", "x", str(i), 50.0)]
        rows += [(f"o{i}", "x", f"{i}.{j}", 50.0) for j in range(3)]
        rows += [(f"o{(i + 1) % 30}", "x", f"{i}.{j}", 50.0) for j in range(3)]
    (diagnosis,) = (entry for entry in diagnoses(ratings(rows)) if entry.annotator == "A")
    assert (diagnosis.others, diagnosis.drift, diagnosis.drift_p) == (30, None, None)


@pytest.mark.parametrize("company", [1, 4, 10])
def test_p_of_a_change_keeps_its_level_with_a_constant_for_each_of_the_others(company):
    """24 judgements beside one, four or ten others, where nothing changes."""
    rng = np.random.default_rng(6)
    seen = []
    for _ in range(300):
        value, whom = rng.normal(60, 15, 24), rng.permutation(np.arange(24) % company)
        text = RatingsOnce(
            np.concatenate([value + rng.normal(0, 12, 24), value + rng.normal(0, 12, 24)]),
            np.tile(np.arange(24), 2),
            np.concatenate([np.zeros(24, np.int64), 1 + whom]),
            np.arange(48),
        )
        turn = np.concatenate([np.arange(24.0), np.zeros(24)])
        slope, error, free = _changes(text, turn, np.zeros(company + 1, bool))
        assert free[0] == 24 - company - 1
        seen.append(2 * stats.t.sf(abs(slope[0] / error[0]), free[0]))
    assert 0 < np.mean(np.array(seen) < 0.05) < 0.08


def test_haste():
    rows = campaign()
    seconds = np.array([5.0 if row[0] == "B" else 30.0 for row in rows])
    seconds[::7] = math.nan
    assert flags(ratings(rows, seconds=seconds)) == {
        "B": ("takes 5.0 s for a judgement, the panel's median is 30.0 s",)
    }
    assert flags(ratings(rows, seconds=seconds / 100)) == {}  # nobody judges in 0.3 s: these are other times
    assert {diagnosis.seconds for diagnosis in diagnoses(ratings(rows))} == {None}
    even = ratings([("A", "x", "1", 1), ("A", "x", "2", 1)], seconds=np.array([2.0, 4.0]))
    assert diagnoses(even)[0].seconds == 3


def test_runs_follow_the_clock_and_include_control_items():
    rows = [("A", "x", str(i), [5, 5, 7, 5][i]) for i in range(4)]
    assert [(entry.longest_run, entry.equal) for entry in diagnoses(ratings(rows))] == [(2, 1 / 3)]
    by_clock = ratings(rows, start=np.array([1.0, 2, 9, 3]), kind=np.array([0, BAD_REFERENCE, 0, 0], np.int8))
    (diagnosis,) = diagnoses(by_clock)
    assert (diagnosis.longest_run, diagnosis.equal, diagnosis.judgements, diagnosis.mean) == (
        3,
        2 / 3,
        4,
        pytest.approx(17 / 3),
    )


def test_rankings():
    rng = np.random.default_rng(3)
    rows, number = [], []
    for item in range(50):
        truth = int(rng.choice([-1, 1]))
        for place, who in enumerate("ABCD"):
            answer = {"B": 1, "C": -truth}.get(who, truth)
            rows.append((who, "x", "y", str(item), 0 if who == "D" and item < 5 else answer))
            number.append(item * 4 + place)
    judged = rankings(rows, ranking=np.array(number))
    by_annotator = {diagnosis.annotator: diagnosis for diagnosis in diagnoses(judged)}
    agreeing, comparable = agreeing_with_others(judged)
    assert [entry.agreement for entry in by_annotator.values()] == pytest.approx(list(agreeing / comparable))
    assert by_annotator["B"].first == 1
    assert by_annotator["D"].ties == 0.1
    assert (by_annotator["A"].mean, by_annotator["A"].severity, by_annotator["A"].spread) == (
        None,
        None,
        None,
    )
    assert by_annotator["A"].judgements == by_annotator["A"].compared == 50
    assert any("does not agree" in flag for flag in by_annotator["C"].flags)
    assert any("50 equal answers in a row" in flag for flag in by_annotator["B"].flags)


def test_two_answers_can_be_equal():
    """And one cannot: there is nothing that it could be equal to."""
    for scores, share in (((7, 7), 1.0), ((7, 8), 0.0), ((7,), None)):
        (diagnosis,) = diagnoses(
            ratings([("A", "x", str(n), float(score)) for n, score in enumerate(scores)])
        )
        assert diagnosis.equal == share


def test_of_two_people_a_run_of_one_is_held_to_what_the_other_says():
    """Whoever answers alike most of the time would explain every run by themselves."""
    varied = [float(7 * n % 60) for n in range(60)]
    alike = [50.0 if n % 12 else float(n) for n in range(60)]
    rows = [
        (who, "x", str(n), s) for who, scores in (("A", varied), ("B", alike)) for n, s in enumerate(scores)
    ]
    varying, even = diagnoses(ratings(rows))
    assert even.longest_run == 11
    assert "gave 11 equal answers in a row" in even.flags
    assert not any("in a row" in flag for flag in varying.flags)


def test_several_systems_ranked_at_once_are_one_judgement():
    pairs = [("A", a, b, "1", 1) for a, b in (("x", "y"), ("x", "z"), ("y", "z"))]
    (diagnosis,) = diagnoses(rankings(pairs, ranking=np.zeros(3, dtype=int), seconds=np.full(3, 40.0)))
    assert (diagnosis.judgements, diagnosis.longest_run, diagnosis.equal, diagnosis.seconds) == (
        1,
        0,
        None,
        40,
    )


def test_edges():
    assert diagnoses(ratings([])) == ()
    assert diagnoses(rankings([])) == ()
    (alone,) = diagnoses(ratings([("A", "x", "1", 50)]))
    assert (alone.judgements, alone.compared, alone.deviation, alone.flags) == (1, 0, None, ())
    same = diagnoses(ratings([(who, "x", str(i), 50) for who in "AB" for i in range(30)]))
    assert [entry.flags for entry in same] == [("gave 30 judgements the same score",)] * 2
    assert {(entry.agreement, entry.spread, entry.drift, entry.severity) for entry in same} == {
        (None, None, 0, 0)
    }
    ties = diagnoses(rankings([(who, "x", "y", str(i), 0) for who in "AB" for i in range(30)]))
    assert {(tie.ties, tie.first, tie.agreement) for tie in ties} == {(1, None, 1)}
    assert [
        diagnosis.annotator for diagnosis in diagnoses(ratings([("A", "x", "1", 5), ("", "x", "1", 9)]))
    ] == ["A"]
    with pytest.raises(DataError, match="judgement 1: the score is nan"):
        diagnoses(ratings([("A", "x", "1", math.nan)]))


def test_real_annotators(shared):
    judged = read_wmt21(shared.data / "01_wmt21_da_toen" / "is-en" / "human")
    all_of_them = diagnoses(judged)
    assert len(all_of_them) == len(judged.annotator.names)
    assert sum(diagnosis.judgements for diagnosis in all_of_them) == len(judged)
    severe = [diagnosis for diagnosis in all_of_them if any("points" in flag for flag in diagnosis.flags)]
    assert 0 < len(severe) < len(all_of_them)
    pairs = read_pairs(
        shared.data / "06_rankings_wmt16" / "data" / "collapsed" / "wmt16.collapsed.tur-eng.csv"
    )
    assert all(0 <= diagnosis.ties <= 1 for diagnosis in diagnoses(pairs))


@pytest.mark.parametrize(("protocol", "flagged"), [("da", True), ("mqm", False), ("hter", False)])
def test_runs_of_faultless_translations_are_no_habit(protocol, flagged):
    rows = [("A", "x", str(i), 0.0 if i < 12 else 5.0 + i) for i in range(30)]
    (diagnosis,) = diagnoses(replace(ratings(rows), protocol=protocol))
    assert diagnosis.longest_run == 12
    assert any("12 equal answers" in flag for flag in diagnosis.flags) == flagged


def test_who_gives_more_penalties_is_the_severe_one() -> None:
    rows = [
        (who, "a", str(i), float(i % 5 + add))
        for who, add in (("mild", 0), ("plain", 1), ("severe", 20))
        for i in range(40)
    ]
    up, down = (diagnoses(ratings(rows, higher_is_better=way)) for way in (True, False))
    assert [entry.severity for entry in down] == [
        -entry.severity for entry in up if entry.severity is not None
    ]
    assert down[2].severity == pytest.approx(19, abs=1e-6)
    assert "scores 19.0 points above the panel's median (2 others)" in down[2].flags
    assert up[2].flags == down[2].flags  # which side it is does not depend on what is better
