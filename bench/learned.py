"""Does a learned metric beat the best single one on language pairs and test sets that it has not seen?

python bench/learned.py SHARED/data CACHE [SPEC]...

A row a test set. A metric is trained on all sets of other language pairs and other years, so that neither was seen. The
best single metric is the one that agreed best with people there; beside it stands the one that agrees best on the very
set it is tested on, which nobody can know before. p is two-sided, by swapping two metrics' scores of whole segments,
corrected over the sets of a table (Holm). SPECs are features besides the usual ones, as 'bertscore(model=FOLDER)'; with
them only sets into English are read, without those that crowds judged, and of the ranks those of 700 lines. Scores are
kept in the folder CACHE.
"""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import norm

from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.display import Cell, Column, Row, Table
from adjudge.engine.cache import RowCache
from adjudge.io import load
from adjudge.io.judgements import read
from adjudge.meta.shared_task import run_task
from adjudge.meta.task import RunSettings, Task
from adjudge.metrics.base import Direction
from adjudge.report.render.markdown import markdown_table
from adjudge.stats import multiple
from adjudge.tuning.learning import LEARNERS, OBJECTIVES, TrainingSet, feature_metrics, fit, training_set
from adjudge.tuning.learning.agreement import agreements, compare_with_people
from adjudge.tuning.learning.batch import TrainingBatch
from adjudge.tuning.learning.features import USUAL, FeatureMetrics
from adjudge.wording import p_number, with_sign

REFERENCES = ("synthetic_ref", "refA", "ref-A", "ref-B", "ref-C", "ref-D", "HUMAN", "HUMAN-B")
SETTINGS = RunSettings(interval="none", swap="items", draws=2000)


@dataclass(frozen=True, eq=False)
class Data:
    """A test set's texts and judgements, of the segments that were judged."""

    year: str
    pair: str
    measure: str
    """pearson, acc_eq, or tau of ranks."""
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    judgements: Judgements

    @property
    def title(self) -> str:
        return f"{self.year} {self.pair}"


def data(
    year: str,
    pair: str,
    measure: str,
    reference: Path,
    folder: Path,
    judgements: Judgements,
    clean: Callable[[str], str] = str,
    names: dict[str, str] | None = None,
) -> Data:
    loaded = load(references=[str(reference)], systems=[str(path) for path in sorted(folder.iterdir())])
    judged = sorted({int(name) - 1 for name in judgements.item.values()})
    column = [clean(loaded.test_set.references[0][line] or "") for line in judged]
    labels = {"segment_id": [str(line + 1) for line in judged]}
    outputs, known = [], whose(judgements)
    for output in loaded.outputs:
        name = (names or {}).get(output.system, output.system)
        wanted = {int(item) - 1 for system, item in known if f".{name}." in f".{system}."}
        if name not in REFERENCES:  # what nobody judged need not be read
            texts = [clean(output.segments[line]) if line in wanted else "" for line in judged]
            outputs.append(Outputs(name, texts))
    return Data(
        year,
        pair,
        measure,
        TestSet(references=(column,), labels=labels, language=pair),
        tuple(outputs),
        judgements,
    )


def whose(judgements: Judgements) -> set[tuple[str, str]]:
    """Systems and segments that were judged; `a+b` are two systems."""
    columns = [judgements.system] if judgements.other is None else [judgements.system, judgements.other]
    return {
        (part, item)
        for column in columns
        for name, item in zip(column.values(), judgements.item.values(), strict=True)
        for part in name.split("+")
    }


def one_system(folder: Path, pair: str) -> Data:
    """Translations that are each by another system, as if they were one's."""
    lines = {name: (folder / f"{name}.{pair}").read_text("utf-8").splitlines() for name in ("ref", "sys")}
    scores = read([str(folder / f"human-scores.{pair}.csv")]).judgements.score
    judgements = Judgements(
        "da",
        system=NameColumn.same("all", len(scores)),
        item=NameColumn.of(str(number) for number in range(1, len(scores) + 1)),
        annotator=NameColumn.same("", len(scores)),
        score=scores,
    )
    test_set = TestSet(references=(lines["ref"],), language=pair)
    return Data("WMT13", pair, "pearson", test_set, (Outputs("all", lines["sys"]),), judgements)


