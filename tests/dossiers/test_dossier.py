"""A dossier: the parts are those that their own functions give, and marks hold the segments of every number."""

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.analysis.errors import CLASSES
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.dossiers.dossier_segments import PEOPLE
from adjudge.dossiers.evaluation_dossier import EvaluationContext, dossier
from adjudge.dossiers.marks import bucket_mark, change_mark, finding_mark, ngram_mark, words_mark
from adjudge.errors import DataError, UsageError
from adjudge.stats.design import Design
from helpers.dossiers import FEW, example_dossier


def test_the_comparison_is_that_of_compare() -> None:
    own = example_dossier()
    loaded = adjudge.load(
        references=["examples/reference.en"],
        source="examples/source.pt",
        labels="examples/labels.tsv",
        systems=[f"examples/systems/{name}.en" for name in ("neural", "neural-fixed", "rulebased")],
    )
    alone = adjudge.compare(loaded.test_set, loaded.outputs, **FEW)
    assert own.comparison == alone
    assert own.verdict.system == "neural-fixed"
    assert own.systems == ("neural-fixed", "neural", "rulebased")


def test_marks_have_as_many_segments_as_the_numbers_say() -> None:
    own = example_dossier()
    marks = own.segments.marks
    for result in own.buckets:
        for bucket in result.tables[0].buckets:
            assert len(marks[bucket_mark(result.by, bucket.name)]) == bucket.segments
    assert [result.by for result in own.buckets] == ["length", "domain", "origin"]
    for verdict, count in own.changes.counts.items():
        assert len(marks.get(change_mark("neural", "neural-fixed", verdict), ())) == count
    for result in own.ngrams:
        for ngram in (*result.more, *result.less):
            for system, count in ((result.a, ngram.a), (result.b, ngram.b)):
                members = marks.get(ngram_mark(system, result.kind, ngram.words), ())
                assert (len(members) > 0) == (count > 0)
                assert len(members) <= count
    for place, finding in enumerate(own.lint.findings, 1):
        if finding.segments:
            assert len(marks[finding_mark(place, finding.check)]) == len(set(finding.segments))
            assert [line - 1 for line in finding.lines] == list(finding.segments[: len(finding.lines)])
    assert any(words_mark("frequency", bucket.name) in marks for bucket in own.words.buckets)


def test_counts_of_segments_add_up() -> None:
    own = example_dossier()
    for system in own.errors.systems:
        for errors in system.classes[1:]:
            assert own.segments.counts[errors.errors][system.system].sum() == errors.words
    for kind in own.faults.kinds:
        for fault in kind.systems:
            if kind.name in own.segments.counts and fault.system in own.systems:
                assert own.segments.counts[kind.name][fault.system].sum() == fault.faults
    assert set(CLASSES) <= set(own.segments.counts)


def test_scores_of_segments_are_those_of_score() -> None:
    own = example_dossier()
    loaded = adjudge.load(
        references=["examples/reference.en"],
        systems=["examples/systems/rulebased.en"],
        source="examples/source.pt",
    )
    [alone] = adjudge.score(loaded.test_set, loaded.outputs, "ter", segments=True).results
    [ter] = [scores for scores in own.segments.scores if scores.key == "ter"]
    np.testing.assert_array_equal(ter.values["rulebased"], alone.segments)
    assert (ter.higher_better, ter.kind) == (False, "metric")


def test_people_stand_beside_metrics() -> None:
    own = example_dossier(people=True)
    [people] = [scores for scores in own.segments.scores if scores.kind == "human"]
    assert people.key == PEOPLE
    rated = {(r.system, r.item): r.mean for r in own.people.results.segments()}
    assert people.values["neural"][0] == pytest.approx(rated["neural", "1"])
    assert {point.name: point.verdict for point in own.soundness.points}["people"] == "pass"


def test_people_are_asked_of_these_systems_alone_on_their_whole_scale() -> None:
    own = example_dossier(people=True)
    judged = adjudge.load_judgements(["examples/judgements.tsv"]).judgements
    assert "shortened" in judged.system.names
    assert {s.system for s in own.people.groups[0].systems} == set(own.systems)
    whole = {s.system: s.z for s in adjudge.analyse(judged).groups[0].systems}
    for system in own.people.groups[0].systems:
        assert system.z == pytest.approx(whole[system.system])
    test_set = TestSet(references=[["a b", "c d"]])
    outputs = [Outputs("x", ["a", "c"]), Outputs("y", ["b", "d"])]
    with pytest.raises(DataError, match="none of x and y"):
        dossier(test_set, outputs, "chrf", context=EvaluationContext(judgements=judged), **FEW)


def test_judgements_have_the_documents_of_the_test_set() -> None:
    """What one document says of systems hangs together for people as it does for metrics."""
    names = ("neural", "rulebased")
    loaded = adjudge.load(
        references=["examples/reference.en"],
        labels="examples/labels.tsv",
        systems=[f"examples/systems/{name}.en" for name in names],
    )
    judged = adjudge.load_judgements(["examples/judgements.tsv"]).judgements

    def design(judgements: Judgements, test_set: TestSet) -> Design:
        beside = EvaluationContext(judgements=judgements, analyses="none")
        own = dossier(test_set, loaded.outputs, "chrf", context=beside, **FEW)
        return own.people.groups[0].comparison.design

    nameless = replace(judged, labels={})
    assert design(nameless, loaded.test_set).unit == "document,annotator"
    assert design(nameless, loaded.test_set) == design(judged, loaded.test_set)
    assert design(nameless, replace(loaded.test_set, labels={})).unit == "item,annotator"


def test_a_baseline_comes_first_and_is_the_rival() -> None:
    own = example_dossier(baseline="rulebased")
    assert own.systems[0] == own.verdict.rival == own.changes.old == "rulebased"
    assert (own.verdict.certainty, own.verdict.systems) == ("several", ("neural-fixed", "neural"))


def test_without_a_source_there_are_no_faults_and_without_analyses_nothing_but_segments() -> None:
    test_set = TestSet(references=[["a b c", "d e f"]])
    outputs = [Outputs("one", ["a b", "d e f"]), Outputs("two", ["a", "f e"])]
    own = dossier(test_set, outputs, "chrf", **FEW)
    assert own.faults is None
    assert own.errors is not None
    bare = dossier(test_set, outputs, "chrf", context=EvaluationContext(analyses="none"), **FEW)
    assert (bare.errors, bare.buckets, bare.ngrams, bare.changes) == (None, (), (), None)
    with pytest.raises(UsageError, match="two systems"):
        dossier(test_set, outputs[:1], "chrf")


def test_of_several_runs_the_first_is_looked_through() -> None:
    test_set = TestSet(references=[["a b c", "d e f"] * 6])
    outputs = [Outputs("s", ["a b", "d e"] * 6, run) for run in ("1", "2")] + [Outputs("t", ["a", "d"] * 6)]
    own = dossier(test_set, outputs, ["chrf"], **FEW)
    assert set(own.systems) == {"s", "t"}
    assert "first run of s" in own.notes[0]
