"""The tables of a comparison: systems and pairs, clusters, runs and groups."""

from dataclasses import replace

from adjudge.comparison.comparison_tables import pair_tables, system_table
from helpers.compared import TWO, text, view
from helpers.comparisons import comparison, many


def test_systems_stand_best_first_with_a_line_between_clusters():
    lines = text(TWO).splitlines()
    assert lines[:6] == [
        "                    cluster              cluster",
        "System      BLEU ↑    ranks       TER ↓    ranks",
        "best    53.6 ± 1.6  1 (1–2)  33.0 ± 1.6  1 (1–2)",
        "like    53.4 ± 1.6  1 (1–2)  33.2 ± 1.6  1 (1–2)",
        "─" * 48,
        "worse   50.0 ± 1.6    2 (3)  40.0 ± 1.6    2 (3)",
    ]


def test_pairs_have_all_that_is_known_of_them():
    assert text(TWO).splitlines()[7:12] == [
        "                         95 % interval         p",
        "System  against  Δ BLEU       of all 6      Holm     d  would show",
        "best    like       +0.2   −0.6 to +1.0       1    0.20         1.1",
        "best    worse      +3.6   +2.8 to +4.4  <0.001 *  3.60",
        "like    worse      +3.4   +2.6 to +4.2  <0.001 *  3.40",
    ]


def test_nothing_would_show_beside_a_larger_difference_that_was_missed():
    """The claims say why both are true; a cell cannot."""
    result = comparison({"bleu": {"A": 53.6, "B": 53.0}})
    (pair,) = result.pairs
    assert not pair.significant
    for detectable, cell in ((0.5, ""), (1.4, "1.4")):
        shown = replace(result, pairs=(replace(pair, detectable=detectable),), pairwise=None)
        (table,) = pair_tables(view(shown))
        assert table.rows[0].cells[-1].text == cell


def test_the_first_cluster_shines():
    table = system_table(view(TWO))
    assert [(row.cells[0].text, [c.best for c in row.cells]) for row in table.rows] == [
        ("best", [False, True, True, True, True]),
        ("like", [False, True, True, True, True]),
        ("worse", [False, False, False, False, False]),
    ]


def test_one_cluster_of_all_shines_for_nobody():
    table = system_table(view(comparison({"bleu": {"A": 50.0, "B": 50.1}})))
    assert not any(cell.best for row in table.rows for cell in row.cells)
    assert not any(row.rule for row in table.rows)


def test_many_pairs_are_a_triangle():
    c = many(8, ["bleu"])
    (table,) = pair_tables(view(c))
    assert [column.label for column in table.columns] == ["#", "Δ BLEU", *map(str, range(2, 9))]
    assert len(table.rows) == 8
    assert [sum(bool(cell.text) for cell in row.cells[2:]) for row in table.rows] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert table.rows[0].cells[2].text == "+1.3*"
    assert "-f tsv --table pairs" in text(c)


def test_a_metric_is_not_parted_from_its_clusters():
    heads = [line for line in text(many(3), width=40).splitlines() if line.startswith("System  ")][:3]
    assert [head.split() for head in heads] == [
        ["System", "BLEU", "↑", "ranks"],
        ["System", "chrF", "↑", "ranks"],
        ["System", "TER", "↓", "ranks"],
    ]
