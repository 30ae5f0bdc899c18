"""The second stage of WMT's editing, kept as a campaign of its own: others say whether edited texts are acceptable.

It begins while editors are still at work: a judge with nothing left to do gets what was edited since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from adjudge.campaigns.assignment import EditedText, edited_item_key, judges_needed, next_items, second_stage
from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import Hit, Item
from adjudge.campaigns.store import answers, campaigns, events, hit_owners, people, schema, upkeep, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.hits import items_by_number
from adjudge.campaigns.store.people import Annotator
from adjudge.database.problems import StoreError

if TYPE_CHECKING:
    from adjudge.campaigns.judgements import Origin

UNABLE = "unable to correct"


def begin_second_stage(
    store: CampaignStore, first: StoredCampaign, *, name: str = "", judges: Sequence[str] = ()
) -> StoredCampaign:
    """Keep a campaign that asks whether what `first` edits is acceptable.

    Its judges are those named here or in the campaign file, else the editors themselves.
    """
    campaign = first.campaign
    stage = campaign.protocol.next_stage
    if not stage:
        raise StoreError(
            f"{first.name!r} has no second stage (acceptability = true in its protocol asks for one)"
        )
    # What was written for editors is not for judges.
    content = {key: value for key, value in campaign.stored.items() if key != "instructions"}
    rules = {key: value for key, value in content.get("rules", {}).items() if key != "tutorial"}
    names = list(judges or campaign.annotators.judges or campaign.annotators.all_names())
    plan = {**content.get("assignment", {}), "judgements": min(campaign.assignment.judgements, len(names))}
    config = {
        **content,
        "name": name or f"{first.name}-{stage}",
        "title": f"{campaign.title or first.name} (2)",
        "protocol": {"name": stage, "against": "reference" if campaign.test_set.references else "source"},
        "annotators": {"names": names},
        "assignment": plan,
        "rules": {**rules, "demo": False},  # there is nothing to try before something is edited
        "edits_of": first.name,
    }
    return campaigns.add(store, parse(config), campaigns.material(store, first), [], secret=first.secret)


def first_of(store: CampaignStore, second: StoredCampaign) -> StoredCampaign | None:
    """The campaign whose edits are judged in this one."""
    return (
        _first_where(store, lambda stored: stored.name == second.campaign.edits_of)
        if second.campaign.edits_of
        else None
    )


def second_of(store: CampaignStore, first: StoredCampaign) -> StoredCampaign | None:
    """The campaign in which the edits of this one are judged."""
    return (
        _first_where(store, lambda stored: stored.campaign.edits_of == first.name) if _edits(first) else None
    )


def _edits(stored: StoredCampaign) -> bool:
    return bool(stored.campaign.protocol.next_stage)


def _first_where(store: CampaignStore, is_it: Callable[[StoredCampaign], bool]) -> StoredCampaign | None:
    return next((stored for stored in campaigns.all_campaigns(store) if is_it(stored)), None)


def as_judge(store: CampaignStore, first: StoredCampaign, editor: Annotator) -> Annotator | None:
    """An editor as an annotator of the second stage; None where there is none, or others judge."""
    second = second_of(store, first)
    if second is None or editor.kind != "person":
        return None
    judges = [judge for judge in people.annotators(store, second) if judge.name == editor.name]
    return judges[0] if judges and judges[0].withdrawn is None and judges[0].forgotten is None else None


def add_editors(store: CampaignStore, first: StoredCampaign, names: Sequence[str]) -> None:
    """Let new editors judge as well, where editors are the judges."""
    second = second_of(store, first)
    if second is None or first.campaign.annotators.judges:
        return
    known = {judge.name for judge in people.annotators(store, second)}
    new = [name for name in names if name not in known]
    if new:
        campaigns.extend(store, second, [], annotators=new)


def is_open(store: CampaignStore, first: StoredCampaign) -> bool:
    """Whether editing may go on, so that there may be more to judge later."""
    if first.status == campaigns.CLOSED or first.campaign.annotators.crowd:
        return first.status != campaigns.CLOSED
    editors = [
        editor
        for editor in answers.annotator_progress(store, first)
        if editor.kind != campaigns.DEMO and not editor.withdrawn
    ]
    return any(editor.answered < editor.tasks for editor in editors)


def next_edited_texts(
    store: CampaignStore, first: StoredCampaign, second: StoredCampaign, judge: Annotator
) -> int:
    """Give a judge who has nothing left to do the next edited texts that wait for one; how many there are.

    Nobody is given what they edited or judged, nor what as many others judge as the campaign wants: also when two
    ask at the same time. Some of what somebody judged comes again, as often as `assignment.repeats` says.
    """
    if work.remaining(store, judge):
        return 0
    edits = _edited_texts(store, first)
    if not edits:
        return 0
    material, judges = campaigns.material(store, first), _judges(store, second)
    needed = judges_needed(first.campaign, material, edits, judges)
    offered = second_stage(first.campaign, material, edits, [judge.name], judgements=1)
    possible = [item for hit in offered.hits for item in hit.items if item.kind != "repeat"]
    given: list[Item] = []

    def make(hits: list[Hit]) -> list[Hit]:
        judged = Counter(item.key for hit in hits if hit.annotator in judges for item in hit.items)
        seen = [item for hit in hits if hit.annotator == judge.name for item in hit.items]
        known = {item.key for item in seen}
        waiting = [item for item in possible if item.key not in known and judged[item.key] < needed[item.key]]
        given[:] = next_items(second.campaign, judge.name, seen, waiting)
        return [Hit(f"hit-{len(hits) + 1:04d}", tuple(given), judge.name)] if given else []

    return len(given) if hit_owners.refill(store, second, judge, make) else 0


def waiting_judgements(store: CampaignStore, second: StoredCampaign) -> int:
    """How many judgements of edited texts are wanted by now that nobody has been asked for."""
    first = first_of(store, second)
    edits = _edited_texts(store, first) if first is not None else []
    if first is None or not edits:
        return 0
    judges = _judges(store, second)
    needed = judges_needed(first.campaign, campaigns.material(store, first), edits, judges)
    hits = campaigns.hits(store, second)
    judged = Counter(item.key for hit in hits if hit.annotator in judges for item in hit.items)
    return sum(max(0, number - judged[key]) for key, number in needed.items())


def _judges(store: CampaignStore, second: StoredCampaign) -> tuple[str, ...]:
    """Whose judgements count; what others were given is given to somebody else too."""
    return tuple(judge.name for judge in people.annotators(store, second) if judge.withdrawn is None)


def last_edit(store: CampaignStore, first: StoredCampaign) -> int:
    """The number of the last thing that editors did: as long as it stays, nothing new is to be judged."""
    e, t, h = schema.events, schema.tasks, schema.hits
    last = select(func.max(e.c.id)).join(t, t.c.id == e.c.task).join(h, h.c.id == t.c.hit)
    with store.reading() as connection:
        return connection.execute(last.where(h.c.campaign == first.id)).scalar() or 0


def _edited_texts(store: CampaignStore, first: StoredCampaign) -> list[EditedText]:
    return [
        EditedText(
            answer.item,
            answer.annotator,
            answer.answer["edit"]["text"],
            answer.answer["edit"]["state"] == UNABLE,
        )
        for answer in answers.counted_answers(store, first)
        if answer.item.kind != "tutorial"
    ]


def origins(store: CampaignStore, second: StoredCampaign) -> dict[str, Origin]:
    """Who made each text that is judged, and how, by the key of its item.

    What editors wrote before they corrected themselves is told as well: others may have judged it.
    """
    from adjudge.campaigns.judgements import Origin

    first = first_of(store, second)
    if first is None:
        return {}
    e, t, h, a = schema.events, schema.tasks, schema.hits, schema.annotators
    query = (
        select(t.c.item, a.c.name, e.c.answer)
        .select_from(e)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == e.c.annotator)
        .where(h.c.campaign == first.id, e.c.kind == events.ANSWER, a.c.kind != campaigns.DEMO)
        .order_by(e.c.id)
    )
    with store.reading() as connection:
        items = items_by_number(connection, first.id)
        rows = connection.execute(query).all()
    origins_of: dict[str, Origin] = {}
    for number, name, answer in rows:
        key = edited_item_key(first.campaign, items[number], answer["edit"]["text"])
        known = origins_of.get(key, Origin((), ()))
        origins_of[key] = known.and_by(name, answer["edit"]["state"])
    return origins_of


def forget(store: CampaignStore, stored: StoredCampaign, name: str, *, erase: bool = False) -> dict[str, str]:
    """Forget somebody in a campaign, and as the same person in its other stage; the pseudonyms by campaign."""
    other = first_of(store, stored) or second_of(store, stored)
    pseudonyms = {stored.name: upkeep.forget(store, stored, name, erase=erase)}
    if other is not None and any(
        person.name == name and person.kind == "person" and person.forgotten is None
        for person in people.annotators(store, other)
    ):
        pseudonyms[other.name] = upkeep.forget(store, other, name, erase=erase)
    return pseudonyms
