"""WMT's TrueSkill one match at a time, rated by the package `trueskill`: the twin of native/trueskill.cpp."""

import math

from trueskill import rate_1vs1

from oracles.resampling import Random


def uniform(random: Random) -> float:
    return (random.next() >> 11) / 2**53


def run(wins, ties, env, matches: int, seed: int, number: int) -> list[float]:
    """Every system's mean after a run; NaN for those that were compared with nobody."""
    size = len(wins)
    met = [[wins[a][b] + ties[a][b] + wins[b][a] for b in range(size)] for a in range(size)]
    present = [a for a in range(size) if any(met[a])]
    ratings = {a: env.create_rating() for a in present}
    random = Random(seed, number)
    for _ in range(matches if present else 0):
        a = max(present, key=lambda s: (ratings[s].sigma, -s))
        others = [b for b in present if met[a][b]]
        chances = [math.exp(-abs(ratings[a].mu - ratings[b].mu)) for b in others]
        left = uniform(random) * sum(chances)
        b = others[-1]
        for other, chance in zip(others, chances, strict=True):
            if left < chance:
                b = other
                break
            left -= chance
        outcome = random.below(int(met[a][b]))
        if outcome < wins[a][b]:
            ratings[a], ratings[b] = rate_1vs1(ratings[a], ratings[b], env=env)
        elif outcome < wins[a][b] + ties[a][b]:
            ratings[a], ratings[b] = rate_1vs1(ratings[a], ratings[b], drawn=True, env=env)
        else:
            ratings[b], ratings[a] = rate_1vs1(ratings[b], ratings[a], env=env)
    return [ratings[s].mu if s in ratings else math.nan for s in range(size)]
