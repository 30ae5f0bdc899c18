"""Any program or Python function as a metric: segments as lines of JSON, a number a line back."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from adjudge import workspace
from adjudge.data import TestSet
from adjudge.errors import DataError, MissingResourceError, ProgramError, UsageError, unasked_program
from adjudge.io import programs
from adjudge.metrics.base import Direction, MeanMetric, Rows, require, yes_no
from adjudge.metrics.model_scores import Answer, Row, kept_answers
from adjudge.wording import pluralise

FUNCTION = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<function>[A-Za-z_]\w*)")
NAMED = 10
"""Segments that a note names before it only counts."""
WAY_OUT = (
    "it must read lines of JSON with the keys source, references and output, and write a number for each"
)


@dataclass(frozen=True)
class Command(MeanMetric):
    """Mean over segments of what a program (or `module:function`) says of them; null stands for no score."""

    name = "command"
    title = "command"
    summary = "any program or Python function that gives each segment a number"
    scale = (-math.inf, math.inf)
    decimals = 4
    needs = frozenset()
    keeps_rows = False

    run: str = ""
    better: Literal["higher", "lower"] = "higher"
    version: str = ""

    def __post_init__(self) -> None:
        require(
            self.better in ("higher", "lower"),
            f"command(better={self.better}): must be one of higher, lower",
        )
        if len(self.run) > 1 and self.run[0] == self.run[-1] == "'" and "'" not in self.run[1:-1]:
            object.__setattr__(self, "run", self.run[1:-1])  # quotes round the whole are not the program's
        object.__setattr__(self, "direction", Direction(self.better))

    @property
    def uses(self) -> frozenset[str]:
        """Sources and references: the program is given whatever there is of them."""
        return frozenset({"sources", "references"})

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One number per segment, NaN where the program says null."""
        rows = [_row(prepared, segment, output) for segment, output in enumerate(outputs)]
        answers = kept_answers(self.name, ["1", self.run, self.version, self._files], rows, self._ask)
        scores = np.array([math.nan if answer["score"] is None else answer["score"] for answer in answers])
        _note_missing(self.spec, np.flatnonzero(np.isnan(scores)).tolist())
        return scores

    def signature(self, test_set: TestSet) -> str:
        """The references and sources that there are, since the program is given them."""
        count = test_set.reference_count() if test_set.references else 0
        given = f"nrefs:{'var' if count is None else count}|src:{yes_no(bool(test_set.sources))}"
        return f"{given}|{super().signature(test_set)}"

    def signature_fields(self) -> dict[str, str]:
        """The program, a hash of the files that it names, and what it is said to be the version of."""
        fields = {
            "run": self.run.replace("|", "¦"),
            "better": self.better,
            "files": self._files[:12] or "none",
        }
        return fields | ({"of": self.version} if self.version else {})

    @cached_property
    def _files(self) -> str:
        """A hash of all files named on the command line, so that a changed program is another one."""
        if not self.run:
            raise MissingResourceError(
                "command needs a program: command(run=PROGRAM ARGUMENTS) or command(run=MODULE:FUNCTION); "
                + WAY_OUT
            )
        if FUNCTION.fullmatch(self.run):
            paths = [_module_file(self.run)]
        else:
            paths = [Path(word) for word in programs.arguments_of(self.run) if os.path.isfile(word)]
        digest = hashlib.sha256()
        for path in paths:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest() if paths else ""

    def _ask(self, rows: Sequence[Row]) -> Iterator[Mapping[int, Answer]]:
        """All scores at once: what failed half-way is not kept."""
        if not workspace.current().may_run:
            raise unasked_program(f"the program {self.run!r}")
        if FUNCTION.fullmatch(self.run):
            numbers = _call(self.run, rows)
        else:
            limit = workspace.current().time_limit
            lines = [json.dumps(row, ensure_ascii=False) for row in rows]
            answers = programs.filter_lines(
                programs.arguments_of(self.run), lines, time_limit=limit, way_out=WAY_OUT
            )
            numbers = [_number(self.run, line, place + 1) for place, line in enumerate(answers)]
        yield {place: {"score": number} for place, number in enumerate(numbers)}


def _row(test_set: TestSet, segment: int, output: str) -> Row:
    references = [column[segment] for column in test_set.references if column[segment] is not None]
    row: Row = {"output": output, "references": references}
    if references:
        row["reference"] = references[0]
    if test_set.sources:
        row["source"] = test_set.sources[segment]
    return row


def _number(run: str, text: str, line: int) -> float | None:
    """The number in a line; None for null or nan, which stand for no score."""
    if text.strip().lower() in ("null", "none", "nan"):
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.inf
    if math.isinf(value):
        raise ProgramError(f"{run} wrote {text[:80]!r} as its line {line}, which is no number; {WAY_OUT}")
    return value


def _call(run: str, rows: Sequence[Row]) -> list[float | None]:
    """What a Python function makes of the rows."""
    function = _function(run)
    try:
        values = list(function([dict(row) for row in rows]))
    except Exception as error:  # the function is the user's
        raise ProgramError(f"{run} failed with {type(error).__name__}: {error}") from error
    if len(values) != len(rows):
        raise ProgramError(
            f"{run} gave {pluralise(len(values), 'number')} for {pluralise(len(rows), 'segment')}; "
            f"it takes a list of dictionaries with the keys "
            "source, references and output, and must give a number for each"
        )
    return [_number(run, str(value), place + 1) for place, value in enumerate(values)]


def _function(run: str) -> Any:
    if not workspace.current().may_run:  # to import it is to run it
        raise unasked_program(f"the function {run}")
    match = FUNCTION.fullmatch(run)
    if match is None:
        raise UsageError(f"{run!r} is not MODULE:FUNCTION")
    here = os.getcwd()
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)  # a command has the folder of its own program there
    try:
        module = importlib.import_module(match["module"])
    except ImportError as error:
        raise MissingResourceError(
            f"command(run={run}): no module {match['module']} ({error}); it must be installed or lie in this folder"
        ) from None
    finally:
        if added:
            sys.path.remove(here)
    function = getattr(module, match["function"], None)
    if not callable(function):
        raise UsageError(f"command(run={run}): {match['module']} has no function {match['function']}")
    return function


def _module_file(run: str) -> Path:
    path = getattr(sys.modules[_function(run).__module__], "__file__", None)
    if path is None:
        raise DataError(f"command(run={run}): the module has no file, so nobody would know when it changes")
    return Path(path)


def _note_missing(spec: str, segments: list[int]) -> None:
    if not segments:
        return
    subject, before = workspace.current().subject, workspace.current().offset
    places = ", ".join(str(before + segment + 1) for segment in segments[:NAMED])
    more = f" and {len(segments) - NAMED} more" if len(segments) > NAMED else ""
    workspace.current().note(
        f"{spec}: no score for {pluralise(len(segments), 'segment')}{f' of {subject}' if subject else ''}: "
        f"{places}{more}"
    )
