"""Records in MLflow: a run a record, once, with scores as metrics and the saved result beside them."""

import importlib
import json
import os
import subprocess
import sys

import pytest

from adjudge.errors import MissingExtraError
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
