"""Results computed again from the files they name, of one test set or of a study, and what no longer holds."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__, io, workspace
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.documents import Arguments, comparison_document, score_document
from adjudge.comparison.groups import labels_of
from adjudge.comparison.outside import outside_scores
from adjudge.comparison.plan import Plan, checked_options
from adjudge.comparison.results import Comparison, Measured
from adjudge.comparison.scoring import Progress, Scores, TestSetFacts, language_warnings, resolved, score
from adjudge.data import TestSet
from adjudge.errors import AdjudgeError, DataError
from adjudge.history.merge import NEW, MeasuredPart, part_of, together
from adjudge.history.reload import FileState, file_states, found_inputs, found_path, located, sha256_of
from adjudge.history.run_differences import FieldChange, differences
from adjudge.history.stored import (
    EQUAL,
    Stored,
    measured_of,
    metric_in,
    read,
    rows_of,
    same,
    scores_from_rows,
)
from adjudge.history.stored_study import StoredStudy, study_document, study_rows
from adjudge.history.verification import Verification, VerificationProblem
from adjudge.human.studies import run_study
from adjudge.io import Input
from adjudge.io.fields import Fields
from adjudge.io.files import shown
from adjudge.io.names import is_named_set
from adjudge.io.remote import is_url
from adjudge.io.studies import load_study
from adjudge.text.translators import with_translations
from adjudge.wording import pluralise, unversioned


def verify(
    stored: Stored | StoredStudy,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Verification:
    """Compute a result again, with the options it was made with, and compare all there is to compare.

    No cache of rows is asked: what it holds may be what the result was made from. Programs and models that the result
    names are run only where the workspace allows it; otherwise their translations and scores must have been kept.
    """
    if isinstance(stored, Stored):
        return _Check(stored, threads, progress).result()
    return _verify_study(stored, threads, progress)


class _Again(NamedTuple):
    """What the files of a result give now."""

    test_set: TestSetFacts
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]
    inputs: tuple[io.Input, ...]
    notes: tuple[str, ...]
    scores: Scores | None = None
    """None where systems come from stored runs."""
    language: str = ""
    """The pair of languages that the files tell."""


class _Check:
    """The work of one verification: problems and notes gather as it goes on."""

    def __init__(self, stored: Stored, threads: int, progress: Progress | None) -> None:
        self.stored = stored
        self.threads, self.progress = threads, progress
        self.files = file_states(stored)
        self.problems: list[VerificationProblem] = []
        self.notes: list[str] = []
        self.checked = 0

    def result(self) -> Verification:
        if self.stored.version != __version__:
            self.notes.append(
                f"written by adjudge {self.stored.version}, computed again by {__version__}; "
                "words (claims, warnings) were not compared"
            )
        self._check_files()
        self._check_scores_of_rows()
        self._compute_again()
        kind = "compare" if self.stored.is_comparison else "score"
        return Verification(
            self.stored.path,
            self.stored.version,
            kind,
            self.files,
            self.checked,
            tuple(self.problems),
            tuple(self.notes),
        )

    def _check_files(self) -> None:
        for state in self.files:
            self.checked += 1
            if state.problem:
                self._add("file", shown(state.path), state.role, state.stored, state.now, state.problem)
        if not self.files:
            self._add("file", self.stored.path, "inputs", None, None, "names no files to compute it from")

    def _check_scores_of_rows(self) -> None:
        """Rows in the file must give the scores in the file, whatever has become of the files they came from."""
        if not self.stored.rows:
            return
        made = scores_from_rows(self.stored)
        for result in self.stored.results:
            again = made.get((result.system, result.run, result.metric))
            where = _title(result.system, result.run, result.metric)
            self.checked += 1
            if again is not None and not same(again, result.score):
                message = f"is {result.score!r}, but the rows in the file give {again!r}"
                self._add("rows", where, "score", result.score, again, message)

    def _compute_again(self) -> None:
        try:
            arguments, gone = located(self.stored)
            if gone and not arguments.systems and not arguments.runs:
                raise DataError("no system's output is left")
            again = self._again(arguments)
            self._check_inputs(again.inputs)
            present = {system for measurement in again.measured for system in measurement.rows}
            for system in self.stored.systems:
                if system not in present:
                    message = "cannot be computed again: no output is there"
                    self._add("result", system, "output", None, None, message)
            self._check_document(self._document(again, arguments, complete=not gone), complete=not gone)
            self._check_rows(again)
        except AdjudgeError as error:
            self._add("inputs", "", "computing it again", None, None, f"is not possible: {error}")

    def _again(self, arguments: Arguments) -> _Again:
        with workspace.use(workspace.changed(named_by_file=True)):
            if arguments.scores:
                return self._from_scores(arguments)
            return self._from_runs(arguments) if arguments.runs else self._from_files(arguments)

    def _from_scores(self, arguments: Arguments) -> _Again:
        """Scores that were made elsewhere are read again; who made them cannot be asked."""
        outside = outside_scores(
            arguments.scores,
            arguments.labels,
            lower_is_better=arguments.lower_is_better,
            common=arguments.common,
        )
        self.notes.append("the scores were made elsewhere and taken as they are")
        return _Again(outside.test_set, outside.measured, outside.labels, outside.inputs, outside.notes)

    def _from_files(self, arguments: Arguments) -> _Again:
        loaded = self._translated(io.load(**arguments.files()), arguments)
        if not loaded.outputs:
            raise DataError("no system's output is left")
        specs = dict.fromkeys([*arguments.metrics, *self.stored.metrics])
        chosen, test_set = resolved(
            [metric_in(self.stored, spec) for spec in specs], self._with_language(loaded.test_set)
        )
        scores = score(
            test_set,
            loaded.outputs,
            chosen,
            segments=any(result.segments is not None for result in self.stored.results),
            rows=True,
            threads=self.threads,
            progress=self.progress,
        )
        self._note_other_metrics(scores)
        labels = labels_of(loaded.test_set, ("length",))
        notes = loaded.notes
        if self.stored.is_comparison:  # scores have theirs already
            notes = (*notes, *language_warnings(chosen, test_set))
        language = loaded.test_set.language
        return _Again(scores.test_set, measured_of(scores), labels, loaded.inputs, notes, scores, language)

    def _translated(self, loaded: io.Loaded, arguments: Arguments) -> io.Loaded:
        programs = {
            option: command for option, command in arguments.programs().items() if command is not None
        }
        loaded = with_translations(loaded, **programs)
        if not workspace.current().may_run:
            self.notes += [
                f"translations by {command!r} were taken from what was kept of them"
                for command in programs.values()
            ]
        return loaded

    def _with_language(self, test_set: TestSet) -> TestSet:
        """A language that was identified then, not here, where the extra may not be installed."""
        known = self.stored.test_set
        if test_set.language or not known.language:
            return test_set
        return replace(test_set, language=known.language, language_from=known.language_from)

    def _note_other_metrics(self, scores: Scores) -> None:
        """Say why a metric is another one now: tokenizers and METEOR did not always follow the files' language."""
        now = dict.fromkeys(result.metric for result in scores.results)
        for spec in self.stored.metrics:
            if spec not in now:
                known = scores.test_set
                how = f" ({known.language_from})" if known.language_from else ""
                others = [name for name in now if name.partition("(")[0] == spec.partition("(")[0]]
                self.notes.append(
                    f"{spec} is {' and '.join(others)} now, because the target language is {known.language}{how}; "
                    "score the files again to have a result that holds"
                )

    def _from_runs(self, arguments: Arguments) -> _Again:
        """Rows of stored runs are believed here: each run can be verified by itself."""
        parts = [part_of(read(path), self.stored.metrics) for path in arguments.runs]
        inputs = [io.Input("run", path, "") for path in arguments.runs]
        notes: tuple[str, ...] = ()
        language = ""
        if arguments.systems:
            new = self._from_files(arguments)
            parts.append(MeasuredPart(NEW, new.test_set, new.measured, new.labels))
            inputs += new.inputs
            notes, language = new.notes, new.language
        merged = together(parts)
        self.notes += [f"the rows in {path} were taken as they are: verify it too" for path in arguments.runs]
        return _Again(
            merged.test_set,
            merged.measured,
            merged.labels,
            tuple(inputs),
            (*notes, *merged.warnings),
            language=language,
        )

    def _check_inputs(self, inputs: Sequence[io.Input]) -> None:
        """The files that were read must be those with hashes: else an unnamed file would go unnoticed."""
        hashed = {(item.role, found_path(item.path, self.stored)) for item in self.stored.inputs}
        for item in inputs:
            self.checked += 1
            if (item.role, item.path) not in hashed:
                self._add("file", item.path, item.role, None, item.sha256, "has no hash in the result")
        seen = {(item.role, item.path) for item in inputs}
        for state in self.files:
            path = found_path(state.path, self.stored)
            if path is not None and (state.role, path) not in seen:
                self._add("file", state.path, state.role, state.stored, None, "is named, but was not read")

    def _document(self, again: _Again, arguments: Arguments, *, complete: bool) -> dict[str, Any]:
        """The document of the result as it is computed now."""
        if not self.stored.is_comparison:
            if again.scores is None:
                raise DataError("scores come from outputs, not from stored runs")
            scores = replace(again.scores, warnings=(*again.notes, *again.scores.warnings))
            return score_document(scores, version=__version__)
        if not complete:
            self.notes.append("with outputs missing, only scores were computed again, no tests")
            return {"test_set": again.test_set.as_document(), "results": _means(again.measured)}
        comparison = compare_measured(
            again.measured,
            again.test_set,
            again.labels,
            self._plan(arguments),
            language=arguments.language or again.language,
            threads=self.threads,
        )
        return comparison_document(comparison.with_warnings(again.notes), version=__version__)

    def _plan(self, arguments: Arguments) -> Plan:
        if arguments.options:
            return Plan(**arguments.options)
        document = dict(self.stored.document)
        fields = Fields(self.stored.path, document)
        options = checked_options(fields.object_or_empty("test"))
        groups = list(fields.objects("groups")) if "groups" in fields else []
        by = dict.fromkeys(label for group in groups for label in group.object("by").values)
        return Plan(**options | ({"by": tuple(by)} if by else {}))

    def _check_document(self, now: Mapping[str, Any], *, complete: bool) -> None:
        old = {name: value for name, value in self.stored.document.items() if name not in ELSEWHERE}
        if self.stored.version != __version__:
            old, now = _wordless(old), _wordless(now)
            self._check_versions()
        if not complete:
            old = {name: value for name, value in old.items() if name in now}
        count, changed, unknown = differences(old, now, complete=complete)
        self.checked += count
        for difference in changed:
            self.problems.append(_problem(difference))
        if unknown:
            self.notes.append(f"not checked, because this adjudge does not know it: {', '.join(unknown)}")

    def _check_versions(self) -> None:
        if self.stored.made_elsewhere:  # their signatures are names, without a version
            return
        for result in self.stored.results:
            version = dict(part.partition(":")[::2] for part in result.signature.split("|")).get("version")
            wanted = f"adjudge-{self.stored.version}"
            self.checked += 1
            if version != wanted:
                where = _title(result.system, result.run, result.metric)
                self._add("result", where, "version in the signature", version, wanted)

    def _check_rows(self, again: _Again) -> None:
        now, labels = rows_of(again.measured), again.labels
        present = {key.system for key in now}
        for key in now:
            if self.stored.rows and key not in self.stored.rows:
                where = _title(key.system, key.run, key.metric)
                self._add("rows", where, "rows", None, None, "are missing in the file")
        for key, rows in self.stored.rows.items():
            self.checked += 1
            where = _title(key.system, key.run, key.metric)
            right = now.get(key)
            if right is None:
                if key.system in present:  # else it has been said: there is no such output
                    self._add("rows", where, "rows", None, None, "are of no output that is there")
            elif right.shape != rows.shape:
                self._add("rows", where, "shape", list(rows.shape), list(right.shape))
            elif not np.allclose(right, rows, rtol=EQUAL, atol=EQUAL):
                wrong = np.flatnonzero(~np.isclose(right, rows, rtol=EQUAL, atol=EQUAL).all(1))
                self._add("rows", where, "rows", None, None, f"differ in {_segments(wrong)}")
        for name, column in self.stored.labels.items():
            self.checked += 1
            if name not in labels:
                self._add("labels", name, "labels", None, None, "are not in the files")
            elif tuple(labels[name]) != column:
                apart = [i for i, (a, b) in enumerate(zip(labels[name], column, strict=False)) if a != b]
                self._add("labels", name, "labels", None, None, f"differ in {_segments(apart)}")

    def _add(self, kind: str, where: str, field: str, old: Any, now: Any, message: str = "") -> None:
        self.problems.append(VerificationProblem(kind, where, field, old, now, message))


