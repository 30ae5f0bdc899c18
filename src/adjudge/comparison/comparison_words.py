"""How a comparison was made and what its tables mean, in sentences."""

from __future__ import annotations

import itertools

from adjudge.comparison.comparison_tables import BETTER, UPSET, WORSE, ComparisonView, is_many
from adjudge.comparison.results import Comparison, SegmentGroup, TestFacts
from adjudge.display import group_name, visible
from adjudge.stats.design import unit_noun, units_of
from adjudge.stats.resampling import can_hold
from adjudge.wording import CORRECTIONS, percent, pluralise

CLAIMS = "What may be claimed, and what not"


def columns(view: ComparisonView) -> list[str]:
    """What the columns of the tables mean."""
    if not view.pairs:
        return []
    if is_many(view):
        return [
            "Δ is a row minus a column. Every pair in full, with p, interval, d and the difference that would "
            "show with 80 % power: -f tsv --table pairs.",
        ]
    unit, share = unit_noun(view.test.unit), view.test.system_test.share
    if "," in view.test.unit:
        unit = f"{' or '.join(view.test.unit.split(','))}, whichever are fewer,"
    return [
        f"d: Δ in standard deviations of what one {unit} adds to it (Cohen's d); "
        f"{share.note if share else SMALLEST} with 80 % power.",
        *([UPSETS] if any(view.pairwise.is_upset(pair) for pair in view.pairs) else []),
    ]


SMALLEST = "would show: the smallest Δ that this test shows"
SKEWED = "longer on the side to which scores are skewed"
UPSETS = f"{UPSET}: significant, but by ranks, and these point the other way than Δ."


def method(test: TestFacts, star: str = "*", *, several: bool = False, units: int | None = None) -> list[str]:
    """How differences were tested and intervals made; `several` metrics are corrected together, or each by itself.

    Of few `units`, scores have no interval from resamples.
    """
    errors_by = " and by ".join(f"{own}s" for own in test.unit.split(","))
    whole = "whole " if test.unit in ("document", "annotator") else ""
    unit = f"{whole}{units_of(test.unit)}"
    name = test.system_test.describe(test.unit)
    drawn = f"{unit} within {test.strata}" if test.strata else unit
    correction = CORRECTIONS.get(test.correction, test.correction)
    over = "one comparison"
    if test.comparisons > 1:
        over = f"{correction} over {pluralise(test.comparisons, 'comparison')}"
    if several:
        over += " of all metrics together" if test.family == "all" else " of each metric"
    number = ("up to " if test.risk else "") + pluralise(test.trials, "trial")
    trials = f" of {drawn}, {number}, seed {test.seed}" if test.trials else ""
    if test.risk:
        over += (
            "; pairs that cannot become significant stop before the last trial (chance of another decision: "
            f"{percent(test.risk)})"
        )
    if test.floor:
        over += f"; so many trials give no p below {test.floor:.2g}"
    sides = test.alternative if test.alternative != "better-score" else "one-sided"
    p = f"p: {sides} {name}{trials}{_side(test)}; {over}{f'; {star} is p ≤ {test.alpha:g}' if star else ''}."
    kind = "bootstrap resample" if test.sampling == "bootstrap" else "half-size subsample"
    resamples = f"of {pluralise(test.resamples, kind)} of {drawn}"
    percentiles = "percentile" if test.interval == "test" else test.interval
    kinds = {
        "none": f"{percentiles} {resamples}",
        "some": f"by Student's t of means ({SKEWED}), else percentile {resamples}",
        "all": f"by Student's t, errors by {errors_by}, {SKEWED}",
    }
    scores = f"±: {percent(test.confidence)} {kinds[test.intervals_from_errors]}, for each score by itself."
    if units is not None and not can_hold(units, test.confidence) and test.intervals_from_errors != "all":
        by_t = {"some": f"{percent(test.confidence)} by Student's t of means ({SKEWED}); else "}
        least = next(n for n in itertools.count(1) if can_hold(n, test.confidence))
        scores = (
            f"±: {by_t.get(test.intervals_from_errors, '')}none (–): with fewer than {least} {unit}, an interval "
            f"from resamples cannot hold {percent(test.confidence)}."
        )
    return [p, *_chosen_side(test), scores, *_intervals(test, resamples)] if test.comparisons else [scores]


