"""WMT's tau: on rankings counted by hand from the file itself, and on direct assessment as mt-metrics-eval has it."""

import csv
import itertools
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.data.score_tables import ScoreTable
from adjudge.errors import AdjudgeError
from adjudge.io.judgements import read
from adjudge.io.metric_folders import _Scores, read_meta_set
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.rankings import ranked_pairs, run_rankings

QUICK = RunSettings(interval="none", test="none", swap="items")
RULES = {
    "discordant": "canonical",
    "dropped": "tau_ties_dropped",
    "denominator": "tau_ties_in_denominator_only",
}


@pytest.fixture(scope="module")
def wmt23(shared):
    return read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set


@pytest.mark.parametrize("ties", RULES)
@pytest.mark.parametrize("threshold", [25, 1, 0])
def test_direct_assessment_as_mt_metrics_eval_has_it(wmt23, shared, ties, threshold):
    golden = shared.json("mtme/darr.json")["sets"]["wmt23 en-de, gold da-sqm"]
    task = Task("da-sqm", "segment", "darr", "item", threshold=threshold, ties=ties)
    for value in run_task(wmt23, task, QUICK).values:
        theirs = golden[value.metric][str(threshold)]
        assert value.value == pytest.approx(theirs[RULES[ties]], abs=1e-9)
        assert value.n == theirs["pairs"]


def test_every_set_of_golden_that_people_rated_in_part(wmt23, shared):
    """ESA of single lines: each system has other lines, so that pairs are what two systems share."""
    sets = shared.json("mtme/darr.json")["sets"]
    for name, golden in sets.items():
        if "ESA" not in name:
            continue
        gold = name.rpartition("en-de.")[2].removesuffix(".seg.score")
        path = shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign" / f"en-de.{gold}"
        table = _Scores.read(str(path)).table(gold, wmt23.systems, wmt23.segments)
        made = replace(wmt23, gold={gold: ScoreTable.of_segments(gold, table.segments)})
        for value in run_task(made, Task(gold, "segment", "darr", "item"), QUICK).values:
            if value.metric in golden:
                assert value.value == pytest.approx(golden[value.metric]["25"]["canonical"], abs=1e-9), name


def by_hand(path, systems, scores):
    """Concordant, discordant and tied pairs, from the file itself."""
    counts = [0, 0, 0]
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ranked = []
            for place in range(1, 6):
                rank, long = int(row[f"system{place}rank"]), row[f"system{place}Id"]
                name = long.removeprefix("newstest2013.fr-en.")
                if rank > 0 and name in systems:
                    ranked.append((rank, systems.index(name)))
            line = int(row["srcIndex"]) - 1
            for (rank_a, a), (rank_b, b) in combinations(ranked, 2):
                if rank_a == rank_b or a == b:
                    continue
                better, worse = (a, b) if rank_a < rank_b else (b, a)
                difference = scores[better, line] - scores[worse, line]
                counts[0 if difference > 0 else 1 if difference < 0 else 2] += 1
    return counts


def test_rankings_of_wmt13_counted_by_hand(shared):
    folder = shared.data / "07_rankings_wmt13_fren"
    systems = [path.stem for path in sorted((folder / "hyp").iterdir())]
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (len(systems), 3000)).astype(float)
    path = folder / "human" / "rankings-test.csv"
    pairs = ranked_pairs(read(str(path)).judgements, systems, 3000)
    result = run_rankings(pairs, {"m": scores}, QUICK)
    concordant, discordant, tied = by_hand(path, systems, scores)
    assert len(pairs.better) == concordant + discordant + tied > 500
    expected = {
        "discordant": (concordant - discordant - tied) / (concordant + discordant + tied),
        "dropped": (concordant - discordant) / (concordant + discordant),
        "denominator": (concordant - discordant) / (concordant + discordant + tied),
    }
    for task_result in result.results:
        assert task_result.values[0].value == pytest.approx(expected[task_result.task.ties], abs=1e-12)


def pairwise_by_hand(path, scores):
    """Concordant, discordant and tied pairs of WMT16's files, in which `a+b` stands for each of its systems."""
    counts, ties, seen = [0, 0, 0], 0, set()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sides = [row[f"system{side}Id"].split("+") for side in (1, 2)]
            ranks = [int(row[f"system{side}rank"]) for side in (1, 2)]
            line = int(row["srcIndex"]) - 1
            for names in sides:  # tied among themselves, once in a ranking
                key = row["rankingID"], tuple(names)
                if key not in seen:
                    ties += len(names) * (len(names) - 1) // 2
                    seen.add(key)
            for first, second in itertools.product(*sides):
                if ranks[0] == ranks[1]:
                    ties += 1
                    continue
                better, worse = (first, second) if ranks[0] < ranks[1] else (second, first)
                difference = scores[better][line] - scores[worse][line]
                counts[0 if difference > 0 else 1 if difference < 0 else 2] += 1
    return *counts, ties


