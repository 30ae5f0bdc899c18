"""What is left to correct: edits of words, in money where a price is known."""

import math

import pytest

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.dossiers.costs import editing_costs
from adjudge.errors import UsageError

REFERENCE = ["a b c d e f g h i j"] * 12


def compared(*metrics):
    test_set = TestSet(references=[REFERENCE])
    outputs = [Outputs("whole", REFERENCE), Outputs("half", ["a b c d e x x x x x"] * 12)]
    return adjudge.compare(test_set, outputs, metrics, trials=20, resamples=20)


def test_words_to_change_and_their_price() -> None:
    whole, half = editing_costs(compared("chrf", "ter"), price=0.1)
    assert (whole.system, whole.edits, whole.price) == ("whole", 0, 0)
    assert (half.system, half.measure) == ("half", "ter")
    assert half.edits == pytest.approx(50)
    assert half.price == pytest.approx(1000 * 0.5 * 0.1)


def test_without_a_price_or_edits() -> None:
    assert math.isnan(editing_costs(compared("ter"))[0].price)
    assert editing_costs(compared("chrf")) == ()
    with pytest.raises(UsageError, match="which TER counts: -m ter"):
        editing_costs(compared("chrf"), 0.1)


@pytest.mark.parametrize("price", [0.0, -1.0, math.nan, math.inf])
def test_prices_that_are_none(price) -> None:
    with pytest.raises(UsageError, match="price"):
        editing_costs(compared("ter"), price)
