"""What may be claimed from rankings and what may not, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.comparison.claims import EXAMPLES, FEW_PAIRS, NAMES
from adjudge.comparison.pairwise_view import texts_like
from adjudge.comparison.relevance import size_words, unknown_size
from adjudge.stats.design import ANNOTATOR
from adjudge.stats.tests.preferences.base import preference_test
from adjudge.wording import CORRECTIONS, join_names, p_text, pluralise

if TYPE_CHECKING:
    from adjudge.human.ranking import Ranking
    from adjudge.human.ranking_results import RankedPair
    from adjudge.stats.design import Design


def ranking_claims(
    ranking: Ranking,
    pairs: Sequence[RankedPair],
    design: Design,
    *,
    by_tests: bool,
    alpha: float,
    correction: str,
    scope: str,
    caveats: bool,
) -> tuple[str, ...]:
    """What the tests of pairs allow to say, strongest first, then what limits all of it."""
    if preference_test(design.unit).every_comparison and (why := too_small(pairs)):
        return (f"Nothing is claimed: {why}.",)
    how = f", {CORRECTIONS.get(correction, correction)}" if len(pairs) > 1 else ""
    where = f"{texts_like(scope)} {design.opinion}".rstrip()
    shown, unclear = [], []
    for pair in pairs:
        pair = pair.swapped if pair.delta < 0 else pair
        evidence = (
            f"{pluralise(pair.wins, 'comparison')} to {pair.losses:,}, {p_text(pair.p_adjusted, alpha)}{how}"
        )
        size = _size([pair])
        if pair.significant:
            shown.append(f"{pair.a} is preferred to {pair.b} on {where} ({evidence}){_though(pair)}{size}.")
        else:
            unclear.append(f"{pair.a} and {pair.b} cannot be told apart ({evidence}){size}.")
    first = _first(ranking, pairs, design.opinion, by_tests=by_tests)
    if len(pairs) > FEW_PAIRS:
        summary = f"Of {pluralise(len(pairs), 'pair')} of systems, {len(shown):,} are told apart."
        left = len(unclear) - EXAMPLES
        more = [f"… and {left:,} more that cannot be told apart; see the pairs."] if left > 0 else []
        sentences = [*first, summary, *unclear[:EXAMPLES], *more]
    else:
        sentences = [*first, *shown, *unclear]
    sentences += design.reservations()
    if caveats:
        sentences += [] if any(pair.margin for pair in pairs) else [unknown_size(["preference"])]
        sentences += _caveats(pairs, unclear, design.unit, correction, alpha)
    return tuple(sentences)


def too_small(pairs: Sequence[RankedPair]) -> str:
    """Why p of tests that count every comparison is wrong, '' where it is not."""
    n, total = (sum(getattr(p, name) for p in pairs) for name in ("n_translations", "n_judgements"))
    if total <= n:
        return ""
    return (
        f"several people compared the same outputs, and p takes {total:,} judgements of {n:,} questions for as many "
        "different ones, so that it is too small"
    )


def _size(pairs: Sequence[RankedPair]) -> str:
    """Whether preferences exceed the margin that was given, of several the smallest; '' where none was given."""
    known = [(abs(pair.delta), pair.margin.margin) for pair in pairs if pair.margin is not None]
    if not known:
        return ""
    smallest, margin = min(known)
    return f"; {size_words('', smallest, margin=margin, several=len(pairs) > 1)}"


def _though(pair: RankedPair) -> str:
    """Where most comparisons point the other way than most items."""
    if pair.wins > pair.losses:
        return ""
    return ", though not in most comparisons: an item counts once, however often it was judged"


def _first(ranking: Ranking, pairs: Sequence[RankedPair], opinion: str, *, by_tests: bool) -> list[str]:
    """Name the first cluster, as ranges of ranks have it, but never beyond what the tests show."""
    placed = [s.system for s in ranking.systems if s.cluster is not None]
    first = [s.system for s in ranking.systems if s.cluster == 1]
    below = [system for system in placed if system not in first]
    if len(placed) < 3:  # what is said of the pair says it all
        return []
    named = join_names(first, NAMES)
    if not below:
        what = "no range of ranks stands apart from the others"
        if by_tests:
            what = "nowhere are all above a line shown to be preferred to all below it"
            if shown := sum(pair.significant for pair in pairs):
                what += (
                    f", though {shown:,} of {len(pairs):,} pairs are told apart; tests use only items on which both "
                    "were seen, where ranges of ranks (--unit ranking) use what is known through others, uncorrected"
                )
        return [f"All {len(placed)} systems form one cluster: {what}."]
    beaten = {
        (pair.better, pair.b if pair.better == pair.a else pair.a) for pair in pairs if pair.significant
    }
    if not all((leader, other) in beaten for leader in first for other in below):
        return []
    size = _size([pair for pair in pairs if len({pair.a, pair.b} & set(first)) == 1])
    whose = f" {opinion}" if opinion else ""
    if len(first) == 1:
        return [f"{named} ranks first: it is preferred to every other system{whose}{size}."]
    return [f"{named} form the first cluster: each is preferred to every system below{whose}{size}."]


def _caveats(
    pairs: Sequence[RankedPair], unclear: Sequence[str], unit: str, correction: str, alpha: float
) -> list[str]:
    sentences = []
    if correction == "none" and len(pairs) > 1:
        sentences.append(
            f"The {len(pairs)} p-values are not corrected for their number: about {alpha:.0%} of them would fall below "
            f"{alpha:g} by chance even if no system differed from another."
        )
    drawn = ANNOTATOR in unit.split(",")
    by, others = (
        ("people like these", "other kinds of people")
        if drawn
        else ("these people", "other people's opinion")
    )
    holds = f"All this holds for texts like these, by {by}: other kinds of text and {others} were not tested."
    if unclear:
        holds += " Systems that cannot be told apart are not shown to be equal."
    return [*sentences, holds]
