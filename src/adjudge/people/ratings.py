"""What people's ratings say of systems: from judgements to scores, tests, clusters and what may be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.data.judgements import KINDS, NONE, Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.evaluate.comparing import compare_scores
from adjudge.evaluate.comparison import Comparison
from adjudge.evaluate.plan import CLUSTERED, RANK_TESTS
from adjudge.human import assessment
from adjudge.human.agreement import CLOSE_Z, agreement
from adjudge.human.assessment import Scales
from adjudge.human.diagnostics import diagnoses
from adjudge.human.grouping import parts_by, refuse_holes, settled, several_questions, without_tutorials
from adjudge.human.mqm import Weights, error_types, weighed
from adjudge.human.postediting import corrected_only, uncorrected
from adjudge.human.quality import Quality, failed, quality
from adjudge.people.results import (
    ONE_ANNOTATOR,
    RAW_PROTOCOLS,
    SCORES,
    Analysis,
    Facts,
    JudgedGroup,
    JudgedSystem,
    decimals_of,
)
from adjudge.people.units import UNITS, Design, check_crossed, grouping_sentences, groupings, unit_column
from adjudge.people.whole_systems import are_of_whole_systems, given
from adjudge.stats.resampling import tolerance
from adjudge.wording import counted as count_of
from adjudge.wording import listed

CUSTOMS: Mapping[str, Mapping[str, Any]] = {
    "wmt21": {
        "repeats": True,
        "method": "rank-sum",
        "alternative": "better-score",
        "correction": "none",
        "alpha": 0.05,
    }
}
"""How others have done it, by the name that `--as` takes."""


LEVELS = (
    "{} of whole documents (DR+DC) are analysed by themselves, as the group level document, and do not count among "
    "segments (SR+DC): documents are far fewer, and n is their number"
)
ALL_JUDGEMENTS = (
    "z is on each annotator's scale over all that he or she judged, also what was left out as asked; --rescale takes "
    "the scale from what is left"
)


def analyse(
    judgements: Judgements,
    *,
    score: str | None = None,
    by: Sequence[str] = (),
    repeats: bool = False,
    unit: str = "translation",
    drop_failed: bool = False,
    scales_of: Judgements | None = None,
    quality_test: str = "paired-t",
    custom: str | None = None,
    weights: Weights | None = None,
    most_errors: int | None = None,
    method: str | None = None,
    threads: int = 0,
    **options: Any,
) -> Analysis:
    """Scores of systems with tests of all pairs; `options` as in `compare` (correction, alpha, seed, …).

    `scales_of` is all that annotators judged, where only some of it is analysed: z is by their scale over all of it.
    Without a `method` the test follows from the design: paired where systems were judged on the same items. `unit` is
    translation, document, annotator or another label, whose groups are drawn as wholes, two of them at once
    (document,annotator), or judgement.
    `custom` sets what an evaluation of the past did (`wmt21`) and overrules the rest. Errors that were marked by MQM
    are weighed, all of a segment or its `most_errors` heaviest, by `weights` or else as the files have them.
    """
    if judgements.is_ranking:
        raise UsageError("these are rankings, not ratings")
    chosen = {"repeats": repeats, "method": method, **options}
    if custom is not None:
        if custom not in CUSTOMS:
            raise unknown_name("custom", custom, CUSTOMS)
        chosen |= CUSTOMS[custom]
    repeats = chosen.pop("repeats")
    if score is not None and score not in SCORES:
        raise unknown_name("score", score, SCORES)
    errors_weighed = weighed(judgements, weights, most=most_errors)
    judgements = errors_weighed.judgements
    if are_of_whole_systems(judgements):
        return given(judgements, score=score, by=by)
    if not len(judgements):
        raise DataError("there are no judgements")
    unable = uncorrected(judgements)
    judgements = corrected_only(judgements)
    if not len(judgements):
        raise DataError("none of these outputs could be corrected: there is no HTER")
    refuse_holes(judgements)
    judgements = settled(judgements)
    controls = quality(judgements, test=quality_test)
    dropped = failed(controls) if drop_failed else ()
    if dropped:
        judgements = _without(judgements, dropped)
    kinds = np.bincount(judgements.kind, minlength=len(KINDS)).tolist()
    judgements = without_tutorials(judgements)
    scales = assessment.scales(judgements)
    if scales_of is not None:
        everything = weighed(scales_of, weights, most=most_errors).judgements
        scales = assessment.scales(everything).of(judgements.annotator.names)
    z = assessment.standard_scores(judgements, scales)
    which = assessment.counted(judgements, repeats=repeats)
    which, documents = _levels(judgements, which)
    if not which.any():
        there = ", ".join(count_of(number, kind) for kind, number in zip(KINDS, kinds, strict=True) if number)
        raise DataError(
            f"none of these judgements is of an ordinary item ({there}): there is nothing to score systems by"
        )
    if z is None or np.isnan(z[which]).all():
        z = None
    if score == "z" and z is None:
        raise DataError(
            "no annotator's scores vary, or none has a name: there are no z-scores, only raw ones (--score raw)"
        )
    tested = score or ("raw" if z is None or judgements.protocol in RAW_PROTOCOLS else "z")
    facts = Facts(
        protocol=judgements.protocol,
        judgements=sum(kinds),
        kinds={kind: number for kind, number in zip(KINDS, kinds, strict=True) if number},
        systems=len(np.unique(judgements.system.codes[which])),
        items=len(judgements.item.names),
        annotators=len(judgements.annotator.names),
        score=tested,
        higher_is_better=judgements.higher_is_better,
        repeats=repeats,
        unit=unit,
        dropped=dropped,
        weights=errors_weighed.weights,
        own_z=z is not None and not judgements.annotator.names,
    )
    values = judgements.score if tested == "raw" or z is None else z
    facts, chosen = _with_test(judgements, values, which, facts, chosen)
    parts = parts_by(judgements, by, which)
    groups = [_group(judgements, z, rows, facts, label, chosen, threads) for label, rows in parts.groups]
    if unit == "translation" and len(groups[0].systems) > 1:
        groups[0] = groups[0].saying(grouping_sentences(groupings(judgements, values, which)))
    if documents is not None:
        whole = {"level": "document"}
        groups.append(_group(judgements, z, documents, facts, whole, chosen, threads))
    warnings = [
        *errors_weighed.warnings,
        *([ALL_JUDGEMENTS] if scales_of is not None and tested == "z" and not facts.own_z else []),
        *_of_uncorrected(unable),
        *parts.warnings,
        *several_questions(judgements),
        *([] if documents is None else [LEVELS.format(count_of(int(documents.sum()), "judgement"))]),
        *_warnings(judgements, which, facts, scales, controls),
    ]
    errors = error_types(judgements[which], errors_weighed.weigh)
    return Analysis(
        facts,
        tuple(groups),
        controls,
        scales,
        errors,
        agreement(judgements, **({"values": z, "margin": CLOSE_Z} if tested == "z" else {})),
        diagnoses(judgements),
        tuple(warnings),
        judgements,
        z,
        which,
    )


def _without(judgements: Judgements, annotators: Sequence[str]) -> Judgements:
    gone = [judgements.annotator.names.index(name) for name in annotators]
    left = judgements[~np.isin(judgements.annotator.codes, gone)]
    if not len(left):
        raise DataError(
            f"all {len(gone)} annotators fail the control items, so that nothing is left; look at them first "
            "(without --drop-failed)"
        )
    return left


def _levels(
    judgements: Judgements, which: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The judgements of segments, and those of whole documents where there are both: n is another for each."""
    level = judgements.labels.get("level")
    if level is None or "document" not in level.names:
        return which, None
    whole = which & (level.codes == level.names.index("document"))
    if not whole.any() or not (which & ~whole).any():
        return which, None
    return which & ~whole, whole