def everything(folder: Path, lines: int) -> list[Data]:
    """All sets, the ranks up to some line."""
    ranks = folder / "07_rankings_wmt13_fren"
    files = [str(ranks / "human" / f"rankings-{part}.csv") for part in ("train", "test")]
    human = read(files).judgements
    human = human[np.array([int(line) <= lines for line in human.item.values()])]
    known = [data("WMT13", "fr-en", "tau", ranks / "ref.en", ranks / "hyp", human)]
    known += [
        one_system(folder / "11_graham15_16_da_hter" / "dataset", pair)
        for pair in ("es-en", "en-es", "en-ru")
    ]
    for pair in ("de-en", "zh-en"):  # their files hold &apos; and the like
        place = folder / "04_wmt17_da_seg_toen" / pair
        human = read([str(place / "human" / "DA-seglevel.csv")], joint=True).judgements
        known.append(data("WMT17", pair, "pearson", place / "ref.en", place / "hyp", human, html.unescape))
    for pair in ("cs-en", "is-en"):
        place = folder / "01_wmt21_da_toen" / pair
        human = read([str(place / "human" / "seg-scores.csv")], column="Z.SCR").judgements
        known.append(data("WMT21", pair, "acc_eq", place / "ref.A.en", place / "hyp", human))
    place = folder / "02_wmt21_mqm_ende" / "en-de"
    human = read([str(place / "human" / "mqm_avg_seg_scores.tsv")]).judgements
    known.append(
        data(
            "WMT21",
            "en-de",
            "acc_eq",
            place / "ref.A.de",
            place / "hyp",
            human,
            names={"NVIDIA-NeMo": "Nemo"},
        )
    )
    place = folder / "03_wmt23_mqm_esa" / "en-de"
    human = read([str(place / "human" / "mqm.seg.score")]).judgements
    return [*known, data("WMT23", "en-de", "acc_eq", place / "ref.refA.de", place / "hyp", human)]


@dataclass(frozen=True)
class Result:
    """A learned metric beside one single metric, on one set."""

    value: float
    single: float
    p: float


def together(results: Sequence[Result], rival: str) -> str:
    """All sets in one test: each one's p as a normal deviate with the sign of its change, summed (Stouffer)."""
    change = np.array([own.value - own.single for own in results])
    deviates = np.sign(change) * norm.isf(np.array([own.p for own in results]) / 2)
    p = float(2 * norm.sf(abs(deviates.sum()) / np.sqrt(len(results))))
    ahead = int((change > 0).sum())
    return f"Against the {rival}: ahead on {ahead} of {len(results)}, {with_sign(change.mean(), 3)} a set, p = {p:.2g}"


def held_against(own: TrainingSet, measure: str, learned: np.ndarray, single: np.ndarray) -> Result:
    """Both on a set, by meta's permutations."""
    both = np.column_stack([learned, single])
    if measure == "tau":
        tested = compare_with_people(
            TrainingBatch.of([own]), both, measure, draws=SETTINGS.draws, seed=SETTINGS.seed
        )
        return Result(tested.first, tested.second, tested.p)
    result = run_task(
        tables(own, both), Task("people", correlation=measure, grouping=GROUPS[measure]), SETTINGS
    )
    values = {value.metric: value.value for value in result.values}
    return Result(values["learned"], values["single"], result.pairs[0].p)


GROUPS = {"acc_eq": "item", "pearson": "none"}


def tables(own: TrainingSet, columns: np.ndarray) -> MetaSet:
    """A set as meta reads it: systems × segments."""
    systems = sorted(set(own.system))
    rows = np.array([systems.index(name) for name in own.system])
    _, places = np.unique(own.segment, return_inverse=True)

    def table(name: str, values: np.ndarray) -> ScoreTable:
        cells = np.full((max(2, len(systems)), int(places.max()) + 1), np.nan)
        if len(systems) == 1:  # meta wants two systems: every other segment is taken for another one's
            cells[places % 2, places] = values
        else:
            cells[rows, places] = values
        return ScoreTable.of_segments(name, cells)

    gold = {"people": table("people", own.gold)}
    metrics = {
        name: table(name, column) for name, column in zip(("learned", "single"), columns.T, strict=True)
    }
    return MetaSet(own.name, own.pair, tuple(systems) if len(systems) > 1 else ("a", "b"), gold, metrics)


