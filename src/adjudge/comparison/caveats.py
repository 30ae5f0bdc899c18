"""All that limits what a comparison says: how little was sampled, run or tested, and what was not asked.

The sentences stand among its claims; those without which nothing should be believed are its warnings as well, for
whoever reads no claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.data import languages
from adjudge.data.origins import REVERSE, directions
from adjudge.errors import UsageError
from adjudge.stats.design import unit_noun, units_of
from adjudge.stats.multiple import enough_trials
from adjudge.stats.runs import ENOUGH_RUNS
from adjudge.stats.significance import significant
from adjudge.wording import CORRECTIONS, are, counted, digits, listed, percent

if TYPE_CHECKING:
    from adjudge.comparison.results import Pair, Standing, TestFacts
    from adjudge.stats.design import Design

FEW_UNITS = {"segment": 100}
FEW_GROUPS = 20
"""Below so many segments, or documents, resampling tells little about other texts of their kind."""
NAMES = 8


def warnings(results: Sequence[Standing], pairs: Sequence[Pair], test: TestFacts) -> list[str]:
    """What must be heard before anything is believed: too few trials, too few runs."""
    return [*nothing_significant(test, pairs), *few_runs(results)]


def caveats(
    results: Sequence[Standing],
    pairs: Sequence[Pair],
    test: TestFacts,
    design: Design,
    *,
    scope: str,
    texts: str,
    some_not_told_apart: bool,
) -> list[str]:
    """The limits of this comparison, the ones that could overturn it first."""
    sentences = [*_runs(results), *few_runs(results), *_few_units(design, scope)]
    sentences += [*filter(None, [design.reason]), *design.reservations()] if pairs else []
    if test.correction == "none" and test.comparisons > 1:
        sentences.append(
            f"The {test.comparisons:,} p-values are not corrected for their number: about {percent(test.alpha)} of "
            f"them would fall below {test.alpha:g} by chance even if no system differed from another."
        )
    if test.baseline is not None and len({s.system for s in results}) > 2:
        sentences.append(f"Systems were tested against {test.baseline} only: nothing here ranks the others.")
    return sentences + _scope(results, pairs, test, texts, some_not_told_apart)


def too_few_trials(test: TestFacts, pairs: Sequence[Pair]) -> list[str]:
    """Say so where nothing could come out significant, or where p stops at what so many trials can give."""
    if not pairs or not test.floor:
        return []
    return nothing_significant(test, pairs) or [
        f"With {counted(test.trials, 'trial')} no p can be below {test.floor:.2g}{_corrected(test)}: such a p may be "
        f"far smaller in truth (--trials {_enough(test)} are enough to see it)."
    ]


def nothing_significant(test: TestFacts, pairs: Sequence[Pair]) -> list[str]:
    """Say so where so few trials give no significant p; Benjamini and Hochberg's correction may leave p as it is."""
    if not pairs or significant(test.floor, test.alpha) or test.correction == "bh":
        return []
    return [
        f"With {counted(test.trials, 'trial')} no difference can be significant{_corrected(test)}, however large it "
        f"is: --trials {_enough(test)} are enough."
    ]


def _corrected(test: TestFacts) -> str:
    if test.correction == "none" or test.comparisons < 2:
        return ""
    return f" after {CORRECTIONS[test.correction]}'s correction for {counted(test.comparisons, 'comparison')}"


def _enough(test: TestFacts) -> int:
    return enough_trials(test.comparisons, test.alpha, test.correction)


def too_few_units(test: TestFacts, pairs: Sequence[Pair], design: Design) -> list[str]:
    """Say so where there is too little text for any difference to come out significant."""
    # Holm multiplies the smallest p by the number of comparisons; Benjamini and Hochberg may leave it as it is.
    least = min(1.0, design.smallest_p * (test.comparisons if test.correction == "holm" else 1))
    if not pairs or significant(least, test.alpha) or any(pair.significant for pair in pairs):
        return []
    corrected = " after Holm's correction" if test.correction == "holm" and test.comparisons > 1 else ""
    return [
        f"With {_units(design)} no difference can be significant, however large it is: the smallest p possible is "
        f"{least:.2g}{corrected}."
    ]


