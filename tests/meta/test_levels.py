"""Which score goes with which judgement: counted as by hand, kept in a file, with intervals that hold."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

from adjudge.data.score_tables import ScoredSegments
from adjudge.errors import DataError, UsageError
from adjudge.io.metric_folders import read_meta_set
from adjudge.io.score_tables import of_judged_cells, read_scored_segments
from adjudge.meta.level_file import document, read_levels, shipped_levels
from adjudge.meta.levels import fit_levels
from conftest import PROJECT


def outputs(number=600, language="pt-en", seed=1, slope=1.0):
    rng = np.random.default_rng(seed)
    people = rng.uniform(0, 100, number)
    scores = slope * people + rng.normal(0, 5, number)
    segments = tuple(str(i // 3) for i in range(number))
    return ScoredSegments("set", language, segments, people, {"chrf": scores, "flat": np.ones(number)})


def test_levels_are_counted():
    own = outputs()
    (table, english) = fit_levels(
        [own], data_name="our"
    ).metrics  # a metric that is the same everywhere has none
    assert (table.metric, table.family, english.family) == ("chrf", "any", "english")
    assert [(level.low, level.high) for level in table.levels] == [
        (0, 20),
        (20, 40),
        (40, 60),
        (60, 80),
        (80, 100),
    ]
    inside = own.metrics["chrf"][(own.people >= 40) & (own.people < 60)]
    middle = table.levels[2]
    assert (middle.outputs, sum(middle.histogram)) == (len(inside), len(inside))
    assert middle.mean == pytest.approx(inside.mean())
    assert middle.quartiles == pytest.approx(tuple(np.quantile(inside, [0.25, 0.5, 0.75])))
    assert sum(level.outputs for level in table.levels) == sum(band.outputs for band in table.bands) == 600


def test_what_people_give_a_score():
    table = fit_levels([outputs()], data_name="our").metrics[0]
    band = table.at(50.0)
    assert band.people == pytest.approx(50, abs=4)
    assert band.low < band.people < band.high
    assert band.quartiles[0] < band.people < band.quartiles[2]
    assert table.at(500.0) is None
    assert table.at(-500.0) is None
    falling = fit_levels([outputs(slope=-1.0)], data_name="our").metrics[0]
    assert falling.at(-50.0).people == pytest.approx(50, abs=4)


def test_other_scales_and_cuts():
    own = outputs()
    mqm = ScoredSegments("set", "", own.segment, -own.people / 10, own.metrics)
    levels = fit_levels([mqm], data_name="our").metrics[0].levels
    assert len(levels) == 5
    assert max(level.outputs for level in levels) - min(level.outputs for level in levels) <= 2
    assert [
        level.low for level in fit_levels([own], data_name="our", cuts=[0, 70, 100]).metrics[0].levels
    ] == [
        0,
        70,
    ]
    with pytest.raises(UsageError, match="each larger"):
        fit_levels([own], data_name="our", cuts=[0, 70, 50])


def test_levels_without_outputs_are_empty():
    level = fit_levels([outputs()], data_name="our", cuts=[0, 100, 200]).metrics[0].levels[1]
    assert level.outputs == 0
    assert math.isnan(level.mean)


def test_too_few_or_nothing_to_tell():
    with pytest.raises(DataError, match="too few data"):
        fit_levels([outputs(60)], data_name="our")
    own = outputs()
    with pytest.raises(DataError, match="the same score"):
        fit_levels([ScoredSegments("s", "", own.segment, np.full(600, 200.0), own.metrics)], data_name="our")


def test_intervals_of_alike_outputs_hold():
    """Outputs of one segment share half of their noise: 95 % intervals of people's mean hold it about so often."""
    rng = np.random.default_rng(5)
    held = total = 0
    for _ in range(60):
        shared, own = np.repeat(rng.normal(0, 8, 250), 4), rng.normal(0, 8, 1000)
        scores = np.repeat(rng.uniform(0, 100, 250), 4) + rng.normal(0, 1, 1000)
        segments = tuple(str(i // 4) for i in range(1000))
        table = fit_levels(
            [ScoredSegments("s", "", segments, scores + shared + own, {"m": scores})], data_name="our"
        ).metrics[0]
        held += sum(band.low <= band.score <= band.high for band in table.bands)
        total += len(table.bands)
    assert 0.92 <= held / total <= 0.98


def test_a_file_holds_all_of_it(tmp_path):
    tables = fit_levels([outputs()], data_name="our", cuts=[0, 100, 200])
    file = tmp_path / "levels.json"
    file.write_text(json.dumps(document(tables)))
    again = read_levels(str(file))
    assert document(again) == document(tables)
    assert again.of("chrf(lowercase=true)", "fr-en").family == "english"
    assert again.of("chrf(beta=1)") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda held: held.pop("format"), "is not a table of levels"),
        (lambda held: held.update(metrics=[]), "no metric"),
        (lambda held: held.update(scale=[1]), "scale: 2 numbers were expected|scale: 2 numbers was expected"),
        (lambda held: held["metrics"][0].pop("bands"), "metric 1: bands: a list was expected"),
        (
            lambda held: held["metrics"][0]["bands"][1].update(people="x"),
            "metric 1: band 2: people: a number",
        ),
        (lambda held: held["metrics"][0]["levels"][0].pop("quartiles"), "level 1: quartiles: 3 numbers"),
    ],
)
def test_files_that_are_wrong(tmp_path, change, message):
    held = document(fit_levels([outputs()], data_name="our"))
    change(held)
    file = tmp_path / "levels.json"
    file.write_text(json.dumps(held))
    with pytest.raises(DataError, match=message) as error:
        read_levels(str(file))
    assert str(file) in str(error.value)


def test_wmts_table_is_there():
    tables = shipped_levels()
    chrf = tables.of("chrf", "pt-en")
    assert chrf.family == "english"
    assert chrf.at(30.0).people < chrf.at(70.0).people
    ter = tables.of("ter")
    assert ter.at(20.0).people > ter.at(80.0).people


@pytest.mark.slow
def test_wmts_table_can_be_made_again(shared, tmp_path):
    script = PROJECT / "scripts" / "gather-segment-scores"
    made = subprocess.run(
        [sys.executable, str(script), str(shared.data)], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    file = tmp_path / "segments.tsv"
    file.write_text(made)
    again = document(fit_levels(read_scored_segments([str(file)]).test_sets, data_name="WMT"))
    kept = document(shipped_levels())
    assert again["metrics"] == kept["metrics"]


def test_people_and_metrics_of_a_folder(shared):
    meta_set = read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set
    own = of_judged_cells(meta_set, "da-sqm")
    assert len(own.people) == 12 * 549
    assert len(set(own.segment)) == 549
    table = next(m for m in fit_levels([own], data_name="our").metrics if m.metric == "COMET-refA")
    assert table.bands[0].people < table.bands[-1].people - 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("segment\tchrf\n1\t2\n", "no column 'human'"),
        ("segment\thuman\n1\t2\n", "no metric"),
        ("segment\thuman\tchrf\n1\tgood\t2\n", "line 2, column 'human'"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    file = tmp_path / "segments.tsv"
    file.write_text(text)
    with pytest.raises(DataError, match=message) as error:
        read_scored_segments([str(file)])
    assert str(file) in str(error.value)
