"""Studies with people and files of scores: measures beside metrics, in the place of their lines."""

import numpy as np
import pytest

from adjudge.comparison.comparing import compare_measured_sets
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import MeasureTable
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data import ScoreMatrix, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.human.ratings import analyse_ratings
from adjudge.human.studies import ranked_sets, run_study
from adjudge.human.study_scores import (
    SegmentMeasure,
    in_lines,
    line_numbers,
    notes_on,
    people_measure,
    study_material,
)
from adjudge.io.studies import load_study
from helpers.studies import write_study

HEAD = 'lower_is_better = ["hter"]'


@pytest.fixture
def study(tmp_path):
    path = write_study(tmp_path, {"one": {"a": 0.8, "b": 0.5}, "two": {"a": 0.8, "b": 0.5}}, 12, head=HEAD)
    rng = np.random.default_rng(1)
    judged = ["annotator\tsystem\titem\tscore"]
    judged += [
        f"{who}\t{s}\t{i}\t{50 + 20 * (s == 'a') + rng.integers(20)}"
        for who in "xy"
        for s in "abz"
        for i in range(1, 13)
    ]
    (tmp_path / "one" / "da.tsv").write_text("\n".join(judged) + "\n")
    scored = [
        "system\tsegment\tscore",
        *(f"{s}\t{i}\t{0.1 if s == 'a' else 0.4}" for s in "ab" for i in range(1, 13)),
    ]
    (tmp_path / "two" / "hter.tsv").write_text("\n".join(scored) + "\n")
    text = path.read_text()
    text = text.replace('name = "one"', 'name = "one"\njudgements = ["one/da.tsv"]')
    path.write_text(text.replace('name = "two"', 'name = "two"\nqe = ["two/hter.tsv"]'))
    return path


def test_people_and_files_are_tables_of_their_own(study):
    loaded = load_study(str(study))
    result = run_study(loaded, resamples=50, trials=100)
    assert [(t.label, t.sets, t.is_metric, t.higher_is_better) for t in result.tables] == [
        ("chrF", ("one", "two"), True, True),
        ("DA z", ("one",), False, True),
        ("hter", ("two",), False, False),
    ]
    people = {own.system: own.score for own in result.tables[1].scores if own.test_set == "one"}
    analysed = analyse_ratings(loaded.sets[0].judgements, resamples=50)
    expected = {own.system: own.z for own in analysed.groups[0].systems if own.system in "ab"}
    assert people == pytest.approx(expected)
    (pair,) = result.tables[2].pairs
    assert (pair.delta, pair.sets_better) == (pytest.approx(-0.3), 1)
    assert notes_on(loaded) == ["one: no output of z, so that scores of it are left out"]


def test_documents_are_drawn_for_people_as_well(study):
    result = run_study(str(study), resamples=50, trials=100, unit="document")
    assert result.plan.unit == "document"
    assert len(result.tables) == 3


def test_rankings_have_no_scores_of_segments(study):
    ranked = "annotator,item,system1,system2,preferred\nx,1,a,b,a\nx,2,a,b,b\n"
    (study.parent / "one" / "ranks.csv").write_text(ranked)
    study.write_text(study.read_text().replace("one/da.tsv", "one/ranks.csv"))
    loaded = load_study(str(study))
    assert study_material(loaded)[0].further == ()
    assert notes_on(loaded) == [
        "one: the judgements are rankings, and so none of segments: adjudge human analyse"
    ]


def test_lines_that_are_no_numbers_keep_their_own_labels():
    measure = SegmentMeasure(
        "m", ScoreMatrix(("a",), np.array([[1.0, 3.0]])), ("x1", "x2"), {"document": ["p", "q"]}
    )
    test_set = TestSet(references=[["r", "s", "t"]], labels={"document": ("d", "d", "e")})
    scores = in_lines(measure, test_set, ["a"])
    assert scores.measured.rows["a"][0][:, 1].tolist() == [1, 1]
    assert scores.labels == {"document": ["p", "q"]}
    placed = in_lines(SegmentMeasure("m", measure.matrix, ("3", "1"), {}), test_set, ["a"])
    assert placed.measured.rows["a"][0].tolist() == [[3, 1], [0, 0], [1, 1]]
    assert placed.labels == test_set.labels
    assert in_lines(measure, test_set, ["b"]) is None


