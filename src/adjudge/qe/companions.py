"""Larger models beside an estimator, where somebody has them: KenLM's language models and an encoder of sentences.

An estimator's file says which ones it learnt with, by their hashes, and never where they lie: whoever uses it names
them again, for nothing is loaded because a file asks for it.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.io.files import missing_file, path_text
from adjudge.qe.measures import Array
from adjudge.text.embeddings import Encoder

NAMES = ("source_kenlm", "target_kenlm", "embedding_similarity")


@dataclass(frozen=True)
class Companions:
    """Files of language models (ARPA or KenLM's own) and the name or folder of an encoder; "" for none."""

    source_lm: str = ""
    target_lm: str = ""
    encoder: str = ""

    @cached_property
    def identities(self) -> dict[str, str]:
        """What each of them is, by its content."""
        models = {"source_lm": self.source_lm, "target_lm": self.target_lm}
        known = {name: _sha256(path) for name, path in models.items() if path}
        if self.encoder:
            known["encoder"] = Encoder(self.encoder).identity.identity
        return known

    def check(self, learnt: Mapping[str, str], what: str) -> None:
        """Refuse others than those that an estimator learnt with."""
        for field in fields(self):
            option = field.name.replace("_", "-")
            given, wanted = self.identities.get(field.name), learnt.get(field.name)
            if wanted and not given:
                raise UsageError(
                    f"{what} learnt with a model that it does not hold: name it again with --{option}, or as a "
                    f"metric with {field.name}=… (its identity is {wanted[:12]})"
                )
            if given and not wanted:
                raise UsageError(f"{what} learnt without --{option}: leave it away, or train with it")
            if given != wanted:
                raise UsageError(f"--{option}: {what} learnt with another one ({str(wanted)[:12]})")

    def columns(self, sources: Sequence[str], outputs: Sequence[str]) -> Array:
        """Segments × 3, 0 where there is no such model."""
        columns = np.zeros((len(sources), len(NAMES)))
        for place, (path, texts) in enumerate(((self.source_lm, sources), (self.target_lm, outputs))):
            if path:
                columns[:, place] = kenlm_scores(path, texts)
        if self.encoder:
            columns[:, 2] = similarities(self.encoder, sources, outputs)
        return columns


def kenlm_scores(path: str, texts: Sequence[str]) -> Array:
    """log10 p a word of each text, by a model that KenLM reads; words are what stands between spaces."""
    try:
        library: Any = importlib.import_module("kenlm")
    except ImportError:
        raise MissingExtraError("a language model of KenLM", "qe") from None
    try:
        model = library.Model(path)
    except (OSError, RuntimeError) as error:
        raise DataError(f"{path_text(path)}: KenLM cannot read it ({str(error)[:100]})") from None
    return np.array([model.score(text.lower()) / (len(text.split()) + 1) for text in texts])


def similarities(encoder: str, sources: Sequence[str], outputs: Sequence[str]) -> Array:
    """The cosine of the mean vectors of each source and its output, by an encoder that knows both languages."""
    known = Encoder(encoder).encode([*sources, *outputs], "comparing sources and outputs")

    def vector(text: str) -> Array:
        vectors = known[text.strip()].vectors.astype(np.float64)
        return np.asarray(vectors.mean(0)) if len(vectors) else np.zeros(vectors.shape[1])

    values = []
    for source, output in zip(sources, outputs, strict=True):
        a, b = vector(source), vector(output)
        below = float(np.linalg.norm(a) * np.linalg.norm(b))
        values.append(float(a @ b) / below if below > 0 else 0.0)
    return np.array(values)


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except FileNotFoundError:
        raise DataError(missing_file(path)) from None
    except OSError as error:
        raise DataError(f"{path_text(path)} cannot be read: {error.strerror}") from None
    return digest.hexdigest()
