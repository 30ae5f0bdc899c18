"""Pages of estimates: how they are spread by engine, how calibrated they are, what a filter saves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.display import Section
from adjudge.qe.distribution import EstimateDistribution
from adjudge.qe.evaluation import EstimatorEvaluation
from adjudge.qe.filtering import FilterPoint
from adjudge.report.charts.lines import Chosen, Level, Line, lines
from adjudge.report.charts.scatter import histograms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html, html
from adjudge.report.render.section_page import section_page
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.io import Input


def score_page(
    sections: Sequence[Section],
    spread: EstimateDistribution,
    kind: str,
    *,
    version: str,
    inputs: Sequence[Input],
) -> Html:
    """A curve an engine: the share of segments that pass, by threshold; and the histograms of all."""
    shares = lines(
        [
            Line(
                engine,
                tuple((i.threshold, i.share, i.low, i.high) for i in spread.above if i.engine == engine),
            )
            for engine in spread.scores
        ],
        caption="Share of segments that pass",
        below=f"across: threshold of estimated {kind}; shaded: 95 % intervals",
        whole=True,
    )
    bars = histograms(
        list(spread.scores.items()),
        caption="Estimates",
        below=f"across: estimated {kind}; up: share of segments",
    )
    return section_page(
        f"Estimated quality of {pluralise(len(spread.scores), 'engine')}",
        "",
        sections,
        {"shares": Drawing(html('<div class="figures">{}{}</div>', bars, shares))},
        version=version,
        inputs=inputs,
    )


def evaluation_page(
    sections: Sequence[Section], result: EstimatorEvaluation, *, version: str, inputs: Sequence[Input]
) -> Html:
    """Calibration as a curve an estimator."""
    drawings = {
        f"calibration {name}": Drawing(
            lines(
                [Line(name, tuple((b.predicted, b.scores, _known(b.low), _known(b.high)) for b in bins))],
                caption=f"What people said, by what {name} had estimated",
                below="up: mean score, shaded: 95 % intervals; across: estimate; dashed: where both are equal",
                diagonal=True,
            )
        )
        for name, bins in result.calibration.items()
    }
    return section_page(
        f"{pluralise(len(result.calibration), 'estimator')} held against people",
        f"{pluralise(result.segments, 'segment')}",
        sections,
        drawings,
        version=version,
        inputs=inputs,
    )


def filter_page(
    sections: Sequence[Section],
    points: Sequence[FilterPoint],
    chosen: FilterPoint,
    *,
    version: str,
    inputs: Sequence[Input],
) -> Html:
    """What every threshold would cost, beside no filter and no machine, and how many of those kept are good."""
    ordered = sorted(points, key=lambda point: point.kept)
    across = "across: share of segments kept; ring: the threshold that was chosen"
    drawings = {
        "filter": Drawing(
            html(
                '<div class="figures">{}{}</div>',
                lines(
                    [Line("with the filter", tuple((p.kept, p.cost, None, None) for p in ordered))],
                    caption="Cost a segment",
                    below=across,
                    levels=(
                        Level("without the filter", chosen.cost_unfiltered, name_left=True),
                        Level("without the machine", chosen.cost_scratch),
                    ),
                    chosen=Chosen("chosen", chosen.kept, chosen.cost),
                ),
                lines(
                    [
                        Line(
                            "precision",
                            tuple((p.kept, p.precision, p.precision_low, p.precision_high) for p in ordered),
                        )
                    ],
                    caption="Share of good ones among those kept",
                    below=across,
                    chosen=Chosen("chosen", chosen.kept, chosen.precision) if chosen.kept else None,
                ),
            )
        )
    }
    return section_page("What a filter keeps", "", sections, drawings, version=version, inputs=inputs)


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
