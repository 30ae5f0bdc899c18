"""Some of the judgements, by what they are about and by whom: `item=U-*`, `annotator=zhen_prof*`, `origin=zh`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, NONE, Judgements, NameColumn
from adjudge.data.label_names import meant, with_synonyms
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import JudgementLabels, join_labels
from adjudge.wording import pluralise

Mask = NDArray[np.bool_]
FIELDS = ("item", "system", "annotator", "kind")


@dataclass(frozen=True)
class Condition:
    """A name and a pattern as shells have it: `*` for anything, `?` for a character, `[ab]` for one of some."""

    name: str
    pattern: str

    @classmethod
    def read(cls, text: str) -> Condition:
        """From NAME=PATTERN."""
        name, sign, pattern = text.partition("=")
        if not sign or not name.strip():
            raise UsageError(f"{text!r}: write NAME=PATTERN, as in item=U-*")
        return cls(name.strip(), pattern.strip())

    def __str__(self) -> str:
        return f"{self.name}={self.pattern}"


@dataclass(frozen=True, eq=False)
class SelectedJudgements:
    """What is left, and how much is not."""

    judgements: Judgements
    warnings: tuple[str, ...] = ()


def is_known(judgements: Judgements, name: str) -> bool:
    """Whether judgements can be chosen by that name."""
    return name in FIELDS or name in judgements.labels


def select_judgements(
    judgements: Judgements, *, only: Sequence[Condition] = (), without: Sequence[Condition] = ()
) -> SelectedJudgements:
    """The judgements that all of `only` hold for (of several for one name: any), and none of `without`.

    A comparison is of a system if it is on either side; `only` asks that of both sides.
    """
    if not only and not without:
        return SelectedJudgements(judgements)
    keep = np.ones(len(judgements), bool)
    wanted: dict[str, list[Condition]] = {}
    for condition in only:
        wanted.setdefault(condition.name, []).append(condition)
    for name, conditions in wanted.items():
        columns = _columns(judgements, name)
        for column in columns.values():
            keep &= np.logical_or.reduce([_matching(column, condition) for condition in conditions])
    warnings = []
    for condition in without:
        matches = np.logical_or.reduce(
            [_matching(column, condition) for column in _columns(judgements, condition.name).values()]
        )
        if not matches.any():
            warnings.append(f"--without {condition}: no judgement matches")
        keep &= ~matches
    asked = " ".join(
        [*(f"--only {condition}" for condition in only), *(f"--without {condition}" for condition in without)]
    )
    if not keep.any():
        raise DataError(
            f"nothing is left of {pluralise(len(judgements), 'judgement')}: {asked}{_values_given(judgements, only)}"
        )
    gone = int((~keep).sum())
    if gone:
        warnings.append(f"{gone:,} of {pluralise(len(judgements), 'judgement')} left out as asked ({asked})")
    return SelectedJudgements(judgements[keep], tuple(warnings))


def labelled_and_selected(
    judgements: Judgements,
    labels: Sequence[JudgementLabels],
    *,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
) -> SelectedJudgements:
    """The judgements that were asked for (NAME=PATTERN), with their labels.

    Choosing by what a file says itself comes first, so that labels need not name what is left out.
    """
    wanted, unwanted = [Condition.read(text) for text in only], [Condition.read(text) for text in without]
    warnings: list[str] = []
    for joined in (False, True):
        if joined and labels:
            judgements = join_labels(judgements, labels)
        now = [
            [condition for condition in c if joined or is_known(judgements, condition.name)]
            for c in (wanted, unwanted)
        ]
        wanted, unwanted = (
            [condition for condition in c if condition not in n]
            for c, n in zip((wanted, unwanted), now, strict=True)
        )
        left = select_judgements(judgements, only=now[0], without=now[1])
        judgements, warnings = left.judgements, [*warnings, *left.warnings]
    return SelectedJudgements(judgements, tuple(warnings))


def _columns(judgements: Judgements, name: str) -> Mapping[str, NameColumn]:
    if name == "system":
        other = {} if judgements.other is None else {"other": judgements.other}
        return {"system": judgements.system, **other}
    if name == "kind":
        return {name: NameColumn(KINDS, judgements.kind.astype(np.int32))}
    if name in ("item", "annotator"):
        return {name: getattr(judgements, name)}
    name = meant(name, judgements.labels)
    if name not in judgements.labels:
        known = with_synonyms([*FIELDS, *judgements.labels])
        raise UsageError(f"no label {name!r} to choose by; there are: {known} (--labels FILE.tsv joins more)")
    return {name: judgements.labels[name]}


def _matching(column: NameColumn, condition: Condition) -> Mask:
    """Rows whose name fits; a row without a name fits an empty pattern only."""
    fits = [fnmatchcase(name, condition.pattern) for name in column.names]
    matching: Mask = np.array([*fits, condition.pattern == ""])[
        np.where(column.codes == NONE, len(fits), column.codes)
    ]
    return matching


def _values_given(judgements: Judgements, only: Sequence[Condition]) -> str:
    """Some of the names there are, where a pattern fits none."""
    for condition in only:
        for column in _columns(judgements, condition.name).values():
            if not _matching(column, condition).any():
                some = ", ".join(column.names[:5]) + (", …" if len(column.names) > 5 else "")
                return f"; {condition.name} is {some or 'nowhere given'}"
    return ""
