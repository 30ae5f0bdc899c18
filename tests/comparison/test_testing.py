"""Pairs of systems on the same units: intervals that say what the test says, and units that are too few."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge import comparison
from adjudge.data import Outputs
from helpers.compared_systems import (
    DOCUMENTS,
    FAIR,
    FAST,
    GOOD,
    POOR,
    TEST_SET,
    outcomes_of,
    standing,
)


def test_whole_documents_are_drawn():
    # Each document is good or bad as a whole: documents tell less than their segments seem to.
    hard = [int(d.removeprefix("doc")) % 2 for d in DOCUMENTS]
    mixed = tuple((POOR if h else GOOD).segments[i] for i, h in enumerate(hard))
    systems = [Outputs("mixed", mixed), FAIR]
    by_segment, by_document = (
        comparison.compare(TEST_SET, systems, "bleu", unit=unit, **FAST) for unit in ("segment", "document")
    )
    assert standing(by_document, "mixed").deviation > 1.5 * standing(by_segment, "mixed").deviation
    assert by_document.test.unit == "document"


def test_a_constant_interval_of_basic_kind_mirrors_the_percentile_one():
    plain, basic = (
        standing(comparison.compare(TEST_SET, [GOOD, FAIR], "bleu", interval=i, **FAST), "good")
        for i in ("percentile", "basic")
    )
    assert basic.low == pytest.approx(2 * plain.score - plain.high)
    assert basic.high == pytest.approx(2 * plain.score - plain.low)


def test_where_five_segments_differ_the_interval_reaches_0():
    """All five better: chance does that in one of 16 cases, and no interval may say more than p does."""
    scores = np.tile(np.random.default_rng(1).normal(50, 10, 100), (2, 1))
    scores[0, :5] += [3.0, 4.0, 5.0, 6.0, 7.0]
    (pair,) = outcomes_of(scores, trials=10_000).pairs
    assert pair.p == pytest.approx(2 / 2**5, abs=0.01)
    assert pair.low <= 0 < pair.high
    (old,) = outcomes_of(scores, interval="percentile").pairs
    assert old.low > 0, "percentiles of resamples say more than the test"


@pytest.mark.parametrize(("segments", "few"), [(99, True), (100, False)])
def test_few_segments_are_fewer_than_a_hundred(segments, few):
    some = TEST_SET[:segments]
    outputs = [Outputs(entry.system, entry.segments[:segments]) for entry in (GOOD, FAIR)]
    claims = comparison.compare(some, outputs, "ter", unit="segment", **FAST).claims
    assert any(claim.startswith(f"{segments} segments are few") for claim in claims) is few


@pytest.mark.parametrize(("documents", "few"), [(19, True), (20, False)])
def test_few_documents_are_fewer_than_twenty(documents, few):
    labels = {"document": tuple(f"d{i % documents}" for i in range(120))}
    some = replace(TEST_SET, labels=labels)
    claims = comparison.compare(some, [GOOD, FAIR], "ter", unit="document", **FAST).claims
    assert any(claim.startswith(f"{documents} documents are few") for claim in claims) is few
