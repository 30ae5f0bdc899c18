"""Campaigns to and from other tools: ours as tasks (`data/tasks.py`), and tasks as a campaign of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns import names
from adjudge.campaigns.campaign import Campaign, parse
from adjudge.campaigns.items import REFERENCE_SYSTEM, CampaignMaterial, Candidate, Hit, Item, item_key
from adjudge.data import Outputs, TestSet
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError

_PROTOCOLS = ("da", "sqm", "esa", "mqm", "adequacy-fluency")
_CONTROLS = ("repeat", "bad reference")


def tasks_from_campaign(campaign: Campaign, material: CampaignMaterial, hits: Sequence[Hit]) -> Tasks:
    """Return a campaign of ours as tasks for another tool, a batch for each hit."""
    protocol = campaign.protocol
    if protocol.name not in _PROTOCOLS:
        raise DataError(f"no other tool has {protocol.name}; they have {', '.join(_PROTOCOLS)}")
    names = material.names()
    return Tasks(
        name=campaign.name,
        protocol=protocol.name,
        batches=tuple(
            Batch(tuple(_shown_items(hit, campaign, material, names)), hit.annotator) for hit in hits
        ),
        languages=(campaign.source_language, campaign.target_language),
        in_context=protocol.context == "document",
        points=max((getattr(field, "high", 0) for field in protocol.fields), default=0)
        if protocol.name == "adequacy-fluency"
        else 0,
    )


def _shown_items(
    hit: Hit, campaign: Campaign, material: CampaignMaterial, names: Sequence[str]
) -> Iterator[TaskItem]:
    page, before = -1, None
    for item in hit.items:
        # Segments of a document by the same system that follow each other stand on one page.
        context = (
            (item.document, item.kind, item.systems) if campaign.protocol.context == "document" else None
        )
        if context is None or not item.document or context != before:
            page += 1
        before = context
        texts = [
            _segment(item, place, segment, campaign, material) for place, segment in enumerate(item.segments)
        ]
        for segment, (source, reference, translations) in zip(item.segments, texts, strict=True):
            yield TaskItem(
                item=names[segment] if item.kind != "tutorial" else item.key,
                translations=translations,
                source=source,
                reference=reference,
                kind=item.kind,
                document=item.document,
                page=page,
            )


def _segment(
    item: Item, place: int, segment: int, campaign: Campaign, material: CampaignMaterial
) -> tuple[str | None, str | None, tuple[Translation, ...]]:
    extra, sources, shows = item.extra, material.test_set.sources, campaign.protocol
    source = reference = None
    if shows.shows_source and sources is not None:
        source = extra["sources"][place] if "sources" in extra else sources[segment]
    if shows.shows_reference:
        reference = extra["references"][place] if "references" in extra else material.reference(segment)
    return (
        source,
        reference,
        tuple(Translation(candidate.systems, candidate.texts[place]) for candidate in item.candidates),
    )


@dataclass(frozen=True)
class ImportedCampaign:
    """A campaign of another tool, ready to be stored (`store.campaigns.add`)."""

    campaign: Campaign
    material: CampaignMaterial
    hits: tuple[Hit, ...]


def campaign_from_tasks(
    tasks: Tasks, *, name: str = "", annotators: Sequence[str] = (), file: str = "imported"
) -> ImportedCampaign:
    """Return the campaign that tasks of another tool describe, each translation an item of its own.

    Outputs that are shown nowhere are not known, and stand in the material as empty texts. Batches of nobody go to
    `annotators`, one after the other; without any, they are open to everybody.
    """
    segments = _segments(tasks)
    sources = tuple(segment.source or "" for segment in segments.values())
    references = tuple(segment.reference for segment in segments.values())
    people = list(annotators)
    hits = []
    for number, batch in enumerate(tasks.batches, 1):
        who = batch.annotator or (people.pop(0) if people else "")
        hits.append(Hit(f"{who or 'batch'}-{number}", tuple(_items(batch, segments)), who))
    systems = list(
        dict.fromkeys(
            system
            for hit in hits
            for item in hit.items
            if item.kind not in ("reference", "tutorial")
            for system in item.systems
        )
    )
    campaign = parse(_campaign_file(tasks, name, hits, systems, sources, references, file))
    _check_names(campaign)
    outputs = tuple(Outputs(system, _outputs(system, hits, len(segments))) for system in systems)
    test_set = TestSet(
        references=(references,) if _complete(references) else (),
        sources=sources,
        labels={
            "segment": tuple(segment.item for segment in segments.values()),
            **(
                {"document": tuple(segment.document for segment in segments.values())}
                if all(segment.document for segment in segments.values())
                else {}
            ),
        },
        name=campaign.name,
        language=campaign.language,
    )
    return ImportedCampaign(campaign, CampaignMaterial(test_set, outputs), tuple(hits))


def _check_names(campaign: Campaign) -> None:
    """Names of systems, without characters that tables cannot hold."""
    try:
        names.check_campaign(campaign.name)
    except DataError as error:
        raise DataError(f"{error}; --name NAME gives the campaign another one") from None
    names.check_annotators(campaign.systems, "systems")
    names.check_annotators(campaign.annotators.names)


def _segments(tasks: Tasks) -> dict[tuple[str, str | None], TaskItem]:
    """The segments to translate, each once, in order of appearance."""
    segments: dict[tuple[str, str | None], TaskItem] = {}
    for batch in tasks.batches:
        for shown in batch.items:
            if not shown.whole:
                segments.setdefault(_key(shown), shown)
    if not segments:
        raise DataError("there is no segment in these tasks")
    return segments


def _key(shown: TaskItem) -> tuple[str, str | None]:
    return shown.item, shown.source


def _items(batch: Batch, segments: Mapping[tuple[str, str | None], TaskItem]) -> Iterator[Item]:
    numbers = {key: number for number, key in enumerate(segments)}
    ordinary: dict[tuple[int, tuple[str, ...]], str] = {}
    used: dict[str, int] = {}
    shown = [
        (task_item, translation)
        for task_item in batch.items
        if not task_item.whole
        for translation in task_item.translations
    ]
    for task_item, translation in shown:
        if task_item.kind == "ordinary":
            number = numbers[_key(task_item)]
            key = item_key(0, "ordinary", (number,), (translation.text, *translation.systems))
            ordinary.setdefault((number, translation.systems), key)
    for task_item, translation in shown:
        number = numbers[_key(task_item)]
        of = ordinary.get((number, translation.systems), "") if task_item.kind in _CONTROLS else ""
        texts = (translation.text, *translation.systems)
        key = item_key(0, task_item.kind, (number,), texts, of)
        repetition = used[key] = used.get(key, -1) + 1
        yield Item(
            key=item_key(0, task_item.kind, (number,), texts, of, repetition) if repetition else key,
            segments=(number,),
            candidates=(Candidate(translation.systems, (translation.text,)),),
            kind=task_item.kind,
            of=of,
            document=task_item.document,
        )


def _outputs(system: str, hits: Sequence[Hit], count: int) -> tuple[str, ...]:
    texts = [""] * count
    for hit in hits:
        for item in hit.items:
            if system in item.systems and item.kind in ("ordinary", "repeat"):
                texts[item.segments[0]] = item.candidates[0].texts[0]
    return tuple(texts)


def _complete(references: Sequence[str | None]) -> bool:
    return all(reference is not None for reference in references)


def _campaign_file(
    tasks: Tasks,
    name: str,
    hits: Sequence[Hit],
    systems: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str | None],
    file: str,
) -> dict[str, Any]:
    """The content of the campaign's file."""
    protocol: dict[str, Any] = {"name": tasks.protocol}
    if tasks.protocol == "adequacy-fluency":
        protocol["points"] = tasks.points or 5
    else:
        protocol["context"] = "document" if tasks.in_context else "none"
    both = any(sources) and _complete(references)
    protocol["against"] = "both" if both else "source" if any(sources) else "reference"
    people = sorted({hit.annotator for hit in hits if hit.annotator})
    name_in_use = REFERENCE_SYSTEM in systems
    return {
        "name": name or tasks.name or "imported",
        **({"language": "-".join(tasks.languages)} if all(tasks.languages) else {}),
        **({"reference_name": f"{REFERENCE_SYSTEM} (shown)"} if name_in_use else {}),
        "protocol": protocol,
        "systems": dict.fromkeys(systems, file),
        "test_set": {"source": file, **({"reference": file} if _complete(references) else {})},
        "annotators": {"names": people} if people else {"crowd": True},
        "assignment": {"repeats": 0.0, "bad_references": 0.0, "references": 0.0, "common": 0.0},
    }
