"""What a difference is worth: fitted, kept in a file, found by metric and language; WMT's table can be made again."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.difference_tables import ANY, family_of, metric_name
from adjudge.data.score_tables import SystemScores
from adjudge.errors import DataError, UsageError
from adjudge.io.difference_tables import document, read_tables, shipped_tables
from adjudge.io.metric_folders import read_meta_set
from adjudge.io.score_tables import of_meta_set, read_system_scores
from adjudge.meta.differences import fit_differences, system_pairs
from adjudge.stats.agreement_curve import fit_agreement
from conftest import PROJECT

PUBLISHED = PROJECT / "scripts" / "published-system-scores.tsv"


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
    tables = fit_differences(made_sets(), data_name="our", lower_metrics=["theirs"])
    assert [(curve.metric, curve.family) for curve in tables.curves] == [
        (metric, ANY) for metric in ("chrf", "ter", "theirs")
    ]
    perfect = tables.curve("ter")
    assert perfect is not None
    assert not perfect.higher_is_better  # adjudge's own metrics know
    assert perfect.points.agreement[-1] > 0.99
    assert perfect.pairs == 6 * 66
    theirs = tables.curve("theirs")
    assert theirs is not None
    assert theirs.points.agreement[-1] > 0.99  # as they were said to
    with pytest.raises(UsageError, match="did you mean 'theirs'"):
        fit_differences(made_sets(), data_name="our", lower_metrics=["their"])


def test_the_curve_of_a_metric_and_its_options():
    tables = fit_differences(made_sets(5), data_name="our")
    assert tables.curve("chrf", "en-de").family == ANY
    assert tables.curve("chrf(lowercase=true)", "fr-en").metric == "chrf"
    assert tables.curve("chrf(beta=3.0)") is None
    assert tables.curve("chrf(beta=3.0,lowercase=true)") is None
    assert tables.curve("bleu") is None
    assert metric_name("bleu(tokenize=intl)", {"bleu"}) == "bleu"
    assert metric_name("bleu(tokenize=char)", {"bleu"}) == "bleu(tokenize=char)"
    assert metric_name("comet(model=m,precision=float16)", {"comet(model=m)"}) == "comet(model=m)"


def test_curves_of_model_metrics_are_found_by_their_specs():
    spec = metrics.metric("metricx(edition=23,tokenizer=google/mt5-xl,model=google/metricx-23-xl-v2p0)").spec
    curve = shipped_tables().curve(spec)
    assert (curve.test_sets, curve.higher_is_better) == (11, False)
    assert shipped_tables().curve("metricx(model=google/metricx-24-hybrid-xl-v2p6)") is None


def test_a_curve_in_proportion_to_anothers():
    """Of a metric that is another one times two on the few test sets that have it, differences are twice as large."""
    made = made_sets(12)
    for own in made[:5]:
        own.metrics["double"] = 2 * own.metrics["chrf"]
    tables = fit_differences(made, data_name="our", like={"double": "chrf"})
    double, single = tables.curve("double"), tables.curve("chrf")
    assert (double.like, double.test_sets, single.test_sets) == ("chrf", 5, 12)
    assert double.points.at(3.0) == pytest.approx(single.points.at(1.5), abs=2e-3)
    apart = [replace(own, metrics={"double": own.metrics["chrf"]}) for own in made_sets(5, seed=9)]
    with pytest.raises(UsageError, match="cannot be like chrf: 0 test sets with both are too few"):
        fit_differences([*made_sets(6), *apart], data_name="our", like={"double": "chrf"})


def test_the_data_are_called_by_their_years():
    dated = [replace(own, year=2018 + place) for place, own in enumerate(made_sets())]
    for test_sets, label in (
        (dated, "our 2018–2023"),
        (dated[:1] * 5, "our 2018"),
        (made_sets(), "our data"),
    ):
        tables = fit_differences(test_sets, data_name="our")
        assert tables.label(tables.curve("chrf")) == label


def test_too_few_data_are_said():
    with pytest.raises(
        DataError, match="too few data to say anything: chrf: 132 pairs of systems in 2 test sets are"
    ):
        fit_differences(made_sets(2), data_name="our")


def test_systems_without_a_score_are_left_out():
    made = made_sets()
    made[0].metrics["chrf"][:4] = np.nan
    tables = fit_differences(made, data_name="our")
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
    made = [replace(own, year=2020) for own in made_sets()]
    tables = fit_differences(made, data_name="our", like={"theirs": "chrf"}, lower_metrics=["theirs"])
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
        (lambda held: held.update(format="adjudge differences 1"), "by an earlier adjudge.*fit it again"),
        (lambda held: held["curves"][0].update(first_year="x"), "curve 1: first_year: a whole number was"),
        (lambda held: held.pop("name"), "name: missing"),
        (lambda held: held.update(confidence="much"), "confidence: a number was expected"),
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
    held = document(fit_differences(made_sets(), data_name="our"))
    change(held)
    file = tmp_path / "differences.json"
    file.write_text(json.dumps(held))
    with pytest.raises(DataError, match=message) as error:
        read_tables(str(file))
    assert str(file) in str(error.value)


def test_wmts_table_is_there():
    tables = shipped_tables()
    assert len(tables.test_sets) == 33
    assert tables.label(tables.curve("bleu")) == "WMT 2013–2023"
    assert tables.label(tables.curve("comet(model=Unbabel/wmt23-cometkiwi-da-xl,qe=true)")) == "WMT 2024"
    for metric in ("bleu", "chrf", "chrf++", "ter"):
        own = tables.curve(metric)
        assert own.points.at(0.0)[0] == 0.5
        assert own.points.at(0.3)[0] < own.points.at(3.0)[0] < own.points.at(30.0)[0] + 1e-9
        assert own.pairs > 600


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_newer_people_agreed_as_often_as_the_curves_promise(metric):
    """The curves of before promised 84 to 90 % on these 13 test sets of WMT22 and WMT23; people agreed in 77 to 81."""
    curve = shipped_tables().curve(metric).points
    newer = [own for own in read_system_scores([str(PUBLISHED)]).test_sets if own.year < 2024]
    pairs = system_pairs(newer, metric, higher_is_better=True)
    promised = np.interp(pairs.delta, curve.delta, curve.agreement).mean()
    assert len(pairs.systems) == 13
    assert promised == pytest.approx(pairs.agree.mean(), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "better"),
    [("bleu", True), ("chrf", True), ("metricx(model=google/metricx-23-xl-v2p0,edition=23)", False)],
)
def test_curves_hold_on_test_sets_that_were_left_out(metric, better):
    """By fifths of the promise, people agree as often as a model says that has not seen the test set."""
    pairs = system_pairs(read_system_scores([str(PUBLISHED)]).test_sets, metric, better)
    promised, agreed, variance = [], [], []
    for place in range(len(pairs.systems)):
        rest = [other for other in range(len(pairs.systems)) if other != place]
        own = pairs.of_sets([place])
        share = fit_agreement(pairs.of_sets(rest), year=pairs.years[place]).agreement(own.delta)[0]
        promised.append(share)
        agreed.append(own.agree)
        variance.append(share * (1 - share) * (2 * own.systems[0] + 5) / 9)
    share, agree, spread = map(np.concatenate, (promised, agreed, variance))
    for part in np.array_split(np.argsort(share), 5):
        error = np.sqrt(spread[part].sum()) / len(part)
        assert share[part].mean() == pytest.approx(agree[part].mean(), abs=2.5 * error)


def test_published_scores_are_complete():
    with PUBLISHED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 306
    assert all(row["human"] and row["year"] for row in rows)
    assert all(f"wmt-conference/{row['test_set']}-news-systems@" in row["source"] for row in rows)
    by_set = {(row["test_set"], row["language"]) for row in rows}
    assert [sum(name == f"wmt{year}" for name, _ in by_set) for year in (22, 23, 24)] == [6, 7, 11]


@pytest.mark.slow
def test_wmts_table_can_be_made_again(shared, tmp_path):
    script = PROJECT / "scripts" / "gather-system-scores"
    gathered = subprocess.run(
        [sys.executable, str(script), str(shared.data)], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    file = tmp_path / "systems.tsv"
    file.write_text(gathered)
    made = tmp_path / "differences.json"
    command = [PROJECT / "scripts" / "fit-wmt-differences", str(file), str(made)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHON": sys.executable})
    ours, kept = document(read_tables(str(made))), document(shipped_tables())
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
