"""The tokenizer of tercom."""

from __future__ import annotations

from adjudge import _native
from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Lower-cases, normalizes and drops punctuation as sacreBLEU's version of tercom's tokenizer does."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """What stands for this tokenizer in a signature."""
        return "tercom"

    def __call__(self, line: str) -> str:
        """The line with its tokens apart by spaces."""
        texts = _native.texts([line if self._case_sensitive else line.lower()])
        options = bool(self._normalized), bool(self._no_punct), bool(self._asian_support)
        return " ".join(_native.tercom_tokenize(texts, *options, False)[0])
