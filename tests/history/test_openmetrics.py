"""The text format of OpenMetrics, as its own parser reads it."""

import pytest

from adjudge.history.openmetrics import openmetrics
from adjudge.history.records import History
from helpers.histories import SET, output, recorded

parser = pytest.importorskip("prometheus_client.openmetrics.parser")


@pytest.fixture
def history(file):
    with History.open(file, create=True) as opened:
        yield opened


def samples(text):
    return [s for family in parser.text_string_to_metric_families(text) for s in family.samples]


def test_every_score_is_a_sample_with_its_time(history):
    for moment, every in ((1700000000.125, 3), (1700000100.0, 4)):
        recorded(history, output(every), output(every, "other"), made=moment)
    found = samples(openmetrics(history.records()))
    assert len(found) == 8
    wanted = {
        (s.system, s.metric, record.made): s.score for record in history.records() for s in record.scores
    }
    assert {(s.labels["system"], s.labels["metric"], float(s.timestamp)): s.value for s in found} == wanted
    assert {s.name for s in found} == {"adjudge_score"}
    assert found[0].labels["fingerprint"] == SET.fingerprint[:12]
    assert "version" not in found[0].labels["signature"]


def test_names_may_hold_anything(history):
    name = 'a "quoted"\\ name\nof {two} lines # EOF'
    recorded(history, output(3, name), metrics=("bleu",))
    (sample,) = samples(openmetrics(history.records()))
    assert sample.labels["system"] == name


def test_intervals_of_comparisons_are_there_and_versions_in_their_order(history):
    import adjudge
    from adjudge.history.evaluations import of_comparison

    for moment in (2000.0, 1000.0, 1000.0):
        compared = adjudge.compare(SET, [output(3, "a"), output(4, "b")], "bleu", trials=50, resamples=20)
        history.add(of_comparison(compared), command="compare", made=moment)
    found = samples(openmetrics(history.records()))
    assert {s.name for s in found} == {"adjudge_score", "adjudge_score_low", "adjudge_score_high"}
    # Two records of one moment are one point: a series has each time once.
    assert [float(s.timestamp) for s in found if s.name == "adjudge_score" and s.labels["system"] == "a"] == [
        1000.0,
        2000.0,
    ]


def test_a_history_without_records_is_a_valid_text():
    assert openmetrics([]) == "# EOF\n"
    assert samples("# EOF\n") == []
