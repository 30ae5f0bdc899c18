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
from adjudge.comparison.documents import Arguments, comparison_document, score_document, study_document
from adjudge.comparison.groups import labels_of
from adjudge.comparison.outside import outside_scores
from adjudge.comparison.plan import Plan, checked_options
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import (
    Progress,
    Scores,
    TestSetFacts,
    language_warnings,
    resolve_metrics,
    score,
)
from adjudge.data import TestSet
from adjudge.errors import AdjudgeError, DataError
from adjudge.history.merge import NEW, MeasuredPart, merge_parts, part_of
from adjudge.history.packing import RowKey
from adjudge.history.reload import file_states, found_path, located_arguments, study_place
from adjudge.history.run_differences import FieldChange, differences
from adjudge.history.stored import (
    EQUAL,
    StoredResult,
    keyed_rows,
    measured_of,
    metric_in,
    read,
    rows_of,
    same,
    scores_from_rows,
)
from adjudge.history.verification import Verification, VerificationProblem
from adjudge.human.studies import run_study
from adjudge.io.fields import Fields
from adjudge.io.files import path_text
from adjudge.io.studies import load_study
from adjudge.metrics.base import Rows
from adjudge.text.translators import with_translations
from adjudge.wording import pluralise, strip_version


def verify(
    stored: StoredResult,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Verification:
    """Compute a result again, with the options it was made with, and compare all there is to compare.

    No cache of rows is asked: what it holds may be what the result was made from. Programs and models that the result
    names are run only where the workspace allows it; otherwise their translations and scores must have been kept.
    """
    return _Check(stored, threads, progress).result()


class _Recomputed(NamedTuple):
    """What the files of a result give now."""

    document: Mapping[str, Any]
    rows: Mapping[RowKey, Rows]
    inputs: Sequence[io.Input]
    labels: Mapping[str, Sequence[str]] = {}
    complete: bool = True
    """Whether all outputs are still there."""


class _Measurement(NamedTuple):
    """The rows of one test set, as its files give them now."""

    test_set: TestSetFacts
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]
    inputs: tuple[io.Input, ...]
    notes: tuple[str, ...]
    scores: Scores | None = None
    """None where systems come from stored runs."""
    language: str = ""
    """The language pair that the files tell."""


