"""Records in MLflow: a run a record, once, with scores as metrics and the saved result beside them."""

import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from unittest.mock import MagicMock

import pytest

from adjudge.errors import DataError, MissingExtraError
from adjudge.history import mlflow as logging
from adjudge.history.records import History
from helpers.histories import output, recorded

LOGGED = """
import json, sys
from adjudge.cli import main
place, folder = sys.argv[1:3]
first = main(["history", "mlflow", "--history", place, "--tracking", folder, "--experiment", "quality"])
second = main(["history", "mlflow", "last", "--history", place, "--tracking", folder, "--experiment", "quality"])
from mlflow.tracking import MlflowClient
client = MlflowClient(tracking_uri=folder)
number = client.get_experiment_by_name("quality").experiment_id
runs = client.search_runs([number], order_by=["attributes.start_time"])
found = [
    {
        "name": run.info.run_name, "status": run.info.status, "start": run.info.start_time,
        "metrics": run.data.metrics, "params": run.data.params, "tags": run.data.tags,
        "file": open(client.download_artifacts(run.info.run_id, "adjudge.json")).read(),
    }
    for run in runs
]
print(json.dumps({"codes": [first, second], "runs": found}))
"""


def test_the_extra_is_named_where_it_is_missing(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow.entities", None)
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with (
        History.open(file, create=True) as history,
        pytest.raises(MissingExtraError, match=r"adjudge\[mlflow\]"),
    ):
        logging.log_records(history, [])


def test_names_of_metrics_are_such_as_mlflow_takes(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3, "a: b"), output(4, "a; b"), metrics=("bleu(tokenize=intl)",))
        names = list(logging._metrics(history.find("last")))
    assert names == ["a_ b/bleu_tokenize_intl_", "a_ b/bleu_tokenize_intl__"]


def test_names_that_are_cut_stay_apart():
    taken = {}
    for value in range(3):
        taken[logging._name(["x" * 300], taken)] = value
    assert len(taken) == 3
    assert {len(name) for name in taken} == {logging.LONGEST}


def test_signatures_that_differ_between_test_sets_are_all_logged(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3), metrics=("bleu",))
        record = history.find("last")
    (score,) = record.scores
    assert logging._params(record)["signature/bleu"] == score.signature
    other = score._replace(test_set="talks", signature="other")
    params = logging._params(replace(record, scores=(score, other)))
    assert (params["signature/news/bleu"], params["signature/talks/bleu"]) == (score.signature, "other")


@pytest.fixture
def client(monkeypatch):
    """What stands in for MLflow, which takes seconds to be loaded."""
    client = MagicMock()
    client.search_runs.return_value = MagicMock(token=None, __iter__=lambda _: iter(()))
    client.create_run.return_value.info.run_id = "r1"
    for name in ("mlflow", "mlflow.entities", "mlflow.exceptions", "mlflow.tracking"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    sys.modules["mlflow.exceptions"].MlflowException = type("MlflowException", (Exception,), {})
    sys.modules["mlflow.tracking"].MlflowClient.return_value = client
    return client


@pytest.mark.parametrize("problem", [OSError, KeyboardInterrupt])
def test_a_run_that_fails_in_the_middle_does_not_seem_to_run_for_good(file, client, problem):
    client.log_artifact.side_effect = problem
    with History.open(file, create=True) as history:
        recorded(history, output(3), metrics=("bleu",))
        with pytest.raises(KeyboardInterrupt if problem is KeyboardInterrupt else DataError):
            logging.log_records(history, history.records())
    client.set_terminated.assert_called_once_with("r1", status="FAILED")


def test_passwords_of_the_server_are_not_told(file, client):
    address = "http://me:secret@127.0.0.1:1"
    client.get_experiment_by_name.side_effect = OSError(f"request to {address}/api failed")
    with History.open(file, create=True) as history, pytest.raises(DataError) as told:
        logging.log_records(history, [], tracking=address)
    assert str(told.value) == "MLflow (http://me@127.0.0.1:1): request to http://me@127.0.0.1:1/api failed"


@pytest.mark.slow
def test_a_folder_of_mlflow_has_every_record_once(file, tmp_path):
    if importlib.util.find_spec("mlflow") is None:
        pytest.skip("MLflow is not installed (adjudge[mlflow])")
    from adjudge.history.evaluations import text_of

    with History.open(file, create=True) as history:
        recorded(history, output(3), label="v1", made=1700000000.0, commit="ab" * 20)
        recorded(history, output(4), output(5, "other"), made=1700000100.0)
        records = history.records()
        texts = [text_of(history.evaluation(record)) for record in records]
    done = subprocess.run(
        [sys.executable, "-c", LOGGED, file, str(tmp_path / "mlruns")],
        env={**os.environ, "MLFLOW_ALLOW_FILE_STORE": "true"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("adjudge:")]
    assert [line.split()[1] for line in said] == ["2", "0"]
    found = json.loads(done.stdout.splitlines()[-1])
    first, second = found["runs"]
    assert found["codes"] == [0, 0]
    assert (first["name"], first["status"], first["start"]) == ("v1", "FINISHED", 1700000000000)
    assert first["metrics"] == {score.metric: score.score for score in records[0].scores}
    assert set(second["metrics"]) == {"neural/bleu", "neural/ter", "other/bleu", "other/ter"}
    assert first["tags"]["mlflow.source.git.commit"] == "ab" * 20
    assert first["params"]["signature/bleu"] == records[0].scores[0].signature
    assert [first["file"], second["file"]] == texts
