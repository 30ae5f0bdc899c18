"""Pages of estimates: how they are spread by engine, how calibrated they are, what a filter saves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.qe.distribution import Distribution
from adjudge.qe.evaluation import Evaluation
from adjudge.qe.filtering import FilterPoint
from adjudge.report.charts import curve
from adjudge.report.html import Drawing
from adjudge.report.markup import NOTHING, Html
from adjudge.report.scatter import histograms
from adjudge.report.section_page import section_page
from adjudge.report.sections import Section
from adjudge.wording import counted

if TYPE_CHECKING:
    from adjudge.io import Input


def score_page(
    sections: Sequence[Section], spread: Distribution, kind: str, *, version: str, inputs: Sequence[Input]
) -> Html:
    """A curve an engine: the share of segments that pass, by threshold; and the histograms of all."""
    curves = NOTHING.join(
        curve(
            [(i.threshold, i.share, i.low, i.high) for i in spread.above if i.engine == engine],
            caption=engine,
            across=f"up: share of segments that pass; across: threshold of {kind}",
        )
        for engine in spread.scores
    )
    bars = histograms(
        list(spread.scores.items()),
        caption="Estimates",
        below=f"across: estimated {kind}; up: share of segments",
    )
    return section_page(
        f"Estimated quality of {counted(len(spread.scores), 'engine')}",
        "",
        sections,
        {"shares": Drawing(bars + curves)},
        version=version,
        inputs=inputs,
    )


def evaluation_page(
    sections: Sequence[Section], result: Evaluation, *, version: str, inputs: Sequence[Input]
) -> Html:
    """Calibration as a curve an estimator."""
    drawings = {
        f"calibration {name}": Drawing(
            curve(
                [(b.predicted, b.scores, b.low, b.high) for b in bins],
                caption=name,
                across="up: mean score by people; across: estimate",
            )
        )
        for name, bins in result.calibration.items()
    }
    return section_page(
        f"{counted(len(result.calibration), 'estimator')} held against people",
        f"{result.segments:,} segments",
        sections,
        drawings,
        version=version,
        inputs=inputs,
    )


def filter_page(
    sections: Sequence[Section],
    points: Sequence[FilterPoint],
    *,
    version: str,
    inputs: Sequence[Input],
) -> Html:
    """What every threshold would cost, and how many of those kept are good."""
    drawings = {
        "filter": Drawing(
            curve(
                [(p.kept, p.cost, None, None) for p in points],
                caption="Cost a segment",
                across="across: share of segments kept",
            )
            + curve(
                [(p.kept, p.precision, p.precision_low, p.precision_high) for p in points],
                caption="Precision",
                across="across: share of segments kept",
            )
        )
    }
    return section_page("What a filter keeps", "", sections, drawings, version=version, inputs=inputs)
