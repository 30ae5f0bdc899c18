"""Which segments to judge, where the budget is not enough for all.

`[selection]` in a campaign's file, or `adjudge human new --select`, says how they are chosen. The choice is made once;
its lines stand in the stored campaign beside the method, the metrics and the seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.stats import selection as choice
from adjudge.stats.draws import generator
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.campaigns.campaign import Campaign, Selection
    from adjudge.campaigns.items import CampaignMaterial
    from adjudge.metrics.base import Metric

METHODS = {
    "variance": "where metrics say that systems lie furthest apart",
    "consistency": "where metrics order systems as on the whole test set",
    "disagreement": "where metrics disagree most about systems",
    "difficulty": "where systems score lowest",
    "diversity": "where systems' outputs are least like each other",
    "stratified": "at random, evenly over easy and hard segments",
    "random": "at random",
}
"""How segments are chosen."""
FAIR = ("stratified", "random")
"""Methods that give every segment the same chance."""
DEFAULT_METRICS: Mapping[str, tuple[str, ...]] = {
    "variance": ("chrf",),
    "difficulty": ("chrf",),
    "consistency": ("chrf",),
    "stratified": ("chrf",),
    "disagreement": ("bleu", "chrf", "ter"),
}


TRUSTED = "trust the order of systems at most"
"""The caveat about biased estimates."""


def with_selection(campaign: Campaign, folder: str | Path = ".") -> Campaign:
    """The campaign with its selection of lines made; unchanged if it asks for none."""
    from adjudge.campaigns.campaign import parse, read_material

    asked = campaign.selection
    if not asked.method or asked.lines:
        return campaign
    if campaign.protocol.unit == "document" or campaign.protocol.context == "document":
        raise UsageError(
            f"selection: single segments are chosen, but {campaign.protocol.name} shows documents here; "
            'context = "none", or [test_set] lines for whole documents'
        )
    material = read_material(campaign, folder)
    chosen = chosen_segments(material, asked)
    first = campaign.test_set.lines[0] if campaign.test_set.lines else 1
    content = dict(campaign.stored)
    content["selection"] = {
        "method": asked.method,
        "items": asked.items,
        "metrics": list(metrics_of(asked)),
        "seed": asked.seed,
        "lines": [first + int(place) for place in chosen],
    }
    return parse(content)


def metrics_of(asked: Selection) -> tuple[str, ...]:
    """The metrics that choose; none where the method needs none."""
    return (asked.metrics or DEFAULT_METRICS[asked.method]) if asked.method in DEFAULT_METRICS else ()


def chosen_segments(material: CampaignMaterial, asked: Selection) -> NDArray[np.intp]:
    """The places of the chosen segments, in their order."""
    segments = len(material.test_set)
    if asked.items >= segments:
        raise DataError(
            f"selection.items: {asked.items} of {pluralise(segments, 'segment')} are all; leave [selection] out"
        )
    rng = generator(asked.seed)
    if asked.method == "random":
        return np.sort(rng.permutation(segments)[: asked.items])
    if asked.method == "diversity":
        return choice.highest(unlikeness(material), asked.items)
    scores = metric_scores(material, metrics_of(asked))
    if asked.method == "stratified":
        return choice.systematic(choice.difficulty(scores), asked.items, rng)
    if asked.method == "disagreement" and len(scores) < 2:
        raise UsageError("selection.metrics: one metric cannot disagree; name two or more")
    if asked.method == "consistency" and scores.shape[1] < 2:
        raise UsageError("selection: a single system has no order; consistency needs two")
    utility = {
        "variance": choice.variance,
        "difficulty": choice.difficulty,
        "disagreement": choice.disagreement,
        "consistency": choice.consistency,
    }
    return choice.highest(utility[asked.method](scores), asked.items)


def metric_scores(material: CampaignMaterial, specs: Sequence[str]) -> NDArray[np.float64]:
    """Segment scores, metrics × systems × segments, more being better."""
    from adjudge.metrics import metric as metric_of  # late: a server starts without

    tables = []
    for spec in specs:
        metric = metric_of(spec).for_test_set(material.test_set)
        higher = metric.direction.higher_is_better
        if higher is None:
            raise UsageError(
                f"selection.metrics: {metric.label} is not better either way, so it cannot choose"
            )
        scores = np.stack([_scores(metric, material.test_set, output) for output in material.outputs])
        tables.append(scores if higher else -scores)
    return np.stack(tables)


def _scores(metric: Metric, test_set: TestSet, output: Outputs) -> NDArray[np.float64]:
    rows = metric.stats(metric.prepare(test_set), output.segments)
    return np.asarray(metric.for_segments().aggregate(rows), np.float64)


def unlikeness(material: CampaignMaterial) -> NDArray[np.float64]:
    """The diversity of the outputs of each segment: the mean of 100 − chrF over pairs of systems."""
    from adjudge.metrics.chrf import Chrf  # late: a server starts without

    chrf = Chrf()
    alike = []
    for output in material.outputs:
        against = TestSet(references=(output.segments,), language=material.test_set.language)
        others = [other for other in material.outputs if other is not output]
        alike += [_scores(chrf, against, other) for other in others]
    if not alike:
        raise UsageError("selection: a single system is like itself; diversity needs two")
    return np.asarray(100.0 - np.mean(alike, axis=0))


def select_segments(material: CampaignMaterial, lines: Sequence[int]) -> CampaignMaterial:
    """The segments on some lines of the files, counted from 1, called by what they were called before."""
    names = material.names()
    places = np.array(lines, np.intp) - 1
    test_set = material.test_set[places.tolist()]
    test_set = replace(
        test_set, labels={**test_set.labels, "segment": tuple(names[place] for place in places)}
    )
    outputs = tuple(select_outputs(output, lines) for output in material.outputs)
    return type(material)(test_set, outputs)


def select_outputs(output: Outputs, lines: Sequence[int]) -> Outputs:
    """The output of a system on some lines."""
    return Outputs(output.system, tuple(output.segments[line - 1] for line in lines), output.run)


def selection_remark(campaign: Campaign) -> str:
    """Notes for readers of an analysis about the choice of segments."""
    asked = campaign.selection
    if not asked.method:
        return ""
    what = f"only {pluralise(asked.items, 'segment')} are judged, chosen {METHODS[asked.method]}"
    by = f" ({', '.join(metrics_of(asked))})" if metrics_of(asked) else ""
    if asked.method in FAIR:
        return (
            f"{what}{by}, seed {asked.seed}: every segment had the same chance, so that scores are estimates of those "
            "on the whole test set" + ("" if asked.method == "random" else ", and intervals rather too wide")
        )
    order = "the order of systems leans towards the metrics'" if asked.method == "consistency" else TRUSTED
    return (
        f"{what}{by}, and not at random: scores and differences are those of the chosen segments, and biased as "
        f"estimates of the whole test set's; {order}"
    )
