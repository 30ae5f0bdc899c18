"""Vectors from an ONNX file: the table it holds comes back, and what it cannot do is said."""

import json

import pytest

from adjudge import workspace
from adjudge.errors import MissingResourceError, UsageError
from adjudge.text import models
from adjudge.text.embeddings import Encoder
from helpers import tiny_onnx

tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("onnxruntime")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog"]
TABLE = [[float(i), i * 0.5, 1.0] for i in range(len(WORDS))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("onnx")
    tiny_onnx.write(place / "model.onnx", TABLE)
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel(dict(zip(WORDS, range(6), strict=True)), unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.save(str(place / "tokenizer.json"))
    (place / "config.json").write_text(json.dumps({"num_hidden_layers": 2, "max_position_embeddings": 5}))
    yield place
    models.stop()


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=60)):
        yield


def test_vectors_are_those_of_the_file(folder):
    encoder = Encoder(str(folder))
    texts = encoder.encode(["cat dog", "zebra", "", "dog dog dog dog"], "encoding")
    assert texts["cat dog"].ids.tolist() == [2, 4, 5, 3]
    assert texts["cat dog"].vectors.tolist() == [TABLE[i] for i in (2, 4, 5, 3)]
    assert texts["cat dog"].spans.tolist()[1:3] == [[0, 3], [4, 7]]
    assert texts["zebra"].ids.tolist() == [2, 1, 3]
    assert texts[""].ids.tolist() == [2, 3]
    long = texts["dog dog dog dog"]
    assert (long.whole, long.cut, long.ids.tolist()) == (6, True, [2, 5, 5, 5, 3])
    assert encoder.facts.limit == 5
    assert encoder.facts.special == {2, 3}
    assert Encoder(str(folder / "model.onnx")).encode(["cat"], "encoding")["cat"].ids.tolist() == [2, 4, 3]
    assert "onnxruntime-" in encoder.identity.library


def test_what_an_onnx_file_cannot_do(folder, tmp_path):
    with pytest.raises(UsageError, match="vectors of its last layer only, which is 2"):
        Encoder(str(folder), layer=1).encode(["cat"], "encoding")
    assert Encoder(str(folder), layer=2).encode(["cat"], "encoding")["cat"].whole == 3
    with pytest.raises(UsageError, match="has the precision it was made with"):
        Encoder(str(folder), precision="float16").encode(["cat"], "encoding")
    tiny_onnx.write(tmp_path / "model.onnx", TABLE)
    with pytest.raises(MissingResourceError, match=r"no tokenizer\.json beside it"):
        _ = Encoder(str(tmp_path)).identity
