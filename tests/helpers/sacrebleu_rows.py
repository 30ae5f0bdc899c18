"""What the tests of resampling share."""

from __future__ import annotations

from conftest import PROJECT

EXAMPLES = PROJECT / "examples"


def examples(*names: str) -> list[tuple[str, list[str]]]:
    return [(name, (EXAMPLES / "systems" / f"{name}.en").read_text().splitlines()) for name in names]
