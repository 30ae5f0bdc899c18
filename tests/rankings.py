"""Rankings of published campaigns as judgements, and judgements made by hand."""

import csv
from itertools import combinations

import numpy as np

from adjudge.data.judgements import Judgements, Names


def judged(rows, **columns):
    """Judgements from (system, other, score[, ranking[, item]])."""
    rows = list(rows)
    return Judgements(
        protocol="rank",
        system=Names.of(row[0] for row in rows),
        other=Names.of(row[1] for row in rows),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        ranking=np.array([row[3] for row in rows]) if rows and len(rows[0]) > 3 else None,
        item=Names.of(str(row[4]) if len(row) > 4 else None for row in rows),
        annotator=columns.pop("annotator", Names.same("", len(rows))),
        **columns,
    )


def sign(better, worse):
    """Ranks, of which 1 is the best."""
    return (better < worse) - (better > worse)


def wmt13(shared):
    """The training part of fr-en, on which its expected wins were published: 9,996 rankings of five."""
    rows = []
    for number, row in enumerate(_table(shared.data / "07_rankings_wmt13_fren/human/rankings-train.csv")):
        seen = [(row[f"system{i}Id"].split(".")[2], int(row[f"system{i}rank"])) for i in range(1, 6)]
        for (a, x), (b, y) in combinations([one for one in seen if one[1] > 0], 2):
            rows.append((a, b, sign(x, y), number, row["segmentId"]))
    return judged(rows)


def wmt16(shared, pair):
    """One language pair of WMT16 as it was scored: systems that gave the same output tie, and each counts."""
    path = shared.data / f"06_rankings_wmt16/data/wmt16.{pair}.csv"
    if not path.exists():
        path = path.parent / f"collapsed/wmt16.collapsed.{pair}.csv"
    rows, numbers, groups = [], {}, set()
    for row in _table(path):
        number = numbers.setdefault((row["rankingID"], row["judgeID"]), len(numbers))
        sides = [row[f"system{i}Id"] for i in (1, 2)]
        score = sign(int(row["system1rank"]), int(row["system2rank"]))
        first, second = (_short(side) for side in sides)
        rows += [(a, b, score, number, row["segmentId"]) for a in first for b in second]
        for group in sides:
            if (number, group) not in groups:
                groups.add((number, group))
                rows += [(a, b, 0, number, row["segmentId"]) for a, b in combinations(_short(group), 2)]
    return judged(rows)


def official(shared, pair):
    """System -> (score, (best rank, worst rank), cluster)."""
    found = _clusters(shared.data / f"06_rankings_wmt16/results/wmt16.{pair}.txt")
    return {_short(system)[0]: place for system, place in found.items()}


def toral_published(shared, subset):
    """The same of Toral et al."""
    name = "hp_001_049.csv" if subset == "all" else f"hp_001_049.{subset}.csv"
    return _clusters(shared.data / f"08_rankings_toral18_zhen/clusters_published/{name}.rank.cluster")


def _clusters(path):
    found, cluster = {}, 1
    for line in path.read_text().splitlines():
        if line.startswith("+"):
            cluster += 1
        elif line:
            system, score, low, high = line.replace("(", "").replace(")", "").replace(",", "").split()
            found[system] = float(score), (int(float(low)), int(float(high))), cluster
    return found


def toral(shared, subset):
    """Chinese to English by Toral et al. (2018): all, or by the language a document was first written in, and who
    judged: en, zh, zh.prof, zh.nonprof."""
    folder = shared.data / "08_rankings_toral18_zhen"
    with (folder / "segments.tsv").open(encoding="utf-8") as file:
        segments = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    origin = {row["doc"]: row["origlang"] for row in segments}
    language, _, people = subset.partition(".")
    rows = []
    for path in sorted((folder / "judgements").glob("hp_*.csv")):
        for row in _table(path):
            if language != "all" and origin[row["segmentId"].split("_")[0]] != language:
                continue
            if people and not row["judgeID"].startswith(f"zhen_{people}"):
                continue
            score = sign(int(row["system1rank"]), int(row["system2rank"]))
            rows.append((row["system1Id"], row["system2Id"], score, len(rows) // 3, row["segmentId"]))
    return judged(rows)


def laeubli(shared, condition, level):
    """Human translation against machine translation by Läubli et al. (2018): adequacy or fluency, of documents or of
    sentences without those they left out."""
    outcome = {"human": 1, "tie": 0, "mt": -1}
    return judged(
        ("human", "mt", outcome[row["rating"]])
        for row in _table(shared.data / "09_laeubli18_pairwise/ratings.csv")
        if row["condition"] == condition
        and row["type"] == level
        and not (level == "sentence" and row["exp_item_number"].startswith("U-"))
    )


def _short(systems):
    return [system.split(".")[1] for system in systems.split("+")]


def _table(path):
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
