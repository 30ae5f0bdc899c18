"""The sets behind golden's values of mt-metrics-eval: WMT23 by all metrics whose scores lie there, and WMT21."""

import math
from dataclasses import replace

import numpy as np

from adjudge.data.score_tables import MetaSet, MetaTexts, ScoreTable
from adjudge.io.metric_folders import _Scores
from adjudge.meta import Task
from adjudge.meta.computed import with_metrics
from conftest import benchmark_module

GROUPINGS = {"none": "none", "item": "item", "sys": "system"}
CAMPAIGNS = ("MQM-IAA", "ESA-IAA", "ESA-1")
SETTINGS = {
    "mqm_refA": Task("mqm"),
    "dasqm_refA": Task("da-sqm"),
    "mqm_src_with_human": Task("mqm", humans=True),
    "mqm_refA_without_AIRC": Task("mqm", excluded=("AIRC",)),
    "campaign_MQM-IAA": Task("MQM-IAA"),
    "campaign_ESA-IAA": Task("ESA-IAA"),
    "campaign_ESA-1": Task("ESA-1"),
}


def all_of_wmt23(shared):
    """All 23 metrics whose scores lie there, and people of all campaigns."""
    meta_set = benchmark_module("meta").wmt23(shared.data.parent)
    gold = dict(meta_set.gold)
    for campaign in CAMPAIGNS:
        path = shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign" / f"en-de.{campaign}"
        table = _Scores.read(str(path)).table(campaign, meta_set.systems, meta_set.segments)
        gold[campaign] = ScoreTable.of_segments(campaign, table.segments)
    return replace(meta_set, gold=gold)


def wmt21(folder):
    """Raw direct assessment of WMT21 by system and line, and chrF and sentence BLEU computed on the texts."""
    texts = {path.stem: tuple(path.read_text().splitlines()) for path in sorted((folder / "hyp").iterdir())}
    reference = tuple((folder / "ref.A.en").read_text().splitlines())
    systems = tuple(texts)
    raw = np.full((len(systems), len(reference)), math.nan)
    for line in (folder / "human" / "seg-scores.csv").read_text().splitlines()[1:]:
        numbered, segment, score, *_ = line.split()
        name = numbered.rpartition(".")[0]
        if name in texts:
            raw[systems.index(name), int(segment) - 1] = float(score)
    made = MetaSet("wmt21", folder.name, systems, {"da": ScoreTable.of_segments("da", raw)}, {})
    return with_metrics(made, MetaTexts(None, {"refA": reference}, texts), ["chrf", "bleu"])
