"""Studies held against their earlier results: drops are found in the mean and on a set, and nothing else fails."""

import pytest

from adjudge.cli import main
from adjudge.comparison.plan import Plan
from adjudge.history.gate import count_tests, gate
from adjudge.history.stored import read
from adjudge.human.study_scores import study_material
from adjudge.io.studies import load_study
from adjudge.stats.looks import Look
from helpers.studies import write_output, write_study

FEW = Plan(resamples=20, trials=400)


@pytest.fixture
def study(tmp_path):
    path = write_study(tmp_path, {"one": {"a": 0.8, "b": 0.5}, "two": {"a": 0.8, "b": 0.5}}, 40)
    assert (
        main(
            ["study", "run", str(path), "--resamples", "20", "--trials", "50", "-q", "--save", f"{path}.json"]
        )
        == 0
    )
    return path


def gated(study, **options):
    stored = read(f"{study}.json")
    return gate(stored, study_material(load_study(str(study))), None, FEW, **options)


def test_nothing_has_changed(study):
    result = gated(study)
    assert result.passed
    assert [(f.test_set, f.system, f.delta, f.verdict) for f in result.findings] == [
        (name, system, 0.0, "same") for name in ("", "one", "two") for system in ("a", "b")
    ]
    assert result.test.comparisons == 6


def test_a_drop_on_one_set_is_found_there(study):
    write_output(study.parent, "two", "a", 0.3)
    result = gated(study)
    assert not result.passed
    assert {(f.test_set, f.system) for f in result.findings if f.verdict == "worse"} == {
        ("", "a"),
        ("two", "a"),
    }
    mean = result.findings[0]
    assert mean.delta == pytest.approx(
        sum(f.delta for f in result.findings if f.test_set and f.system == "a") / 2
    )
    assert gated(study, tolerance=90).passed
    assert "tolerated" in {f.verdict for f in gated(study, tolerance=90).findings}


def test_a_look_spends_its_share_of_alpha(study):
    write_output(study.parent, "two", "a", 0.3)
    only, seventh = gated(study), gated(study, look=Look(7))
    for alone, late in zip(only.findings, seventh.findings, strict=True):
        assert late.p == alone.p
        assert late.p_adjusted == pytest.approx(min(1.0, alone.p_adjusted / Look(7).share))
    assert not only.passed
    assert seventh.passed, "400 trials show no p that is small enough for look 7"
    stored = read(f"{study}.json")
    enough = gate(stored, study_material(load_study(str(study))), None, Plan(resamples=20), look=Look(7))
    assert enough.plan.trials == Look(7).trials(0.05, 6)
    assert not enough.passed, "without a number of trials there are as many as the look needs"


def test_better_is_no_failure(study):
    write_output(study.parent, "two", "b", 0.95)
    result = gated(study)
    assert result.passed
    assert "better" in {f.verdict for f in result.findings}


def test_systems_and_sets_that_only_one_side_has_are_said(study):
    write_output(study.parent, "one", "c", 0.9)
    (study.parent / "two" / "systems" / "b.en").unlink()
    result = gated(study)
    assert any("c is not in" in warning for warning in result.warnings)
    assert {f.sets for f in result.findings if f.system == "b"} == {1}
    held = gated(study, system="a")
    assert {(f.system, f.against) for f in held.findings} == {("a", "a"), ("b", "a"), ("c", "a")}


@pytest.mark.parametrize(
    ("means", "sets", "tests"),
    [
        (5, 99, (500, True)),
        (3, 166, (3, False)),
        (1, 499, (500, True)),
        (1, 500, (1, False)),
        (4, 1, (4, False)),
    ],
)
def test_sets_are_tested_one_by_one_up_to_500_tests(means, sets, tests):
    assert count_tests(means, sets) == tests


def test_of_too_many_sets_only_the_mean_is_tested_and_that_is_said(study, monkeypatch):
    monkeypatch.setattr("adjudge.history.gate.MOST_TESTS", 5)
    result = gated(study)
    assert {finding.test_set for finding in result.findings} == {""}
    assert result.test.comparisons == 2
    assert any("2 test sets are too many to be tested one by one (5 tests" in w for w in result.warnings)
