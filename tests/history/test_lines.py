"""A line compares only what can be compared, marks what the tests of `compare` find, and corrects for all of it."""

import tempfile
from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.comparison.plan import Plan
from adjudge.database.problems import StoreError
from adjudge.errors import DataError, UsageError
from adjudge.history import lines
from adjudge.history.records import History
from adjudge.stats import looks, multiple, runs
from adjudge.stats.looks import Look
from helpers.histories import LINES, SET, evaluation, output, recorded

FEW = Plan(trials=1000, resamples=50)


@pytest.fixture
def history(file):
    with History.open(file, create=True) as opened:
        yield opened


def only(result):
    (line,) = result.lines
    return line


def verdicts(line):
    return [None if v.step is None else v.step.verdict for v in line.versions]


def test_a_step_is_what_compare_says_of_the_two(history):
    """The same p, difference and intervals, by a corpus metric and by one whose low scores are good."""
    for metric in ("bleu", "ter"):
        recorded(history, output(4), metrics=(metric,))
        recorded(history, output(2), metrics=(metric,))
        line = only(history.lines(metrics=[metric]))
        outputs = [output(2, "new"), output(4, "old")]
        compared = adjudge.compare(SET, outputs, metric, Plan(baseline="old"))
        (pair,) = compared.pairs
        step = line.versions[-1].step
        assert (step.delta, step.p) == (pair.delta, pair.p)
        assert (step.look, step.p_adjusted) == (1, pair.p / Look(1).share)
        assert step.verdict == "worse"
        new, old = compared.results
        assert [(v.score, v.low, v.high) for v in line.versions] == [
            (s.score, s.low, s.high) for s in (old, new)
        ]


def test_steps_of_a_record_are_corrected_together_at_the_share_of_its_look(history):
    for every in (9, 8, 7, 2, 11):
        recorded(history, output(every), output(every + 1, "other"))
    result = history.lines()
    assert len(result.lines) == 4
    assert (result.tests, result.looks) == (16, 4)
    for look in range(1, 5):
        steps = [line.versions[look].step for line in result.lines]
        assert {step.look for step in steps} == {look}
        together = multiple.adjust_p_values([step.p for step in steps], "holm") / Look(look).share
        np.testing.assert_allclose([step.p_adjusted for step in steps], np.minimum(together, 1), rtol=1e-15)
    steps = [version.step for line in result.lines for version in line.versions if version.step]
    assert {s.verdict for s in steps if s.p_adjusted < 0.05} <= {"better", "worse"}
    assert {s.verdict for s in steps if s.p_adjusted >= 0.05} == {"same"}
    alone = history.lines(systems=["neural"], metrics=["bleu"])
    assert alone.tests == 4
    for step, version in zip(steps, only(alone).versions[1:], strict=False):
        assert version.step.p_adjusted <= step.p_adjusted


def test_a_step_is_tested_alike_whenever_it_is_shown(history):
    """Neither later versions nor how many are shown change the look, the p or the verdict of a step."""
    seen = {}
    for every in (9, 8, 2, 2, 9, 5, 11, 3):
        recorded(history, output(every), metrics=("bleu",))
        for last in (2, 30):
            for version in only(history.lines(last=last)).versions:
                if version.step is not None:
                    assert seen.setdefault(version.record.id, version.step) == version.step
    # The fourth brings nothing new, so it is no look.
    assert [seen[record].look for record in range(2, 9)] == [1, 2, None, 3, 4, 5, 6]
    assert any(step.verdict == "worse" for step in seen.values())


def test_the_first_version_of_a_stretch_stays_what_others_are_held_against(history):
    for every in (20, 9, 6, 4, 3):
        recorded(history, output(every), metrics=("chrf",))
    whole, some = (only(history.lines(base_version="first", last=last)) for last in (30, 2))
    assert [version.record.id for version in some.versions] == [1, 4, 5]
    assert [v.step for v in some.versions[1:]] == [v.step for v in whole.versions[3:]]


def test_looks_begin_anew_with_a_version_that_is_named(history):
    for every in (9, 8, 7, 2):
        recorded(history, output(every), metrics=("bleu",), label=f"v{every}")
    versions = only(history.lines(since="v7")).versions
    assert [version.name for version in versions] == ["v7", "v2"]
    assert versions[1].step.look == 1


