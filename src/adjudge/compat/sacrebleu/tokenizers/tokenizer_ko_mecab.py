"""The tokenizer for Korean."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerKoMecab(NamedTokenizer):
    """Cuts Korean with mecab-ko and its dictionary (extra `ko`)."""

    name = "ko-mecab"
