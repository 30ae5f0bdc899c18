"""Fits to judgements that people made: scores, edits and ranks, of segments and of systems."""

import html

import numpy as np
import pytest

from adjudge import io
from adjudge.comparison.scoring import score
from adjudge.data import Outputs, TestSet
from adjudge.io.judgements import read
from adjudge.metrics import metric
from adjudge.stats.draws import fold_of_units
from adjudge.tuning import TuningOptions, gather, rows_of, tune
from conftest import read_lines
from helpers.tunings import said

METEOR = "meteor(matchers=exact+stem)"  # what needs no tables


@pytest.fixture
def wmt17(shared):
    folder = shared.data / "04_wmt17_da_seg_toen" / "de-en"
    loaded = io.load(
        references=[str(folder / "ref.en")],
        systems=[str(path) for path in sorted((folder / "hyp").iterdir())],
    )
    clean = [tuple(html.unescape(line) for line in column) for column in loaded.test_set.references]
    outputs = [Outputs(o.system, tuple(map(html.unescape, o.segments))) for o in loaded.outputs]
    return folder, TestSet(references=tuple(clean), language="en"), outputs


def test_scores_of_segments(wmt17):
    folder, test_set, outputs = wmt17
    judgements = read([str(folder / "human" / "DA-seglevel.csv")], joint=True).judgements
    meteor = metric(METEOR)
    rows = rows_of(meteor, test_set, outputs)
    tuning = tune(judgements, rows, test_set, meteor.in_force, TuningOptions(resamples=200))
    # WMT17's own figure for METEOR's neighbour sentBLEU is .432 there, for chrF .531.
    assert 0.45 < tuning.fitted_default < tuning.held_out[0].tuned < tuning.fitted < 0.6
    assert (tuning.items, tuning.systems, tuning.units) == (560, 11, 506)
    items = gather(judgements, rows, test_set, level="segment", unit="segment").items
    fold = fold_of_units(items.units, 5, 12345)[items.unit]
    segments: dict[str, set[int]] = {}
    for item, number in zip(judgements.item.values(), fold, strict=True):
        segments.setdefault(item, set()).add(int(number))
    assert all(len(folds) == 1 for folds in segments.values())
    assert len(segments) == 506


def test_scores_of_systems(wmt17):
    folder, test_set, outputs = wmt17
    judgements = read([str(folder / "human" / "DA-syslevel.csv")]).judgements
    meteor = metric(METEOR)
    rows = rows_of(meteor, test_set, outputs)
    tuning = tune(judgements, rows, test_set, meteor.in_force, TuningOptions(level="system", resamples=50))
    assert (tuning.items, tuning.units, tuning.unit) == (11, 11, "system")
    assert 0.8 < tuning.fitted_default <= tuning.fitted <= 1
    scored = {result.system: result.score for result in score(test_set, outputs, METEOR).results}
    mine = [scored[system] for system in judgements.system.values()]
    assert np.corrcoef(mine, judgements.score)[0, 1] == pytest.approx(tuning.fitted_default, abs=1e-12)


def test_edits_of_post_editors(shared):
    """HTER of the shared task (less is better), METEOR against the post-edit that it was counted with."""
    folder = shared.data / "10_mlqe_pe" / "en-de" / "pe" / "dev"
    loaded = io.load(references=[str(folder / "dev.pe")], systems=[str(folder / "dev.mt")], language="en-de")
    judgements = read([str(folder / "dev.hter")]).judgements
    meteor = metric(METEOR).for_test_set(loaded.test_set)
    tuning = tune(
        judgements,
        rows_of(meteor, loaded.test_set, loaded.outputs),
        loaded.test_set,
        meteor.in_force,
        TuningOptions(resamples=100),
    )
    first = tuning.held_out[0]
    assert 0.9 < first.default < first.tuned < 1
    assert first.p < 0.05
    assert tuning.protocol == "hter"


def test_edits_beside_a_reference_that_editors_did_not_see(shared):
    """Task hter was fitted to such data (of others): it must do better than rank here, and fitting is no worse."""
    folder = shared.data / "11_graham15_16_da_hter" / "dataset"
    source, reference, system, edited = (
        read_lines(folder / f"{name}.es-en") for name in ("src", "ref", "sys", "human-post-edit")
    )
    outputs = [Outputs("all", system)]
    edits = score(TestSet(references=(edited,)), outputs, "ter", segments=True).results[0].segments
    judgements = said(*(("all", at, value / 100) for at, value in enumerate(edits, 1)), protocol="hter")
    test_set = TestSet(references=(reference,), labels={"source": source}, language="en")
    by_rank, by_hter = metric(METEOR), metric("meteor(matchers=exact+stem,task=hter)")
    rows = rows_of(by_rank, test_set, outputs)
    tunings = [
        tune(judgements, rows, test_set, entry.in_force, TuningOptions(fold_by="source", resamples=100))
        for entry in (by_rank, by_hter)
    ]
    rank, hter = tunings
    assert rank.items == 500
    assert rank.units == len(set(source)) < 500  # outputs of one source sentence are held out together
    assert 0 < rank.fitted_default < hter.fitted_default < hter.fitted
    assert hter.fitted == pytest.approx(rank.fitted, abs=0.005)  # wherever the search begins


def test_ranks(shared):
    folder = shared.data / "07_rankings_wmt13_fren"
    loaded = io.load(
        references=[str(folder / "ref.en")],
        systems=[str(path) for path in sorted((folder / "hyp").iterdir())],
    )
    judgements = read([str(folder / "human" / "rankings-test.csv")]).judgements
    meteor = metric(METEOR)
    rows = rows_of(meteor, loaded.test_set, loaded.outputs)
    tuning = tune(judgements, rows, loaded.test_set, meteor.in_force, TuningOptions(resamples=50))
    # Counted by hand: of each row, the pairs of systems with different ranks, and whether METEOR agrees.
    scored = score(loaded.test_set, loaded.outputs, METEOR, segments=True)
    scores = {result.system: result.segments for result in scored.results}
    agree = []
    header, *lines = read_lines(folder / "human" / "rankings-test.csv")
    for line in lines:
        row = dict(zip(header.split(","), line.split(","), strict=True))
        ranked = []
        for at in range(1, 6):
            name = row[f"system{at}Id"].removeprefix("newstest2013.fr-en.")
            if int(row[f"system{at}rank"]) > 0:
                ranked.append((int(row[f"system{at}rank"]), scores[name][int(row["srcIndex"]) - 1]))
        agree += [1 if a[1] > b[1] else -1 for a in ranked for b in ranked if a[0] < b[0]]
    assert tuning.pairs == len(agree)
    assert tuning.fitted_default == pytest.approx(np.mean(agree), abs=1e-12)
    assert tuning.fitted > tuning.fitted_default
