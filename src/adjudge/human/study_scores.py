"""What a study is run on: its test sets with the scores of people and of files beside those of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.comparison.comparing import measured_scores
from adjudge.comparison.study_material import JudgedParts, SetMeasure, StudyMaterial
from adjudge.data import ScoreMatrix, TestSet
from adjudge.data.judgements import Judgements
from adjudge.errors import AdjudgeError, DataError
from adjudge.human import assessment
from adjudge.human.grouping import judgements_of_systems
from adjudge.human.mqm import weigh_errors
from adjudge.human.rating_scores import RatingScores, score_ratings
from adjudge.human.results import decimals_of
from adjudge.human.units import annotator_balance, choose_rating_unit, drawn_together, other_groupings
from adjudge.human.whole_systems import is_of_whole_systems
from adjudge.io.studies import LoadedSet, LoadedStudy
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import ANNOTATOR, DOCUMENT, FEWEST, Balance, Design
from adjudge.stats.tests.systems import DEFAULT
from adjudge.stats.units import distinct
from adjudge.wording import pluralise


def study_material(loaded: LoadedStudy) -> tuple[StudyMaterial, ...]:
    """The test sets of a study, ready to be run; judgements that have no score of segments are left to `notes_on`."""
    return tuple(
        StudyMaterial(
            loaded_set.name,
            loaded_set.test_set,
            loaded_set.outputs,
            loaded_set.language,
            loaded_set.domain,
            _extra_scores(loaded_set, loaded),
            rankings_of(loaded_set),
        )
        for loaded_set in loaded.sets
    )


def rankings_of(loaded_set: LoadedSet) -> Judgements | None:
    """The rankings of the outputs of a test set; None where people ranked none of them."""
    if loaded_set.judgements is None or not loaded_set.judgements.is_ranking:
        return None
    ranked = judgements_of_systems(loaded_set.judgements, [output.system for output in loaded_set.outputs])
    return ranked if len(ranked) else None


def notes_on(loaded: LoadedStudy) -> list[str]:
    """What of the judgements and scores a study cannot show, and where it can be had."""
    notes = []
    for loaded_set in loaded.sets:
        if loaded_set.judgements is not None and (reason := _not_shown(loaded_set.judgements)):
            notes.append(
                f"{loaded_set.name}: the judgements are {reason}, and so none of segments: adjudge human analyse"
            )
        judged = dict.fromkeys(
            loaded_set.judgements.system.names if loaded_set.judgements is not None else ()
        )
        scored = dict.fromkeys(system for file in loaded_set.qe for system in file.matrix.systems)
        unknown = [name for name in judged | scored if name not in loaded.systems]
        if unknown:
            notes.append(
                f"{loaded_set.name}: no output of {', '.join(unknown)}, so that scores of it are left out"
            )
    return notes


@dataclass(frozen=True, eq=False)
class SegmentMeasure:
    """Systems × segments by something that is no metric of ours."""

    name: str
    matrix: ScoreMatrix
    segments: tuple[str, ...]
    labels: Mapping[str, Sequence[str]]
    """Of these segments, by what the file itself says."""
    higher_is_better: bool = True
    decimals: int | None = None
    by_people: bool = False
    design: Design | None = None
    """Who gave the scores, where people did, for where annotators are not drawn."""
    parts: AnnotatorParts | None = None
    """What every annotator said of every item, where annotators can be drawn."""


@dataclass(frozen=True, eq=False)
class AnnotatorParts:
    """What every annotator said of every item: systems × parts."""

    parts: assessment.TranslationParts
    annotators: list[str]
    """Of every part."""
    items: list[str]
    balance: Balance

    def judged(self, documents: Mapping[str, str], systems: Sequence[str]) -> JudgedParts | None:
        """These systems, by the documents of items (or else the items) and by annotators; None with too few of them."""
        whole = all(item in documents for item in self.items) and len({*documents.values()}) < len(documents)
        first = [documents[item] for item in self.items] if whole else self.items
        crossed = Crossed.of(first, self.annotators)
        if not crossed.enough:
            return None
        kind = DOCUMENT if whole else "item"
        names = kind, ANNOTATOR
        reason = drawn_together(pluralise(len(distinct(first)), kind), len(distinct(self.annotators)))
        design = Design(
            ",".join(names), crossed.fewest, reason, balance=self.balance, rarer=names[crossed.rarer]
        )
        matrix = self.parts.matrix
        rows = {
            system: np.stack([np.where(weight > 0, score, 0.0) * weight, weight], axis=1)
            for system, score, weight in zip(matrix.systems, matrix.scores, self.parts.weights, strict=True)
            if system in systems
        }
        return JudgedParts(crossed, rows, design)


def people_measure(judgements: Judgements) -> SegmentMeasure:
    """What people gave every translation: z where annotators can be compared, as `adjudge human analyse` has it."""
    scores = score_ratings(weigh_errors(judgements).judgements)
    known = assessment.translations(scores.judgements, scores.tested, which=scores.which)
    protocol, parts = scores.judgements.protocol, _annotator_parts(scores)
    return SegmentMeasure(
        f"{protocol.upper()} {scores.score}",
        known.matrix,
        known.items,
        _item_labels(scores.judgements, known.items),
        scores.judgements.higher_is_better,
        3 if scores.score == "z" else decimals_of(protocol, known.scores.tolist()),
        by_people=True,
        design=_annotators(scores, parts is not None),
        parts=parts,
    )


def _annotator_parts(scores: RatingScores) -> AnnotatorParts | None:
    """The judgements by annotator; None where some are anonymous, too few, or not spread evenly over systems."""
    judgements, balance = scores.judgements, annotator_balance(scores.judgements, scores.which)
    if balance is None or balance.systematic or balance.annotators < FEWEST:
        return None
    parts = assessment.translation_parts(
        judgements, scores.tested, judgements.annotator.codes, which=scores.which
    )
    annotators = [judgements.annotator.names[code] for code in parts.group]
    return AnnotatorParts(parts, annotators, [judgements.item.names[code] for code in parts.item], balance)


def _annotators(scores: RatingScores, drawn: bool) -> Design:
    """How annotators are spread over systems, and how much larger errors are by annotators than by what is drawn."""
    unit, _ = choose_rating_unit(scores.judgements, scores.which, DEFAULT)
    groupings = tuple(
        replace(grouping, remedy="--unit auto" if drawn else "adjudge human analyse")
        for grouping in other_groupings(scores.judgements, scores.tested, scores.which, unit)
        if grouping.name == ANNOTATOR
    )
    balance = annotator_balance(scores.judgements, scores.which)
    return Design(unit, 0, groupings=groupings, balance=balance, anonymous=balance is None)


def _not_shown(judgements: Judgements) -> str:
    if judgements.is_ranking:
        return "rankings"
    return "of whole systems" if is_of_whole_systems(judgements) else ""


def _extra_scores(loaded_set: LoadedSet, loaded: LoadedStudy) -> tuple[SetMeasure, ...]:
    measures = []
    if loaded_set.judgements is not None and not _not_shown(loaded_set.judgements):
        try:
            measures.append(people_measure(loaded_set.judgements))
        except AdjudgeError as error:
            raise DataError(f"{loaded_set.place}: judgements: {error}") from None
    for file in loaded_set.qe:
        higher = file.name not in loaded.study.lower_is_better
        measures.append(SegmentMeasure(file.name, file.matrix, file.segments, file.labels, higher))
    return tuple(
        further for measure in measures if (further := in_lines(measure, loaded_set.test_set, loaded.systems))
    )


def in_lines(measure: SegmentMeasure, test_set: TestSet, systems: Sequence[str]) -> SetMeasure | None:
    """Scores in the place of their lines, where segments are line numbers; else by themselves, with their own labels.

    Systems that are not among these are left out; None where nothing is left.
    """
    scores, labels = measure.matrix.scores, measure.labels
    lines = line_numbers(measure.segments, len(test_set))
    documents = dict(zip(measure.segments, labels.get(DOCUMENT, ()), strict=False))
    if lines is not None:
        placed = np.full((len(scores), len(test_set)), np.nan)
        placed[:, lines] = scores
        scores, labels = placed, test_set.labels
        if DOCUMENT in labels:
            documents = {
                name: labels[DOCUMENT][line] for name, line in zip(measure.segments, lines, strict=True)
            }
    known = [
        i
        for i, system in enumerate(measure.matrix.systems)
        if system in systems and not np.isnan(scores[i]).all()
    ]
    if not known:
        return None
    matrix = ScoreMatrix(tuple(measure.matrix.systems[i] for i in known), scores[known])
    return SetMeasure(
        measured_scores(
            matrix, measure.name, higher_is_better=measure.higher_is_better, decimals=measure.decimals
        ),
        labels,
        measure.design,
        measure.by_people,
        None if measure.parts is None else measure.parts.judged(documents, matrix.systems),
    )


def line_numbers(segments: Sequence[str], length: int) -> list[int] | None:
    """The lines of a test set that these names are numbers of, from 0; None where they are anything else."""
    if not all(name.isascii() and name.isdigit() and 1 <= int(name) <= length for name in segments):
        return None
    return [int(name) - 1 for name in segments]


def _item_labels(judgements: Judgements, items: Sequence[str]) -> dict[str, list[str]]:
    """Labels of judgements as labels of their items."""
    labels = {}
    for name, column in judgements.labels.items():
        label_of_item = dict(zip(judgements.item.values(), column.values(), strict=True))
        labels[name] = [label_of_item.get(item) or "" for item in items]
    return labels
