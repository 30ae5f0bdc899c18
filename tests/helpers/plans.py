"""Small campaigns, and what can be asked of any plan for one."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from adjudge.campaigns.campaign import Campaign, parse
from adjudge.campaigns.items import CampaignMaterial, Hit, Item
from adjudge.data import Outputs, TestSet

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def campaign(systems: Sequence[str], people: Any = 3, protocol: Any = "da", **assignment: Any) -> Campaign:
    """A campaign of these systems; its files are never read."""
    return parse(
        {
            "name": "test",
            "language": "de-en",
            "protocol": protocol,
            "systems": dict.fromkeys(systems, "file"),
            "test_set": {"source": "source", "reference": "reference"},
            "annotators": people,
            "assignment": assignment,
            "rules": {"questions": "questions.jsonl"},
        }
    )


def material(
    systems: Sequence[str],
    segments: int,
    *,
    document: int = 0,
    alike: int = 0,
    references: bool = True,
) -> CampaignMaterial:
    """Every output different, or each out of `alike` different ones; documents of so many segments."""

    def text(system: int, segment: int) -> str:
        words = [f"{LETTERS[system % 26]}{segment}.{word}" for word in range(3 + segment % 7)]
        return f"v{(system * 7 + segment) % alike} of {segment} and" if alike else " ".join(words)

    numbers = range(segments)
    return CampaignMaterial(
        TestSet(
            sources=tuple(f"s{n}" for n in numbers),
            references=(tuple(f"r{n}.1 r{n}.2 r{n}.3 r{n}.4" for n in numbers),) if references else (),
            labels={"document": tuple(f"d{n // document}" for n in numbers)} if document else {},
        ),
        tuple(Outputs(name, tuple(text(i, n) for n in numbers)) for i, name in enumerate(systems)),
    )


def of_people(hits: Sequence[Hit]) -> dict[str, list[Item]]:
    """Everyone's items, in order."""
    result: dict[str, list[Item]] = defaultdict(list)
    for hit in hits:
        result[hit.annotator] += hit.items
    return dict(result)


def ordinary(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.kind == "ordinary"]


def kinds(items: Sequence[Item]) -> Counter[str]:
    return Counter(item.kind for item in items)


def judges(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """Who judges each ordinary item, by its key."""
    result: dict[str, list[str]] = defaultdict(list)
    for hit in hits:
        for item in ordinary(hit.items):
            result[item.key].append(hit.annotator)
    return dict(result)


def covered(hits: Sequence[Hit]) -> set[tuple[str, int]]:
    """Every system and segment that is judged as itself."""
    return {
        (system, segment)
        for hit in hits
        for item in ordinary(hit.items)
        for system in item.systems
        for segment in item.segments
    }


def too_near(items: Sequence[Item], distance: int) -> int:
    """How often one segment is seen of two systems within a distance, looked up the slow way."""
    seen = [(segment, item.systems) for item in items for segment in item.segments]
    return sum(
        segment == other and whose != systems
        for place, (segment, systems) in enumerate(seen)
        for other, whose in seen[place + 1 : place + 1 + distance]
    )


def same_but_for_names(hits: Sequence[Hit], names: dict[str, str]) -> list[Any]:
    """What is in hits when systems have other names."""
    return [
        (
            hit.name,
            hit.annotator,
            [
                (
                    i.key,
                    i.kind,
                    i.of,
                    [(sorted(names.get(s, s) for s in c.systems), c.texts) for c in i.candidates],
                )
                for i in hit.items
            ],
        )
        for hit in hits
    ]


QUARTERS = (0.25, 0.5, 0.75, 1.0)
