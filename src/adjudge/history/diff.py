"""Two records compared: which segments became better or worse, and whether the whole did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge import io
from adjudge.analysis.changes import Changes, measured_changes
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.documents import result_document
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Comparison, Measured
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Table, arrow, visible
from adjudge.errors import AdjudgeError, UsageError, unknown_name
from adjudge.history.evaluations import stored_of
from adjudge.history.merge import MeasuredPart, check_alike
from adjudge.history.record_list import identity, when
from adjudge.history.records import History, Record, check_one_system
from adjudge.history.reload import file_states, located_arguments
from adjudge.history.stored import StoredResult, measured_sets
from adjudge.metrics.base import Rows
from adjudge.wording import CORRECTIONS, digits, number, p_number, pluralise, with_sign

Texts = Mapping[str, Sequence[str]]


KEEPS = (
    "A history keeps rows, not texts: segments whose rows are the same count as the same, and texts are shown where "
    "files are still as they were."
)


@dataclass(frozen=True)
class SystemDiff:
    """One system in two records, on one test set."""

    test_set: str
    system: str
    comparison: Comparison
    """By every metric; corrected over all of them."""
    changes: Changes

    def _score_table(self) -> Table:
        """One row per metric."""
        rows = []
        standings = {(s.system, s.metric): s for s in self.comparison.results}
        for pair in self.comparison.pairs:
            new, old = standings[pair.a, pair.metric], standings[pair.b, pair.metric]
            places = digits([pair.delta], new.decimals)
            verdict, style = "no significant change", ""
            if pair.significant:
                better = (pair.delta > 0) == new.higher_is_better
                verdict, style = ("better", "win") if better else ("WORSE", "loss")
            texts = (number(old.score, places), number(new.score, places), with_sign(pair.delta, places))
            numbers = (*texts, p_number(pair.p_adjusted, self.comparison.test.alpha))
            name = f"{new.label} {arrow(new.higher_is_better)}".rstrip()
            rows.append(Row((Cell(visible(name)), Cell(verdict, style=style), *map(Cell, numbers))))
        head = (Column("Metric"), Column("Verdict"))
        return Table((*head, *(Column(name, True) for name in ("Old", "New", "Change", "p"))), tuple(rows))

    def how(self) -> str:
        """The test in a line."""
        test = self.comparison.test
        over = f"{CORRECTIONS[test.correction]} over {pluralise(test.comparisons, 'test')}"
        return (
            f"{pluralise(self.comparison.test_set.segments, 'segment')}, {test.method}, unit {visible(test.unit)}, "
            f"{over}, alpha {test.alpha:g}, seed {test.seed}"
        )


@dataclass(frozen=True)
class Diff(Displayable):
    """Two records, system by system."""

    old: Record
    new: Record
    systems: tuple[SystemDiff, ...]
    warnings: tuple[str, ...] = ()
    top: int = 3
    """Gains and losses that are shown; data have all."""

    @property
    def title(self) -> str:
        """Of its page."""
        return visible(f"From {self.old.name} to {self.new.name}")

    @property
    def about(self) -> str:
        """The two records."""
        old, new = (f"{own.id} ({when(own.made)} UTC)" for own in (self.old, self.new))
        return f"records {old} and {new}"

    def sections(self) -> list[Section]:
        """For each system its scores, then how many segments changed, and the largest gains and losses."""
        parts: list[Section] = []
        for system in self.systems:
            on = f" on {system.test_set}" if system.test_set else ""
            parts.append(
                Section(visible(f"{system.system}{on}"), (system._score_table(),), notes=(system.how(),))
            )
            parts += replace(system.changes, top=self.top).sections()
        return [*parts, Section(notes=(KEEPS,))]

    def data(self) -> Data:
        """One row per segment that changed; columns are named alike for all systems."""
        head: list[str] = []
        rows: list[list[Any]] = []
        for system in self.systems:
            changes = system.changes.data()
            head = head or ["test_set", "system", *changes.head[:-2], "old", "new"]
            rows += [[system.test_set, system.system, *row] for row in changes.rows]
        return Data(head, rows)

    def document(self) -> dict[str, Any]:
        """All that is known, unrounded."""
        return {
            "old": identity(self.old),
            "new": identity(self.new),
            "systems": [
                {
                    "test_set": system.test_set,
                    "system": system.system,
                    "pairs": result_document(system.comparison.pairs),
                    **result_document(system.changes),
                }
                for system in self.systems
            ],
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True)
class _Side:
    """A record with its rows, test set by test set."""

    record: Record
    parts: Mapping[str, MeasuredPart]
    stored: StoredResult
    renamed: Mapping[str, str]
    """Old names of systems, and the new names used in the parts."""


def diff(
    history: History,
    old: str,
    new: str,
    *,
    systems: Sequence[str] = (),
    metrics: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    plan: Plan | None = None,
    threads: int = 0,
) -> Diff:
    """What became of every segment from one record to another, for the systems that both have.

    Where each has one system only, these are held against each other whatever their names. What cannot be compared is
    refused by name: another test set, another signature.
    """
    before, after = (_side(history, history.find(name), renamed or {}) for name in (old, new))
    if before.record.id == after.record.id:
        raise UsageError(f"{old} and {new} are the same record, {after.record.id}")
    warnings: dict[str, None] = {}
    diffs = []
    for test_set in _common_sets(before, after):
        a, b = before.parts[test_set], after.parts[test_set]
        chosen = _metrics(a, b, metrics)
        a, b = (replace(p, measured=tuple(m for m in p.measured if m.metric in chosen)) for p in (a, b))
        warnings |= dict.fromkeys(check_alike(a, b))
        texts = _texts(before, after)
        for name, counterpart in _pairs(a, b, systems).items():
            diffs.append(_system_diff(test_set, name, counterpart, (a, b), texts, plan or Plan(), threads))
    return Diff(before.record, after.record, tuple(diffs), tuple(warnings))


def _side(history: History, record: Record, renamed: Mapping[str, str]) -> _Side:
    stored = stored_of(history.evaluation(record), f"record {record.id}")
    # scores by people or made elsewhere cannot be followed over the records of a study
    measures = {
        (result.test_set, result.metric) for result in stored.results if result.by_metric or not stored.study
    }
    parts = {
        name: MeasuredPart(
            stored.path,
            stored.facts[name],
            tuple(measurement for measurement in measured if (name, measurement.metric) in measures),
            stored.labels,
        )
        for name, measured in measured_sets(stored).items()
    }
    _check_names(record, renamed)
    return _Side(record, {name: _rename(part, renamed) for name, part in parts.items()}, stored, renamed)


def _check_names(record: Record, renamed: Mapping[str, str]) -> None:
    by_name: dict[str, list[str]] = {}
    for name in record.systems:
        by_name.setdefault(renamed.get(name, name), []).append(name)
    for names in by_name.values():
        check_one_system(record, names)


def _rename(part: MeasuredPart, renamed: Mapping[str, str]) -> MeasuredPart:
    def own(measured: Measured) -> Measured:
        rows = {renamed.get(name, name): rows for name, rows in measured.rows.items()}
        runs = {renamed.get(name, name): runs for name, runs in measured.runs.items()}
        return replace(measured, rows=rows, runs=runs)

    return replace(part, measured=tuple(map(own, part.measured)))


def _common_sets(before: _Side, after: _Side) -> list[str]:
    """The test sets that both records have."""
    names = [name for name in after.parts if name in before.parts]
    if not names:
        raise UsageError(
            f"records {before.record.id} and {after.record.id} have no test set of the same name: "
            f"{', '.join(before.parts)} in one, {', '.join(after.parts)} in the other"
        )
    return names


def _metrics(a: MeasuredPart, b: MeasuredPart, wanted: Sequence[str]) -> list[str]:
    """The metrics of both records that have a better direction, or those of them that were asked for."""
    by_name = {m.metric: m for m in a.measured}
    common = [m.metric for m in b.measured if m.metric in by_name and m.higher_is_better is not None]
    for spec in wanted:
        if spec not in common:
            raise unknown_name("metric of both records", spec, common)
    if not common:
        raise UsageError(f"{a.origin} and {b.origin} have no metric in common that says what is better")
    return list(wanted) or common


def _pairs(a: MeasuredPart, b: MeasuredPart, wanted: Sequence[str]) -> dict[str, str]:
    """The systems of the new record, each with its counterpart in the old record."""
    old, new = list(a.measured[0].rows), list(b.measured[0].rows)
    for name in wanted:
        if name not in new:
            raise unknown_name(f"system of {b.origin}", name, new)
    pairs = {name: name for name in wanted or new if name in old}
    if not pairs and len(old) == len(new) == 1:
        pairs = {new[0]: old[0]}
    if not pairs:
        raise UsageError(
            f"no system of {b.origin} ({', '.join(wanted or new)}) is in {a.origin} ({', '.join(old)}); where one was "
            "renamed: --renamed OLD=NEW"
        )
    return pairs


def _system_diff(
    test_set: str,
    name: str,
    counterpart: str,
    parts: tuple[MeasuredPart, MeasuredPart],
    texts: Mapping[str, _Texts] | None,
    plan: Plan,
    threads: int,
) -> SystemDiff:
    a, b = parts
    names = (f"{counterpart} ({a.origin})", f"{name} ({b.origin})")
    olds = {measurement.metric: measurement for measurement in a.measured}
    measured = [
        replace(
            measurement,
            rows={names[1]: measurement.rows[name], names[0]: olds[measurement.metric].rows[counterpart]},
            runs={names[1]: measurement.runs[name], names[0]: olds[measurement.metric].runs[counterpart]},
        )
        for measurement in b.measured
    ]
    asked = replace(plan, family="all", baseline=names[0])
    comparison = compare_measured(measured, b.test_set, {**a.labels, **b.labels}, asked, threads=threads)
    segments = b.test_set.segments
    same = np.ones(segments, dtype=bool)
    for measurement in measured:
        same &= _same(measurement.rows[names[0]], measurement.rows[names[1]])
    empty = _Texts([""] * segments, [""] * segments, {}, {})
    known = empty if texts is None else texts.get(test_set, empty)
    blank = [""] * segments
    columns = (known.sources, known.references, known.old.get(counterpart, blank), known.new.get(name, blank))
    changes = measured_changes(measured, names, same, list(zip(*columns, strict=True)), alpha=plan.alpha)
    return SystemDiff(test_set, name, comparison, changes)


def _same(old: Sequence[Rows], new: Sequence[Rows]) -> NDArray[np.bool_]:
    """Which segments have the same rows in all runs."""
    if len(old) != len(new):
        return np.zeros(len(new[0]), dtype=bool)
    same: NDArray[np.bool_] = np.all([(a == b).all(1) for a, b in zip(old, new, strict=True)], axis=0)
    return same


@dataclass(frozen=True)
class _Texts:
    sources: Sequence[str]
    references: Sequence[str]
    old: Texts
    new: Texts


def _texts(before: _Side, after: _Side) -> dict[str, _Texts] | None:
    """The texts from unchanged files, since a history stores no texts."""
    if after.stored.study or before.stored.study:
        return None
    try:
        named, _ = located_arguments(after.stored)
        loaded = io.load(**{**named.files(), "systems": ()})
    except AdjudgeError:
        return None
    if loaded.test_set.fingerprint != after.stored.test_set.fingerprint:
        return None
    test_set = loaded.test_set
    sources = test_set.sources or [""] * len(test_set)
    firsts = [
        next((t for t in texts if t is not None), "") for texts in zip(*test_set.references, strict=True)
    ]
    return {
        after.stored.test_set.name: _Texts(
            sources, firsts, _outputs(before.stored, before.renamed), _outputs(after.stored, after.renamed)
        )
    }


def _outputs(stored: StoredResult, renamed: Mapping[str, str]) -> dict[str, Sequence[str]]:
    """The outputs of a record, if its files are unchanged, by the current names of systems."""
    if any(state.problem for state in file_states(stored) if state.role == "system"):
        return {}
    try:
        named, _ = located_arguments(stored)
        loaded = io.load(**named.files())
    except AdjudgeError:
        return {}
    return {renamed.get(output.system, output.system): output.segments for output in reversed(loaded.outputs)}