def _with_test(
    judgements: Judgements,
    values: NDArray[np.float64],
    which: NDArray[np.bool_],
    facts: Facts,
    chosen: Mapping[str, Any],
) -> tuple[Facts, dict[str, Any]]:
    """The test that was asked for, or else the one that the design asks for, with the reason for it."""
    method = chosen["method"]
    if "," in facts.unit:
        check_crossed(judgements, facts.unit, which, method)
        return facts, {**chosen, "method": CLUSTERED}
    if facts.unit not in UNITS:
        unit_column(judgements, facts.unit, which)  # refuses what is no unit
        if method in RANK_TESTS:
            raise UsageError(
                f"a {method} test takes every translation for itself: --unit {facts.unit} goes with --test "
                "randomisation or bootstrap"
            )
        return facts, {**chosen, "method": method or "randomisation"}
    if facts.unit == "judgement":
        return facts, {**chosen, "method": method or "rank-sum"}
    there = assessment.translations(judgements, values, which=which)
    judged = np.flatnonzero(there.distinct)
    systems = [there.matrix.systems[s] for s in judged]
    design = Design.of(there.judgements[judged] > 0, systems, chosen.get("baseline"))
    method = method or design.test
    said = design.sentence(method) if len(systems) > 1 else ""
    return replace(facts, design=said), {**chosen, "method": method}