def alone(own: TrainingSet, measure: str, scores: np.ndarray) -> np.ndarray:
    """Every feature's own agreement."""
    if measure != "acc_eq":
        return agreements(TrainingBatch.of([own]), scores, measure)
    task = Task("people", correlation=measure, grouping="item")
    settings = RunSettings(interval="none", test="none")
    return np.array(
        [
            next(v.value for v in run_task(tables(own, np.column_stack([c, c])), task, settings).values)
            for c in scores.T
        ]
    )


def run(
    sets: Sequence[tuple[Data, TrainingSet]], features: FeatureMetrics, lexical: int, **options: object
) -> Table:
    turn = np.array([-1.0 if m.direction is Direction.LOWER else 1.0 for m in features.metrics])
    rows, first = [], []
    for at, own in sets:
        seen = TrainingBatch.of([o for other, o in sets if other.year != at.year and other.pair != at.pair])
        model = fit(seen, features.metrics, **options)
        learned, scores = model.scores(own.scores), own.scores * turn
        before = int(np.argmax(agreements(seen, (seen.scores * turn)[:, :lexical], "tau")))
        after = int(np.argmax(np.nan_to_num(alone(own, at.measure, scores[:, :lexical]), nan=-1)))
        results = [held_against(own, at.measure, learned, scores[:, place]) for place in (before, after)]
        rows.append((at, results, features.metrics[before].spec, features.metrics[after].spec))
        first.append(results[0].p)
    corrected = multiple.adjust_p_values(np.array(first))
    for place, rival in enumerate(("best single of training", "best in hindsight")):
        print(together([results[place] for _, results, *_ in rows], rival), flush=True)
    lines = []
    for (at, (one, two), before, after), p in zip(rows, corrected, strict=True):
        cells = [at.title, at.measure, f"{one.value:.3f}", f"{one.single:.3f} {before}"]
        cells += [with_sign(one.value - one.single, 3), p_number(float(p), 0.05)]
        cells += [
            f"{two.single:.3f} {after}",
            with_sign(two.value - two.single, 3),
            p_number(two.p, 0.05),
        ]
        lines.append(Row(tuple(map(Cell, cells))))
    labels = (
        "Unseen",
        "Measure",
        "Learned",
        "Best single of training",
        "Change",
        "p",
        "Best in hindsight",
        "Change",
        "p",
    )
    return Table(tuple(Column(label) for label in labels), tuple(lines))


def main(folder: Path, cache: Path, specs: Sequence[str]) -> None:
    known = everything(folder, lines=700 if specs else 3000)
    known = [at for at in known if not specs or (at.pair.endswith("-en") and at.year != "WMT21")]
    test_sets = [at.test_set for at in known]
    lexical = len(feature_metrics(USUAL, test_sets).metrics)
    features = feature_metrics([*USUAL, *specs], test_sets)
    print("\n".join(features.notes), file=sys.stderr)
    sets = []
    for at in known:
        start = time.process_time()
        own = training_set(
            at.title,
            at.test_set,
            at.outputs,
            at.judgements,
            features.metrics,
            skip_unknown_systems=True,
            cache=RowCache(cache),
        )
        sets.append((at, own))
        used = time.process_time() - start
        print(f"{own.name}: {len(own)} translations, {len(own.pairs)} pairs, {used:.0f} s", file=sys.stderr)
    for learner in LEARNERS[:1] if specs else LEARNERS:
        for objective in ("pairs",) if specs else OBJECTIVES:
            print(f"\n{learner}, {objective}\n")
            print(
                markdown_table(run(sets, features, lexical, learner=learner, objective=objective)), flush=True
            )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
