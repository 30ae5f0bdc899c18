"""Charts: what Vega-Lite takes for one, drawn without a network, and nothing in it that could run or lead astray."""

import re

import pytest

from adjudge.errors import MissingExtraError
from adjudge.report.charts.dossier_charts import bucket_chart, error_chart, fault_chart, interval_chart
from adjudge.report.charts.spreads import grid_chart, histogram_chart
from adjudge.report.charts.vega import NARROW, WIDE, Specification, svg_of
from adjudge.report.pages.dossier_links import Links
from adjudge.report.results.comparison_tables import View
from helpers.dossiers import HARM, example_dossier, harmful_dossier


def charts(dossier):
    links = Links(dossier.segments)
    view = View.of(dossier.comparison, dossier.comparison.test, None)
    yield from (interval_chart(view, metric, links) for metric in view.pairwise.metrics)
    yield from (bucket_chart(r, table, "BLEU", links) for r in dossier.buckets for table in r.tables)
    yield error_chart(dossier.errors, links)
    yield fault_chart(dossier.faults, links)
    yield from (histogram_chart(own, links) for own in dossier.histograms)
    yield from (grid_chart(own, links) for own in dossier.grids)


def test_specifications_are_vega_lites_own() -> None:
    altair = pytest.importorskip("altair")
    for chart in charts(example_dossier()):
        for width in (WIDE, NARROW):
            altair.Chart.from_dict(chart.specification(width).whole(), validate=True)


def bars(**more):
    rows = [{"x": HARM, "y": 3, "href": "#0", "told": HARM}, {"x": "b", "y": 2, "href": "#1", "told": "b"}]
    encoding = {
        "x": {"field": "x", "type": "nominal"},
        "y": {"field": "y", "type": "quantitative"},
        "href": {"field": "href"},
        "description": {"field": "told"},
    }
    return {
        "data": {"values": rows},
        "mark": {"type": "bar", "color": "var(--mark)"},
        "encoding": encoding,
        **more,
    }


def test_links_are_those_that_were_given_and_others_are_left_out() -> None:
    pytest.importorskip("vl_convert")
    drawn = svg_of(
        Specification(bars(), ["#segments?x=1&y=2", "javascript:alert(1)"]), kind="wide", label=HARM
    )
    assert re.findall(r'href="([^"]*)"', drawn) == ["#segments?x=1&amp;y=2"]
    assert "<script" not in drawn
    assert "onerror=alert(2)>" not in drawn.replace("&gt;", "")  # as text only
    assert "\0" not in drawn
    assert "\u202e" not in drawn
    assert 'fill="var(--mark)"' in drawn


def test_colours_and_elements_that_are_not_known_do_not_pass() -> None:
    pytest.importorskip("vl_convert")
    wild = bars(mark={"type": "bar", "color": "url(http://evil.example/x)"})
    drawn = svg_of(Specification(wild, ["#a", "#b"]), kind="wide", label="")
    assert "evil" not in drawn
    picture = {
        "mark": {"type": "image", "url": "http://evil.example/x.png"},
        "encoding": {},
        "data": {"values": [{}]},
    }
    drawn = svg_of(Specification(picture), kind="wide", label="")
    assert "evil" not in drawn
    assert "<image" not in drawn


def test_a_missing_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[report\]"):
        svg_of(Specification(bars()), kind="wide", label="")


def test_every_mark_of_a_chart_leads_to_segments() -> None:
    pytest.importorskip("vl_convert")
    for chart in charts(harmful_dossier()):
        drawn = svg_of(chart.specification(WIDE), kind="wide", label=chart.title)
        told = re.findall(r'<(\w+)[^>]*aria-label="([^"]*)"[^>]*role="img"', drawn)
        linked = re.findall(
            r'<a href="#segments\?[^"]*"><(\w+)[^>]*aria-label="([^"]*)"[^>]*role="img"', drawn
        )
        assert len(linked) > 0, chart.title
        without = [label for kind, label in told if (kind, label) not in linked]
        assert all(re.search(r": 0(\.0 %| of)", label) for label in without), (
            chart.title
        )  # nothing to lead to
