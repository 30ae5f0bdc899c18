"""Metrics of torchmetrics: sums over batches and over processes, held to the score of all segments at once.

`scripts/make-torch-venv` makes the environment that torch lies in; without it these tests are skipped, but for those of
the law behind them, which needs none.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.compat.segments import batch_set
from adjudge.errors import MissingExtraError
from conftest import PROJECT

PYTHON = Path(os.environ.get("ADJUDGE_TORCH_PYTHON", PROJECT / ".venv-torch" / "bin" / "python"))
SCRIPT = PROJECT / "tests" / "oracles" / "torch_metrics.py"
WHOLE_NUMBERS = ("bleu", "chrf", "chrf++", "wer", "exact-match", "meteor(matchers=exact+stem)")
"""Metrics whose rows are whole numbers, which add up to the same in any order."""


def lines(name: str) -> list[str]:
    return (PROJECT / "examples" / name).read_text(encoding="utf-8").splitlines()[:40]


def texts() -> dict[str, Any]:
    """Segments with one reference or two."""
    first, second = lines("reference.en"), lines("reference-b.en")
    references = [[a, b] if at % 3 else [a] for at, (a, b) in enumerate(zip(first, second, strict=True))]
    return {"outputs": lines("systems/neural.en"), "references": references, "sources": lines("source.pt")}


def expected(spec: str, part: slice = slice(None)) -> adjudge.comparison.scoring.Score:
    given = texts()
    test_set = batch_set(given["references"][part], language="pt-en")
    [result] = adjudge.score(
        test_set, adjudge.Outputs("x", given["outputs"][part]), [spec], segments=True
    ).results
    return result


def said(folder: Path, what: str) -> Any:
    """What the metrics say, in a process that has torch."""
    if not PYTHON.is_file():
        pytest.skip(f"no {PYTHON}: scripts/make-torch-venv makes it")
    where = "import sysconfig, sys; print(sysconfig.get_path('purelib'), *sys.version_info[:2], sep='\\n')"
    site, *version = subprocess.run(
        [PYTHON, "-c", where], capture_output=True, text=True, check=True
    ).stdout.split()
    if version != list(map(str, sys.version_info[:2])):
        pytest.skip(f"{PYTHON} is another Python than this one: scripts/make-torch-venv {sys.executable}")
    file = folder / "texts.json"
    file.write_text(json.dumps(texts()))
    command = [sys.executable, str(SCRIPT), site, str(file), what]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    return json.loads(ended.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return said(tmp_path_factory.mktemp("torch"), "metrics")


def assert_equal(spec: str, score: float) -> None:
    whole = expected(spec).score
    if spec in WHOLE_NUMBERS:
        assert score == whole, spec
    else:
        assert score == pytest.approx(whole, rel=1e-14), spec


def test_batches_add_up(values: Any) -> None:
    for spec, score in values["scores"].items():
        assert_equal(spec, score)
        assert values["signatures"][spec] == expected(spec).signature
    assert values["dtype"] == "torch.float64"
    assert values["half"] == expected("chrf").score  # torchmetrics leaves states as they are


def test_what_a_training_loop_asks(values: Any) -> None:
    chrf, bleu = expected("chrf"), expected("bleu").score
    first, second = (expected("bleu", part).score for part in (slice(0, 20), slice(20, None)))
    assert values["forward"] == [first, second, bleu]
    assert values["reset"][:2] == [second, 20]
    assert values["pickled"][:2] == [chrf.score, chrf.score]
    assert values["pickled"][2] != chrf.score
    assert values["state_dict"] == chrf.score
    assert values["segments"] == list(chrf.segments or ())
    assert values["after_segments"] == chrf.score
    is_nan, [warning] = values["before_update"]
    assert is_nan
    assert "called before" in warning
    assert values["directions"] == [True, False, None]


def test_a_collection_keeps_sums_apart(values: Any) -> None:
    """At first all of these have seen one segment without an error; the states stay their own all the same."""
    given = texts()
    test_set = adjudge.TestSet(references=[["a", *(own[0] for own in given["references"])]])
    outputs = adjudge.Outputs("x", ["a", *given["outputs"]])
    for name, value in values["collection"].items():
        assert value == pytest.approx(adjudge.score(test_set, outputs, [name]).results[0].score, rel=1e-14)


def test_refusals_say_why(values: Any) -> None:
    parts = dict(text.split(": ", 1) for text in values["refusals"])
    assert (
        "cannot be summed over batches: the information of n-grams is counted over all references"
        in parts["nist"]
    )
    assert "did you mean 'bleu'" in parts["unknown"]
    assert "depends on the target language" in parts["language"]
    assert "preds has 2 segments, but the test set has 1" in parts["lengths"]
    assert "write [text] for a single segment" in parts["text"]
    assert "needs references" in parts["none"]


@pytest.mark.slow
def test_two_processes_add_up(tmp_path: Path) -> None:
    """With unequal parts, with a process that had nothing to do, and at every step."""
    first, second = said(tmp_path, "processes")
    assert (first["own"]["bleu"], second["own"]["bleu"]) == (11, 29)
    for answer in (first, second):
        for spec, score in answer["scores"].items():
            assert_equal(spec, score)
            assert answer["signatures"][spec] == expected(spec).signature
        assert answer["idle"] == expected("chrf").score
        given = texts()
        both = batch_set([given["references"][at] for at in (0, 11)], language="pt-en")
        outputs = adjudge.Outputs("x", [given["outputs"][at] for at in (0, 11)])
        assert answer["step"] == adjudge.score(both, outputs, ["bleu"]).results[0].score


MODELS = {"command", "learned", "llm", "qe", "comet", "bleurt", "metricx", "bertscore"}
TREES = {"ptk", "sptk", "csptk", "sstk", "tskm"}
LONG = {"m-bleu", "m-ter"}
"""They load METEOR's paraphrases."""


@pytest.mark.parametrize("name", sorted(set(metrics.names()) - MODELS - TREES - LONG))
def test_rows_are_those_of_the_segment_or_it_is_said_why_not(name: str) -> None:
    """The law that sums over batches rest on: a row is the same, whatever else is in the batch."""
    metric = metrics.metric(name)
    given = texts()

    def rows(part: slice) -> Any:
        test_set = batch_set(given["references"][part], given["sources"][part], "pt-en")
        own = metric.for_test_set(test_set)
        return own.stats(own.prepare(test_set), given["outputs"][part], threads=1)

    whole = rows(slice(None))
    parts = np.concatenate([rows(slice(0, 3)), rows(slice(3, 4)), rows(slice(4, None))])
    assert np.array_equal(whole, parts, equal_nan=True) == (not metric.undivided), metric.undivided


def test_a_metric_of_another_package_that_prepares_has_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(
        "Other",
        (type(metrics.metric("chrf")),),
        {"__module__": "other", "prepare": lambda self, given: given},
    )
    assert "does not say that it does not" in kind().undivided
    assert type("Other", (type(metrics.metric("chrf")),), {"__module__": "other"})().undivided == ""


def test_without_torch_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    monkeypatch.delitem(sys.modules, "adjudge.compat.torchmetrics", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'adjudge\[torchmetrics\]'"):
        import adjudge.compat.torchmetrics  # noqa: F401
