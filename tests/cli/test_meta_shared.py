"""`adjudge meta` on sets without another program's values: held to scipy, sacreBLEU, twins and what was published."""

import csv
import json
import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

SCIPY = {
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: stats.kendalltau(x, y).statistic,
    "kendall_c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
}
GROUPS = ("none", "item", "system")
TASKS = [
    *(("system", correlation, "none") for correlation in (*SCIPY, "accuracy", "spa")),
    *(("segment", correlation, group) for correlation in SCIPY for group in GROUPS),
    ("segment", "acc_eq", "item"),
    ("segment", "pdp", "item"),
]


def write_tasks(path, gold):
    path.write_text("".join(
        f'[[task]]\ngold = "{gold}"\nlevel = "{level}"\ncorrelation = "{correlation}"\ngrouping = "{group}"\n'
        for level, correlation, group in TASKS
    ))  # fmt: skip
    return str(path)


def results_of(shown):
    assert shown.code == 0, shown.err
    document = json.loads(shown.out)
    return {
        (r["level"], r["correlation"], r["average"], r["metric"]): r["value"] for r in document["results"]
    }


def mean_by(kind, gold, scores, group):
    """The mean of scipy's correlations over items or systems in which neither side is constant."""
    if group == "none":
        return SCIPY[kind](gold.ravel(), scores.ravel())
    pairs = zip(gold.T, scores.T, strict=True) if group == "item" else zip(gold, scores, strict=True)
    return np.mean([SCIPY[kind](g, s) for g, s in pairs if np.ptp(g) and np.ptp(s)])


def tie_accuracy(gold, scores, epsilon):
    """The mean over items of the share of pairs of which people and scores say the same."""
    a, b = np.triu_indices(len(gold), 1)
    lead = scores[a] - scores[b]
    return float((np.where(np.abs(lead) <= epsilon, 0, np.sign(lead)) == np.sign(gold[a] - gold[b])).mean())


def soft_accuracy(gold, scores, seed, trials):
    """From sign vectors of numpy's."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (trials, gold.shape[1]))

    def p_of(table, i, j):
        difference = table[i] - table[j]
        return (signs @ difference >= difference.sum() - 1e-9).mean()

    pairs = combinations(range(len(gold)), 2)
    return 1 - np.mean([abs(p_of(gold, i, j) - p_of(scores, i, j)) for i, j in pairs])


@pytest.fixture(scope="module")
def wmt21(shared, tmp_path_factory):
    """MQM of WMT21 en-de as a table with texts: eight systems, every third line that was annotated."""
    folder = shared.data / "02_wmt21_mqm_ende" / "en-de"
    people = {}
    for line in (folder / "human" / "mqm_avg_seg_scores.tsv").read_text().splitlines()[1:]:
        system, _, rest = line.partition("\t")
        score, number = rest.split()
        if score != "None":
            people.setdefault(system.replace("Nemo", "NVIDIA-NeMo"), {})[int(number)] = float(score)
    texts = {path.stem: path.read_text().splitlines() for path in sorted((folder / "hyp").iterdir())}
    systems = [name for name in texts if name in people]
    source, reference = ((folder / name).read_text().splitlines() for name in ("src.en", "ref.C.de"))
    assert len(systems) == 8
    assert len({tuple(sorted(people[name])) for name in systems}) == 1
    lines = sorted(people[systems[0]])[::3]
    path = tmp_path_factory.mktemp("wmt21") / "mqm.tsv"
    rows = [["system", "segment", "mqm", "source", "reference", "output"]]
    rows += [
        [name, str(n), repr(people[name][n]), source[n - 1], reference[n - 1], texts[name][n - 1]]
        for name in systems
        for n in lines
    ]
    assert not any("\t" in cell or '"' in cell[:1] for row in rows for cell in row[:3])
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    gold = np.array([[people[name][n] for n in lines] for name in systems])
    outputs = {name: [texts[name][n - 1] for n in lines] for name in systems}
    return path, people, gold, outputs, [reference[n - 1] for n in lines]


def test_wmt21_mqm(run, wmt21, tmp_path):
    """Every measure on eight systems, from texts by sacreBLEU's own chrF."""
    from sacrebleu import CHRF

    path, _, gold, outputs, reference = wmt21
    tasks = write_tasks(tmp_path / "tasks.toml", "mqm")
    arguments = ("--tasks", tasks, "-m", "chrf", "--no-sentinels", "--interval", "none", "-f", "json")
    shown = run("meta", str(path), *arguments, "--test", "none")
    values, document = results_of(shown), json.loads(shown.out)
    chrf = CHRF()
    scores = np.array([
        [chrf.sentence_score(text, [ref]).score for text, ref in zip(own, reference, strict=True)]
        for own in outputs.values()
    ])  # fmt: skip
    whole = np.array([chrf.corpus_score(own, [reference]).score for own in outputs.values()])
    people = gold.mean(1)
    a, b = np.triu_indices(len(people), 1)
    ordered = [(i, j) for i in range(len(gold)) for j in range(len(gold))]
    differences = [np.concatenate([t[i] - t[j] for i, j in ordered]) for t in (gold, scores)]
    expected = {
        **{("system", kind, "none"): measure(people, whole) for kind, measure in SCIPY.items()},
        **{("segment", kind, by): mean_by(kind, gold, scores, by) for kind in SCIPY for by in GROUPS},
        ("system", "accuracy", "none"): (np.sign(people[a] - people[b]) == np.sign(whole[a] - whole[b])).mean(),
        ("segment", "pdp", "item"): stats.pearsonr(*differences).statistic,
    }  # fmt: skip
    for key, value in expected.items():
        assert values[(*key, "chrf-reference")] == pytest.approx(value, abs=1e-9), key
    # At its own epsilon accuracy with ties is what a twin counts, and no other epsilon gives more.
    best = values["segment", "acc_eq", "item", "chrf-reference"]
    leads = np.sort(np.abs(scores[a] - scores[b]).ravel())
    tried = [tie_accuracy(gold, scores, epsilon) for epsilon in {0.0, *leads[::25], *leads[:300]}]
    (epsilon,) = [d["epsilon"] for d in document["details"] if d["epsilon"] is not None]
    assert tie_accuracy(gold, scores, epsilon) == pytest.approx(best, abs=1e-9)
    assert max(tried) <= best + 1e-12
    soft = [soft_accuracy(gold, scores, seed, 2000) for seed in range(8)]
    error = np.std(soft, ddof=1) * math.sqrt(2000 / 10_240 + 1 / 8)
    assert values["system", "spa", "none", "chrf-reference"] == pytest.approx(np.mean(soft), abs=3 * error)


