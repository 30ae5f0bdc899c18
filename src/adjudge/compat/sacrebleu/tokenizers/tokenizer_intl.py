"""The international tokenizer of mteval-v14."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerV14International(NamedTokenizer):
    """Cuts off punctuation and symbols of all scripts as mteval-v14.pl does."""

    name = "intl"
