"""A fit shown: what is said of it, and when."""

import json
import math
from dataclasses import replace

import pytest

from adjudge.report.render.formats import Renderer, render, renderer_of
from adjudge.report.render.text import plain
from adjudge.tuning import HeldOut, Tuning
from helpers.tunings import DEFAULT, PLANTED

FIRST = HeldOut("pearson", 0.55, 0.5, 0.05, 0.01, 0.09, 0.02, 0.03)
OTHERS = (HeldOut("spearman", 0.5, 0.49, 0.01), HeldOut("kendall", 0.4, 0.39, 0.01))
TUNING = Tuning(
    parameters=PLANTED, default=DEFAULT, free=("delta", "stem", "alpha", "beta", "gamma"), measure="pearson",
    level="segment", unit="segment", protocol="da", fitted=0.6, fitted_default=0.5, held_out=(FIRST, *OTHERS),
    fold_parameters=(PLANTED, replace(PLANTED, alpha=0.75)), fold_items=(4, 4), judgements=9, items=8, pairs=0,
    units=4, systems=2, segments=4, left_out=0, grid=2700, folds=2, seed=1, resamples=100,
)  # fmt: skip


def within(delta, p):
    return replace(TUNING, held_out=(FIRST, *OTHERS, HeldOut("tau", 0.2 + delta, 0.2, delta, p=p, pairs=120)))


def renderer(tuning: Tuning) -> Renderer:
    return renderer_of(tuning, version="1", facts={"metric": "meteor"})


def test_the_screen():
    lines = plain(renderer(TUNING).lines(width=100)).splitlines()
    assert lines[0].split() == ["Parameter", "Default", "Tuned", "In", "2", "folds"]
    assert lines[1].split() == ["alpha", "0.850", "0.500", "0.500", "to", "0.750"]
    assert lines[5].split() == ["stem", "0.600", "0.500", "0.500", "to", "0.500"]
    assert lines[8].split() == ["Pearson's", "r", "0.500", "0.550", "+0.050", "+0.010", "+0.090", "0.020"]
    assert max(map(len, lines)) <= 100
    assert "synonym and paraphrase kept, for there was nothing to fit" in " ".join(lines)
    assert "8 translations (9 judgements of 2 systems)" in " ".join(lines)


@pytest.mark.parametrize(
    ("delta", "p", "message"),
    [
        (0.05, 0.02, "correlate significantly better than the defaults (+0.050, p = 0.020)."),
        (-0.05, 0.02, "correlate significantly WORSE than the defaults (−0.050, p = 0.020)."),
        (
            0.05,
            0.3,
            "do not correlate significantly better than the defaults (+0.050, p = 0.30): there is no reason",
        ),
        (math.nan, math.nan, "no correlation: too little to tell."),
    ],
)
def test_the_verdict(delta, p, message):
    first = replace(FIRST, delta=delta, p=p)
    assert message in replace(TUNING, held_out=(first, *OTHERS)).verdict()


def test_a_warning_where_the_order_within_segments_suffers():
    assert "WMT's tau −0.080, p = 0.010" in within(-0.08, 0.01)._caution()
    assert "WMT's tau, 120 pairs" in render(renderer(within(-0.08, 0.01)), "text")
    for silent in (within(-0.08, 0.2), within(0.08, 0.01), TUNING):
        assert silent._caution() == ""
    lost = replace(
        within(-0.08, 0.01), held_out=(replace(FIRST, delta=-0.05), *within(-0.08, 0.01).held_out[1:])
    )
    assert lost._caution() == ""  # there is no gain that would have been paid for


def test_other_formats_say_the_same():
    warned = within(-0.08, 0.01)
    for text in (render(renderer(warned), "markdown"), render(renderer(warned), "latex")):
        assert "within segments they order translations worse" in text
        assert "significantly better" in text
    rows = [line.split("\t") for line in render(renderer(TUNING), "tsv").splitlines()]
    assert rows[1] == ["alpha", "0.5", "0.85", ""]
    assert rows[-3] == ["held-out pearson", "0.55", "0.5", "0.02"]
    document = json.loads(render(renderer(TUNING), "json"))
    assert document["held_out"][1]["p"] is None
    assert document["parameters"]["alpha"] == 0.5


def test_ranks_and_systems_are_called_so():
    ranks = replace(
        TUNING, protocol="rank", measure="tau", pairs=12, held_out=(replace(FIRST, measure="tau"),)
    )
    assert (
        "WMT's tau with ranks of 12 ordered pairs of 8 translations (9 judgements of 2 systems)"
        in ranks._how()
    )
    systems = replace(TUNING, level="system", unit="system", items=2, units=2)
    assert "Pearson's r with scores of 2 systems (9 judgements); " in systems._how()
    assert "over 2 systems, 100 resamples" in systems._how()
    assert "HTER of 8 translations" in replace(TUNING, protocol="hter")._how()
