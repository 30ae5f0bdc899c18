"""An estimator as one file of JSON with its recipe and a hash of all of it; reading it runs nothing.

Arrays and lists of words are compressed and written as text.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__
from adjudge.errors import DataError
from adjudge.io.fields import Fields, read_object
from adjudge.io.files import path_text
from adjudge.qe import features
from adjudge.qe.estimator import Estimator, GlassBox, UnseenSegments
from adjudge.qe.features import NAMES
from adjudge.qe.hashed_ngrams import COLUMNS, LONGEST, RarityWeights
from adjudge.qe.language_model import ORDER, LanguageModel, Ngrams
from adjudge.qe.lexicon import Lexicon
from adjudge.qe.regression import Ridge
from adjudge.qe.resources import EstimatorResources, LanguageSide
from adjudge.qe.word_tagger import COLUMNS as TAG_COLUMNS
from adjudge.qe.word_tagger import NUMBERS, WordTagger
from adjudge.qe.word_text import WordVocabulary
from adjudge.wording import pluralise

TYPES = ("<f4", "<f8", "<i4", "<i8", "<u8")
LARGEST = 1 << 33
"""Bytes of an array: no file may ask for more memory."""
FORMAT = "adjudge qe model"
VERSION = 1
WHAT = "a model of adjudge qe"


def model_bytes(model: Estimator) -> bytes:
    """The file."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "adjudge": __version__,
        "kind": model.kind,
        "higher_is_better": model.higher_is_better,
        "score": model.score_name,
        "features": list(NAMES),
        "companions": dict(model.companions),
        "recipe": dict(model.recipe),
        "segment": _ridge(model.segment),
        "ngrams": {
            "longest": LONGEST,
            "rarity": pack(model.rarity.weights, "<f4"),
            "weights": pack(model.ngrams.weights, "<f4"),
            "intercept": model.ngrams.intercept,
            "penalty": model.ngrams.penalty,
        },
        "held_out": _held_out(model.held_out),
        "glass_box": _glass_box(model.glass_box),
        "tagger": _tagger(model.tagger),
        "resources": _resources(model.resources),
    }
    document["sha256"] = digest_of(document)
    return json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def digest_of(document: Mapping[str, Any]) -> str:
    """The hash of all but the hash itself."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_model(path: str) -> tuple[Estimator, str]:
    """The estimator of a file, and its hash."""
    document = read_object(path, WHAT)
    fields = Fields(path, document)
    if document.get("format") != FORMAT:
        raise DataError(f"{path_text(path)} is not {WHAT}; adjudge qe train --save FILE writes one")
    if document.get("version") != VERSION:
        raise DataError(
            f"{path_text(path)}: format {document.get('version')!r} of a model, but adjudge {__version__} "
            f"reads {VERSION}: "
            f"train it again, or use the adjudge that wrote it ({document.get('adjudge')})"
        )
    digest = digest_of(document)
    if document.get("sha256") != digest:
        raise DataError(
            f"{path_text(path)} was changed after it was written (its sha256 does not fit); get it anew"
        )
    if document.get("features") != list(NAMES):
        raise DataError(
            f"{path_text(path)}: its features are not those of adjudge {__version__}; train it again"
        )
    try:
        return _estimator(fields), digest
    except (KeyError, TypeError, IndexError) as error:
        raise DataError(f"{path_text(path)} is not whole: {error}; train the model again") from None


def _estimator(fields: Fields) -> Estimator:
    ngrams = fields.object("ngrams")
    weights, rarity = (ngrams_array(ngrams, key) for key in ("weights", "rarity"))
    nothing = np.zeros(len(weights))
    return Estimator(
        fields.take("kind", str),
        fields.take("higher_is_better", bool),
        fields.take("score", str),
        _read_resources(fields.object("resources")),
        RarityWeights(rarity.astype(np.float32)),
        Ridge(
            nothing,
            nothing + 1,
            weights.astype(np.float64),
            ngrams.number("intercept"),
            ngrams.number("penalty"),
        ),
        _read_ridge(fields.object("segment"), len(NAMES) + 1),
        _read_held_out(fields.object("held_out")),
        _read_glass_box(fields.object("glass_box")) if "glass_box" in fields else None,
        _read_tagger(fields.object("tagger")) if "tagger" in fields else None,
        {name: str(value) for name, value in fields.take("companions", dict).items()},
        fields.take("recipe", dict),
    )


def ngrams_array(fields: Fields, key: str) -> np.ndarray[Any, Any]:
    """Weights of hashed n-grams."""
    array = unpack(fields.take(key, dict), f"{fields.path}: {fields.place}{key}")
    return _of_shape(array, (COLUMNS,), fields, key)


def _of_shape(
    array: np.ndarray[Any, Any], shape: tuple[int, ...], fields: Fields, key: str
) -> np.ndarray[Any, Any]:
    if array.shape != shape:
        raise fields.fault(key, f"{array.shape} numbers, but {shape} were expected; train the model again")
    return array


def _array(fields: Fields, key: str, shape: tuple[int, ...] | None = None) -> np.ndarray[Any, Any]:
    array = unpack(fields.take(key, dict), f"{fields.path}: {fields.place}{key}")
    return array if shape is None else _of_shape(array, shape, fields, key)


def _ridge(ridge: Ridge) -> dict[str, Any]:
    return {
        "means": pack(ridge.means, "<f8"),
        "scales": pack(ridge.scales, "<f8"),
        "weights": pack(ridge.weights, "<f8"),
        "intercept": ridge.intercept,
        "penalty": ridge.penalty,
    }


def _read_ridge(fields: Fields, columns: int) -> Ridge:
    means, scales, weights = (_array(fields, key, (columns,)) for key in ("means", "scales", "weights"))
    return Ridge(means, scales, weights, fields.number("intercept"), fields.number("penalty"))


def _held_out(held_out: UnseenSegments) -> dict[str, Any]:
    return {"predicted": pack(held_out.predicted, "<f8"), "scores": pack(held_out.scores, "<f8")}


def _read_held_out(fields: Fields) -> UnseenSegments:
    predicted = _array(fields, "predicted")
    return UnseenSegments(predicted, _array(fields, "scores", predicted.shape))


def _glass_box(box: GlassBox | None) -> dict[str, Any] | None:
    if box is None:
        return None
    return {"columns": box.columns, "ridge": _ridge(box.ridge), "held_out": _held_out(box.held_out)}


def _read_glass_box(fields: Fields) -> GlassBox:
    columns = fields.whole("columns", 1, len(features.GLASS_BOX_NAMES))
    held_out = _read_held_out(fields.object("held_out"))
    return GlassBox(columns, _read_ridge(fields.object("ridge"), columns), held_out)


def _tagger(tagger: WordTagger | None) -> dict[str, Any] | None:
    if tagger is None:
        return None
    return {
        "means": pack(tagger.means, "<f8"),
        "scales": pack(tagger.scales, "<f8"),
        "weights": pack(tagger.weights, "<f4"),
        "intercept": tagger.intercept,
        "threshold": tagger.threshold,
        "held_out_mcc": tagger.held_out_mcc,
    }


def _read_tagger(fields: Fields) -> WordTagger:
    means, scales = (_array(fields, key, (NUMBERS,)) for key in ("means", "scales"))
    weights = _array(fields, "weights", (NUMBERS + TAG_COLUMNS,)).astype(np.float64)
    rest = (fields.number(key) for key in ("intercept", "threshold", "held_out_mcc"))
    return WordTagger(means, scales, weights, *rest)


def _resources(resources: EstimatorResources) -> dict[str, Any]:
    return {
        "languages": list(resources.languages),
        "segments": resources.segments,
        "source": _side(resources.source),
        "target": _side(resources.target),
        "forward": _lexicon(resources.forward),
        "backward": _lexicon(resources.backward),
    }


def _read_resources(fields: Fields) -> EstimatorResources:
    languages = fields.texts("languages")
    if len(languages) != 2:
        raise fields.fault("languages", "source and target were expected")
    source, target = (_read_side(fields.object(key)) for key in ("source", "target"))
    sizes = len(source.vocabulary), len(target.vocabulary)
    forward = _read_lexicon(fields.object("forward"), *sizes)
    backward = _read_lexicon(fields.object("backward"), *sizes[::-1])
    return EstimatorResources(
        (languages[0], languages[1]), source, target, forward, backward, fields.whole("segments", 0)
    )


def _side(side: LanguageSide) -> dict[str, Any]:
    return {
        "tokenizer": side.vocabulary.tokenizer,
        "words": pack_words(side.vocabulary.words),
        "orders": [
            {
                "keys": pack_rising(order.keys),
                "log_probabilities": pack(order.log_probabilities, "<f4"),
                "backoffs": pack(order.backoffs, "<f4"),
                "counts": pack(order.counts, "<i8"),
            }
            for order in side.model.orders
        ],
    }


def _read_side(fields: Fields) -> LanguageSide:
    words = unpack_words(fields.take("words", dict), f"{fields.path}: {fields.place}words")
    tokenizer = fields.take("tokenizer", str)
    if tokenizer not in ("intl", "zh", "char"):
        raise fields.fault("tokenizer", f"{tokenizer!r} is none of intl, zh and char")
    vocabulary = WordVocabulary(tokenizer, words)
    if len(vocabulary) != len(words):
        raise fields.fault("words", "a word stands there twice; train the model again")
    orders = []
    for order in fields.objects("orders"):
        keys = unpack_rising(order.take("keys", dict), f"{fields.path}: {order.place}keys")
        columns = (_array(order, key, keys.shape) for key in ("log_probabilities", "backoffs", "counts"))
        orders.append(Ngrams(keys, *columns))
    if len(orders) != ORDER or not all(len(order.keys) for order in orders[:1]):
        raise fields.fault("orders", f"{ORDER} orders of n-grams were expected")
    return LanguageSide(vocabulary, LanguageModel(tuple(orders)))


def _lexicon(lexicon: Lexicon) -> dict[str, Any]:
    return {
        "sources": pack(lexicon.sources, "<i4"),
        "targets": pack(lexicon.targets, "<i4"),
        "probabilities": pack(lexicon.probabilities, "<f4"),
        "jumps": list(lexicon.jumps),
    }


def _read_lexicon(fields: Fields, sources: int, targets: int) -> Lexicon:
    own = _array(fields, "sources")
    other, probabilities = (_array(fields, key, own.shape) for key in ("targets", "probabilities"))
    lexicon = Lexicon(sources, own, other, probabilities, fields.numbers("jumps"))
    if len(own) and (own.max() > sources or lexicon.targets.max() >= targets):
        raise fields.fault("sources", "words outside the vocabulary; train the model again")
    return lexicon


def pack(array: NDArray[Any], kind: str) -> dict[str, Any]:
    """The array as JSON has it."""
    data = np.ascontiguousarray(array, kind).tobytes()
    return {"type": kind, "shape": list(array.shape), "data": _pack(data)}


def unpack(value: Any, where: str) -> NDArray[Any]:
    """The array again, checked; `where` names it in a message."""
    if not isinstance(value, dict) or value.get("type") not in TYPES:
        raise _damaged_error(where, "it is no array")
    shape = value.get("shape")
    if not isinstance(shape, list) or not all(isinstance(n, int) and 0 <= n < 1 << 40 for n in shape):
        raise _damaged_error(where, "its shape is none")
    kind = np.dtype(value["type"])
    size = math.prod(shape) * kind.itemsize
    array = np.frombuffer(_unpack(value.get("data"), size, where), kind).reshape(shape)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise _damaged_error(where, "it holds what is no number")
    return array.astype(kind.newbyteorder("="))


def pack_rising(keys: NDArray[np.uint64]) -> dict[str, Any]:
    """Rising numbers by their differences, which take less room."""
    return pack(np.diff(keys, prepend=np.uint64(0)), "<u8")


def unpack_rising(value: Any, where: str) -> NDArray[np.uint64]:
    """These numbers again."""
    return np.cumsum(unpack(value, where), dtype=np.uint64)


def pack_words(words: Sequence[str]) -> dict[str, Any]:
    """A list of words."""
    data = "\n".join(words).encode("utf-8", "surrogatepass")
    return {"words": len(words), "bytes": len(data), "data": _pack(data)}


def unpack_words(value: Any, where: str) -> list[str]:
    """The list again."""
    if not isinstance(value, dict) or not isinstance(value.get("bytes"), int):
        raise _damaged_error(where, "it is no list of words")
    data = _unpack(value.get("data"), value["bytes"], where)
    try:
        words = data.decode("utf-8", "surrogatepass").split("\n") if data else []
    except UnicodeDecodeError:
        raise _damaged_error(where, "it is no text") from None
    if len(words) != value.get("words"):
        raise _damaged_error(
            where, f"{pluralise(len(words), 'word')}, but {value.get('words')!r} were announced"
        )
    return words


def _pack(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def _unpack(text: Any, size: int, where: str) -> bytes:
    if not isinstance(text, str) or not 0 <= size <= LARGEST:
        raise _damaged_error(where, "it is too large or not there")
    try:
        # No more is unpacked than was announced: a small file must not fill the memory.
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b64decode(text, validate=True), size + 1)
    except (zlib.error, binascii.Error, ValueError):
        raise _damaged_error(where, "it cannot be unpacked") from None
    if len(data) != size:
        raise _damaged_error(where, f"{len(data):,} bytes, but {size:,} were announced")
    return data


def _damaged_error(where: str, why: str) -> DataError:
    return DataError(f"{where} is damaged: {why}; train the model again, or get the file anew")
