"""Vectors of tokens from a language model: each distinct text is encoded once and kept by content."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adjudge import workspace
from adjudge.errors import MissingResourceError
from adjudge.io.content_store import key_of
from adjudge.text import models
from adjudge.text.models import ModelFacts, ModelSettings

Precision = Literal["float32", "float16", "bfloat16"]
PRECISIONS = ("float32", "float16", "bfloat16")
WEIGHTS = ("*.safetensors", "*.bin", "*.safetensors.index.json", "*.bin.index.json")
HEADER = struct.Struct("<III")
"""Tokens, numbers in a vector, tokens before the text was cut; ids, places and vectors follow."""
NAMED = 10
"""Segments that a note names before it only counts."""


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """A text as a model sees it."""

    ids: NDArray[np.int32]
    spans: NDArray[np.int32]
    """Where each token stands in the text, first character and end; (0, 0) for tokens that are not in it."""
    vectors: NDArray[np.float32]
    whole: int
    """Tokens of the whole text, special ones included; more than there are here where the text was cut."""

    @property
    def cut(self) -> bool:
        """Whether the text was longer than the model takes."""
        return self.whole > len(self.ids)

    @cached_property
    def units(self) -> NDArray[np.float64]:
        """The vectors at length 1, in double precision, so that a text is exactly as near to itself as can be."""
        vectors = self.vectors.astype(np.float64)
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        return np.asarray(vectors / np.where(norms > 0, norms, 1.0))

    def packed(self) -> bytes:
        """As a store keeps it."""
        header = HEADER.pack(len(self.ids), self.vectors.shape[-1], self.whole)
        parts = (self.ids.astype("<i4"), self.spans.astype("<i4"), self.vectors.astype("<f4"))
        return header + b"".join(part.tobytes() for part in parts)

    @classmethod
    def unpacked(cls, data: bytes) -> TokenVectors:
        """What a store kept."""
        tokens, width, whole = HEADER.unpack_from(data)
        ids = np.frombuffer(data, "<i4", tokens, HEADER.size)
        spans = np.frombuffer(data, "<i4", 2 * tokens, HEADER.size + 4 * tokens).reshape(tokens, 2)
        vectors = np.frombuffer(data, "<f4", tokens * width, HEADER.size + 12 * tokens)
        return cls(ids, spans, vectors.reshape(tokens, width), whole)


@dataclass(frozen=True)
class EncoderFacts:
    """What an encoder says of itself once it is loaded."""

    limit: int
    """Tokens it takes, special ones included."""
    layer: int | None
    """Whose vectors these are; None where the model's files do not say."""
    unweighted: frozenset[int]
    """Tokens that BERTScore counts as nothing: those that begin and part texts in models of BERT's kind."""
    special: frozenset[int]
    """Tokens that stand for nothing in a text, but begin or end it."""


