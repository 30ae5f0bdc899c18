"""Automatic classes and what people marked under one roof: counted by hand, and held to files of WMT23."""

import numpy as np
import pytest

from adjudge.analysis.error_typology import BRANCHES, OUTSIDE, ROOF, branch_of, error_typology
from adjudge.analysis.errors import error_classes
from adjudge.campaigns import typology as typologies
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.errors import DataError

REFERENCE = ["the cat sleeps now", "a dog barks"]


def judged(rows: list[tuple[str, str, tuple[Span, ...]]]) -> Judgements:
    systems, items, spans = zip(*rows, strict=True)
    return Judgements(
        protocol="mqm",
        system=NameColumn.of(systems),
        item=NameColumn.of(items),
        annotator=NameColumn.same("ann", len(rows)),
        score=np.zeros(len(rows)),
        spans=spans,
    )


def both(rows: list[tuple[str, str, tuple[Span, ...]]]):
    test_set = TestSet(references=[REFERENCE])
    outputs = [
        Outputs("x", ["the cat sleeps", "a dog barks"]),
        Outputs("y", ["cat", "a dog barks very loudly"]),
    ]
    result = error_classes(test_set, outputs, resamples=1)
    return error_typology(result, test_set, outputs, judged(rows))


def test_both_are_counted_with_what_they_are_a_share_of() -> None:
    omission = Span(None, None, "major", "Accuracy/Omission", side="source")
    grammar = Span(0, 1, "minor", "Fluency/Grammar")
    result = both(
        [
            ("x", "1", (omission, grammar, Span(0, 1, "neutral", "Fluency/Grammar"))),
            ("x", "1", (omission,)),
            ("x", "2", (Span(0, 1, "minor", "Source error"),)),
            ("z", "2", (grammar,)),
        ]
    )
    branches = {branch.name: branch for branch in result.branches}
    missing = branches["missing words"]
    assert (missing.automatic[0].errors, missing.automatic[0].of) == (1, 7)  # of the reference's words
    assert (missing.human[0].errors, missing.human[0].of) == (2, 3 + 3 + 3)  # looked at three times
    assert missing.human[0].rate == pytest.approx(100 * 2 / 9)
    assert missing.human[0].members.tolist() == missing.automatic[0].members.tolist() == [0]
    assert branches["incorrect form"].human[0].errors == 1
    assert np.isnan(missing.human[1].rate)  # nobody looked at y
    assert (branches["extra words"].automatic[1].errors, branches["extra words"].automatic[1].of) == (1, 6)
    assert branches["style"].automatic == (None, None)
    assert result.judgements == (3, 0)
    assert {c: (b, n) for c, b, n in result.categories}["Source error"] == ("", 1)


def test_all_that_the_shipped_typologies_name_has_a_place() -> None:
    outside = set()
    for name in typologies.shipped_typologies():
        for category, parts in typologies.load(name).categories:
            for full in [f"{category}/{part}" for part in parts] or [category]:
                branch = branch_of(full)
                assert branch in {*BRANCHES, ""}
                outside |= {full} if branch == OUTSIDE else set()
                if name == "vilar":  # its own names are branches, or parts of them
                    assert BRANCHES[branch].lower() == category.lower(), full
    assert {full.split("/")[0] for full in outside} == {
        "Fluency",
        "Locale convention",
        "Other",
        "Non-translation!",
    }
    assert {full for full in outside if full.startswith("Fluency")} == {
        "Fluency/Character encoding",
        "Fluency/Display",
    }
    assert set(ROOF.values()) < set(BRANCHES)


def test_what_cannot_be_held_beside_it_is_said() -> None:
    with pytest.raises(DataError, match="no judgement of any of these outputs; judged were z"):
        both([("z", "1", ())])
    test_set = TestSet(references=[REFERENCE])
    outputs = [Outputs("x", REFERENCE)]
    result = error_classes(test_set, outputs, resamples=1)
    bare = Judgements(
        protocol="da",
        system=NameColumn.of(["x"]),
        item=NameColumn.of(["1"]),
        annotator=NameColumn.of(["a"]),
        score=np.ones(1),
    )
    with pytest.raises(DataError, match="no errors are marked"):
        error_typology(result, test_set, outputs, bare)


def test_marks_of_wmt23(shared) -> None:
    """Counted in the file itself: a line of it is an output, its errors are in JSON."""
    import json

    from adjudge.io.judgements import read

    folder = shared.root / "data" / "03_wmt23_mqm_esa" / "en-de"
    path = folder / "human" / "mqm.ratings.tsv"
    expected = {"extra words": 0, "missing words": 0, "punctuation": 0}
    looked_at = 0
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        _, system, _, answer = line.split("\t")
        if system == "AIRC":
            looked_at += answer not in ("", "None")
            for error in json.loads(answer)["errors"] if answer not in ("", "None") else ():
                name = error["category"].lower()
                kind = {"addition": "extra words", "omission": "missing words", "punctuation": "punctuation"}
                branch = kind.get(name.rpartition("/")[2])
                if branch and error["severity"].lower() in ("minor", "major", "critical"):
                    expected[branch] += 1
    lines = [
        (folder / name).read_text(encoding="utf-8").rstrip("\n").split("\n")
        for name in ("ref.refA.de", "hyp/AIRC.de")
    ]
    test_set, outputs = TestSet(references=[lines[0]]), [Outputs("AIRC", lines[1])]
    result = error_typology(
        error_classes(test_set, outputs, resamples=1), test_set, outputs, read([str(path)]).judgements
    )
    assert {b.name: b.human[0].errors for b in result.branches if b.name in expected} == expected
    assert min(expected.values()) > 0
    assert result.judgements == (looked_at,)
