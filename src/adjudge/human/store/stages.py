"""The second stage of WMT's editing, kept as a campaign of its own: others say whether edited texts are acceptable.

It can begin while editors are still at work: whoever has nothing left to judge is given what was edited since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from adjudge.human.assignment import Edited, second_stage
from adjudge.human.campaign import Campaign, parse
from adjudge.human.items import Hit, Item, Material
from adjudge.human.store import answers, campaigns, people, work
from adjudge.human.store.campaigns import Kept
from adjudge.human.store.connection import Store, StoreError
from adjudge.human.store.people import Annotator

UNABLE = "unable to correct"


def begin(store: Store, first: Kept, *, name: str = "", judges: Sequence[str] = ()) -> Kept:
    """Keep a campaign that asks whether what `first` edits is acceptable; its judges are the editors or others."""
    stage = first.campaign.protocol.next_stage
    if not stage:
        raise StoreError(
            f"{first.name!r} has no second stage (acceptability = true in its protocol asks for one)"
        )
    config = {
        **first.campaign.stored,
        "name": name or f"{first.name}-{stage}",
        "protocol": stage,
        "annotators": {"names": list(judges or first.campaign.annotators.all_names())},
    }
    return campaigns.add(store, parse(config), campaigns.material(store, first), [])


def fill(store: Store, first: Kept, second: Kept, judge: Annotator) -> int:
    """Give a judge who has nothing left to do the next edited texts that wait for one; how many there are.

    Nobody is given what they edited or judged, nor what as many others judge as the campaign wants: also when two
    ask at the same time.
    """
    edits = [_edited(one) for one in answers.counting(store, first)]
    if not edits:
        return 0
    material = campaigns.material(store, first)
    judges = tuple(one.name for one in people.annotators(store, second) if one.withdrawn is None)
    given: list[Item] = []

    def make(hits: list[Hit]) -> list[Hit]:
        waiting = _waiting(first.campaign, material, edits, judges, judge.name, hits)
        given[:] = waiting[: first.campaign.assignment.hit_size]
        return [Hit(f"hit-{len(hits) + 1:04d}", tuple(given), judge.name)] if given else []

    return len(given) if work.refill(store, second, judge, make) else 0


def _edited(answer: answers.Answer) -> Edited:
    edit = answer.answer["edit"]
    return Edited(answer.item, answer.annotator, None if edit["state"] == UNABLE else edit["text"])


def _waiting(
    campaign: Campaign,
    material: Material,
    edits: Sequence[Edited],
    judges: Sequence[str],
    judge: str,
    hits: Iterable[Hit],
) -> list[Item]:
    """The edited texts that a judge may still be given, in the order of their documents."""
    judged, own = Counter[str](), set[str]()
    for hit in hits:
        judged.update(item.key for item in hit.items)
        own.update(item.key for item in hit.items if hit.annotator == judge)
    everyone = second_stage(campaign, material, edits, judges)
    wanted = Counter(key for hit in everyone.hits for key in {item.key for item in hit.items})
    mine = second_stage(campaign, material, edits, [judge], judgements=1)
    return [
        item
        for hit in mine.hits
        for item in hit.items
        if item.kind == "ordinary" and item.key not in own and judged[item.key] < wanted[item.key]
    ]
