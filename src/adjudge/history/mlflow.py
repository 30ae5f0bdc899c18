"""Records logged to MLflow: a run a record, once, with its scores as metrics and the saved result as an artefact."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from adjudge.database.files import shown_address
from adjudge.database.problems import first_line
from adjudge.errors import DataError, MissingExtraError
from adjudge.history.evaluations import text_of
from adjudge.history.records import Evaluation, History, Record

EXPERIMENT = "adjudge"
TAG = "adjudge.record"
LONGEST = 250
"""Characters of a name of MLflow's, or of a tag's value that is still read."""
_UNFIT = re.compile(r"[^\w\-. /]+")


@dataclass(frozen=True)
class Logged:
    """A record in MLflow."""

    record: int
    run: str
    """MLflow's id of the run."""
    new: bool
    """Whether it was logged just now, and not earlier."""


def log_records(
    history: History, records: Sequence[Record], *, tracking: str | None = None, experiment: str = EXPERIMENT
) -> list[Logged]:
    """Log records to an MLflow server or folder (`tracking`; else what its environment says), each once."""
    try:
        from mlflow.entities import Metric, Param, RunTag
        from mlflow.exceptions import MlflowException
        from mlflow.tracking import MlflowClient
    except ImportError:
        raise MissingExtraError("logging to MLflow", "mlflow") from None
    try:
        client = MlflowClient(tracking_uri=tracking)
        known_experiment = client.get_experiment_by_name(experiment)
        number = known_experiment.experiment_id if known_experiment else client.create_experiment(experiment)
        known = _known_records(client, number)
        logged = []
        for record in records:
            evaluation = history.evaluation(record)
            key = _key(record, evaluation)
            if key in known:
                logged.append(Logged(record.id, known[key], new=False))
                continue
            run = client.create_run(number, start_time=_milliseconds(record), run_name=record.name[:LONGEST])
            with _ending_run(client, run.info.run_id, record):
                client.log_batch(
                    run.info.run_id,
                    metrics=[
                        Metric(name, value, _milliseconds(record), 0)
                        for name, value in _metrics(record).items()
                    ],
                    params=[Param(name, value) for name, value in _params(record).items()],
                    tags=[RunTag(name, value) for name, value in _tags(record, key).items()],
                )
                _log_file(client, run.info.run_id, evaluation)
            logged.append(Logged(record.id, run.info.run_id, new=True))
    except (MlflowException, OSError) as error:
        where = shown_address(tracking) if tracking else "as its environment says"
        reason = re.sub(r"\S+://\S+", lambda url: shown_address(url[0]), first_line(error))
        raise DataError(f"MLflow ({where}): {reason}") from None
    return logged


@contextmanager
def _ending_run(client: Any, run: str, record: Record) -> Iterator[None]:
    """A run that is always ended, as finished or failed."""
    try:
        yield
        client.set_terminated(run, end_time=_milliseconds(record))
    except BaseException:
        with suppress(Exception):
            client.set_terminated(run, status="FAILED")
        raise


def _known_records(client: Any, experiment: str) -> dict[str, str]:
    """The records that MLflow already has, by their identity."""
    known: dict[str, str] = {}
    page = None
    while True:
        runs = client.search_runs([experiment], f"tags.`{TAG}` != ''", page_token=page, max_results=1000)
        known |= {run.data.tags[TAG]: run.info.run_id for run in runs if run.info.status == "FINISHED"}
        page = runs.token
        if not page:
            return known


def _key(record: Record, evaluation: Evaluation) -> str:
    """The identity of a record: its number and its content, since numbers are unique in one history only."""
    digest = hashlib.sha256(f"{record.made!r} {record.command}".encode())
    for rows in evaluation.rows:
        digest.update(rows.data)
    return f"{record.id}-{digest.hexdigest()[:16]}"


def _milliseconds(record: Record) -> int:
    return int(record.made * 1000)


def _metrics(record: Record) -> dict[str, float]:
    """Scores by system, metric and test set; a part with a single value is left out of names."""
    several = {
        "test_set": len(record.test_sets) > 1,
        "system": len(record.systems) > 1,
        "run": any(score.run for score in record.scores),
    }
    named: dict[str, float] = {}
    for score in record.scores:
        if score.score is None:
            continue
        parts = [getattr(score, name) for name, wanted in several.items() if wanted and getattr(score, name)]
        named[_name([*parts, score.metric], named)] = score.score
    return named


def _name(parts: Sequence[str], names: Container[str]) -> str:
    """A unique name that MLflow accepts."""
    wanted, end = _UNFIT.sub("_", "/".join(parts)).strip("/. "), ""
    while (name := wanted[: LONGEST - len(end)] + end) in names:
        end += "_"
    return name


def _params(record: Record) -> dict[str, str]:
    params = {"systems": ", ".join(record.systems), "test_sets": ", ".join(record.test_sets)}
    params |= {"fingerprints": ", ".join(dict.fromkeys(score.fingerprint[:12] for score in record.scores))}
    for metric in record.metrics:
        signatures = {score.test_set: score.signature for score in record.scores if score.metric == metric}
        if len(set(signatures.values())) == 1:
            signatures = {"": signatures.popitem()[1]}
        for test_set, signature in signatures.items():
            params[_name(["signature", *filter(None, [test_set]), metric], params)] = signature
    return {name: value[:LONGEST] for name, value in params.items() if value}


def _tags(record: Record, key: str) -> dict[str, str]:
    revision = record.revision
    tags = {
        TAG: key,
        "adjudge.command": record.command,
        "adjudge.label": record.label,
        "adjudge.version": record.version,
        "mlflow.source.git.commit": revision.commit,
        "mlflow.source.git.branch": revision.branch,
        "adjudge.changed": None if revision.changed is None else str(revision.changed).lower(),
    }
    return {name: value[:LONGEST] for name, value in tags.items() if value}


def _log_file(client: Any, run: str, evaluation: Evaluation) -> None:
    """The file that --save would have written, so that `adjudge compare` and `gate` can read it from there."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "adjudge.json")
        with open(path, "w", encoding="ascii") as file:
            file.write(text_of(evaluation))
        client.log_artifact(run, path)