def test_numbers_of_lines():
    assert line_numbers(["2", "1"], 2) == [1, 0]
    assert line_numbers(["3"], 2) is None
    assert line_numbers(["0"], 2) is None
    assert line_numbers(["²"], 2) is None


def test_judgements_that_cannot_be_scored_are_said_with_their_line(study):
    path = study.parent / "one" / "da.tsv"
    path.write_text("annotator\tsystem\titem\tscore\ttype\nx\ta\t1\t50\tBAD\nx\tb\t1\t40\tBAD\n")
    with pytest.raises(DataError, match=r"study\.toml, line 5: judgements: none of these judgements"):
        run_study(str(study))


def judged_set(rng: np.random.Generator, *, taste: float, items: int = 40, annotators: int = 8) -> Judgements:
    """Two equal systems on the same items, each item by an annotator who is severe and has a taste of their own."""
    severity, tastes = rng.normal(0, 6, annotators), rng.normal(0, taste, (annotators, 2))
    difficulty = rng.normal(70, 8, items)
    cells = [(item, system, item % annotators) for item in range(items) for system in range(2)]
    score = [difficulty[i] + severity[who] + tastes[who, s] + rng.normal(0, 8) for i, s, who in cells]
    return Judgements(
        protocol="da",
        annotator=NameColumn.of([f"annotator {who}" for _, _, who in cells]),
        item=NameColumn.of([str(i + 1) for i, _, _ in cells]),
        system=NameColumn.of(["ab"[s] for _, s, _ in cells]),
        score=np.array(score),
    )


def mean_of_judged_sets(rng: np.random.Generator, *, taste: float = 6.0, **plan) -> MeasureTable:
    test_set = TestSet(references=[[f"line {i}" for i in range(100)]])
    material, measured = [], {}
    for name in ("one", "two"):
        further = in_lines(people_measure(judged_set(rng, taste=taste)), test_set, ["a", "b"])
        material.append(StudyMaterial(name, test_set, (), further=(further,)))
        measured[name] = (further.measured,)
    asked = Plan(resamples=100, trials=500, **plan)
    return compare_measured_sets(material, measured, ("a", "b"), asked).tables[0]


def test_annotators_are_drawn_in_the_mean_over_sets() -> None:
    """8 annotators who favour systems: equal ones were told apart in 17 % while translations were drawn."""
    rng = np.random.default_rng(4)
    runs = 100
    alarms = sum(mean_of_judged_sets(rng).pairs[0].significant for _ in range(runs))
    assert alarms <= runs * 0.05 + 2 * np.sqrt(runs * 0.05 * 0.95)


def test_the_design_of_a_mean_counts_annotators_and_judged_items() -> None:
    table = mean_of_judged_sets(np.random.default_rng(5))
    assert {own.unit for own in table.designs.values()} == {"item,annotator"}
    assert (table.design.unit, table.design.units, table.design.rarer) == ("item,annotator", 16, "annotator")
    assert table.design.sound
    asked = mean_of_judged_sets(np.random.default_rng(5), unit="segment")
    assert asked.designs["one"].units == 40  # of 100 lines, those that were judged
    assert not asked.design.sound
    assert asked.pairs[0].delta == pytest.approx(table.pairs[0].delta)


def test_rankings_of_several_sets_have_a_design() -> None:
    def ranked(people: str, items: int) -> Judgements:
        rows = [(who, item) for item in range(items) for who in people]
        return Judgements(
            protocol="rank",
            annotator=NameColumn.of([who for who, _ in rows]),
            item=NameColumn.of([str(item) for _, item in rows]),
            system=NameColumn.of(["a"] * len(rows)),
            other=NameColumn.of(["b"] * len(rows)),
            score=np.resize([1.0, -1.0, 1.0, 0.0], len(rows)),
        )

    design = ranked_sets([ranked("xy", 6), ranked("xyz", 5)], Plan()).evidence(Plan()).design
    assert (design.unit, design.units, design.rarer) == ("item,annotator", 3, "annotator")
    few = ranked_sets([ranked("x", 6), ranked("xy", 5)], Plan()).evidence(Plan()).design
    assert (few.unit, few.units, few.balance.annotators) == ("item", 11, 2)
    assert "Only 2 annotators judged everything" in few.reservations()[0]
