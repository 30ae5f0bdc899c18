"""What errors weigh: as Google has it, or as was asked, with a place for what is unknown."""

import pytest

from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import Span


@pytest.mark.parametrize(
    ("severity", "category", "weight"),
    [
        ("Major", "Accuracy/Mistranslation", 5),
        ("minor", "Style/Awkward", 1),
        ("Minor", "Fluency/Punctuation", 0.1),
        ("major", "Fluency/Punctuation", 5),
        ("Major", "Non-translation!", 25),
        ("neutral", "Source error", 0),
        ("No-error", "No-error", 0),
    ],
)
def test_weights_are_googles(severity: str, category: str, weight: float) -> None:
    assert ErrorWeights().of(Span(0, 1, severity, category)) == weight
