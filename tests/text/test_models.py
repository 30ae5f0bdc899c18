"""A model in a process of its own: asked once, kept by content, and whatever it does is a message."""

import shutil

import pytest

from adjudge import workspace
from adjudge.errors import DataError, MissingResourceError, ProgramError, UsageError
from adjudge.text import models
from adjudge.text.embeddings import Encoder, TokenVectors, family_of
from helpers import fakes


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=60)) as used:
        yield used
    models.stop()


def encoder(folder, **options):
    return Encoder(str(folder), python=str(fakes.WORKER), **options)


def test_each_distinct_text_is_encoded_once(tmp_path):
    folder = fakes.model(tmp_path / "m", log=True)
    first = encoder(folder).encode(["a b", "a b ", "c", "", "c"], "encoding")
    assert set(first) == {"a b", "c", ""}
    again = encoder(folder).encode(["c", "d", "a b"], "encoding")
    assert fakes.asked(folder) == ["a b", "c", "", "d"]
    assert again["c"].vectors.tobytes() == first["c"].vectors.tobytes()
    assert again["c"].ids.tolist() == first["c"].ids.tolist()
    assert again["a b"].spans.tolist() == [[0, 0], [0, 1], [2, 3], [0, 0]]


def test_another_layer_or_another_model_is_another_vector(tmp_path):
    folder = fakes.model(tmp_path / "m", log=True)
    encoder(folder).encode(["a"], "encoding")
    encoder(folder, layer=3).encode(["a"], "encoding")
    fakes.model(folder, log=True, note="changed")
    models._facts.clear()
    encoder(folder).encode(["a"], "encoding")
    assert fakes.asked(folder) == ["a", "a", "a"]


def test_a_copy_of_a_model_is_the_same_one(tmp_path):
    folder = fakes.model(tmp_path / "m", log=True)
    other = shutil.copytree(folder, tmp_path / "other")
    encoder(folder).encode(["a"], "encoding")
    encoder(other).encode(["a"], "encoding")
    assert fakes.asked(other) == []
    assert encoder(other).identity.name == "other"


def test_vectors_come_back_as_they_were():
    vectors = encoder(fakes.FOLDER).encode(["a b c"], "encoding")["a b c"]
    copy = TokenVectors.unpacked(vectors.packed())
    for name in ("ids", "spans", "vectors"):
        assert getattr(copy, name).tobytes() == getattr(vectors, name).tobytes()
    assert copy.whole == vectors.whole == 5


def test_progress_is_told(tmp_path):
    steps = []
    used = workspace.with_settings(progress=lambda *step: steps.append(step), batch_size=2)
    with workspace.use(used):
        encoder(fakes.FOLDER).encode(["a", "b", "c"], "encoding references")
    assert ("encoding references", 2, 3) in steps
    assert ("encoding references", 3, 3) in steps


def test_without_a_store_everything_works():
    with workspace.use(workspace.Workspace(store=None, time_limit=60)):
        assert encoder(fakes.FOLDER).encode(["a"], "encoding")["a"].whole == 3


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"dies": True}, ProgramError, r"(?s)ended with status 7; .*--batch-size.*the dog ate my weights"),
        (
            {"error": "import", "message": "torch"},
            MissingResourceError,
            r"has no package torch.*pip install .*neural",
        ),
        ({"error": "absent", "message": "no weights"}, MissingResourceError, "no weights"),
        ({"error": "value", "message": "layer 9"}, UsageError, "layer 9"),
        ({"error": "failure", "message": "RuntimeError: no"}, DataError, "cannot be run: RuntimeError: no"),
        ({"error": "failure", "message": "CUDA out of memory"}, ProgramError, "smaller --batch-size"),
    ],
)
def test_models_that_fail(tmp_path, own_workspace, config, error, message):
    folder = fakes.model(tmp_path / "m", **config)
    with pytest.raises(error, match=message):
        encoder(folder).encode(["a"], "encoding")
    fakes.model(folder)  # well again: nothing was kept of what went wrong
    models._facts.clear()
    assert encoder(folder).encode(["a"], "encoding")["a"].whole == 3


def test_a_model_that_hangs_is_ended(tmp_path):
    folder = fakes.model(tmp_path / "m", hangs=True)
    with (
        workspace.use(workspace.with_settings(time_limit=1.0)),
        pytest.raises(ProgramError, match=r"no answer for 1 seconds"),
    ):
        encoder(folder).encode(["a"], "encoding")
    assert not models._running


def test_a_python_that_is_not_there():
    with pytest.raises(ProgramError, match="cannot be started"):
        Encoder(str(fakes.FOLDER), python="/no/such/python").encode(["a"], "encoding")


def test_what_runs_a_model_is_in_its_folder_not_in_its_name(tmp_path):
    """A path with t5 in it is loaded by its own config, as any other."""
    folder = tmp_path / "t5-scibert-onnx"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"")
    assert family_of(str(folder)) == "token_model"
    (folder / "model.onnx").write_bytes(b"")
    assert family_of(str(folder)) == "token_model"
    (folder / "model.safetensors").unlink()
    assert family_of(str(folder)) == "onnx_model"
    assert family_of(str(folder / "model.onnx")) == "onnx_model"
    assert family_of("google/t5-v1_1-base") == "token_model"


# The real worker, which finds and refuses without any package of neural models


def test_a_folder_without_weights_says_the_way_out(tmp_path):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(MissingResourceError, match=r"no tokenizer.json beside it"):
        _ = Encoder(str(tmp_path)).identity


def test_packages_that_are_missing_are_named(tmp_path):
    if any(_installed(name) for name in ("transformers", "torch")):
        pytest.skip("they are not missing here")
    with pytest.raises(
        MissingResourceError, match=r"no package transformers.*pip install 'adjudge\[neural\]'"
    ):
        _ = Encoder(str(tmp_path)).identity


def _installed(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None
