"""SentencePiece tokenizers: from a model file, because adjudge does not download sacreBLEU's models."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer
from adjudge.errors import UsageError

SPM_MODELS = ("spm", "flores101", "flores200", "spBLEU-1K")


class TokenizerSPM(NamedTokenizer):
    """Cuts a line with a SentencePiece model: `spm:FILE`, or BLEU's option `tokenize="spm:FILE"`."""

    def __init__(self, key: str = "spm") -> None:
        if key in SPM_MODELS:
            raise UsageError(
                f"the {key} tokenizer needs a model that adjudge does not download; "
                "get the file and say 'spm:FILE' instead"
            )
        self.name = key
        super().__init__()


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101, which adjudge does not download."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200, which adjudge does not download."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - sacreBLEU's spelling
    """The model of spBLEU-1K, which adjudge does not download."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
