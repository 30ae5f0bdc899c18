"""The test sets of a study as one: segments in their order, systems that have all of it, languages not mixed."""

import pytest

from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.findings.joined_sets import SET, joined_sets
from adjudge.io.studies import LoadedSet


def loaded(name, references, systems, language="pt-en", **more):
    count = len(references[0])
    test_set = TestSet(references=references, sources=[f"{name} {n}" for n in range(count)], **more)
    outputs = tuple(Outputs(system, [f"{system} {name} {n}" for n in range(count)]) for system in systems)
    return LoadedSet(name, test_set, outputs, language)


def test_segments_follow_each_other_and_know_their_set() -> None:
    news = loaded(
        "news", [["a", "b"], ["A", "B"]], ["x", "y"], labels={"domain": ["p", "q"], "id": ["1", "2"]}
    )
    talks = loaded("talks", [["c"]], ["y", "x", "z"])
    joined = joined_sets([news, talks], "study")
    assert joined.test_set.labels == {"domain": ("p", "q", ""), SET: ("news", "news", "talks")}
    assert joined.test_set.references == (("a", "b", "c"), ("A", "B", None))
    assert joined.test_set.sources == ("news 0", "news 1", "talks 0")
    assert {o.system: o.segments for o in joined.outputs} == {
        "x": ("x news 0", "x news 1", "x talks 0"),
        "y": ("y news 0", "y news 1", "y talks 0"),
    }
    assert "z" in joined.notes[0]


def test_languages_are_not_mixed_and_somebody_must_have_all() -> None:
    with pytest.raises(UsageError, match="--set a"):
        joined_sets([loaded("a", [["x"]], ["s"]), loaded("b", [["x"]], ["s"], "pt-de")])
    with pytest.raises(UsageError, match="no system"):
        joined_sets([loaded("a", [["x"]], ["s"]), loaded("b", [["x"]], ["t"])])
