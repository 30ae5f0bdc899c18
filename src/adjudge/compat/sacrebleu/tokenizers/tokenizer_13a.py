"""The tokenizer of mteval-v13a."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class Tokenizer13a(NamedTokenizer):
    """Cuts off punctuation as mteval-v13a.pl does; BLEU's default."""

    name = "13a"
