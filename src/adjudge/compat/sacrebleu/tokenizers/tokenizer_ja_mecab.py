"""The tokenizer for Japanese."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerJaMecab(NamedTokenizer):
    """Cuts Japanese with MeCab and the IPA dictionary (extra `ja`)."""

    name = "ja-mecab"
