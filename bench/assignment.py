"""How long it takes to plan who judges what, and how that grows.

    python bench/assignment.py [SEGMENTS …]

Twenty systems, fifty annotators, seconds of processor time on one core; the texts are drawn and the same every time.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from adjudge.campaigns.assignment import plan_hits
from adjudge.campaigns.campaign import Campaign, parse
from adjudge.campaigns.items import CampaignMaterial
from adjudge.data import Outputs, TestSet

SYSTEMS, ANNOTATORS, DOCUMENT = 20, 50, 15
CASES: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("da", ANNOTATORS, {"common": 0.02}),
    ("da", ANNOTATORS, {}),
    ("esa", ANNOTATORS, {}),
    ("ranking", ANNOTATORS, {}),
    ("da", {"crowd": True}, {"judgements": 3}),
)


def texts(segments: int) -> CampaignMaterial:
    """Outputs of 3 to 30 words, documents of 15 segments."""
    draw = random.Random(1)
    words = [f"w{i}" for i in range(2000)]

    def drawn() -> tuple[str, ...]:
        return tuple(" ".join(draw.choices(words, k=draw.randint(3, 30))) for _ in range(segments))

    documents = tuple(f"d{n // DOCUMENT}" for n in range(segments))
    test_set = TestSet(references=(drawn(),), sources=drawn(), labels={"document": documents})
    return CampaignMaterial(test_set, tuple(Outputs(f"s{i}", drawn()) for i in range(SYSTEMS)))


def campaign(protocol: str, annotators: Any, assignment: dict[str, Any]) -> Campaign:
    return parse(
        {
            "name": "bench",
            "language": "de-en",
            "protocol": protocol,
            "systems": {f"s{i}": "file" for i in range(SYSTEMS)},
            "test_set": {"source": "file", "reference": "file"},
            "annotators": annotators,
            "assignment": assignment,
        }
    )


def main() -> None:
    print("| protocol | annotators | assignment | segments | items given out | seconds |")
    print("|---|---|---|--:|--:|--:|")
    for segments in [int(one) for one in sys.argv[1:]] or [500, 1000, 2000]:
        material = texts(segments)
        for protocol, annotators, assignment in CASES:
            asked = campaign(protocol, annotators, assignment)
            start = time.process_time()
            found = plan_hits(asked, material)
            taken = time.process_time() - start
            given = sum(len(hit.items) for hit in found.hits)
            who = "crowd" if isinstance(annotators, dict) else annotators
            told = ", ".join(f"{name} = {value}" for name, value in assignment.items()) or "as it is"
            print(f"| {protocol} | {who} | {told} | {segments:,} | {given:,} | {taken:.1f} |")


if __name__ == "__main__":
    main()