def _side(test: TestFacts) -> str:
    """What a one-sided test asks."""
    if test.alternative != "one-sided":
        return ""
    if test.baseline is not None:
        return f", whether each system is better than {visible(test.baseline)}"
    return f", whether each system is better than those behind it in {visible(' > '.join(test.expected))}"


def _chosen_side(test: TestFacts) -> list[str]:
    """What it means that scores choose the side of a test."""
    if test.alternative != "better-score":
        return []
    return [
        "The side of each test is the one that the scores point to, as WMT does it: two systems that do not differ are "
        f"told apart in {percent(2 * test.alpha)} of cases so, not in {percent(test.alpha)}."
    ]


def _intervals(test: TestFacts, resamples: str) -> list[str]:
    """What the intervals of differences are, what they promise, and whether they say what p says."""
    by_ranks = test.system_test.share is not None
    if test.intervals_from_errors == "all":
        what = "likewise"
    elif test.interval == "test" and test.system_test.has_interval:
        what = "the differences that the test would not reject"
        what += " (of means as above)" * (test.intervals_from_errors == "some")
    else:
        what = f"{'percentile' if test.interval == 'test' else test.interval} {resamples}"
    each = f"{percent(test.confidence)} for each alone"
    if test.comparisons > 1 and test.correction == "holm":
        each = f"{percent(test.confidence)} for all {test.comparisons:,} together"
    elif test.comparisons > 1 and test.correction == "bh":
        each = f"{percent(test.confidence)} of those that leave out 0 hold the truth, on average"
    sentence = f"intervals of Δ: {what}; {each}."
    if test.intervals_agree:
        holm = " Where p is starred and an interval ends at 0, Holm's later steps have cut it off there." * (
            test.comparisons > 1 and test.correction == "holm"
        )
        cut = " Where one would contradict p, it ends at 0." if test.intervals_from_errors == "all" else holm
        return [f"{sentence} They leave out 0 where p ≤ {test.alpha:g}, and only there.{cut}"]
    why = "p comes from ranks, not from means" if by_ranks else "p is not made of them"
    why = "p is one-sided" if test.alternative == "one-sided" and not by_ranks else why
    return [f"{sentence} They may leave out 0 where p does not, or the other way round, for {why}."]


def legend(test: TestFacts) -> str:
    """What the marks in a printed table mean."""
    if test.baseline is not None:
        return f"{BETTER} better, {WORSE} worse than {visible(test.baseline)} (p ≤ {test.alpha:g}). Bold: best score."
    return (
        f"Raised numbers: the systems (#) that a score is significantly better than (p ≤ {test.alpha:g}). "
        "Bold: first cluster. Lines part the clusters by the first metric."
    )


def how(comparison: Comparison, view: ComparisonView) -> list[str]:
    """All that stands below the tables of a screen: the test, the columns, the groups."""
    sentences = [*comparison_method(comparison), *columns(view)]
    if comparison.groups:
        count = pluralise(len(comparison.groups) - 1, "group")
        sentences.append(f"p is corrected within each group, not for looking at {count}.")
    return sentences


def comparison_method(comparison: Comparison, star: str = "*") -> list[str]:
    """How a comparison was tested and its intervals made."""
    several = len({standing.metric for standing in comparison.results}) > 1
    units = comparison.design.units if comparison.design is not None else comparison.test_set.segments
    return method(comparison.test, star, several=several, units=units)


def group_title(group: SegmentGroup) -> str:
    """What a group is called, and how large it is."""
    return f"{visible(group_name(group.by)) or 'everything'}: {pluralise(group.segments, 'segment')}"
