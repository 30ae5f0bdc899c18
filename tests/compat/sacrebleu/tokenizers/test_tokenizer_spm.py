"""Models of subwords are not downloaded unasked."""

from __future__ import annotations

import pytest

import adjudge.compat.sacrebleu as ours
from adjudge.errors import UsageError


@pytest.mark.parametrize("model", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_models_are_not_downloaded(model: str) -> None:
    with pytest.raises(UsageError, match="spm:FILE"):
        ours.BLEU(tokenize=model)
