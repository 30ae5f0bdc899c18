"""What every tokenizer of sacreBLEU can do: cut a line, and say what it is for the signature."""

from __future__ import annotations

from adjudge.text import tokenizers


class BaseTokenizer:
    """A tokenizer to derive from; give BLEU one of your own by setting its `tokenizer`."""

    def signature(self) -> str:
        """What stands for this tokenizer in a signature."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The line with its tokens apart by spaces."""
        raise NotImplementedError


class NamedTokenizer(BaseTokenizer):
    """One of adjudge's tokenizers behind sacreBLEU's interface."""

    name = ""
    """What adjudge calls it; BLEU then cuts lines in the core and not here."""

    def __init__(self) -> None:
        self._tokenizer = tokenizers.tokenizer(self.name)

    def signature(self) -> str:
        """What stands for this tokenizer in a signature."""
        return self._tokenizer.signature

    def __call__(self, line: str) -> str:
        """The line with its tokens apart by spaces."""
        return self._tokenizer(line)
