"""Helpers count as sacreBLEU's do."""

from __future__ import annotations

import sacrebleu as real

import adjudge.compat.sacrebleu as ours


def test_helpers_count_alike() -> None:
    from adjudge.compat.sacrebleu.metrics import helpers

    line = " the cat  sat on the cat "
    assert ours.extract_char_ngrams(line, 2) == real.extract_char_ngrams(line, 2)
    assert ours.extract_char_ngrams(line, 2, True) == real.extract_char_ngrams(line, 2, True)
    assert ours.extract_word_ngrams(line.split(), 2) == real.extract_word_ngrams(line.split(), 2)
    for name, arguments in {"extract_all_word_ngrams": (1, 3), "extract_all_char_ngrams": (3,)}.items():
        assert getattr(helpers, name)(line, *arguments) == getattr(real.metrics.helpers, name)(
            line, *arguments
        )
