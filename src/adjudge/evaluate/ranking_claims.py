"""What may be claimed from rankings and what may not, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.evaluate.claims import EXAMPLES, FEW_PAIRS, NAMES
from adjudge.evaluate.wording import CORRECTIONS, counted, listed, p_text

if TYPE_CHECKING:
    from adjudge.evaluate.ranking import RankedPair
    from adjudge.human.ranking import Ranking


def ranking_claims(
    ranking: Ranking,
    pairs: Sequence[RankedPair],
    *,
    unit: str,
    alpha: float,
    correction: str,
    scope: str,
    caveats: bool,
) -> tuple[str, ...]:
    """What sign tests and ranges of ranks allow to say, strongest first, then what limits all of it."""
    how = f", {CORRECTIONS.get(correction, correction)}" if len(pairs) > 1 else ""
    what = "items" if unit == "item" else "comparisons"
    shown, unclear = [], []
    for pair in pairs:
        (won, best), (lost, worst) = (pair.wins, pair.a), (pair.losses, pair.b)
        if won < lost:
            won, best, lost, worst = lost, worst, won, best
        evidence = f"{won:,} {what} to {lost:,}, {p_text(pair.p_adjusted, alpha)}{how}"
        if pair.significant:
            shown.append(f"{best} is preferred to {worst} on {scope} ({evidence}).")
        else:
            unclear.append(f"{best} and {worst} cannot be told apart ({evidence}).")
    if len(pairs) > FEW_PAIRS:
        told = f"Of {counted(len(pairs), 'pair')} of systems, {len(shown):,} are told apart."
        left = len(unclear) - EXAMPLES
        more = [f"… and {left:,} more that cannot be told apart; see the pairs."] if left > 0 else []
        said = [*_first(ranking), told, *unclear[:EXAMPLES], *more]
    else:
        said = [*_first(ranking), *shown, *unclear]
    if caveats:
        said += _caveats(pairs, unclear, correction, alpha)
    return tuple(said)


def _first(ranking: Ranking) -> list[str]:
    placed = [s for s in ranking.systems if s.cluster is not None]
    first = [s.system for s in placed if s.cluster == 1]
    if len(placed) < 2:
        return []
    if len(first) == len(placed):
        return [
            f"All {len(placed)} systems form one cluster: no range of ranks stands apart from the others."
        ]
    if len(first) == 1:
        return [f"{first[0]} ranks first: no other system's range of ranks reaches there."]
    return [
        f"{listed(first, NAMES)} form the first cluster: their ranges of ranks overlap, and none below reaches them."
    ]


def _caveats(pairs: Sequence[RankedPair], unclear: Sequence[str], correction: str, alpha: float) -> list[str]:
    said = []
    if correction == "none" and len(pairs) > 1:
        said.append(
            f"The {len(pairs)} p-values are not corrected for their number: about {alpha:.0%} of them would fall below "
            f"{alpha:g} by chance even if no system differed from another."
        )
    holds = (
        "All this holds for these judgements: it does not follow that a system is preferred on other texts or by other "
        "people, nor by how much it is better."
    )
    if unclear:
        holds += " Systems that cannot be told apart are not shown to be equal."
    return [*said, holds]
