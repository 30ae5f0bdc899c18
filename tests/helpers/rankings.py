"""Rankings of published campaigns as judgements, and judgements made by hand."""

import csv
from dataclasses import replace

import numpy as np

from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.io.judgements import read


def judged(rows, **columns):
    """Judgements from (system, other, score[, ranking[, item]])."""
    rows = list(rows)
    return Judgements(
        protocol="rank",
        system=NameColumn.of(row[0] for row in rows),
        other=NameColumn.of(row[1] for row in rows),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        ranking=np.array([row[3] for row in rows]) if rows and len(rows[0]) > 3 else None,
        item=NameColumn.of(str(row[4]) if len(row) > 4 else None for row in rows),
        annotator=columns.pop("annotator", NameColumn.same("", len(rows))),
        **columns,
    )


def wmt13(shared):
    """The training part of fr-en, whose expected wins are known: 9,996 rankings of five."""
    return shortened(read(str(shared.data / "07_rankings_wmt13_fren/human/rankings-train.csv")).judgements, 2)


def wmt16(shared, pair):
    """One language pair of WMT16 as it was scored: systems that gave the same output tie, and each counts."""
    path = shared.data / f"06_rankings_wmt16/data/wmt16.{pair}.csv"
    if not path.exists():
        path = path.parent / f"collapsed/wmt16.collapsed.{pair}.csv"
    return shortened(expand_joint_systems(read(str(path)).judgements), 1)


def shortened(judgements, place):
    """Systems by the one word of their name that tells them apart."""
    assert judgements.other is not None
    change = {name: name.split(".")[place] for name in (*judgements.system.names, *judgements.other.names)}
    return replace(
        judgements, system=judgements.system.renamed(change), other=judgements.other.renamed(change)
    )


def official(shared, pair):
    """System -> (score, (best rank, worst rank), cluster)."""
    result = _clusters(shared.data / f"06_rankings_wmt16/results/wmt16.{pair}.txt")
    return {system.split(".")[1]: place for system, place in result.items()}


def toral_published(shared, subset):
    """The same of Toral et al."""
    name = "hp_001_049.csv" if subset == "all" else f"hp_001_049.{subset}.csv"
    return _clusters(shared.data / f"08_rankings_toral18_zhen/clusters_published/{name}.rank.cluster")


def _clusters(path):
    result, cluster = {}, 1
    for line in path.read_text().splitlines():
        if line.startswith("+"):
            cluster += 1
        elif line:
            system, score, low, high = line.replace("(", "").replace(")", "").replace(",", "").split()
            result[system] = float(score), (int(float(low)), int(float(high))), cluster
    return result


def toral(shared, subset):
    """Chinese to English by Toral et al. (2018): all, or by the language a document was first written in, and who
    judged: en, zh, zh.prof, zh.nonprof."""
    folder = shared.data / "08_rankings_toral18_zhen"
    judgements = read([str(path) for path in sorted((folder / "judgements").glob("hp_*.csv"))]).judgements
    with (folder / "segments.tsv").open(encoding="utf-8") as file:
        segments = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        origin = {row["doc"]: row["origlang"] for row in segments}
    language, _, people = subset.partition(".")
    items = [language in ("all", origin[item.split("_")[0]]) for item in judgements.item.names]
    judges = [name.startswith(f"zhen_{people}") for name in judgements.annotator.names]
    return judgements[np.array(items)[judgements.item.codes] & np.array(judges)[judgements.annotator.codes]]


def laeubli(shared, condition, level):
    """Human translation against machine translation by Läubli et al. (2018): adequacy or fluency, of documents or of
    sentences without those they left out."""
    judgements = read(str(shared.data / "09_laeubli18_pairwise/ratings.csv")).judgements
    wanted = [
        f"{c} {kind}" == f"{condition} {level}" and not (kind == "sentence" and item.startswith("U-"))
        for c, kind, item in zip(
            judgements.labels["condition"].values(),
            judgements.labels["type"].values(),
            judgements.item.values(),
            strict=True,
        )
    ]
    return judgements[np.array(wanted)]


def compared(*counts):
    """Rankings of two systems each: (a, b, how often a was preferred, ties, how often b was)."""
    rows = []
    for a, b, wins, ties, losses in counts:
        rows += [(a, b, s, 0, 0) for s, often in ((1, wins), (0, ties), (-1, losses)) for _ in range(often)]
    return judged((a, b, s, place, f"i{place}") for place, (a, b, s, *_) in enumerate(rows))
