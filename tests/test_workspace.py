"""What computations may use is what the innermost block says, and what they note reaches the result."""

from dataclasses import dataclass

import numpy as np

import adjudge
from adjudge import workspace
from adjudge.metrics.base import MeanMetric
from adjudge.workspace import MemoryStore, Workspace


@dataclass(frozen=True)
class Noting(MeanMetric):
    name = "noting"
    title = "noting"

    def segments(self, prepared, outputs, *, threads=0):
        workspace.current().note("segment 1 is longer than the model takes")
        workspace.current().tell("asking", 1, 2)
        return np.arange(len(outputs), dtype=float)


SET = adjudge.TestSet(references=(("a", "b", "c"),))
SYSTEMS = [adjudge.Outputs("x", ("a", "b", "c")), adjudge.Outputs("y", ("c", "b", "a"))]


def test_notes_of_a_metric_are_warnings_of_the_result():
    with workspace.use(Workspace()) as used:
        assert adjudge.score(SET, SYSTEMS, Noting()).warnings == ("segment 1 is longer than the model takes",)
        assert (
            "segment 1 is longer than the model takes" in adjudge.compare(SET, SYSTEMS, [Noting()]).warnings
        )
    assert not used.notes


def test_blocks_lie_within_each_other():
    before = workspace.current()
    with workspace.use(Workspace(device="cuda")) as outer:
        with workspace.notes_of_block() as notes:
            assert workspace.current().device == "cuda"
            workspace.current().note("a")
            workspace.current().note("a")
        assert notes == ["a"]
        assert not outer.notes
        assert workspace.current() is outer
    assert workspace.current() is before


def test_progress_is_told_where_somebody_listens():
    steps = []
    with workspace.use(Workspace(progress=lambda *step: steps.append(step))):
        adjudge.score(SET, SYSTEMS, Noting())
    assert ("asking", 1, 2) in steps


def test_a_store_in_memory():
    store = MemoryStore()
    store.put("kind", {b"k": b"v"})
    assert store.get("kind", [b"k", b"l"]) == {b"k": b"v"}
    assert store.get("other", [b"k"]) == {}
