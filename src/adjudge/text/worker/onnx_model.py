"""Vectors of tokens by a model in an ONNX file, with the tokenizer.json beside it."""

import base64
import json
import os
from typing import Any

PACKAGES = ["onnxruntime", "tokenizers"]
PATTERNS = ["*.json", "*.onnx", "onnx/*"]
WEIGHTS = ("model.onnx", "onnx/model.onnx")
KINDS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}


def files(folder: str) -> list[str]:
    """The files that vectors depend on."""
    weights, tokenizer = _weights(folder), _tokenizer(folder)
    companions = [_find_beside(folder, name) for name in ("config.json", "tokenizer_config.json")]
    return [weights, tokenizer, *(path for path in companions if path)]


class OnnxModel:
    """A session of ONNX Runtime, and the model's tokenizer."""

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        import onnxruntime
        import tokenizers

        if settings["precision"] != "float32":
            raise ValueError(
                f"precision={settings['precision']}: an ONNX file has the precision it was made with"
            )
        providers = ["CPUExecutionProvider"]
        if settings["device"].startswith("cuda"):
            providers.insert(0, "CUDAExecutionProvider")
        self.session = onnxruntime.InferenceSession(_weights(folder), providers=providers)
        self.tokenizer = tokenizers.Tokenizer.from_file(_tokenizer(folder))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        config, words = (
            _json(_find_beside(folder, "config.json")),
            _json(_find_beside(folder, "tokenizer_config.json")),
        )
        layers = config.get("num_hidden_layers")
        if settings["layer"] not in (None, layers):
            raise ValueError(
                f"layer {settings['layer']} was asked for, but an ONNX file has the vectors of its last layer only"
                + (f", which is {layers}" if layers else "")
            )
        self.limit = int(
            min(words.get("model_max_length") or 10**9, config.get("max_position_embeddings") or 10**9)
        )
        ends = self.tokenizer.encode("").ids
        self.facts = {"limit": self.limit, "layer": layers, "unweighted": ends, "special": ends}

    def item(self, row: str) -> dict[str, Any]:
        """A text as the model's tokens, cut where it is longer than the model takes."""
        encoded = self.tokenizer.encode(row)
        whole = len(encoded.ids)
        if whole > self.limit:
            self.tokenizer.enable_truncation(self.limit)
            encoded = self.tokenizer.encode(row)
            self.tokenizer.no_truncation()
        return {"ids": encoded.ids, "spans": encoded.offsets, "length": len(encoded.ids), "whole": whole}

    def run(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Ids, places in the text and vectors of the tokens of a batch."""
        import numpy

        width = max(item["length"] for item in items)
        ids = [item["ids"] + [0] * (width - item["length"]) for item in items]
        mask = [[1] * item["length"] + [0] * (width - item["length"]) for item in items]
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": [[0] * width] * len(items)}
        feed = {
            entry.name: numpy.array(given[entry.name], KINDS.get(entry.type, "int64"))
            for entry in self.session.get_inputs()
        }
        vectors = next(value for value in self.session.run(None, feed) if value.ndim == 3)
        vectors = numpy.ascontiguousarray(vectors, "<f4")
        return [
            {
                "ids": item["ids"],
                "spans": item["spans"],
                "whole": item["whole"],
                "width": vectors.shape[-1],
                "vectors": base64.b64encode(vectors[place, : item["length"]].tobytes()).decode("ascii"),
            }
            for place, item in enumerate(items)
        ]


def _weights(folder: str) -> str:
    if folder.endswith(".onnx"):
        return folder
    for name in WEIGHTS:
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise FileNotFoundError(
        f"{folder} has no {WEIGHTS[0]}: name the .onnx file itself, or fetch the model again"
    )


def _find_beside(folder: str, name: str) -> str:
    """A file beside the weights or one folder up, where exports put it; empty where there is none."""
    place = os.path.dirname(_weights(folder))
    for candidate in (os.path.join(place, name), os.path.join(os.path.dirname(place), name)):
        if os.path.isfile(candidate):
            return candidate
    return ""


def _tokenizer(folder: str) -> str:
    path = _find_beside(folder, "tokenizer.json")
    if not path:
        raise FileNotFoundError(
            f"{_weights(folder)} has no tokenizer.json beside it: put the one of the model it was made from there"
        )
    return path


def _json(path: str) -> dict[str, Any]:
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


MODEL = OnnxModel
