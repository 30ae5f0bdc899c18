"""Systems of several stored results and new outputs in one comparison, where they can be compared at all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import TestSetFacts
from adjudge.errors import DataError
from adjudge.history.stored import StoredResult, measured_from
from adjudge.text.tokenizers import BY_LANGUAGE

NEW = "the new outputs"
"""The origin of outputs that were scored just now."""


@dataclass(frozen=True, eq=False)
class MeasuredPart:
    """Systems that were measured together, and their origin."""

    origin: str
    """The file, or words for outputs that were scored just now."""
    test_set: TestSetFacts
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class MergedParts:
    """All systems of all parts, by metrics that are the same in each."""

    test_set: TestSetFacts
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]
    warnings: tuple[str, ...] = ()


def part_of(stored: StoredResult, metrics: Sequence[str] | None = None) -> MeasuredPart:
    """A stored result as a part of a comparison, with all its metrics or some."""
    return MeasuredPart(stored.path, stored.test_set, measured_from(stored, metrics), stored.labels)


def merge_parts(parts: Sequence[MeasuredPart]) -> MergedParts:
    """All systems by each metric; parts that cannot be compared are refused with the reason.

    Systems of one name in several parts get the name of their file. Signatures that differ in nothing but the
    version of adjudge are compared with a warning: the format of stored files changes when what rows mean does.
    """
    first, *others = parts
    warnings = dict.fromkeys(warning for other in others for warning in check_alike(first, other))
    clashes = _clashes(parts)
    measured = []
    for measurement in first.measured:
        same_metric = [(part, _rename(part, measurement.metric, first)) for part in parts]
        names = [
            (f"{system} ({_short(part, parts)})" if system in clashes else system, each, system)
            for part, each in same_metric
            for system in each.rows
        ]
        measured.append(
            replace(
                measurement,
                rows={name: each.rows[system] for name, each, system in names},
                runs={name: each.runs.get(system, ("",)) for name, each, system in names},
            )
        )
    labels = {name: column for part in reversed(parts) for name, column in part.labels.items()}
    return MergedParts(first.test_set, tuple(measured), labels, tuple(warnings))


def check_alike(part: MeasuredPart, another: MeasuredPart) -> list[str]:
    """Refuse two parts that cannot be compared, naming the difference; return warnings about minor differences."""
    _check_test_sets(part, another)
    for name, column in part.labels.items():
        if name in another.labels and tuple(another.labels[name]) != tuple(column):
            raise DataError(f"labels of {name} differ between {part.origin} and {another.origin}")
    for measured in another.measured:
        _rename(part, measured.metric, another)
    warnings: dict[str, None] = {}
    for measured in part.measured:
        other = _rename(another, measured.metric, part)
        warnings |= dict.fromkeys(_check_signatures(measured, part.origin, other, another.origin))
    return list(warnings)


def differences(first: str, another: str) -> dict[str, tuple[str, str]]:
    """The fields of two signatures that differ, with both values; "none" where a signature lacks the field."""
    fields, others = (
        {key: value for part in signature.split("|") for key, _, value in [part.partition(":")]}
        for signature in (first, another)
    )
    return {
        key: (fields.get(key, "none"), others.get(key, "none"))
        for key in dict.fromkeys([*fields, *others])
        if fields.get(key) != others.get(key)
    }


def _check_test_sets(part: MeasuredPart, another: MeasuredPart) -> None:
    for name in ("segments", "references", "fingerprint"):
        a, b = getattr(part.test_set, name), getattr(another.test_set, name)
        if a != b:
            hint = ""
            if name == "fingerprint":
                a, b = a[:12], b[:12]
                hint = "; sources or references differ (was -s given for one of them only?)"
            raise DataError(
                f"different test sets cannot be compared: {name}: {a} in {part.origin}, {b} in {another.origin}{hint}"
            )


def _check_signatures(measured: Measured, origin: str, another: Measured, other: str) -> list[str]:
    if measured.higher_is_better != another.higher_is_better:
        raise DataError(
            f"higher {measured.label} is better in one of {origin} and {other}, and lower in the other"
        )
    changed = differences(measured.signature, another.signature)
    version = changed.pop("version", None)
    if changed:
        listed = "; ".join(f"{key}: {a} in {origin}, {b} in {other}" for key, (a, b) in changed.items())
        raise DataError(
            f"scores by different {measured.label} cannot be compared: {listed}{_by_language(changed)}"
        )
    if version is None:
        return []
    return [
        f"{version[0].removeprefix('adjudge-')} made the rows in {origin}, "
        f"{version[1].removeprefix('adjudge-')} those in {other}; compared all the same"
    ]


def _by_language(changed: Mapping[str, tuple[str, str]]) -> str:
    chosen = {"13a", *BY_LANGUAGE.values()}
    if "lang" not in changed and not chosen.issuperset(changed.get("tok", ("", ""))):
        return ""
    return "; the target language decides this (-l, tags and suffixes of files): score the older files again"


def _rename(part: MeasuredPart, metric: str, other: MeasuredPart) -> Measured:
    for measured in part.measured:
        if measured.metric == metric:
            return measured
    (wanted,) = (measured for measured in other.measured if measured.metric == metric)
    alike = [m for m in part.measured if m.metric.partition("(")[0] == metric.partition("(")[0]]
    if len(alike) == 1:  # the same metric with other options: the signatures tell which
        _check_signatures(alike[0], part.origin, wanted, other.origin)
    raise DataError(
        f"{metric} is in {other.origin}, but not in {part.origin} "
        f"({', '.join(measured.metric for measured in part.measured)}); choose metrics that both have: -m"
    )


def _clashes(parts: Sequence[MeasuredPart]) -> set[str]:
    names = [name for part in parts for name in dict.fromkeys(s for m in part.measured for s in m.rows)]
    return {name for name in names if names.count(name) > 1}


def _short(part: MeasuredPart, parts: Sequence[MeasuredPart]) -> str:
    """The file's name if it is unique among the parts, else its path."""
    short = os.path.basename(part.origin)
    return short if sum(os.path.basename(p.origin) == short for p in parts) == 1 else part.origin