@pytest.mark.parametrize(
    "pair", ["ron-eng", "collapsed.ron-eng", "collapsed.deu-eng", "collapsed.tur-eng", "collapsed.eng-tur"]
)
def test_rankings_of_wmt16_counted_by_hand(shared, pair):
    """The official scores of the systems, and noise with ties, as metrics of every pair that was ranked."""
    folder = shared.data / "06_rankings_wmt16"
    place = folder / "data" / ("collapsed" if pair.startswith("collapsed") else "")
    path = place / f"wmt16.{pair}.csv"
    results = (folder / "results" / f"wmt16.{pair.rpartition('.')[2]}.txt").read_text().splitlines()
    official = {line.split()[0]: float(line.split()[1]) for line in results if line[:1] not in "+"}
    systems = list(official)
    rng = np.random.default_rng(6)
    tables = {
        "official": np.repeat([[official[name]] for name in systems], 3000, axis=1),
        "noise": rng.integers(0, 3, (len(systems), 3000)).astype(float),
    }
    pairs = ranked_pairs(read(str(path)).judgements, systems, 3000)
    assert pairs.left_out == 0
    result = run_rankings(pairs, tables, QUICK)
    for name, table in tables.items():
        concordant, discordant, tied, ties = pairwise_by_hand(path, dict(zip(systems, table, strict=True)))
        assert pairs.ties == ties
        expected = {
            "discordant": (concordant - discordant - tied) / (concordant + discordant + tied),
            "dropped": (concordant - discordant) / (concordant + discordant),
            "denominator": (concordant - discordant) / (concordant + discordant + tied),
        }
        for task_result in result.results:
            (value,) = [value for value in task_result.values if value.metric == name]
            assert value.value == pytest.approx(expected[task_result.task.ties], abs=1e-12)
        if name == "official":
            assert expected["discordant"] > 0.1  # people rank as their own scores do


def judgements(rows):
    """Rows of system, other, segment, 1 where the first is better."""
    system, other, item, score = zip(*rows, strict=True)
    return Judgements(
        "rank",
        NameColumn.of(system),
        NameColumn.of(item),
        NameColumn.of(["x"] * len(rows)),
        np.array(score, float),
        other=NameColumn.of(other),
    )


ROWS = [("a", "b", "1", 1), ("b", "a", "2", -1), ("a", "b", "2", 0), ("c", "a", "1", 1), ("z", "a", "1", 1)]


def test_ties_of_people_and_unknown_systems_are_counted():
    pairs = ranked_pairs(judgements(ROWS), ["a", "b", "c"], 2)
    assert (pairs.ties, pairs.left_out, len(pairs.better)) == (1, 1, 3)
    scores = {"good": np.array([[2.0, 2], [1, 1], [3, 3]]), "bad": -np.array([[2.0, 2], [1, 1], [3, 3]])}
    scores |= {"flat": np.zeros((3, 2)), "part": np.array([[2.0, math.nan], [1, 1], [3, 3]])}
    result = run_rankings(pairs, scores, RunSettings(swap="items", draws=50))
    for task_result in result.results:
        values = {value.metric: value for value in task_result.values}
        assert values["good"].value == 1
        assert values["bad"].value == -1
        assert values["part"].reason == "1 of 3 pairs have a translation without a score"
    flat = [next(v for v in r.values if v.metric == "flat") for r in result.results]
    assert [value.value for value in flat if not math.isnan(value.value)] == [-1, 0]
    assert flat[1].reason == "the metric ties every pair"


@pytest.mark.parametrize(
    ("rows", "systems", "segments", "message"),
    [
        (ROWS, ["x", "y"], 2, "no ranking of any of the systems"),
        (ROWS, ["a", "b"], 1, "segment '2' is none of 1 to 1"),
        ([("a", "b", "1", 0)], ["a", "b"], 1, "no two of these translations"),
    ],
)
def test_rankings_that_do_not_fit(rows, systems, segments, message):
    with pytest.raises(AdjudgeError, match=message):
        run_rankings(
            ranked_pairs(judgements(rows), systems, segments),
            {"m": np.zeros((len(systems), segments))},
            QUICK,
        )


def test_a_better_metric_is_told_from_a_random_one():
    rng = np.random.default_rng(4)
    quality = rng.normal(size=(4, 80))
    rows = []
    for line in range(80):
        for a, b in combinations(range(4), 2):
            rows.append(
                ("abcd"[a], "abcd"[b], str(line + 1), float(np.sign(quality[a, line] - quality[b, line])))
            )
    pairs = ranked_pairs(judgements(rows), list("abcd"), 80)
    tables = {
        "close": quality + 0.5 * rng.normal(size=quality.shape),
        "noise": rng.normal(size=quality.shape),
    }
    for task_result in run_rankings(pairs, tables, RunSettings(swap="items", draws=300)).results:
        (pair,) = task_result.pairs
        assert (pair.a, pair.significant) == ("close", True)
        low, high = task_result.values[0].low, task_result.values[0].high
        assert low < task_result.values[0].value < high
