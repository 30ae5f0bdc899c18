"""The test sets of a study as one, so that all its segments can be looked at together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.data import Outputs, TestSet
from adjudge.data.languages import pair as language_pair
from adjudge.errors import UsageError
from adjudge.io.studies import LoadedSet
from adjudge.wording import listed

SET = "test set"
"""The label that says which set a segment is of."""


@dataclass(frozen=True)
class JoinedSets:
    """All segments of several test sets, one after the other."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    notes: tuple[str, ...]


def joined_sets(sets: Sequence[LoadedSet], name: str = "") -> JoinedSets:
    """The sets in their order, with the systems that have an output for each of them.

    Sets of different target languages are refused: words are cut, and metrics computed, as one language asks for.
    """
    targets = {language_pair(own.language)[1] if own.language else "" for own in sets}
    if len(targets) > 1:
        raise UsageError(
            f"the test sets are in several languages ({listed(sorted(filter(None, targets)))}), and a page is of one: "
            f"name a set, --set {sets[0].name}"
        )
    shared = [
        system
        for system in dict.fromkeys((o.system, o.run) for own in sets for o in own.outputs)
        if all(any((o.system, o.run) == system for o in own.outputs) for own in sets)
    ]
    missing = sorted({o.system for own in sets for o in own.outputs} - {system for system, _ in shared})
    if not shared:
        raise UsageError(f"no system has outputs for all test sets: name a set, --set {sets[0].name}")
    notes = (f"Left out, for want of outputs for some test set: {listed(missing)}.",) if missing else ()
    outputs = tuple(
        Outputs(
            system,
            tuple(
                segment
                for own in sets
                for o in own.outputs
                if (o.system, o.run) == (system, run)
                for segment in o.segments
            ),
            run,
        )
        for system, run in shared
    )
    return JoinedSets(_test_set(sets, name), outputs, notes)


def _test_set(sets: Sequence[LoadedSet], name: str) -> TestSet:
    parts = [own.test_set for own in sets]
    most = max(len(part.references) for part in parts)
    references = tuple(
        tuple(
            text
            for part in parts
            for text in (part.references[place] if place < len(part.references) else [None] * len(part))
        )
        for place in range(most)
    )
    labels = {
        label: tuple(value for part in parts for value in part.labels.get(label, ("",) * len(part)))
        for label in dict.fromkeys(label for part in parts for label in part.labels)
        if label not in ("id", "segment")
    }
    labels[SET] = tuple(own.name for own in sets for _ in range(len(own.test_set)))
    whole = all(part.sources is not None for part in parts)
    return TestSet(
        references=references,
        sources=tuple(text for part in parts for text in part.sources or ()) if whole else None,
        labels=labels,
        name=name,
        language=sets[0].language,
    )
