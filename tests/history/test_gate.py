"""A gate closes on drops that chance does not explain, and on nothing else."""

import math
from dataclasses import replace

import numpy as np
import pytest

from adjudge.comparison import compare, score
from adjudge.comparison.documents import score_document
from adjudge.comparison.groups import labels_of
from adjudge.comparison.plan import plan_of
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.history import gate as gates
from adjudge.history import stored
from adjudge.history.stored import rows_of

RANDOM = np.random.default_rng(7)
WORDS = [f"w{i}" for i in range(30)]
LINES = tuple(" ".join(RANDOM.choice(WORDS, 12)) for _ in range(60))
SET = TestSet(references=(LINES,), labels={"document": tuple(str(i // 6) for i in range(60))})
METRICS = ("bleu", "ter", "length-ratio")


def worsened(share: float, seed: int = 1) -> tuple[str, ...]:
    """The references with a share of their words replaced."""
    random = np.random.default_rng(seed)
    return tuple(
        " ".join("x" if random.random() < share else word for word in line.split()) for line in LINES
    )


GOOD, LIKE, BAD = (Outputs("s", worsened(share, seed)) for share, seed in ((0.2, 1), (0.2, 2), (0.35, 3)))


def gate(*given, system=None, tolerance=0.0, **options):
    """The gate with a plan of these fields."""
    run, test_set, outputs, *metrics = given
    sets = [StudyMaterial(test_set.name, test_set, tuple(outputs))]
    return gates.gate(run, sets, *metrics, plan=plan_of(None, options), system=system, tolerance=tolerance)


@pytest.fixture
def run_of(tmp_path):
    def make(*outputs, metrics=METRICS, test_set=SET):
        scores = score(test_set, outputs, metrics, rows=True)
        path = str(tmp_path / "run.json")
        rows = rows_of(scores)
        stored.write(path, score_document(scores, version="1"), rows, labels_of(test_set))
        return stored.read(path)

    return make


def verdicts(result):
    return {finding.metric: finding.verdict for finding in result.findings}


def test_a_significant_drop_closes_it(run_of):
    result = gate(run_of(GOOD), SET, [BAD], trials=2000)
    assert verdicts(result) == {"bleu": "worse", "ter": "worse", "length-ratio": "neutral"}
    assert not result.passed
    bleu, ter, _ = result.findings
    assert bleu.delta < 0 < ter.delta, "TER is worse when it rises"
    assert bleu.delta == bleu.new - bleu.old
    assert bleu.p_adjusted < 0.05
    assert bleu.low < bleu.delta < bleu.high < 0


def test_a_rise_or_nothing_leaves_it_open(run_of):
    result = gate(run_of(BAD), SET, [GOOD], trials=2000)
    assert verdicts(result) == {"bleu": "better", "ter": "better", "length-ratio": "neutral"}
    assert result.passed
    result = gate(run_of(GOOD), SET, [LIKE], trials=2000)
    assert verdicts(result) == {"bleu": "same", "ter": "same", "length-ratio": "neutral"}
    assert result.passed
    assert result.findings[0].detectable > abs(result.findings[0].delta)


def test_a_change_as_large_as_what_would_be_caught_says_why_it_was_not(run_of):
    """80 % is not certainty: a reader must not think that one of two numbers is wrong."""
    result = gate(run_of(GOOD, metrics=("bleu", "ter")), SET, [LIKE], trials=500)
    large = replace(
        result, findings=tuple(replace(f, detectable=abs(f.delta) / 2, decimals=3) for f in result.findings)
    )
    for finding, plain, sentence in zip(large.findings, result.sentences(), large.sentences(), strict=True):
        drop = "drop" if finding.metric == "bleu" else "rise"
        assert (
            f"a {drop} of {finding.detectable:.3f} would have been caught with 80 % probability" in sentence
        )
        assert (
            f"(the change seen is {abs(finding.delta):.3f}, but one in five such changes is missed)"
            in sentence
        )
        assert "one in five" not in plain


def test_the_same_output_has_not_changed(run_of):
    for finding in gate(run_of(GOOD), SET, [GOOD], trials=200).findings[:2]:
        assert (finding.verdict, finding.delta, finding.p) == ("same", 0.0, 1.0)
        assert math.isnan(finding.detectable)


def test_numbers_are_those_of_compare(run_of):
    result = gate(run_of(GOOD, metrics=("bleu", "ter")), SET, [BAD], trials=500, unit="document")
    theirs = compare(
        SET,
        [Outputs("new", BAD.segments), Outputs("old", GOOD.segments)],
        ("bleu", "ter"),
        trials=500,
        unit="document",
        baseline="old",
        family="all",
    )
    for finding, pair in zip(result.findings, theirs.pairs, strict=True):
        for name in ("metric", "delta", "low", "high", "p", "p_adjusted", "significant", "detectable"):
            assert getattr(finding, name) == getattr(pair, name), name
    assert result.test.unit == "document"


def test_neutral_metrics_never_close_it_and_are_not_corrected_for(run_of):
    short = Outputs("s", tuple(line + " y y y" for line in GOOD.segments))
    run = run_of(GOOD, metrics=("exact-match", "length-ratio"))
    result = gate(run, SET, [short], trials=200)
    assert result.passed
    assert result.test.comparisons == 1
    with pytest.raises(UsageError, match="no direction of length-ratio is better"):
        gate(run, SET, [short], ["length-ratio"])


def test_a_tolerance_forgives_smaller_drops(run_of):
    run = run_of(GOOD)
    drop = -gate(run, SET, [BAD], ["bleu"], trials=500).findings[0].delta
    for tolerance, verdict in ((drop * 0.99, "worse"), (drop, "worse"), (drop * 1.01, "tolerated")):
        result = gate(run, SET, [BAD], ["bleu"], trials=500, tolerance=tolerance)
        assert result.findings[0].verdict == verdict
        assert result.passed == (verdict == "tolerated")
    for tolerance in (-1.0, math.nan, math.inf):
        with pytest.raises(UsageError, match="tolerance"):
            gate(run, SET, [BAD], tolerance=tolerance)


def test_which_system_of_the_run(run_of):
    run = run_of(GOOD, Outputs("other", BAD.segments))
    assert {f.against for f in gate(run, SET, [LIKE], trials=100).findings} == {"s"}
    new = Outputs("new", LIKE.segments)
    assert {f.against for f in gate(run, SET, [new], trials=100, system="other").findings} == {"other"}
    assert {f.against for f in gate(run_of(GOOD), SET, [new], trials=100).findings} == {"s"}
    run = run_of(GOOD, Outputs("other", BAD.segments))
    with pytest.raises(UsageError, match=r"several systems, none called 'new': s, other; .*--system NAME"):
        gate(run, SET, [new])
    with pytest.raises(UsageError, match=r"unknown system in .*run.json 'othr'; did you mean 'other'"):
        gate(run, SET, [new], system="othr")


def test_all_runs_of_a_system_count(run_of):
    old = [Outputs("s", worsened(0.2, seed), str(seed)) for seed in (1, 2, 3)]
    new = [Outputs("s", worsened(0.35, seed), str(seed)) for seed in (4, 5, 6)]
    run = run_of(*old)
    result = gate(run, SET, new, ["bleu"], trials=500)
    (finding,) = result.findings
    assert finding.verdict == "worse"
    assert finding.old == pytest.approx(np.mean([r.score for r in run.results if r.metric == "bleu"]))
    assert finding.new == pytest.approx(np.mean([r.score for r in score(SET, new, "bleu").results]))
    assert result.warnings == ()
    assert any("training runs" in w for w in gate(run, SET, [BAD], ["bleu"], trials=100).warnings)


def test_several_new_systems_share_alpha(run_of):
    first, two = Outputs("one", LIKE.segments), Outputs("two", BAD.segments)
    both = gate(run_of(GOOD), SET, [first, two], ["bleu"], trials=500)
    assert [(f.system, f.verdict) for f in both.findings] == [("one", "same"), ("two", "worse")]
    alone = gate(run_of(GOOD), SET, [two], ["bleu"], trials=500)
    assert both.findings[1].p == alone.findings[0].p
    assert both.findings[1].p_adjusted == 2 * alone.findings[0].p
    assert both.test.alpha == 0.05
    assert both.test.comparisons == 2
    for finding in both.findings:
        assert finding.significant == (finding.p_adjusted < 0.05)


def test_intervals_of_several_new_systems_hold_together(run_of):
    """Each of two has an interval at 97.5 %, so that both hold at once at 95 %."""
    new = [Outputs("one", LIKE.segments), Outputs("two", BAD.segments)]
    both = gate(run_of(GOOD, metrics=("bleu",)), SET, new, trials=500)
    for finding, output in zip(both.findings, new, strict=True):
        [pair] = compare(
            SET,
            [output, Outputs("old", GOOD.segments)],
            "bleu",
            trials=500,
            baseline="old",
            alpha=0.025,
            confidence=0.975,
        ).pairs
        assert (finding.low, finding.high) == (pair.low, pair.high)
    assert both.test.confidence == 0.95


def test_a_stored_comparison_and_other_options_are_checked(run_of):
    run = run_of(GOOD)
    for options, message in (
        ({"alpha": 2.0}, "alpha=2.0"),
        ({"correction": "hlm"}, "unknown correction 'hlm'; did you mean 'holm'"),
        ({"test": "t"}, "unknown test"),
        ({"unit": "paragraph"}, "no label 'paragraph'"),
        ({"baseline": "s"}, "stored run for a baseline"),
        ({"by": ("document",)}, "all segments at once"),
        ({"alfa": 1}, "unknown option"),
    ):
        with pytest.raises(UsageError, match=message):
            gate(run, SET, [BAD], **options)
    with pytest.raises(UsageError, match=r"unknown metric in .*run.json 'chrf'"):
        gate(run, SET, [BAD], ["chrf"])


def test_another_test_set_is_refused(run_of):
    run = run_of(GOOD)
    with pytest.raises(DataError, match=r"segments: 60 in .*run.json, 59 in the new outputs"):
        gate(run, SET[:59], [Outputs("s", BAD.segments[:59])])
    other = TestSet(references=(LINES[::-1],), labels=SET.labels)
    with pytest.raises(DataError, match=r"fingerprint: .*sources or references differ"):
        gate(run, other, [BAD])
    with pytest.raises(DataError, match="s has 59 segments, but the test set has 60"):
        gate(run, SET, [Outputs("s", BAD.segments[:59])])


def test_a_score_that_is_missing_is_an_error_and_no_pass(run_of, monkeypatch):
    from adjudge.metrics.bleu import Bleu

    run = run_of(GOOD, metrics=("bleu",))
    plain = Bleu.aggregate
    total = float(plain(Bleu(), score(SET, [BAD], "bleu", rows=True).results[0].rows.sum(0)))

    def lost(self, sums):
        result = plain(self, sums)
        return np.where(np.isclose(result, total), np.nan, result)

    monkeypatch.setattr(Bleu, "aggregate", lost)
    with pytest.raises(DataError, match="the new output of s has no score by bleu"):
        gate(run, SET, [BAD], trials=50)


def test_the_chance_of_a_false_alarm_is_what_alpha_says(run_of):
    """Outputs as good as the stored one, drawn anew: the gate closes in about 2.5 % of the cases (one side)."""
    run = run_of(GOOD, metrics=("bleu", "chrf"))
    news = [Outputs("s", worsened(0.2, seed)) for seed in range(100, 200)]
    closed = sum(not gate(run, SET, [new], trials=300).passed for new in news)
    assert closed <= 8
