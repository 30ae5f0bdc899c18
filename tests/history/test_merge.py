"""Systems of several stored runs side by side: told apart by name, and refused where they cannot be compared."""

import pytest

from adjudge.comparison import measure
from adjudge.comparison.scoring import facts_of
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError
from adjudge.history import stored
from adjudge.history.merge import MeasuredPart, differences, merge_parts, part_of
from helpers.stored_runs import RUNS, SET, A, B, edited, saved


def test_systems_of_two_files_and_new_ones_go_together(tmp_path):
    old, new = (stored.read(saved(tmp_path / f"{o.system}.json", [o])) for o in (A, B))
    fresh = MeasuredPart("new outputs", facts_of(SET), measure(SET, RUNS), {})
    all_of_them = merge_parts([part_of(old), part_of(new), fresh])
    assert all_of_them.warnings == ()
    assert all_of_them.labels == {"document": ("a", "a", "b")}
    assert all_of_them.test_set == facts_of(SET)
    for first, two in zip(all_of_them.measured, measure(SET, [A, B, *RUNS]), strict=True):
        assert first.runs == two.runs == {"a": ("",), "b": ("",), "c": ("1", "2", "3")}
        for system in "abc":
            assert [r.tobytes() for r in first.rows[system]] == [r.tobytes() for r in two.rows[system]]


def test_systems_of_one_name_are_told_apart_by_their_files(tmp_path):
    old = stored.read(saved(tmp_path / "old.json"))
    new = stored.read(saved(tmp_path / "new.json", [A]))
    assert list(merge_parts([part_of(old), part_of(new)]).measured[0].rows) == [
        "a (old.json)",
        "b",
        "a (new.json)",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"metrics": ["bleu(tokenize=intl)", "chrf", "ter"]},
            "scores by different BLEU cannot be compared: tok: 13a in .*old.json, intl in .*new.json",
        ),
        ({"metrics": ["bleu"]}, "chrf is in .*old.json, but not in .*new.json"),
        (
            {"test_set": SET[:2], "outputs": [Outputs("d", ("x", "y"))]},
            "segments: 3 in .*old.json, 2 in .*new.json",
        ),
        (
            {"test_set": TestSet(references=(SET.references * 2), labels=SET.labels), "outputs": [A]},
            "references: 1 in .*old.json, 2 in .*new.json",
        ),
        (
            {"test_set": TestSet(references=(("x", "y", "z"),), labels=SET.labels), "outputs": [A]},
            "fingerprint: [0-9a-f]{12} in .*old.json, [0-9a-f]{12} in .*new.json",
        ),
        (
            {
                "test_set": TestSet(references=SET.references, labels={"document": ("a", "b", "b")}),
                "outputs": [A],
            },
            "labels of document differ between .*old.json and .*new.json",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(tmp_path, options, message):
    old = stored.read(saved(tmp_path / "old.json"))
    new = stored.read(saved(tmp_path / "new.json", **options))
    with pytest.raises(DataError, match=message):
        merge_parts([part_of(old), part_of(new)])


def test_fields_of_signatures_that_differ_are_named_with_both_values(tmp_path):
    old = stored.read(saved(tmp_path / "old.json", [A], metrics=["bleu"]))
    other = edited(
        saved(tmp_path / "new.json", [B], metrics=["bleu"]),
        lambda d: d["results"][0].update(
            signature=d["results"][0]["signature"].replace("tok:13a", "tok:intl")
        ),
    )
    with pytest.raises(DataError, match=r"different BLEU .*: tok: 13a in .*old\.json, intl in .*new\.json$"):
        merge_parts([part_of(old), part_of(stored.read(other))])


def test_another_version_is_a_warning(tmp_path):
    old = edited(
        saved(tmp_path / "old.json", [A]),
        lambda d: [
            r.update(signature=r["signature"].replace("adjudge-", "adjudge-0.0.")) for r in d["results"]
        ],
    )
    result = merge_parts([part_of(stored.read(old)), part_of(stored.read(saved(tmp_path / "new.json", [B])))])
    (warning,) = result.warnings
    assert "0.0.0.1.0 made the rows in" in warning
    assert list(result.measured[0].rows) == ["a", "b"]


def test_differences_of_signatures():
    assert differences("a:1|b:2", "a:1|b:2") == {}
    assert differences("a:1|b:2|d:x:y", "a:1|b:3|c:4|d:x:z") == {
        "b": ("2", "3"),
        "c": ("none", "4"),
        "d": ("x:y", "x:z"),
    }