ELSEWHERE = ("format", "version", "inputs", "arguments", "labels", "rows")
"""Fields that are checked in other ways than by comparing them with what is computed."""
WORDS = ("claims", "warnings")


def _problem(difference: FieldChange) -> VerificationProblem:
    return VerificationProblem(
        difference.part,
        difference.where,
        difference.field,
        difference.stored,
        difference.now,
        difference.message,
    )


def _wordless(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document of another version: sentences may be worded anew, and signatures name the version."""

    def strip(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {
                name: unversioned(entry) if name == "signature" and isinstance(entry, str) else strip(entry)
                for name, entry in value.items()
                if name not in WORDS
            }
        return [strip(entry) for entry in value] if isinstance(value, list | tuple) else value

    stripped: dict[str, Any] = strip(document)
    return stripped


def _means(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Scores of systems as a comparison has them: over all runs."""
    return [
        {
            "system": system,
            "metric": measurement.metric,
            "score": math.fsum(float(measurement.aggregate(rows.sum(0))) for rows in runs) / len(runs),
            "signature": measurement.signature,
            "higher_is_better": measurement.higher_is_better,
        }
        for measurement in measured
        for system, runs in measurement.rows.items()
    ]


def _title(system: str, run: str | None, metric: str) -> str:
    return f"{system}{f' (run {run})' if run else ''} by {metric}"


def _segments(wrong: Sequence[Any] | NDArray[np.intp]) -> str:
    first = int(wrong[0]) + 1
    return (
        f"segment {first}"
        if len(wrong) == 1
        else f"{pluralise(len(wrong), 'segment')}, the first of them {first}"
    )


OF_STUDIES = ("format", "version", "study", "inputs", "arguments", "rows")
"""Fields that are checked in other ways than by comparing them with what is computed."""


def _verify_study(stored: StoredStudy, threads: int, progress: Progress | None) -> Verification:
    """Run a study again as it was run then, and compare all there is to compare."""
    notes = []
    if stored.version != __version__:
        notes.append(f"written by adjudge {stored.version}, computed again by {__version__}")
    files = study_files(stored)
    problems = [
        VerificationProblem("file", shown(state.path), state.role, state.stored, state.now, state.problem)
        for state in files
        if state.problem
    ]
    checked = len(files)
    try:
        count, wrong = _study_again(stored, threads, progress)
        checked += count
        problems += wrong
    except AdjudgeError as error:
        message = f"is not possible: {error}"
        problems.append(VerificationProblem("inputs", "", "computing it again", None, None, message))
    return Verification(stored.path, stored.version, "study", files, checked, tuple(problems), tuple(notes))


def study_place(stored: StoredStudy) -> str:
    """Where the study's file lies: as it was named, or else beside the result."""
    named = stored.arguments.study
    folder = os.path.dirname(stored.path)
    for place in (named, os.path.join(folder, named), os.path.join(folder, os.path.basename(named))):
        if os.path.exists(place):
            return place
    raise DataError(
        f"{named}, which {stored.path} was made from, does not exist (neither here nor beside it)"
    )


def files_read(stored: Stored | StoredStudy) -> tuple[Input, ...]:
    """The files that are read to compute the result again, where they lie now."""
    if isinstance(stored, Stored):
        return found_inputs(stored)
    try:
        return tuple(replace(item, path=place) for item, place in _placed(stored))
    except DataError:
        return ()


def study_files(stored: StoredStudy) -> tuple[FileState, ...]:
    """Every file that was read for the result, found by its way from the study's own folder."""
    try:
        placed = _placed(stored)
    except DataError:
        placed = [(item, item.path) for item in stored.inputs]
    return tuple(FileState(item.role, item.path, item.sha256, sha256_of(place)) for item, place in placed)


def _placed(stored: StoredStudy) -> list[tuple[Input, str]]:
    then, now = os.path.dirname(stored.arguments.study), os.path.dirname(study_place(stored))
    places = []
    for item in stored.inputs:
        moved = item.path
        if is_named_set(item.path) or is_url(item.path):
            places.append((item, item.path))
            continue
        if not os.path.isabs(item.path) or item.path.startswith(then + os.sep):
            moved = os.path.join(now, os.path.relpath(item.path, then or "."))
        if item.role == "study":
            moved = study_place(stored)
        places.append((item, os.path.normpath(moved)))
    return places


def _study_again(
    stored: StoredStudy, threads: int, progress: Progress | None
) -> tuple[int, list[VerificationProblem]]:
    with workspace.use(workspace.changed(named_by_file=True)):
        loaded = load_study(study_place(stored), progress=progress)
        result = run_study(
            loaded,
            stored.arguments.metrics,
            threads=threads,
            progress=progress,
            **stored.arguments.options,  # fields of a plan, checked as they were read
        )
    now = study_document(result, loaded.study.name, loaded.inputs, stored.arguments)
    count, changed, _ = differences(_named(stored.document), _named(now))
    problems = [_problem(difference) for difference in changed]
    problems += _inputs_beside(stored, loaded.inputs)
    if stored.rows:
        more, wrong = _rows_beside(stored, result)
        count, problems = count + more, problems + wrong
    return count, problems


def _named(document: Mapping[str, Any]) -> dict[str, Any]:
    """A study's tables cut into entries that have names, so that a difference is said of what it is of."""
    same = document.get("version") == __version__  # another version may have other words
    words = OF_STUDIES if same else (*OF_STUDIES, "verdict")
    flat = {name: value for name, value in document.items() if name not in (*words, "tables")}
    results, means, pairs = [], [], []
    for table in document["tables"]:
        metric = table["metric"]
        for entry in table["scores"]:
            results.append({**entry, "metric": metric})
        for group in table["groups"]:
            own = f"{metric}, mean over {group['by'] if group['by'] == 'all' else group['name']}"
            means += [{**entry, "metric": own} for entry in group["scores"]]
            pairs += [{**entry, "metric": own} for entry in group["pairs"]]
    signatures = {table["metric"]: table["signatures"] for table in document["tables"]}
    named = {"results": results, "means": means, "pairs": pairs}
    return flat | named | ({"signatures": signatures} if same else {})


def _inputs_beside(stored: StoredStudy, inputs: Sequence[Input]) -> list[VerificationProblem]:
    """The files that are read now must be those that were read then."""
    known = {(item.role, os.path.realpath(place)) for item, place in _placed(stored)}
    return [
        VerificationProblem("file", item.path, item.role, None, item.sha256, "has no hash in the result")
        for item in inputs
        if (item.role, os.path.realpath(item.path)) not in known
    ]


def _rows_beside(stored: StoredStudy, result: Comparison) -> tuple[int, list[VerificationProblem]]:
    now, problems = study_rows(result), []
    for key in dict.fromkeys([*stored.rows, *now]):
        where = f"{key.system} on {key.test_set} by {key.metric}"
        old, new = stored.rows.get(key), now.get(key)
        if old is None or new is None:
            message = "are missing in the file" if old is None else "are of no output that is there"
            problems.append(VerificationProblem("rows", where, "rows", None, None, message))
        elif old.shape != new.shape:
            problems.append(VerificationProblem("rows", where, "shape", list(old.shape), list(new.shape)))
        elif not np.allclose(old, new, rtol=EQUAL, atol=EQUAL):
            wrong = int((~np.isclose(old, new, rtol=EQUAL, atol=EQUAL).all(1)).sum())
            problems.append(
                VerificationProblem(
                    "rows", where, "rows", None, None, f"differ in {pluralise(wrong, 'segment')}"
                )
            )
    return len(now), problems
