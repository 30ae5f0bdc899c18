"""What a difference is worth: fitted, kept in a file, found by metric and language; WMT's table can be made again."""

import json
import subprocess
import sys

import numpy as np
import pytest

from adjudge.data.difference_tables import ANY, family_of
from adjudge.data.system_scores import SystemScores
from adjudge.errors import DataError, UsageError
from adjudge.io.difference_tables import document, read_tables, shipped_tables
from adjudge.io.metric_scores import read_meta_set
from adjudge.io.system_scores import of_meta_set, read_system_scores
from adjudge.meta.differences import fit_differences
from conftest import PROJECT


def made_sets(number=6, systems=12, language="pt-en", seed=2):
    rng = np.random.default_rng(seed)
    made = []
    for place in range(number):
        quality = rng.normal(0, 3, systems)
        names = tuple(f"s{i}" for i in range(systems))
        scores = {"chrf": quality + rng.normal(0, 1, systems), "ter": -quality, "theirs": -2 * quality}
        made.append(SystemScores(f"set{place}", language, "DA", names, quality, scores))
    return made


def test_every_metric_has_a_curve_in_its_own_direction():
    tables = fit_differences(made_sets(), name="our", lower=["theirs"], resamples=100)
    assert {(curve.metric, curve.family) for curve in tables.curves} == {
        (metric, family) for metric in ("chrf", "ter", "theirs") for family in (ANY, "english")
    }
    perfect = tables.curve("ter")
    assert perfect is not None
    assert not perfect.higher_is_better  # adjudge's own metrics know
    assert perfect.points.agreement[-1] == 1.0
    assert perfect.pairs == 6 * 66
    theirs = tables.curve("theirs")
    assert theirs is not None
    assert theirs.points.agreement[-1] == 1.0  # as they were said to
    with pytest.raises(UsageError, match="did you mean 'theirs'"):
        fit_differences(made_sets(), name="our", lower=["their"])


def test_the_curve_of_the_family_or_of_any():
    tables = fit_differences(
        [*made_sets(5), *made_sets(3, language="en-de", seed=3)], name="our", resamples=50
    )
    assert tables.curve("chrf", "en-de").family == ANY  # three test sets are too few for a curve of their own
    assert tables.curve("chrf", "pt-en").family == "english"
    assert tables.curve("chrf", "").family == ANY
    assert tables.curve("chrf(lowercase=true)", "fr-en").metric == "chrf"
    assert tables.curve("chrf(beta=3.0)") is None
    assert tables.curve("bleu") is None
    assert any(
        "germanic: 198 pairs of systems in 3 test sets are too few" in reason for reason in tables.missing
    )


def test_too_few_data_are_said():
    with pytest.raises(
        DataError, match="too few data to say anything: chrf, any: 132 pairs of systems in 2 test sets are"
    ):
        fit_differences(made_sets(2), name="our")


def test_systems_without_a_score_are_left_out():
    made = made_sets()
    made[0].metrics["chrf"][:4] = np.nan
    tables = fit_differences(made, name="our", resamples=50)
    assert tables.curve("chrf").pairs == 5 * 66 + 28


@pytest.mark.parametrize(
    ("language", "family"),
    [
        ("en-de", "germanic"),
        ("de-en", "english"),
        ("pt-BR", "romance"),
        ("zh", "east asian"),
        ("", ""),
        ("xx", ""),
    ],
)
def test_families(language, family):
    assert family_of(language) == family


def test_a_file_holds_all_of_it(tmp_path):
    tables = fit_differences(made_sets(), name="our", resamples=50)
    file = tmp_path / "differences.json"
    file.write_text(json.dumps(document(tables)))
    again = read_tables(str(file))
    assert document(again) == document(tables)
    assert again.curve("chrf").points.at(1.2)[0] == pytest.approx(
        tables.curve("chrf").points.at(1.2)[0], abs=1e-4
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda held: held.pop("format"), "is not a table of differences"),
        (lambda held: held.pop("name"), "name: missing"),
        (lambda held: held.update(level="much"), "level: a number was expected"),
        (lambda held: held.update(curves=[]), "no curve"),
        (lambda held: held["curves"][0].pop("points"), "curve 1: points: a list was expected"),
        (lambda held: held["curves"][0]["points"][1].pop(), "curve 1: point 2: five numbers"),
        (lambda held: held["curves"][0]["points"].reverse(), "curve 1: a curve that rises"),
        (
            lambda held: held["curves"][1]["points"][0].__setitem__(1, 0.44),
            "curve 2: agreement must go from 0.5",
        ),
        (lambda held: held["test_sets"][0].pop("pairs"), "test set 1: pairs: a whole number was expected"),
    ],
)
def test_files_that_are_wrong(tmp_path, change, message):
    held = document(fit_differences(made_sets(), name="our", resamples=20))
    change(held)
    file = tmp_path / "differences.json"
    file.write_text(json.dumps(held))
    with pytest.raises(DataError, match=message) as error:
        read_tables(str(file))
    assert str(file) in str(error.value)


def test_wmts_table_is_there():
    tables = shipped_tables()
    assert len(tables.test_sets) == 9
    for metric in ("bleu", "chrf", "chrf++", "ter"):
        own = tables.curve(metric)
        assert own.points.at(0.0)[0] == 0.5
        assert own.points.at(0.3)[0] < own.points.at(3.0)[0] < own.points.at(30.0)[0] + 1e-9
        assert own.pairs > 600


@pytest.mark.slow
def test_wmts_table_can_be_made_again(shared, tmp_path):
    script = PROJECT / "scripts" / "gather-system-scores"
    gathered = subprocess.run(
        [sys.executable, str(script), str(shared.data)], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    file = tmp_path / "systems.tsv"
    file.write_text(gathered)
    tables = fit_differences(read_system_scores([str(file)]).test_sets, name="WMT")
    ours, kept = document(tables), document(shipped_tables())
    assert ours["test_sets"] == kept["test_sets"]
    for own, old in zip(ours["curves"], kept["curves"], strict=True):
        assert own["metric"] == old["metric"]
        np.testing.assert_allclose(own["points"], old["points"], atol=1e-4)


def test_people_and_metrics_of_a_folder(shared):
    meta_set = read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set
    own = of_meta_set(meta_set, "mqm")
    assert len(own.systems) == 12
    assert "refA" not in own.systems
    place = own.systems.index("ONLINE-B")
    assert own.people[place] == pytest.approx(-4.7113, abs=1e-4)
    assert not np.isnan(own.metrics["BLEU-refA"]).any()
