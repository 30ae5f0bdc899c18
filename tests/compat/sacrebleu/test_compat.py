"""Functions give what sacreBLEU's give."""

from __future__ import annotations

import pytest
import sacrebleu as real

import adjudge.compat.sacrebleu as ours
from helpers.sacrebleu_texts import (
    HYPOTHESES,
    REFERENCES,
    assert_same_score,
)


@pytest.mark.parametrize("name", [name for name in real.__all__ if name.endswith(("_bleu", "_chrf", "_ter"))])
def test_functions_give_what_sacrebleus_give(name: str) -> None:
    mine, theirs = getattr(ours, name), getattr(real, name)
    if name.startswith("sentence"):
        assert_same_score(
            mine("the cat sat.", ["a cat sat.", ""]), theirs("the cat sat.", ["a cat sat.", ""])
        )
    else:
        assert_same_score(mine(HYPOTHESES, REFERENCES), theirs(HYPOTHESES, REFERENCES))
