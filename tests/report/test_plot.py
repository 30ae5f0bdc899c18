"""Charts of a report: marks stand where their numbers are, say them, and lead to segments and nowhere else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.charts import Scale
from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.report.charts.plot import COLOURS, NARROW, WIDE, Plot, PlotFrame, dot, legend
from adjudge.report.pages.report.charts import bucket_chart, error_chart, fault_chart, interval_chart
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.spreads import grid_chart, histogram_chart
from helpers.dossiers import HARM, example_dossier, harmful_dossier

MARK = r'<(\w+)[^>]*aria-label="([^"]*)" role="img"'


def charts(dossier):
    links = Links(dossier.segments)
    view = ComparisonView.of(dossier.comparison, dossier.comparison.test, None)
    yield from (interval_chart(view, metric, links) for metric in view.pairwise.metrics)
    yield from (bucket_chart(r, table, "BLEU", links) for r in dossier.buckets for table in r.tables)
    yield error_chart(dossier.errors, links)
    yield fault_chart(dossier.faults, links)
    yield from (histogram_chart(own, links) for own in dossier.histograms)
    yield from (grid_chart(own, links) for own in dossier.grids)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_number_of_a_chart_is_drawn_inside_it(width) -> None:
    for chart in charts(example_dossier()):
        drawn = chart.plot(width)
        svg = drawn.svg(kind="wide", label=chart.title)
        known = [row for row in chart.rows if row[-1] and all(value == value for value in row)]
        assert len(re.findall(MARK, svg)) >= len(known) > 0, chart.title
        for tag, far, most in (("cx", 0, drawn.width), ("cy", 0, drawn.height), ("x", 0, drawn.width)):
            places = [float(own) for own in re.findall(rf' {tag}="(-?[\d.]+)"', svg)]
            assert all(far - 1 <= place <= most + 1 for place in places), (chart.title, tag)


def test_every_mark_of_a_chart_leads_to_segments() -> None:
    for chart in charts(harmful_dossier()):
        drawn = chart.plot(WIDE).svg(kind="wide", label=chart.title)
        told = re.findall(MARK, drawn)
        linked = re.findall(rf'<a href="#segments\?[^"]*">{MARK}', drawn)
        assert len(linked) > 0, chart.title
        without = [label for kind, label in told if (kind, label) not in linked]
        assert all(re.search(r": 0(\.0 %| of)", label) for label in without), (
            chart.title
        )  # nothing to lead to
        assert "<script" not in drawn
        assert HARM not in drawn
        assert not re.search("[\u202a-\u202e\0]", drawn)


def test_other_addresses_are_left_out() -> None:
    svg = Plot(10, 10, [dot(1, 1, HARM, "javascript:alert(1)"), dot(2, 2, "b", "#a?x=1&y=2")]).svg(
        kind="any", label=HARM
    )
    assert re.findall(r'href="([^"]*)"', svg) == ["#a?x=1&amp;y=2"]
    assert HARM not in svg


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20))
def test_larger_values_stand_further_right_and_higher(values) -> None:
    scale, frame = Scale.over(values), PlotFrame(10, 20, 300, 200)
    ordered = sorted(values)
    across, up = [frame.across(scale, v) for v in ordered], [frame.up(scale, v) for v in ordered]
    assert across == sorted(across)
    assert up == sorted(up, reverse=True)
    assert min(across) >= 10 - 1e-6
    assert max(across) <= 310 + 1e-6
    assert min(up) >= 20 - 1e-6
    assert max(up) <= 220 + 1e-6


def test_a_legend_has_every_name_with_its_colour() -> None:
    drawn, height = legend(["new", "old", "older"], 200)
    assert [f'fill="{colour}"' in drawn for colour in COLOURS[:4]] == [True, True, True, False]
    assert re.findall(r"<text[^>]*>([^<]*)</text>", drawn) == ["new", "old", "older"]
    assert height > 0
    assert legend(["alone"], 200) == ("", 0)
