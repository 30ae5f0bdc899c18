"""Does fitting METEOR help, and how long does it take?

python bench/tuning.py wmt17 SHARED/data/04_wmt17_da_seg_toen     tuned against default, a row a language pair
python bench/tuning.py kinds SHARED/data                          the same for edits, ranks, systems, two references
python bench/tuning.py speed [ITEMS]                              seconds for each correlation (100,000)
"""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adjudge import _native
from adjudge.comparison.scoring import score
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.display import Cell, Column, Row, Table
from adjudge.io import load
from adjudge.io.judgements import read
from adjudge.metrics import metric
from adjudge.metrics.meteor import Meteor
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.report.render.markdown import markdown_table
from adjudge.tuning import Tuning, TuningOptions, rows_of, tune, tune_items
from adjudge.tuning.gathering import JudgedItems
from adjudge.tuning.items import Items
from adjudge.wording import p_number, with_sign

DEFAULT = Parameters(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)
LABELS = ("Items", "Default", "Tuned", "Change", "Low", "High", "p", "Fitted")


class Data:
    """Texts and the rows of METEOR, by which many fits are made."""

    def __init__(self, test_set: TestSet, outputs: Sequence[Outputs], spec: str = "meteor") -> None:
        found = metric(spec).for_test_set(test_set)
        assert isinstance(found, Meteor)
        self.metric, self.test_set, self.outputs = found, test_set, outputs
        self.rows = rows_of(found, test_set, outputs)

    def fitted(
        self, judgements: Judgements, default: Parameters | None = None, **options: Any
    ) -> tuple[Tuning, float]:
        """A fit, and how many seconds it took."""
        start = time.perf_counter()
        start_point = default or self.metric.in_force
        tuning = tune(judgements, self.rows, self.test_set, start_point, TuningOptions(**options))
        return tuning, time.perf_counter() - start


def from_files(
    references: Iterable[Path], folder: Path, clean: Callable[[str], str] = str, language: str = "en"
) -> tuple[TestSet, list[Outputs]]:
    """References, and all outputs of a folder."""
    loaded = load(references=list(map(str, references)), systems=[str(p) for p in sorted(folder.iterdir())])
    columns = tuple(tuple(clean(line or "") for line in column) for column in loaded.test_set.references)
    outputs = [Outputs(o.system, tuple(map(clean, o.segments))) for o in loaded.outputs]
    return TestSet(references=columns, language=language), outputs


def of_one(scores: Iterable[float], protocol: str) -> Judgements:
    """Judgements of a system called `all`, one a segment."""
    found = np.array([*scores])
    return Judgements(
        protocol,
        system=NameColumn.same("all", len(found)),
        item=NameColumn.of(str(number) for number in range(1, len(found) + 1)),
        annotator=NameColumn.same("", len(found)),
        score=found,
        higher_is_better=protocol != "hter",
    )


def wmt17(folder: Path) -> None:
    """The held-out correlations of every language pair there is, by segment and by system."""
    rows = []
    for pair in sorted(path for path in folder.iterdir() if path.is_dir()):
        # The files hold &apos; and the like.
        data = Data(*from_files([pair / "ref.en"], pair / "hyp", html.unescape))
        segments = read([str(pair / "human" / "DA-seglevel.csv")], joint=True).judgements
        for measure in ("pearson", "spearman", "kendall"):
            rows.append(_row(f"{pair.name} {measure}", *data.fitted(segments, correlation=measure)))
        systems = read([str(pair / "human" / "DA-syslevel.csv")]).judgements
        rows.append(_row(f"{pair.name} pearson, systems", *data.fitted(systems, level="system")))
    _show(rows)


def kinds(folder: Path) -> None:
    """Every kind of judgement, where texts of what was judged are there."""
    rows = []
    mlqe = folder / "10_mlqe_pe" / "en-de" / "pe" / "train"
    loaded = load(references=[str(mlqe / "train.pe")], systems=[str(mlqe / "train.mt")], language="de")
    # There is no German table of paraphrases in PyPI's package.
    data = Data(loaded.test_set, loaded.outputs, "meteor(matchers=exact+stem)")
    hter = read([str(mlqe / "train.hter")]).judgements
    rows.append(_row("en-de HTER, against post-edit", *data.fitted(hter)))

    graham = folder / "11_graham15_16_da_hter" / "dataset"
    source, reference, system, edited = (
        tuple((graham / f"{name}.es-en").read_text(encoding="utf-8").splitlines())
        for name in ("src", "ref", "sys", "human-post-edit")
    )
    outputs = [Outputs("all", system)]
    data = Data(TestSet(references=(reference,), labels={"source": source}, language="en"), outputs)
    edits = score(TestSet(references=(edited,)), outputs, "ter", segments=True).results[0].segments or ()
    hter = of_one(edits, "hter")
    for task in ("rank", "hter"):
        start = metric(f"meteor(task={task})")
        assert isinstance(start, Meteor)
        found = data.fitted(hter, unit="source", default=start.in_force)
        rows.append(_row(f"es-en HTER, default task={task}", *found))
    human = read([str(graham / "human-scores.es-en.csv")]).judgements
    rows.append(_row("es-en DA", *data.fitted(of_one(human.score, "da"), unit="source")))

    wmt13 = folder / "07_rankings_wmt13_fren"
    data = Data(*from_files([wmt13 / "ref.en"], wmt13 / "hyp"))
    ranks = read([str(wmt13 / "human" / "rankings-train.csv")]).judgements
    rows.append(_row("fr-en ranks, tau", *data.fitted(ranks)))
    rows.append(_row("fr-en ranks, systems", *data.fitted(ranks, level="system")))

    # Crowds of 2021 scored at random, or nearly: nothing should be found here.
    crowd = folder / "01_wmt21_da_toen" / "cs-en"
    human = read([str(crowd / "human" / "seg-scores.csv")], column="RAW.SCR").judgements
    for names in ("A", "AB"):
        data = Data(*from_files([crowd / f"ref.{name}.en" for name in names], crowd / "hyp"))
        rows += _many_references(f"cs-en DA, {len(names)} ref.", data, human, min_gap=25.0)

    experts = folder / "02_wmt21_mqm_ende" / "en-de"
    human = read([str(experts / "human" / "mqm_avg_seg_scores.tsv")]).judgements
    for names in ("A", "AC", "ACD"):
        texts = from_files([experts / f"ref.{name}.de" for name in names], experts / "hyp", language="de")
        data = Data(*texts, "meteor(matchers=exact+stem)")
        rows += _many_references(f"en-de MQM, {len(names)} ref.", data, human, min_gap=0.0)
    _show(rows)


