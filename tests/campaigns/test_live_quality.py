"""What organisers see of a campaign while it runs."""

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.campaigns.live_quality import live_quality
from helpers.judging import ratings


@pytest.mark.parametrize("protocol", ["da", "mqm"])
def test_organisers_see_the_agreement_that_analyses_show(protocol) -> None:
    """Of z-scores where annotators have scales of their own, of raw scores where numbers mean the same for all."""
    rng = np.random.default_rng(2)
    quality = rng.normal(50, 12, (2, 30))
    rows = [
        (who, system, str(item), quality[s, item] * scale + shift + rng.normal(0, 8))
        for who, scale, shift in (("A", 1.0, 0), ("B", 0.3, 40), ("C", 0.8, -20))
        for s, system in enumerate("xy")
        for item in range(30)
    ]
    judged = replace(ratings(rows), protocol=protocol)
    [watched] = live_quality({"": judged})
    found = adjudge.analyse(judged, resamples=100).agreement
    assert watched.between.value == found.inter.alpha.value
    assert watched.between.words == found.inter.alpha.words
    raw = adjudge.analyse(judged, score="raw", resamples=100).agreement
    assert (watched.between.value == raw.inter.alpha.value) is (protocol == "mqm")
