"""What the tests of comparisons' reports share."""

from adjudge.comparison import Comparison
from adjudge.comparison.comparison_display import ComparisonDisplay
from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.report.render.formats import renderer_of
from adjudge.report.render.text import plain
from helpers.comparisons import comparison

TWO = comparison(
    {"bleu": {"worse": 50.0, "best": 53.6, "like": 53.4}, "ter": {"worse": 40.0, "best": 33.0, "like": 33.2}}
)


def text(c: Comparison, decimals: int | None = None, **options) -> str:
    return plain(renderer_of(ComparisonDisplay(c, decimals), version="1").lines(**options))


def view(c: Comparison) -> ComparisonView:
    return ComparisonView.of(c, c.test, None)
