"""Planted errors: wins, ties and losses counted as by hand, sacreBLEU's on DEMETR, tests between metrics that hold."""

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.challenges import ChallengeSet, PairScores
from adjudge.errors import DataError, UsageError
from adjudge.io.challenges import read_challenges
from adjudge.meta.challenge import run_challenge

TEXTS = {
    "good": ("the cat sat", "a dog ran", "it is so", "yes"),
    "bad": ("the cat", "a dog run", "it is not", "yes"),
}


def scored(**scores):
    """A hundred items of fifty sources, with scores of some metrics."""
    n = len(next(iter(scores.values()))[0])
    return ChallengeSet(
        tuple(f"good {i}" for i in range(n)),
        tuple(f"bad {i}" for i in range(n)),
        tuple("odd" if i % 2 else "even" for i in range(n)),
        sources=tuple(str(i // 2) for i in range(n)),
        scores={name: PairScores(*map(np.array, pair)) for name, pair in scores.items()},
    )


def test_wins_ties_and_losses_by_hand():
    challenge = ChallengeSet(
        TEXTS["good"], TEXTS["bad"], ("omission", "grammar", "negation", "none"),
        references=("the cat sat", "one dog walked", "it is so", "yes"),
        severities=("major", "minor", "major", "minor"),
    )  # fmt: skip
    result = run_challenge(challenge, [metrics.metric("exact-match")])
    whole, major, minor, *phenomena = result.parts
    assert (whole.kind, whole.items, major.name, major.items, minor.items) == ("all", 3, "major", 2, 1)
    assert [part.name for part in phenomena] == [
        "omission",
        "grammar",
        "negation",
    ]  # what has no error is left out
    own = result.of(whole, "exact-match")
    assert (own.wins, own.ties, own.losses) == (2, 1, 0)
    assert own.value == pytest.approx(2 / 3)
    assert own.low < own.value < own.high
    assert "1 item of 4 left out" in result.notes[0]


def test_lower_is_better_of_error_rates():
    good, bad = np.arange(40.0), np.arange(40.0) + 1
    result = run_challenge(
        scored(rate=(good, bad), quality=(bad, good)), lower_metrics=["rate"], sentinels=False
    )
    assert {own.value for own in result.preferences} == {1.0}
    challenge = ChallengeSet(("a b",), ("a c",), ("x",), references=("a b",))
    assert run_challenge(challenge, [metrics.metric("ter")]).preferences[0].wins == 1
    with pytest.raises(UsageError, match="did you mean 'rate'"):
        run_challenge(scored(rate=(good, bad)), lower_metrics=["rat"])


def test_scores_that_differ_by_rounding_are_ties():
    good = np.array([0.1 + 0.2, 1.0, 2.0])
    bad = np.array([0.3, 1.0 - 1e-6, 2.0])
    own = run_challenge(scored(m=(good, bad))).preferences[0]
    assert (own.wins, own.ties, own.losses) == (1, 2, 0)


def test_metrics_are_tested_against_each_other():
    rng = np.random.default_rng(5)
    zeros = np.zeros(200)
    strong, weak = rng.random(200) < 0.9, rng.random(200) < 0.6
    result = run_challenge(
        scored(weak=(weak * 1.0, zeros), strong=(strong * 1.0, zeros), same=(strong * 2.0, zeros))
    )
    assert result.metrics == ("same", "strong", "weak", "sentinel-length", "sentinel-source")
    whole = {(pair.a, pair.b): pair for part, pair in result.pairs if part.kind == "all"}
    assert whole["strong", "weak"].significant
    assert whole["strong", "weak"].delta == pytest.approx(strong.mean() - weak.mean())
    assert whole["same", "strong"].p == 1.0
    assert not whole["same", "strong"].significant
    for part, pair in result.pairs:
        assert pair.p_adjusted >= pair.p > 0, part


def test_sentinels_prefer_what_is_short_or_like_the_source():
    challenge = ChallengeSet(
        ("a cat", "a dog ran", "they go"),
        ("a cat sat", "a dog", "they go"[::-1]),
        ("addition", "omission", "order"),
        sources=("a cat sat", "a dog ran", "?"),
        references=("x", "y", "z"),
    )
    result = run_challenge(challenge, [metrics.metric("exact-match")])
    assert result.sentinels == ("sentinel-length", "sentinel-source")
    assert result.metrics == ("exact-match", *result.sentinels)
    length, source = (result.of(result.parts[0], f"sentinel-{name}") for name in ("length", "source"))
    assert (length.wins, length.ties, length.losses) == (1, 1, 1)
    assert (source.wins, source.ties, source.losses) == (1, 1, 1)
    assert not any(set(result.sentinels) & {pair.a, pair.b} for _, pair in result.pairs)
    without = ChallengeSet(("a",), ("b c",), ("x",), references=("a",))
    assert run_challenge(without, [metrics.metric("chrf")]).sentinels == ("sentinel-length",)


def test_p_is_that_of_swapping_sources():
    """Twenty-four sources of which the metrics differ on ten, always the same way: p is 2 · 2^-10."""
    scores = np.zeros(48)
    ahead = scores.copy()
    ahead[:20] = 1.0  # both items of ten sources
    result = run_challenge(scored(a=(ahead, scores), b=(scores, scores)))
    pair = next(pair for part, pair in result.pairs if part.kind == "all")
    assert pair.p == pytest.approx(2 / 2**10, abs=0.004)
    assert pair.delta == pytest.approx(20 / 48)
    assert "Metrics against each other" in [section.title for section in result.sections()]


def test_baselines_are_no_errors():
    challenge = ChallengeSet(
        ("a b", "a b"), ("a c", "a"), ("x", "y"), references=("a b", "a b"), severities=("minor", "base")
    )
    result = run_challenge(challenge, [metrics.metric("chrf")])
    assert [(part.kind, part.name, part.items) for part in result.parts] == [
        ("all", "all errors", 1), ("severity", "minor", 1), ("phenomenon", "x", 1), ("phenomenon", "y", 1)
    ]  # fmt: skip
    assert any("no errors" in note for note in result.notes)


def test_few_sources_are_not_tested():
    result = run_challenge(scored(a=([1.0, 2], [0, 0]), b=([1.0, 2], [3, 0])))
    assert not result.pairs
    assert "not tested" in result.notes[-1]
    assert "Metrics against each other" not in [section.title for section in result.sections()]


def test_a_metric_that_reads_what_no_file_has_names_the_column():
    bare = ChallengeSet(("a b", "c d"), ("a", "c"), ("x", "x"))
    with pytest.raises(UsageError, match="BLEU needs a column 'reference', which a file has not"):
        run_challenge(bare, [metrics.metric("bleu")])


def test_what_cannot_be_asked():
    challenge = ChallengeSet(("a",), ("b",), ("x",), references=("a",))
    with pytest.raises(UsageError, match="no metric"):
        run_challenge(challenge)
    with pytest.raises(UsageError, match="not better either way"):
        run_challenge(challenge, [metrics.metric("length-ratio")])
    with pytest.raises(DataError, match="the same"):
        run_challenge(ChallengeSet(("a",), ("a",), ("x",), references=("a",)), [metrics.metric("bleu")])


@pytest.mark.parametrize("phenomenon", ["critical_id8_negation", "base_id35_reference"])
def test_sacrebleus_own_scores_on_demetr(shared, phenomenon):
    """The share that sacreBLEU's sentence chrF prefers, counted here from its own scores."""
    from sacrebleu import CHRF

    (path,) = (shared.data / "18_demetr").glob(f"{phenomenon}*")
    challenge = read_challenges([str(path)]).challenge
    result = run_challenge(challenge, [metrics.metric("chrf")])
    chrf = CHRF()
    signs = []
    for good, bad, reference in zip(challenge.good, challenge.bad, challenge.references or (), strict=True):
        if good != bad:
            lead = chrf.sentence_score(good, [reference]).score - chrf.sentence_score(bad, [reference]).score
            signs.append(0 if abs(lead) < 1e-9 else np.sign(lead))
    own = result.of(result.parts[-1], "chrf")
    assert (own.wins, own.ties, own.losses) == tuple(signs.count(sign) for sign in (1, 0, -1))
    assert own.value > 0.7
