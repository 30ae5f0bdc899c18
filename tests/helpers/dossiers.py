"""Dossiers for tests: of the project's examples, of texts that mean harm, and of people's judgements."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.findings.dossier import Beside, Dossier, dossier

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEW = {"trials": 200, "resamples": 50}
HARM = "\"'><script>alert(1)</script></script><img src=x onerror=alert(2)>javascript:alert(3)&amp;{0}\u202egnp\u2066\0"


@cache
def example_dossier(*, people: bool = False, baseline: str | None = None) -> Dossier:
    """Three systems of the examples by three metrics."""
    names = ("neural", "neural-fixed", "rulebased")
    loaded = adjudge.load(
        references=[str(EXAMPLES / "reference.en")],
        source=str(EXAMPLES / "source.pt"),
        labels=str(EXAMPLES / "labels.tsv"),
        systems=[str(EXAMPLES / "systems" / f"{name}.en") for name in names],
    )
    judged = None
    if people:
        judged = adjudge.load_judgements([str(EXAMPLES / "judgements.tsv")]).judgements
    beside = Beside(judgements=judged, inputs=loaded.inputs, price=0.05)
    return dossier(loaded.test_set, loaded.outputs, beside=beside, baseline=baseline, **FEW)


@cache
def harmful_dossier() -> Dossier:
    """Texts, names, labels and a test set whose every word would run if it could."""
    lines = [f"{HARM} word{n} and {n * 7} more of it <b>{n}</b>" for n in range(24)]
    test_set = TestSet(
        references=[[f"reference {line}" for line in lines]],
        sources=lines,
        labels={HARM: [HARM if n % 2 else "plain" for n in range(24)], "domain": ["a", "b"] * 12},
        name=HARM,
        language="pt-en",
    )
    outputs = [
        Outputs(HARM, [f"reference {line}" if n % 3 else line for n, line in enumerate(lines)]),
        Outputs(f"b{HARM}", [line[::-1] if n % 2 else line for n, line in enumerate(lines)]),
    ]
    return dossier(test_set, outputs, **FEW)
