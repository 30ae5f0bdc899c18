"""sacreBLEU's tokenizer classes, one module each as there; all of them call adjudge's."""

from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