class _Check:
    """One verification in progress; it collects problems and notes."""

    def __init__(self, stored: StoredResult, threads: int, progress: Progress | None) -> None:
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
        self._recompute()
        kind = "compare" if self.stored.is_comparison else "score"
        return Verification(
            self.stored.path,
            self.stored.version,
            "study" if self.stored.study else kind,
            self.files,
            self.checked,
            tuple(self.problems),
            tuple(self.notes),
        )

    def _check_files(self) -> None:
        for state in self.files:
            self.checked += 1
            if state.problem:
                self._add("file", path_text(state.path), state.role, state.stored, state.now, state.problem)
        if not self.files:
            self._add("file", self.stored.path, "inputs", None, None, "names no files to compute it from")

    def _check_scores_of_rows(self) -> None:
        """Rows in the file must give the scores in the file, whatever has become of the files they came from."""
        if not self.stored.rows:
            return
        computed = scores_from_rows(self.stored)
        for result in self.stored.results:
            score = computed.get(result.key)
            self.checked += 1
            if score is not None and not same(score, result.score):
                where = self._title(result.test_set, result.system, result.run, result.metric)
                message = f"is {result.score!r}, but the rows in the file give {score!r}"
                self._add("rows", where, "score", result.score, score, message)

    def _recompute(self) -> None:
        try:
            now = self._rerun_study() if self.stored.study else self._rerun_set()
            self._check_inputs(now.inputs)
            present = {key.system for key in now.rows}
            for system in self.stored.systems:
                if system not in present:
                    message = "cannot be computed again: no output is there"
                    self._add("result", system, "output", None, None, message)
            self._check_document(now.document, complete=now.complete)
            self._check_rows(now)
        except AdjudgeError as error:
            self._add("inputs", "", "computing it again", None, None, f"is not possible: {error}")

    def _rerun_study(self) -> _Recomputed:
        """A study, run again as it was run then."""
        arguments = self.stored.arguments or Arguments()
        with workspace.use(workspace.with_settings(named_by_file=True)):
            loaded = load_study(study_place(self.stored), progress=self.progress)
            result = run_study(
                loaded,
                arguments.metrics,
                threads=self.threads,
                progress=self.progress,
                **arguments.options,  # fields of a plan, checked as they were read
            )
        document = study_document(result, name=loaded.study.name, version=__version__)
        return _Recomputed(document, rows_of(result), loaded.inputs)

    def _rerun_set(self) -> _Recomputed:
        """Scores or a comparison on one test set, computed again."""
        arguments, missing = located_arguments(self.stored)
        if missing and not arguments.systems and not arguments.runs:
            raise DataError("no system's output is left")
        now = self._measure(arguments)
        document = self._document(now, arguments, complete=not missing)
        rows = keyed_rows(now.measured, self.stored.test_set.name)
        return _Recomputed(document, rows, now.inputs, now.labels, not missing)

    def _measure(self, arguments: Arguments) -> _Measurement:
        with workspace.use(workspace.with_settings(named_by_file=True)):
            if arguments.scores:
                return self._from_scores(arguments)
            return self._from_runs(arguments) if arguments.runs else self._from_files(arguments)

    def _from_scores(self, arguments: Arguments) -> _Measurement:
        """Scores that were made elsewhere are read again, since they cannot be recomputed."""
        outside = outside_scores(
            arguments.scores,
            arguments.labels,
            lower_is_better=arguments.lower_is_better,
            common=arguments.common,
        )
        self.notes.append("the scores were made elsewhere and taken as they are")
        return _Measurement(outside.test_set, outside.measured, outside.labels, outside.inputs, outside.notes)

    def _from_files(self, arguments: Arguments) -> _Measurement:
        loaded = self._score_again(io.load(**arguments.files()), arguments)
        if not loaded.outputs:
            raise DataError("no system's output is left")
        specs = dict.fromkeys([*arguments.metrics, *self.stored.metrics])
        chosen, test_set = resolve_metrics(
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
        return _Measurement(
            scores.test_set, measured_of(scores), labels, loaded.inputs, notes, scores, language
        )

    def _score_again(self, loaded: io.Loaded, arguments: Arguments) -> io.Loaded:
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
        """The test set with the language that was identified then, since the extra may not be installed here."""
        known = self.stored.test_set
        if test_set.language or not known.language:
            return test_set
        return replace(test_set, language=known.language, language_from=known.language_from)

    def _note_other_metrics(self, scores: Scores) -> None:
        """Note why a metric differs now: earlier tokenizers and METEOR did not follow the language of files."""
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

    def _from_runs(self, arguments: Arguments) -> _Measurement:
        """Rows of stored runs are taken as they are, since each run can be verified by itself."""
        parts = [part_of(read(path, study=False), self.stored.metrics) for path in arguments.runs]
        inputs = [io.Input("run", path, "") for path in arguments.runs]
        notes: tuple[str, ...] = ()
        language = ""
        if arguments.systems:
            new = self._from_files(arguments)
            parts.append(MeasuredPart(NEW, new.test_set, new.measured, new.labels))
            inputs += new.inputs
            notes, language = new.notes, new.language
        merged = merge_parts(parts)
        self.notes += [f"the rows in {path} were taken as they are: verify it too" for path in arguments.runs]
        return _Measurement(
            merged.test_set,
            merged.measured,
            merged.labels,
            tuple(inputs),
            (*notes, *merged.warnings),
            language=language,
        )

    def _check_inputs(self, inputs: Sequence[io.Input]) -> None:
        """Check that the files read are those with hashes, so that no other file goes unnoticed."""
        places = {item.path: found_path(item.path, self.stored) for item in self.stored.inputs}
        hashed = {(item.role, _real(places[item.path])) for item in self.stored.inputs}
        for item in inputs:
            self.checked += 1
            if (item.role, _real(item.path)) not in hashed:
                self._add("file", item.path, item.role, None, item.sha256, "has no hash in the result")
        seen = {(item.role, _real(item.path)) for item in inputs}
        for state in self.files:
            path = places[state.path]
            if path is not None and (state.role, _real(path)) not in seen:
                self._add("file", state.path, state.role, state.stored, None, "is named, but was not read")

    def _document(self, now: _Measurement, arguments: Arguments, *, complete: bool) -> dict[str, Any]:
        """The document of the result as it is computed now."""
        if not self.stored.is_comparison:
            if now.scores is None:
                raise DataError("scores come from outputs, not from stored runs")
            scores = replace(now.scores, warnings=(*now.notes, *now.scores.warnings))
            return score_document(scores, version=__version__)
        if not complete:
            self.notes.append("with outputs missing, only scores were computed again, no tests")
            return {"test_set": now.test_set.as_document(), "results": _means(now.measured)}
        comparison = compare_measured(
            now.measured,
            now.test_set,
            now.labels,
            self._plan(arguments),
            language=arguments.language or now.language,
            threads=self.threads,
        )
        return comparison_document(comparison.with_warnings(now.notes), version=__version__)

    def _plan(self, arguments: Arguments) -> Plan:
        if arguments.options:
            return Plan(**arguments.options)
        document = dict(self.stored.document)
        fields = Fields(self.stored.path, document)
        tested = fields.object_or_empty("test")
        options = checked_options(tested)
        if "method" in tested:
            options["test"] = tested.take("method", str)
        groups = list(fields.objects("groups")) if "groups" in fields else []
        by = dict.fromkeys(label for group in groups for label in group.object("by").values)
        return Plan(**options | ({"by": tuple(by)} if by else {}))

    def _check_document(self, now: Mapping[str, Any], *, complete: bool) -> None:
        old, now = (
            _by_name({name: value for name, value in document.items() if name not in ELSEWHERE})
            for document in (self.stored.document, now)
        )
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
        for result in self.stored.results:
            if not result.by_metric:  # the signature is a name, without a version
                continue
            version = dict(part.partition(":")[::2] for part in result.signature.split("|")).get("version")
            wanted = f"adjudge-{self.stored.version}"
            self.checked += 1
            if version != wanted:
                where = self._title(result.test_set, result.system, result.run, result.metric)
                self._add("result", where, "version in the signature", version, wanted)

    def _check_rows(self, recomputed: _Recomputed) -> None:
        now, labels = recomputed.rows, recomputed.labels
        present = {key.system for key in now}
        for key in now:
            if self.stored.rows and key not in self.stored.rows:
                where = self._title(*key)
                self._add("rows", where, "rows", None, None, "are missing in the file")
        for key, rows in self.stored.rows.items():
            self.checked += 1
            where = self._title(*key)
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
                differing = [i for i, (a, b) in enumerate(zip(labels[name], column, strict=False)) if a != b]
                self._add("labels", name, "labels", None, None, f"differ in {_segments(differing)}")

    def _title(self, test_set: str, system: str, run: str | None, metric: str) -> str:
        on = f" on {test_set}" if self.stored.study else ""
        return f"{system}{f' (run {run})' if run else ''}{on} by {metric}"

    def _add(self, kind: str, where: str, field: str, old: Any, now: Any, message: str = "") -> None:
        self.problems.append(VerificationProblem(kind, where, field, old, now, message))


ELSEWHERE = ("format", "version", "study", "inputs", "arguments", "labels", "rows")
"""Fields that are checked in other ways than by comparing them with what is computed."""
WORDS = ("claims", "warnings", "verdict")


def _real(path: str | None) -> str | None:
    return None if path is None else os.path.realpath(path)


def _by_name(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document whose tables are cut into entries with names, so that a difference names what it concerns."""
    named = {name: value for name, value in document.items() if name != "tables"}
    if "tables" not in document:
        return named
    results, means, pairs = [], [], []
    for table in document["tables"]:
        metric = table["metric"]
        for entry in table["scores"]:
            results.append({**entry, "metric": metric})
        for group in table["groups"]:
            mean = f"{metric}, mean over {group['by'] if group['by'] == 'all' else group['name']}"
            means += [{**entry, "metric": mean} for entry in group["scores"]]
            pairs += [{**entry, "metric": mean} for entry in group["pairs"]]
    signatures = {table["metric"]: table["signatures"] for table in document["tables"]}
    return named | {"results": results, "means": means, "pairs": pairs, "signatures": signatures}


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
        if isinstance(value, str):
            return strip_version(value)
        if isinstance(value, Mapping):
            return {name: strip(entry) for name, entry in value.items() if name not in WORDS}
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


def _segments(wrong: Sequence[Any] | NDArray[np.intp]) -> str:
    first = int(wrong[0]) + 1
    return (
        f"segment {first}"
        if len(wrong) == 1
        else f"{pluralise(len(wrong), 'segment')}, the first of them {first}"
    )
