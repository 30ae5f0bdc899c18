"""The matrix of pairs: systems that never met have no shade."""

from adjudge.charts import Matrix, Meeting, matrix_table
from adjudge.report.charts.shades import shades


def test_systems_that_never_met_have_no_shade():
    matrix = Matrix.of(
        ("a", "b", "c"),
        {("a", "b"): Meeting(0.01, True, 0.7, 0.2, 40)},
        alpha=0.05,
        corrected=False,
        corner="P(row beats column)",
        share="the share",
    )
    html = shades(matrix)
    assert html.count("background:rgb(0 114 178") == html.count("background:rgb(213 94 0") == 1
    assert html.count('<td class="self">–</td>') == 4
    assert html.count('<td class="self"></td>') == 3
    rows = [[cell.text for cell in row.cells] for row in matrix_table(matrix).rows]
    assert rows[0][2:] == ["", "0.010*", "–"]
    assert rows[1][2:] == [".20", "", "–"]
