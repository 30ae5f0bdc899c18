"""Small campaigns to keep in a database."""

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.data import Outputs, TestSet

SOURCES = ("Bom dia.", "Ela canta.", "Chove muito.", "Já é tarde.", "O mar é azul.", "Fim.")
REFERENCES = ("Good morning.", "She sings.", "It rains a lot.", "It is late.", "The sea is blue.", "The end.")


def config(name="news", annotators=("anna", "ben"), **changes):
    """What a campaign file says."""
    return {
        "name": name,
        "language": "pt-en",
        "protocol": "da",
        "systems": {"one": "one.en", "two": "two.en"},
        "test_set": {"source": "source.pt", "reference": "reference.en"},
        "annotators": {"names": list(annotators)} if annotators else {"crowd": True},
        **changes,
    }


def material(sources=SOURCES, references=REFERENCES):
    """Six segments and what two systems made of them."""
    return CampaignMaterial(
        TestSet((tuple(references),), tuple(sources), labels={"document": ("a", "a", "a", "b", "b", "b")}),
        (
            Outputs("one", tuple(f"{text} (1)" for text in references)),
            Outputs("two", tuple(f"{text} (2)" for text in references), "2nd"),
        ),
    )


def item(segment, system="one", key="", **changes):
    """One translation of one segment."""
    text = f"{REFERENCES[segment]} ({1 if system == 'one' else 2})"
    return Item(key or f"{system}-{segment}", (segment,), (Candidate((system,), (text,)),), **changes)


def items(system="one"):
    """A translation of every segment."""
    return tuple(item(segment, system) for segment in range(len(SOURCES)))


def hits(annotators=("anna", "ben")):
    """A hit of the first system for each, and one of the second."""
    return [
        *(Hit(f"{who}-1", items("one"), who) for who in annotators),
        *(Hit(f"{who}-2", items("two"), who) for who in annotators),
    ]


def open_hits(count):
    """Hits for anyone."""
    return [Hit(f"hit-{number}", items("one")) for number in range(1, count + 1)]


def made(name="news", annotators=("anna", "ben"), **changes):
    """All that `campaigns.add` takes: a campaign, its texts, its hits."""
    return parse(config(name, annotators, **changes)), material(), hits(annotators)


def crowd(count=3, name="crowd"):
    """A campaign for anyone who comes."""
    return parse(config(name, ())), material(), open_hits(count)
