"""The codes that somebody who is done is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.human.completion import Handed, passed
from adjudge.human.crowd import completion_code, hit_name
from adjudge.human.items import Material
from adjudge.human.store import Store, completing
from adjudge.human.store.campaigns import Kept
from adjudge.human.store.people import Annotator
from adjudge.human.store.work import Task

Code = dict[str, str]


def codes(
    store: Store, kept: Kept, material: Material, annotator: Annotator, hits: Mapping[int, Sequence[Task]]
) -> list[Code]:
    """A code for every hit that a worker of a crowd is done with; one for all of an annotator's, if asked for.

    Before everything is answered there is none, and a demo has none at all.
    """
    done = {number: those for number, those in hits.items() if all(one.answer is not None for one in those)}
    if annotator.kind == "crowd" and done:
        names = completing.hit_names(store, annotator)
        parts = [(hit_name(names[number]), those) for number, those in done.items() if number in names]
    elif annotator.kind == "person" and kept.campaign.rules.completion_codes and 0 < len(done) == len(hits):
        parts = [("", [task for those in hits.values() for task in those])]
    else:
        parts = []
    return [{"hit": hit, "code": _code(store, kept, material, annotator, hit, those)} for hit, those in parts]


def _code(
    store: Store, kept: Kept, material: Material, annotator: Annotator, hit: str, tasks: Sequence[Task]
) -> str:
    def judge() -> bool:
        given = (
            Handed(annotator.name, hit, one.item, one.answer, one.seconds)
            for one in tasks
            if one.answer is not None
        )
        return passed(kept.campaign, material, given)

    attentive = completing.verdict(store, kept, annotator, hit, judge)
    return completion_code(kept.secret, annotator.name, hit, passed=attentive)
