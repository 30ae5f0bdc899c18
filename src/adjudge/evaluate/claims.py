"""What may be claimed and what may not, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adjudge.evaluate.comparison import Pair, Standing, TestFacts


def claims(
    results: Sequence[Standing],
    pairs: Sequence[Pair],
    test: TestFacts,
    *,
    units: int | None = None,
    documents: int | None = None,
    identical: Collection[tuple[str, str]] = (),
    scope: str = "this test set",
    caveats: bool = True,
) -> tuple[str, ...]:
    """Sentences a person could defend."""
    return ()
