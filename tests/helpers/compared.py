"""What the tests of comparisons' reports share."""

from adjudge.comparison import Comparison
from adjudge.report.pages.comparison import one_set as report
from adjudge.report.pages.comparison.tables import ComparisonView
from adjudge.report.render.text import plain
from helpers.comparisons import comparison

TWO = comparison(
    {"bleu": {"worse": 50.0, "best": 53.6, "like": 53.4}, "ter": {"worse": 40.0, "best": 33.0, "like": 33.2}}
)


def text(c: Comparison, decimals: int | None = None, **options) -> str:
    return plain(report.renderer(c, version="1", decimals=decimals).lines(**options))


def view(c: Comparison) -> ComparisonView:
    return ComparisonView.of(c, c.test, None)