def test_uncorrected_steps_are_looks_of_their_own(history):
    for every in (9, 8, 2):
        recorded(history, output(every), metrics=("bleu",))
    for version in only(history.lines(plan=Plan(correction="none"))).versions[1:]:
        assert version.step.p_adjusted == version.step.p


def test_too_few_trials_for_a_look_are_said(history):
    for every in (9, 2):
        recorded(history, output(every), metrics=("bleu",))
    (warning,) = history.lines(plan=Plan(trials=200)).warnings
    assert "200 trials give no p below 0.0045" in warning
    assert history.lines(plan=FEW).warnings == ()


def test_a_late_look_has_as_many_trials_as_its_alpha_needs(history, monkeypatch):
    """At look 100 a p of 1 in 10,001 is not small enough; where p may be small enough there are more trials."""
    monkeypatch.setattr(looks, "HALF", 0.05)
    for every in (9, 8, 7, 6, 5, 4, 2, 0):
        recorded(history, output(every), metrics=("bleu",))
    result = history.lines(last=3, plan=Plan(unit="segment"))
    step = only(result).versions[-1].step
    assert result.most_trials == Look(7).trials(0.05, 1) > 10_000
    assert step.p < 1 / 10_001
    assert step.verdict == "better"
    monkeypatch.setattr(lines, "PROMISING", -2)
    few = only(history.lines(last=3, plan=Plan(unit="segment"))).versions[-1].step
    assert few.verdict == "same", "10,000 trials show nothing"


def test_a_version_with_the_same_rows_is_unchanged_and_costs_no_test(history):
    for every in (3, 3, 3, 5):
        recorded(history, output(every), metrics=("bleu",))
    result = history.lines(plan=FEW)
    assert result.tests == 1
    assert [v.step.unchanged for v in only(result).versions[1:]] == [True, True, False]


def test_another_test_set_of_the_same_name_breaks_the_line_and_says_so(history):
    shorter = SET[:30]
    recorded(history, output(3), metrics=("bleu",))
    recorded(history, output(2), metrics=("bleu",))
    recorded(history, output(3, lines=LINES[:30]), test_set=shorter, metrics=("bleu",))
    recorded(history, output(2, lines=LINES[:30]), test_set=shorter, metrics=("bleu",))
    line = only(history.lines(plan=FEW))
    assert [v.stretch for v in line.versions] == [0, 0, 1, 1]
    assert line.versions[2].step is None
    assert line.versions[2].broken == "the test set is another one (40 segments then, 30 now)"
    assert [v.step and v.step.against for v in line.versions] == [None, 1, None, 3]


def test_two_test_sets_of_one_name_in_turn_are_each_compared_with_their_own(history):
    other = adjudge.TestSet(references=(LINES[::-1],), name="news")
    for every in (9, 2):
        recorded(history, output(every), metrics=("bleu",))
        recorded(history, output(every, lines=LINES[::-1]), test_set=other, metrics=("bleu",))
    line = only(history.lines(plan=FEW))
    assert [v.step and v.step.against for v in line.versions] == [None, None, 1, 2]
    assert [bool(v.broken) for v in line.versions] == [False, True, False, False]
    assert verdicts(line)[2:] == ["worse", "worse"]


def test_another_signature_breaks_the_line_and_another_version_of_adjudge_does_not(history):
    def signed(old, new):
        made = evaluation([output(3)], metrics=("bleu",))
        scores = tuple(s._replace(signature=s.signature.replace(old, new)) for s in made.scores)
        return replace(made, scores=scores, document={**made.document, "version": "0.0.9"})

    recorded(history, output(2), metrics=("bleu",))
    history.add(signed(adjudge.__version__, "0.0.9"), command="score")
    history.add(signed("tok:13a", "tok:intl"), command="score")
    result = history.lines(plan=FEW)
    line = only(result)
    assert [v.broken for v in line.versions] == ["", "", "tok was 13a and is intl"]
    assert line.versions[1].step is not None
    assert result.warnings == (
        f"rows that adjudge {adjudge.__version__} and 0.0.9 made are compared all the same",
    )


