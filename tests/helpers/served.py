"""Small campaigns for tests of the server: every protocol, two systems, a few segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.campaign import Campaign, parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.campaigns.store import CampaignStore, campaigns, people
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.data import Outputs, TestSet

SOURCES = ("O gato dormiu.", "A ponte abriu.", "Chove muito 😀 hoje.")
REFERENCES = ("The cat slept.", "The bridge opened.", "It rains a lot 😀 today.")
OUTPUTS = {
    "hidden-one": ("The cat slept.", "The bridge has opened.", "It rains much 😀 today."),
    "hidden-two": ("A cat sleeps.", "Bridge opened up.", "Rains 😀 very today."),
}
QUESTIONS = [{"question": "Who slept?", "choices": ["the dog", "the cat"], "answer": 1}]


@dataclass(frozen=True)
class Made:
    """A campaign in a store, and the secrets of its annotators' links."""

    store: CampaignStore
    kept: StoredCampaign
    tokens: dict[str, str]


def config(protocol: Any = "da", name: str = "small", **more: Any) -> dict[str, Any]:
    """A campaign file's content."""
    return {
        "name": name,
        "language": "pt-en",
        "protocol": protocol,
        "systems": {system: f"{system}.txt" for system in OUTPUTS},
        "test_set": {"source": "source.txt", "reference": "reference.txt"},
        "annotators": ["anna", "ben"],
        **more,
    }


def material() -> CampaignMaterial:
    """The texts."""
    documents = {"document": ("d",) * len(SOURCES)}
    return CampaignMaterial(
        TestSet(references=(REFERENCES,), sources=SOURCES, labels=documents),
        tuple(Outputs(system, texts) for system, texts in OUTPUTS.items()),
    )


def hits(campaign: Campaign) -> list[Hit]:
    """A hit for each annotator, with every output or pair of outputs in order of the systems."""
    results = []
    protocol = campaign.protocol
    several = protocol.candidates[0] > 1
    groups = [tuple(OUTPUTS)] if several else [(system,) for system in OUTPUTS]
    numbers = (
        [tuple(range(len(SOURCES)))] if protocol.unit == "document" else [(n,) for n in range(len(SOURCES))]
    )
    extra = {"questions": QUESTIONS} if protocol.name == "comprehension" else {}
    items = tuple(
        Item(
            key=f"item-{g}-{n[0]}",
            segments=n,
            candidates=tuple(Candidate((system,), tuple(OUTPUTS[system][i] for i in n)) for system in group),
            document="d",
            extra=extra,
        )
        for g, group in enumerate(groups)
        for n in numbers
    )
    for annotator in campaign.annotators.all_names() or ("",):
        results.append(Hit(f"hit-{annotator or 1}", items, annotator))
    return results


def make(store: CampaignStore, protocol: Any = "da", name: str = "small", **more: Any) -> Made:
    """A campaign, kept."""
    campaign = parse(config(protocol, name, **more))
    kept = campaigns.add(store, campaign, material(), hits(campaign))
    return Made(store, kept, people.renew_links(store, kept))


def controlled(annotator: str = "", name: str = "hit-0001") -> Hit:
    """Every output, and each of them once more with a damage: enough to tell who pays attention."""
    items = []
    for damaged in (False, True):
        for system, texts in OUTPUTS.items():
            for number, text in enumerate(texts):
                key = f"{system}-{number}"
                candidate = Candidate((system,), (f"Quite {text}" if damaged else text,))
                kind = {"kind": "bad reference", "of": key} if damaged else {}
                items.append(Item(f"bad-{key}" if damaged else key, (number,), (candidate,), **kind))
    return Hit(name, tuple(items), annotator)


def make_crowd(
    store: CampaignStore, name: str = "crowd", hits: int = 1, copies: int = 1, **more: Any
) -> Made:
    """A campaign for anyone who comes: the same hit several times, each in so many copies."""
    campaign = parse(config("da", name, annotators={"crowd": True}, **more))
    names = [f"hit-{number:04d}" for number in range(1, hits + 1)]
    names += [f"{name}-{copy}" for copy in range(2, copies + 1) for name in names]
    kept = campaigns.add(store, campaign, material(), [controlled(name=name) for name in names])
    return Made(store, kept, {})