def _many_references(title: str, data: Data, human: Judgements, min_gap: float) -> list[Row]:
    """By segment, within segments and by system; on stderr, for how many outputs another reference is chosen."""
    rows = []
    for how, options in (
        ("pearson", {"measure": "pearson"}),
        ("tau", {"correlation": "tau", "min_gap": min_gap}),
        ("systems", {"level": "system"}),
    ):
        tuning, seconds = data.fitted(human, skip_unknown_systems=True, **options)
        rows.append(_row(f"{title}, {how}", tuning, seconds))
        if len(data.test_set.references) > 1:
            print(f"   another reference for {_moved(data, tuning):.1%}", file=sys.stderr)
    return rows


def _moved(data: Data, tuning: Tuning) -> float:
    """The share of translations for which the fitted parameters choose another reference than the defaults."""
    rows = np.concatenate(list(data.rows.values()))
    best = [_native.meteor_best(rows, point.numbers) for point in (tuning.default, tuning.parameters)]
    return float((best[0] != best[1]).any(1).mean())


def _show(rows: Sequence[Row]) -> None:
    columns = (Column("Judgements"), *(Column(label, True) for label in LABELS))
    print(markdown_table(Table(columns, tuple(rows))), end="")


def _row(title: str, tuning: Tuning, seconds: float) -> Row:
    one = tuning.held_out[0]
    numbers = [f"{value:.3f}" for value in (one.default, one.tuned)]
    numbers += [with_sign(value, 3) for value in (one.delta, one.low, one.high)]
    numbers = [f"{tuning.pairs or tuning.items:,}", *numbers, p_number(one.p), f"{tuning.fitted:.3f}"]
    print(title, tuning.parameters, f"{seconds:.1f} s", file=sys.stderr, flush=True)
    return Row((Cell(title), *map(Cell, numbers)))


def drawn(count: int) -> Items:
    """Rows made by chance, five translations a segment, judged by METEOR itself with much noise."""
    rng = np.random.default_rng(1)
    rows = np.zeros((count, 23))
    words = rng.integers(5, 40, (count, 2))
    function = rng.binomial(words, 0.45)
    rows[:, 0:2], rows[:, 2:4] = words, function
    left = [(words - function).min(1), function.min(1)]
    quality = rng.beta(4, 3, count)
    for matcher in range(4):
        for kind in (0, 1):
            found = rng.binomial(left[kind], quality * (0.8 if matcher == 0 else 0.3))
            left[kind] = left[kind] - found
            rows[:, 7 + 4 * matcher + kind] = rows[:, 9 + 4 * matcher + kind] = found
    matched = rows[:, [7, 8, 11, 12, 15, 16, 19, 20]].sum(1).astype(int)
    rows[:, 4] = rows[:, 5] = matched
    rows[:, 6] = np.where(matched > 0, 1 + rng.binomial(np.maximum(matched - 1, 0), rng.beta(2, 3, count)), 0)
    unit = np.arange(count) // 5
    true = Items(rows[:, None], np.zeros(count), unit).scores(
        Parameters(0.7, 0.6, 0.4, 0.8, 1.0, 0.4, 0.9, 0.2)
    )
    human = true + rng.normal(0, true.std() * 1.5, count)
    # All pairs of a segment's translations: twice as many as there are judgements.
    pairs = np.array([(a, b) for a in range(count) for b in range(a + 1, min(count, a // 5 * 5 + 5))])
    pairs = np.where(human[pairs[:, :1]] > human[pairs[:, 1:]], pairs, pairs[:, ::-1])
    return Items(rows[:, None], human, unit, pairs)


def speed(count: int) -> None:
    """The whole of a fit: grid, refinement, five folds, bootstrap."""
    items = drawn(count)
    for measure in ("pearson", "tau", "spearman", "kendall"):
        start, cpu = time.perf_counter(), time.process_time()
        options = TuningOptions(correlation=measure, fold_by="segment")
        tuning = tune_items(JudgedItems(items, count, 5, count // 5), DEFAULT, options, protocol="da")
        seconds, used = time.perf_counter() - start, time.process_time() - cpu
        one = tuning.held_out[0]
        of = f"{count} items" + (f", {tuning.pairs} pairs" if tuning.pairs else "")
        print(
            f"{measure}\t{of}\tgrid {tuning.grid}\t{seconds:.1f} s\tcpu {used:.1f} s\t"
            f"held out {one.default:.4f} -> {one.tuned:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["wmt17"] and len(sys.argv) == 3:
        wmt17(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["kinds"] and len(sys.argv) == 3:
        kinds(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["speed"]:
        speed(int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
    else:
        sys.exit(__doc__)