def test_whole_documents_break_the_line_of_segments(history):
    recorded(history, output(3), metrics=("bleu",))
    made = evaluation([output(2)], metrics=("bleu",))
    history.add(
        replace(made, scores=tuple(s._replace(level="document") for s in made.scores)), command="score"
    )
    assert (
        only(history.lines(plan=FEW)).versions[1].broken
        == "what is scored at once is document, not a segment"
    )


def test_a_system_that_was_renamed_keeps_its_line(history):
    recorded(history, output(9, "old name"), metrics=("bleu",))
    recorded(history, output(2), metrics=("bleu",))
    assert [len(line.versions) for line in history.lines(plan=FEW).lines] == [1, 1]
    line = only(history.lines(plan=FEW, renamed={"old name": "neural"}))
    assert (line.system, verdicts(line)) == ("neural", [None, "worse"])


def test_two_systems_of_one_record_are_not_taken_for_one(history):
    recorded(history, output(9), output(2, "then"), metrics=("bleu",))
    recorded(history, output(9), metrics=("bleu",))
    recorded(history, output(3), metrics=("bleu",))
    with pytest.raises(UsageError, match="record 1 has both 'neural' and 'then'"):
        history.lines(plan=FEW, renamed={"then": "neural"})
    assert len(only(history.lines(plan=FEW, renamed={"then": "neural"}, last=2)).versions) == 2


def test_a_decline_in_small_steps_shows_against_the_first(history):
    for every in (20, 9, 6, 4, 3, 2):
        recorded(history, output(every), metrics=("chrf",))
    assert "worse" not in verdicts(only(history.lines()))
    assert verdicts(only(history.lines(base_version="first")))[-1] == "worse"
    assert {v.step.against for v in only(history.lines(base_version="first")).versions[1:]} == {1}


def test_a_drop_below_the_margin_is_tolerated_and_a_gain_never(history):
    for every in (9, 2, 9):
        recorded(history, output(every), metrics=("bleu",))
    assert verdicts(only(history.lines(tolerance=1000))) == [None, "tolerated", "better"]
    assert only(history.lines(tolerance=1000)).regressions == ()


def test_a_metric_without_a_direction_is_shown_and_not_tested(history):
    for every in (9, 9, 2):
        recorded(history, output(every), metrics=("length-ratio",))
    result = history.lines(plan=FEW)
    assert (result.tests, verdicts(only(result))) == (0, [None, None, None])


def test_training_runs_are_one_version(history):
    for every in (9, 3):
        recorded(history, output(every, run="1"), output(every + 1, run="2"), metrics=("bleu",))
    line = only(history.lines(plan=FEW))
    assert [v.runs for v in line.versions] == [2, 2]
    means = [np.mean([s.score for s in record.scores]) for record in history.records()]
    assert [v.score for v in line.versions] == pytest.approx(means, rel=1e-12)


def test_whole_documents_can_be_drawn(history):
    for every in (9, 2):
        recorded(history, output(every), metrics=("bleu",))
    by_segment, by_document = (
        only(history.lines(plan=replace(FEW, unit=u))) for u in ("segment", "document")
    )
    assert by_segment.versions[1].low != by_document.versions[1].low
    with pytest.raises(UsageError, match="no label 'domain' to draw by in record 1"):
        history.lines(plan=replace(FEW, unit="domain"))


def test_windows_that_overlap_are_drawn_by_documents_and_it_is_said(history):
    for every in (9, 2):
        made = evaluation([output(every)], metrics=("bleu",))
        scores = tuple(s._replace(level="window:3") for s in made.scores)
        history.add(replace(made, scores=scores), command="score")
    result = history.lines(plan=FEW)
    assert result.units == ("document",)
    recorded(history, output(3), metrics=("bleu",))
    assert history.lines(plan=replace(FEW, unit="segment")).units == ("document", "segment")