def few_runs(results: Sequence[Standing]) -> list[str]:
    """Say so where some systems have several training runs and others too few."""
    runs = {s.system: s.runs for s in results}
    few = [name for name, count in runs.items() if count < ENOUGH_RUNS]
    if not few or all(count < 2 for count in runs.values()):
        return []
    return [
        f"{listed(few, NAMES)}: with fewer than three training runs, luck of training cannot be told from a better "
        "system."
    ]


def reverse_warning(origins: Sequence[str], language: str) -> str | None:
    """What to say loudly where some of a test set was translated from the target language; None where none was."""
    try:
        known = directions(origins, languages.pair(language))
    except UsageError as error:  # nobody said which language is the source
        several = len({origin for origin in origins if origin}) > 1
        return f"SOME SEGMENTS MAY HAVE BEEN CREATED IN REVERSE: {error}" if several else None
    reverse = sum(known.get(origin) == REVERSE for origin in origins)
    if not reverse:
        return None
    return (
        f"{counted(reverse, 'segment')} of {len(origins):,} WERE CREATED IN REVERSE: written in the target language, "
        "so that the source is itself a translation. That makes them easier and may change the order of systems; "
        "look at both halves (--by origin), and claim nothing from the reverse one"
    )


def _runs(results: Sequence[Standing]) -> list[str]:
    """How far the runs of each system lie apart, by the first metric that has a direction."""
    first = next((s.metric for s in results if s.higher_is_better is not None), results[0].metric)
    spread = [s for s in results if s.metric == first and s.runs > 1 and s.run_deviation is not None]
    sentences = []
    for s in spread[:NAMES]:
        between = s.run_deviation or 0.0
        places = digits([between, s.deviation], s.decimals + 1)
        sentences.append(
            f"{s.system} is the mean of {counted(s.runs, 'training run')}: {s.label} varies by s_opt = "
            f"{between:.{places}f} between runs, by s_sel = {s.deviation:.{places}f} with the choice of "
            "segments (standard deviations)."
        )
    return sentences


def _few_units(design: Design, scope: str) -> list[str]:
    if design.units == 1:
        noun = unit_noun(design.unit)
        return [
            f"There is only one {noun}: nothing varies, nothing can be tested, and intervals mean nothing."
        ]
    if design.units >= FEW_UNITS.get(design.unit, FEW_GROUPS):
        return []
    nouns = _units(design)
    return [
        f"{nouns[0].upper()}{nouns[1:]} {are(design.units)} few: p-values and intervals from so small a sample "
        f"are rough, and at most large differences can be shown on {scope}."
    ]


def _units(design: Design) -> str:
    unit = design.rarer or design.unit
    return f"{design.units:,} {unit_noun(unit) if design.units == 1 else units_of(unit)}"


def _scope(
    results: Sequence[Standing],
    pairs: Sequence[Pair],
    test: TestFacts,
    texts: str,
    some_not_told_apart: bool,
) -> list[str]:
    if not pairs:
        return []
    metrics = {s.metric: s for s in results}
    labels = listed([s.label for s in metrics.values()])
    lower = [s.label for s in metrics.values() if s.higher_is_better is False]
    sentence = f"All this holds for {texts}, by {labels}"
    if lower:
        which = f"lower {listed(lower)}" if len(lower) < len(metrics) else "lower"
        sentence += f" ({which} is better)"
    whose = "other people's opinion" if test.by_people else "people's opinion"
    sentence += f": other kinds of text and {whose} were not tested."
    if some_not_told_apart:
        sentence += " Systems that cannot be told apart are not shown to be equal."
    if all(s.runs < 2 for s in results):
        again = "whether training it again would change the picture was not tested"
        sentence += f" Each system is a single output: {again}."
    return [sentence]
