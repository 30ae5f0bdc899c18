"""Are published rankings reproduced, and how long do rankings take?

python bench/rankings.py published SHARED    tables of docs/rankings.md, ours beside the published ones
python bench/rankings.py speed [ROWS]        seconds of the processor, one thread (1,000,000)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.pairs import comparisons, counted
from adjudge.human.preferences import preferences
from adjudge.human.ranking import rank_systems

TESTS = Path(__file__).resolve().parent.parent / "tests"
WMT16 = ("deu-eng", "eng-ron", "eng-tur", "ron-eng", "tur-eng")
TORAL = ("all", "en", "zh", "zh.prof", "zh.nonprof")
RUNS = 6000
"""More than WMT's 1,000, so that chance does not decide where a range ends."""
LAEUBLI = [(c, level) for c in ("adequacy", "fluency") for level in ("document", "sentence")]


def published(root: Path) -> None:
    """One table a campaign."""
    sys.path.insert(0, str(TESTS))
    from helpers import rankings as campaigns

    shared = SimpleNamespace(data=root / "data")
    print("| WMT16 | comparisons | systems | order | largest difference of scores | rank ranges | clusters |")
    print("|---|--:|--:|---|--:|--:|---|")
    for pair in WMT16:
        official = campaigns.official(shared, pair)
        found = rank_systems(campaigns.wmt16(shared, pair), method="trueskill", resamples=RUNS, seed=1)
        gap = max(abs(one.score - official[one.system][0]) for one in found.systems)
        order = [one.system for one in found.systems] == list(official)
        ranges = sum(one.rank == official[one.system][1] for one in found.systems)
        clusters = all(one.cluster == official[one.system][2] for one in found.systems)
        print(
            f"| {pair} | {found.comparisons:,} | {len(official)} | {'same' if order else 'other'} | {gap:.3f} "
            f"| {ranges} of {len(official)} | {'same' if clusters else 'other'} |"
        )
    print("\n| Toral et al. 2018 | system | published | ours | ranks published | ours |")
    print("|---|---|--:|--:|---|---|")
    for subset in TORAL:
        official = campaigns.toral_published(shared, subset)
        for one in rank_systems(
            campaigns.toral(shared, subset), method="trueskill", unit="none", seed=1
        ).systems:
            score, ranks, _ = official[one.system]
            print(f"| {subset} | {one.system} | {score:.3f} | {one.score:.3f} | {ranks} | {one.rank} |")
    print("\n| WMT13 fr-en | expected wins | standard error | ranks | cluster | Bradley–Terry | TrueSkill |")
    print("|---|--:|--:|---|--:|--:|--:|")
    judgements = campaigns.wmt13(shared)
    others = [
        {one.system: one for one in rank_systems(judgements, method=method, seed=1).systems}
        for method in ("bradley-terry", "trueskill")
    ]
    for one in rank_systems(judgements, seed=1).systems:
        beside = " | ".join(f"{other[one.system].score:.3f}" for other in others)
        print(
            f"| {one.system} | {one.score:.4f} | {one.deviation:.4f} | {one.rank} | {one.cluster} | {beside} |"
        )
    print("\n| Läubli et al. 2018 | human | tie | mt | p |")
    print("|---|--:|--:|--:|--:|")
    for condition, level in LAEUBLI:
        (pair,) = preferences(campaigns.laeubli(shared, condition, level), unit="pair")
        shares = " | ".join(
            f"{number} ({share:.0f} %)"
            for number, share in zip((pair.wins, pair.ties, pair.losses), pair.shares, strict=True)
        )
        print(f"| {condition}, {level} | {shares} | {pair.p:.2g} |")


def made_up(rows: int, systems: int = 13, ways: int = 5) -> Judgements:
    """Rankings of five of thirteen systems, a pair a row."""
    random = np.random.default_rng(1)
    pairs = np.array(np.triu_indices(ways, 1))
    rankings = rows // pairs.shape[1]
    chosen = random.random((rankings, systems)).argpartition(ways, axis=1)[:, :ways].astype(np.int32)
    quality = np.linspace(-0.5, 0.5, systems)[chosen] + random.normal(size=chosen.shape)
    first, second = (chosen[:, side].ravel() for side in pairs)
    apart = (quality[:, pairs[0]] - quality[:, pairs[1]]).ravel()
    names = tuple(f"system{i}" for i in range(systems))
    return Judgements(
        protocol="rank",
        system=NameColumn(names, first),
        other=NameColumn(names, second),
        score=np.where(np.abs(apart) < 0.4, 0.0, np.sign(apart)),
        item=NameColumn.same("1", len(first)),
        annotator=NameColumn.same("a", len(first)),
        ranking=np.repeat(np.arange(rankings), pairs.shape[1]),
    )


def speed(rows: int) -> None:
    """A line a question; TrueSkill also against the package, which rates some of the matches."""
    judgements = made_up(rows)
    for name, question in {
        "counts": lambda: counted(comparisons(judgements)),
        "expected wins, 1,000 resamples of rankings": lambda: rank_systems(judgements, seed=1, threads=1),
        "expected wins, 1,000 resamples of pairs": lambda: rank_systems(
            judgements, unit="pair", seed=1, threads=1
        ),
        "Bradley–Terry, 1,000 resamples of rankings": lambda: rank_systems(
            judgements, method="bradley-terry", seed=1, threads=1
        ),
    }.items():
        print(f"{len(judgements):,} pairs, {name}: {_seconds(question):.2f} s")
    runs, fewer = 50, made_up(100_000)
    ours = _seconds(lambda: rank_systems(fewer, method="trueskill", resamples=runs, seed=1, threads=1)) / runs
    theirs = _seconds(lambda: _package(100_000 // 50)) * 50
    print(
        f"100,000 pairs, one run of TrueSkill: {ours:.4f} s; the package {theirs:.1f} s; {theirs / ours:.0f}×"
    )


def _package(matches: int) -> None:
    """So many matches between players drawn at random, rated by the package: WMT's way without choosing them."""
    from trueskill import TrueSkill, rate_1vs1

    env = TrueSkill(mu=0.0, sigma=0.5, beta=1250.0, tau=0.0, draw_probability=0.25)
    players = [env.create_rating() for _ in range(13)]
    random = np.random.default_rng(1)
    for a, b in zip(random.integers(0, 6, matches), random.integers(6, 13, matches), strict=True):
        players[a], players[b] = rate_1vs1(players[a], players[b], env=env)


def _seconds(question: Callable[[], object]) -> float:
    start = time.process_time()
    question()
    return time.process_time() - start


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["published", root]:
            published(Path(root))
        case ["speed", *rows]:
            speed(int(rows[0]) if rows else 1_000_000)
        case _:
            sys.exit(__doc__)