def _group(
    judgements: Judgements,
    z: NDArray[np.float64] | None,
    which: NDArray[np.bool_],
    facts: Facts,
    by: Mapping[str, str],
    options: Mapping[str, Any],
    threads: int,
) -> JudgedGroup:
    raw = assessment.translations(judgements, judgements.score, which=which)
    standard = None if z is None else assessment.translations(judgements, z, which=which)
    values = judgements.score if facts.score == "raw" or z is None else z
    units = assessment.translations(judgements, values, which=which, by_judgement=facts.unit == "judgement")
    judged = np.flatnonzero(units.distinct)
    direction = 1.0 if judgements.higher_is_better else -1.0
    scores = units.scores
    order = sorted(map(int, judged), key=lambda s: (-direction * scores[s], units.matrix.systems[s]))
    used = (units.judgements[order] > 0).any(0)
    drawn = _Drawn(units.matrix.scores[order][:, used])
    if facts.unit not in UNITS:
        drawn = _drawn_by(judgements, values, which, facts.unit, order)
    scope = "these judgements"
    if by:
        scope = "the judgements of " + ", ".join(f"{name} {value}" for name, value in by.items())
    comparison = compare_scores(
        ScoreMatrix(tuple(units.matrix.systems[s] for s in order), drawn.scores),
        name=_label(facts),
        higher_is_better=judgements.higher_is_better,
        decimals=3 if facts.score == "z" else decimals_of(facts.protocol, scores[order].tolist()),
        threads=threads,
        scope=scope,
        by_people=True,
        caveats=not by,
        alone=True,
        weights=drawn.weights,
        **drawn.options,
        **options,
    )
    if drawn.weights is not None:
        comparison = _by_items(comparison, direction * units.matrix.scores[order])
    several = len(order) > 1
    systems = []
    for s, standing in zip(order, comparison.results, strict=True):
        systems.append(
            JudgedSystem(
                system=units.matrix.systems[s],
                mean=float(raw.scores[s]),
                z=None if standard is None else float(standard.scores[s]),
                n_translations=int(raw.distinct[s]),
                n_judgements=int(raw.judgements[s].sum()),
                low=standing.low,
                high=standing.high,
                cluster=standing.cluster if several else None,
                rank=standing.rank if several else None,
                rank_interval=standing.rank_interval if several else None,
            )
        )
    if several:
        # Tests of ranks may put a system with a worse mean into a better cluster.
        return JudgedGroup(by, tuple(sorted(systems, key=lambda s: s.cluster or 0)), comparison)
    return JudgedGroup(by, tuple(systems), None, f"{systems[0].system} is the only system.")


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Scores as they are drawn: systems × translations, or parts of these with the units they belong to."""

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def _drawn_by(
    judgements: Judgements,
    values: NDArray[np.float64],
    which: NDArray[np.bool_],
    unit: str,
    order: Sequence[int],
) -> _Drawn:
    columns = {name: unit_column(judgements, name, which) for name in unit.split(",")}
    sizes = [len(column.names) for column in columns.values()]
    group = np.ravel_multi_index([np.maximum(column.codes, 0) for column in columns.values()], sizes)
    found = assessment.parts(judgements, values, group, which=which)
    labels = {
        name: [column.names[code] for code in codes]
        for (name, column), codes in zip(columns.items(), np.unravel_index(found.group, sizes), strict=True)
    }
    return _Drawn(found.matrix.scores[order], found.weights[order], {"unit": unit, "labels": labels})


def _by_items(comparison: Comparison, scores: NDArray[np.float64]) -> Comparison:
    """The same with shares of items, not of the parts that were drawn."""
    systems = [s.system for s in comparison.results]
    near = tolerance(float(np.nanmax(np.abs(scores), initial=0.0)))
    pairs = []
    for pair in comparison.pairs:
        ahead = scores[systems.index(pair.a)] - scores[systems.index(pair.b)]
        ahead = ahead[~np.isnan(ahead)]
        better, worse = ((ahead > near).mean(), (ahead < -near).mean()) if len(ahead) else (np.nan, np.nan)
        pairs.append(replace(pair, better_on=float(better), worse_on=float(worse), common=len(ahead)))
    return replace(comparison, pairs=tuple(pairs))


def _label(facts: Facts) -> str:
    return f"{facts.protocol.upper()} {facts.score}" if facts.score == "z" else facts.protocol.upper()


def _of_uncorrected(unable: Mapping[str, int]) -> list[str]:
    if not unable:
        return []
    whose = ", ".join(f"{number} of {system}" for system, number in unable.items())
    return [
        f"{count_of(sum(unable.values()), 'output')} could not be corrected ({whose}): without HTER they are left out, "
        "which flatters these systems"
    ]


def _warnings(
    judgements: Judgements,
    which: NDArray[np.bool_],
    facts: Facts,
    scales: Scales,
    controls: Sequence[Quality],
) -> list[str]:
    warnings = []
    flat = [name for name, without in zip(scales.annotators, scales.flat, strict=True) if without]
    if facts.score == "z" and flat:
        lost = int((which & np.isin(judgements.annotator.codes, np.flatnonzero(scales.flat))).sum())
        warnings.append(
            f"{listed(flat, 3)} gave the same score to everything, or only one ({count_of(lost, 'judgement')}): such "
            "scores have no z and count for the raw means only"
        )
    if (
        facts.score == "raw"
        and facts.annotators
        and facts.protocol not in RAW_PROTOCOLS
        and len(flat) == facts.annotators
    ):
        warnings.append(
            "every annotator gave the same score to everything, or only one: there are no z-scores, raw ones are tested"
        )
    warnings += _of_one_system(judgements, which, facts)
    unknown = int((which & (judgements.annotator.codes == NONE)).sum())
    if facts.score == "z" and facts.annotators and unknown:
        warnings.append(
            f"{count_of(unknown, 'judgement')} without an annotator's name: no z, counted for the raw means only"
        )
    if facts.annotators == 1:
        warnings.append(ONE_ANNOTATOR)
    if facts.unit == "judgement":
        warnings.append(
            "every judgement counts as one more translation, though several people judged the same ones: p-values are "
            "too small; --unit translation (the default) is right"
        )
    fails = [one.annotator for one in controls if one.passed is False]
    if fails and not facts.dropped:
        verb = "does" if len(fails) == 1 else "do"
        warnings.append(
            f"{listed(fails, 3)} {verb} not tell damaged translations from whole ones (p > 0.05) and still "
            f"{'counts' if len(fails) == 1 else 'count'}; --drop-failed leaves out who fails"
        )
    if facts.dropped:
        warnings.append(f"left out {listed(facts.dropped, 3)}, who failed the control items")
    return warnings


def _of_one_system(judgements: Judgements, which: NDArray[np.bool_], facts: Facts) -> list[str]:
    """Annotators who judged a single system: on their own scale its mean is 0, however good it is."""
    if facts.score != "z" or facts.systems < 2 or facts.own_z:
        return []
    named = which & (judgements.annotator.codes != NONE)
    who, system = judgements.annotator.codes[named].astype(np.int64), judgements.system.codes[named]
    shape = len(judgements.annotator.names), len(judgements.system.names)
    table = np.bincount(who * shape[1] + system, minlength=shape[0] * shape[1]).reshape(shape)
    alone = np.flatnonzero((table > 0).sum(1) == 1)
    if not len(alone):
        return []
    number = int(np.isin(who, alone).sum())
    names = listed([judgements.annotator.names[code] for code in alone], 3)
    return [
        f"{names} judged a single system ({count_of(number, 'judgement')} in all), whose mean z is 0 by that, however "
        "good it is: --score raw or --model compares such systems"
    ]