def test_wmt21_mqm_as_published(wmt21):
    """The order that the repository of the annotations prints."""
    _, people, *_ = wmt21
    means = {name: -np.mean(list(own.values())) for name, own in people.items()}
    for name, published in {
        "ref-C": 0.51, "VolcTrans-GLAT": 1.04, "Facebook-AI": 1.05, "ref-A": 1.22, "NVIDIA-NeMo": 1.34,
        "HuaweiTSC": 1.38, "Online-W": 1.46, "UEdin": 1.51, "eTranslation": 1.70, "VolcTrans-AT": 1.74,
    }.items():  # fmt: skip
        assert means[name] == pytest.approx(published, abs=0.0051), name


@pytest.fixture
def graham(shared, tmp_path):
    """Single outputs of WMT13 with direct assessment, and TER against what people made of them, by language pair."""
    from sacrebleu import CHRF, TER

    folder = shared.data / "11_graham15_16_da_hter" / "dataset"
    ter, metric = TER(), CHRF()

    def table(pair):
        columns = [
            (folder / f"{kind}.{pair}").read_text().splitlines()
            for kind in ("src", "sys", "ref", "human-post-edit")
        ]
        judged = [line.split() for line in (folder / f"human-scores.{pair}.csv").read_text().splitlines()[1:]]
        hter = [ter.sentence_score(own, [edited]).score for _, own, _, edited in zip(*columns, strict=True)]
        rows = [["system", "segment", "da", "hter", "source", "reference", "output"]]
        for (_, system, segment, score), rate, source, own, reference in zip(
            judged, hter, *columns[:3], strict=True
        ):
            rows.append([system, segment, score, repr(rate), source, reference, own])
        path = tmp_path / f"{pair}.tsv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t").writerows(rows)
        chrf = [metric.sentence_score(own, [ref]).score for own, ref in zip(*columns[1:3], strict=True)]
        return str(path), list(zip([float(row[3]) for row in judged], hter, chrf, strict=True))

    return table


@pytest.mark.parametrize(("pair", "published"), [("es-en", -0.668), ("en-de", -0.533), ("en-ru", -0.550)])
def test_post_editing_and_direct_assessment(run, graham, pair, published):
    """HTER as a metric of direct assessment, and both as gold: many systems, each on lines of its own."""
    path, rows = graham(pair)
    people, hter = (np.array([row[at] for row in rows]) for at in (0, 1))
    arguments = ("--level", "segment", "-m", "chrf", "-m", "ter", "-f", "json", "--lower-metric", "hter")
    by_people = results_of(run("meta", path, "--gold", "da", *arguments))
    own = by_people["segment", "pearson", "none", "hter"]
    assert own == pytest.approx(stats.pearsonr(people, -hter).statistic, abs=1e-9)
    assert own == pytest.approx(-published, abs=0.0006)
    by_editing = results_of(run("meta", path, "--gold", "hter", *arguments))
    assert by_editing["segment", "pearson", "none", "da"] == pytest.approx(own, abs=1e-12)
    scores = np.array([chrf for *_, chrf in rows])
    assert by_people["segment", "pearson", "none", "chrf-reference"] == pytest.approx(
        stats.pearsonr(people, scores).statistic, abs=1e-9
    )
    assert by_editing["segment", "pearson", "none", "chrf-reference"] == pytest.approx(
        stats.pearsonr(-hter, scores).statistic, abs=1e-9
    )