@dataclass(frozen=True)
class Encoder:
    """A model that turns texts into vectors of their tokens; loaded when something is asked that is not known yet."""

    model: str
    layer: int | None = None
    precision: Precision = "float32"
    python: str = ""

    @cached_property
    def settings(self) -> ModelSettings:
        """As the process that runs the model is told."""
        family = family_of(self.model)
        extra = "onnx" if family == "onnx_model" else "neural"
        install = f"pip install 'adjudge[{extra}]'"
        more = (("layer", self.layer),)
        return ModelSettings(family, self.model, self.python, self.precision, more, install)

    @cached_property
    def identity(self) -> ModelFacts:
        """Which model it is."""
        return models.facts(self.settings)

    @property
    def facts(self) -> EncoderFacts:
        """What the model says of itself; it is loaded where that was never asked."""
        return self._known_facts() or self._ask([""], "loading the model")

    def encode(self, texts: Iterable[str], doing: str) -> dict[str, TokenVectors]:
        """Every distinct text's tokens, by the text without the spaces round it."""
        wanted = list(dict.fromkeys(text.strip() for text in texts))
        keys = {text: key_of(*self._parts, text) for text in wanted}
        values = self._load_stored(keys) if self._known_facts() is not None else {}
        missing = [text for text in wanted if text not in values]
        if missing:
            self._ask(missing, doing, values)
        return values

    def _load_stored(self, keys: Mapping[str, bytes]) -> dict[str, TokenVectors]:
        store = workspace.current().store
        known = {} if store is None else store.get("tokens", list(keys.values()))
        return {text: TokenVectors.unpacked(known[key]) for text, key in keys.items() if key in known}

    def _ask(
        self, texts: Sequence[str], doing: str, values: dict[str, TokenVectors] | None = None
    ) -> EncoderFacts:
        """Let the model encode texts; what it says is kept piece by piece."""
        store, kept = workspace.current().store, {} if values is None else values
        vectors: dict[str, Any] = {}
        for vectors, piece in models.results(self.settings, texts, doing):
            fresh = {texts[place]: _as_vectors(result) for place, result in piece.items()}
            kept.update(fresh)
            if store is not None:
                store.put("tokens", {key_of(*self._parts, t): v.packed() for t, v in fresh.items()})
                store.put("encoder", {key_of(*self._parts): json.dumps(vectors).encode()})
        facts = _facts(vectors)
        object.__setattr__(self, "_facts", facts)
        return facts

    def _known_facts(self) -> EncoderFacts | None:
        facts: EncoderFacts | None = getattr(self, "_facts", None)
        store = workspace.current().store
        if facts is None and store is not None:
            key = key_of(*self._parts)
            data = store.get("encoder", [key]).get(key)
            facts = None if data is None else _facts(json.loads(data))
            object.__setattr__(self, "_facts", facts)
        return facts

    @property
    def _parts(self) -> tuple[str, ...]:
        """All that vectors depend on, but for the text."""
        return "1", self.identity.identity, self.identity.library, str(self.layer), self.precision


def family_of(model: str) -> str:
    """Who runs a model: ONNX Runtime where it is an ONNX file or a folder with no other weights, else transformers."""
    path = Path(model)
    if path.suffix == ".onnx":
        return "onnx_model"
    if path.is_dir() and not any(True for pattern in WEIGHTS for _ in path.glob(pattern)):
        names = ("model.onnx", "onnx/model.onnx")
        if any((path / name).is_file() for name in names):
            return "onnx_model"
    return "token_model"


def need_model(model: str, metric: str, example: str) -> None:
    """Refuse a metric that was not told which model to use."""
    if not model:
        raise MissingResourceError(
            f"{metric} needs a model, and none comes with adjudge: {metric}(model=FOLDER) or "
            f"{metric}(model={example}); one that is not on this machine is fetched with --allow-download"
        )


def note_cut(metric: str, model: str, limit: int, what: str, lengths: Mapping[int, int]) -> None:
    """Tell the reader which segments (from 0) a model saw only the beginning of."""
    if not lengths:
        return
    subject, before = workspace.current().subject, workspace.current().offset
    places = [f"{before + segment + 1} ({lengths[segment]})" for segment in sorted(lengths)]
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    workspace.current().note(
        f"{metric}: {what}{f' of {subject}' if subject else ''} longer than the {limit} tokens that {model} takes, "
        f"scored by the beginning: {len(places)}, at segment (tokens) {', '.join(places[:NAMED])}{more}"
    )


def _as_vectors(result: Mapping[str, Any]) -> TokenVectors:
    ids = np.array(result["ids"], np.int32)
    vectors = np.frombuffer(base64.b64decode(result["vectors"]), "<f4").reshape(len(ids), result["width"])
    spans = np.array(result["spans"] or np.zeros((len(ids), 2)), np.int32).reshape(len(ids), 2)
    return TokenVectors(ids, spans, vectors, result["whole"])


def _facts(settings: Mapping[str, Any]) -> EncoderFacts:
    tokens = {
        name: frozenset(t for t in settings[name] if t is not None) for name in ("unweighted", "special")
    }
    return EncoderFacts(settings["limit"], settings["layer"], tokens["unweighted"], tokens["special"])
