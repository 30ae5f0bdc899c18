"""The tokenizer that cuts into characters."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerChar(NamedTokenizer):
    """Cuts a line into its characters."""

    name = "char"
