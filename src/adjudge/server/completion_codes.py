"""The codes that somebody who is done is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.campaigns.crowd import completion_code, hit_name
from adjudge.campaigns.items import CampaignMaterial
from adjudge.campaigns.store import Store, completions, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.people import Annotator
from adjudge.campaigns.store.work import TaskStatus

Code = dict[str, str]


def completion_codes(
    store: Store,
    stored: StoredCampaign,
    material: CampaignMaterial,
    annotator: Annotator,
    hits: Mapping[int, Sequence[TaskStatus]],
) -> list[Code]:
    """A code for every hit that a worker of a crowd is done with; one for all of an annotator's, if asked for.

    Before everything is answered there is none, and a demo has none at all.
    """
    done = [number for number, steps in hits.items() if all(step.answered for step in steps)]
    if annotator.kind == "crowd" and done:
        names = completions.hit_names(store, annotator)
        parts = [(hit_name(names[number]), [number]) for number in done if number in names]
    elif annotator.kind == "person" and stored.campaign.rules.completion_codes and 0 < len(done) == len(hits):
        parts = [("", done)]
    else:
        parts = []
    return [
        {"hit": hit, "code": _code(store, stored, material, annotator, hit, numbers)}
        for hit, numbers in parts
    ]


def _code(
    store: Store,
    stored: StoredCampaign,
    material: CampaignMaterial,
    annotator: Annotator,
    hit: str,
    numbers: Sequence[int],
) -> str:
    from adjudge.campaigns.live_quality import HitAnswer, passes_quality_control

    def judge() -> bool:
        given = (
            HitAnswer(annotator.name, hit, task.item, task.answer, task.seconds)
            for number in numbers
            for task in work.tasks(store, annotator, number)
            if task.answer is not None
        )
        return passes_quality_control(stored.campaign, material, given)

    attentive = completions.first_verdict(store, stored, annotator, hit, judge)
    return completion_code(stored.secret, annotator.name, hit, passed=attentive)
