"""The tokenizer for Chinese."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerZh(NamedTokenizer):
    """Cuts Chinese into characters and the rest as 13a does."""

    name = "zh"