def test_no_test_stops_early_by_a_correction_that_other_lines_loosen(history, monkeypatch):
    """With the small p of other lines, Benjamini and Hochberg's correction of a line becomes smaller."""
    monkeypatch.setattr(runs, "MANY", 1)
    for every in (20, *(5, 6) * 5):
        recorded(history, output(every), metrics=("bleu",))
    asked = (Plan(correction=name, trials=100_000, resamples=50) for name in ("bh", "none"))
    by_bh, by_none = (only(history.lines(plan=plan)).versions[1].step.p for plan in asked)
    assert by_bh == by_none < 0.05


def test_the_last_versions_of_each_line(history):
    for every in range(2, 9):
        recorded(history, output(every), metrics=("bleu",))
    result = history.lines(last=3, plan=FEW)
    assert [v.record.id for v in only(result).versions] == [5, 6, 7]
    assert result.tests == 2


def test_versions_stand_in_the_order_of_time_not_of_numbers(history):
    recorded(history, output(3), metrics=("bleu",), made=2000.0)
    recorded(history, output(2), metrics=("bleu",), made=1000.0)
    assert [v.record.id for v in only(history.lines(plan=FEW)).versions] == [2, 1]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"systems": ["neurall"]}, "unknown system of the history 'neurall'; did you mean 'neural'"),
        ({"metrics": ["chrf"]}, "unknown metric of the history"),
        ({"test_sets": ["x"]}, "unknown test set of the history"),
        ({"base_version": "next"}, "unknown version to hold others against"),
        ({"tolerance": -1}, "tolerance=-1"),
        ({"plan": Plan(baseline="a")}, "its own earlier versions"),
        ({"plan": Plan(test="signed-rank")}, "randomisation or bootstrap"),
    ],
)
def test_questions_without_an_answer(history, options, match):
    recorded(history, output(3))
    with pytest.raises(UsageError, match=match):
        history.lines(**options)


def test_an_empty_history_has_no_lines(history):
    with pytest.raises(UsageError, match="holds no records yet"):
        history.lines()


def test_a_score_that_its_rows_do_not_give_is_refused(history):
    recorded(history, output(3))
    with history._database.writing() as execute:
        execute("UPDATE scores SET score = score + 1")
        execute("UPDATE records SET checksum = NULL")  # as an earlier version wrote it
    with pytest.raises(DataError, match="the history was changed"):
        history.lines()


def test_rows_that_are_gone_are_missed(history):
    recorded(history, output(3))
    with history._database.writing() as execute:
        execute("DELETE FROM row_sets")
        execute("UPDATE records SET checksum = NULL")  # as an earlier version wrote it
    with pytest.raises(DataError, match="has no rows of neural by bleu"):
        history.lines()


def test_a_record_that_was_deleted_meanwhile(history):
    recorded(history, output(3))
    (record,) = history.records()
    history.delete([record])
    with pytest.raises(StoreError, match=r"not in .* any more"):
        history.evaluation(record)
    with pytest.raises(StoreError, match=r"not in .* any more"):
        history.labels(record)
    with pytest.raises(StoreError, match=r"not in .* any more"):
        history.rows(record, "news", "neural", "bleu")


@pytest.mark.slow
def test_equal_versions_are_marked_as_rarely_as_the_level_says():
    """Lines of eight versions that differ by chance alone: bench/history.py has the larger figure."""
    rng = np.random.default_rng(5)
    marked, number = 0, 60
    words = np.array(LINES[0].split() + LINES[3].split())
    references = [rng.choice(words, 9) for _ in range(30)]
    test_set = adjudge.TestSet(references=(tuple(" ".join(line) for line in references),), name="x")
    for place in range(number):
        drafts = []
        for _ in range(8):
            kept = [" ".join(word for word in line if rng.random() > 0.2) or "x" for line in references]
            drafts.append(adjudge.Outputs("s", tuple(kept)))
        with tempfile.TemporaryDirectory() as folder, History.open(f"{folder}/h.db", create=True) as own:
            for draft in drafts:
                recorded(own, draft, test_set=test_set, metrics=("chrf",))
            marked += bool(only(own.lines(plan=Plan(seed=place, trials=500, resamples=20))).marked)
    # 3 of 60 are expected at a level of 5 %; 9 or more come once in 500 times.
    assert marked <= 8
