"""Resampling beside the real sacreBLEU: every mean, interval and p-value the same to the last bit."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import sacrebleu as real
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import significance as real_significance

import adjudge.compat.sacrebleu as ours
from adjudge.cli import main
from adjudge.compat.sacrebleu import significance
from adjudge.compat.sacrebleu.significance import PairedTest, Result, estimate_ci
from adjudge.errors import DataError, UsageError
from conftest import Shared
from helpers.sacrebleu_rows import EXAMPLES, examples

# So few words that much matches, nothing does, and segments are empty.
WORDS = st.sampled_from(["a", "b", "c", "the", "cat", "sat.", "a b c", "the cat sat on"])


SEGMENTS = st.lists(WORDS, max_size=7).map(" ".join)


OPTIONS: dict[str, dict[str, Any]] = {
    "BLEU": {
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.01, 1, 2.5]),
        "max_ngram_order": st.integers(1, 5),
        "effective_order": st.booleans(),
        "tokenize": st.sampled_from(["13a", "char"]),
    },
    "CHRF": {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3]),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
    "TER": {"normalized": st.booleans()},
}


METRICS = st.one_of(
    st.tuples(st.just(name), st.fixed_dictionaries({}, optional=options)) for name, options in OPTIONS.items()
)


@st.composite
def contests(draw: st.DrawFn) -> tuple[list[tuple[str, list[str]]], list[list[str]]]:
    """Two or three systems, the later ones like the first but for a few segments, and their references."""
    size = draw(st.integers(1, 9))

    def segments() -> list[str]:
        return draw(st.lists(SEGMENTS, min_size=size, max_size=size))

    references = [segments() for _ in range(draw(st.integers(1, 3)))]
    first = [draw(st.sampled_from(pair)) for pair in zip(segments(), references[0], strict=True)]
    others = [
        [draw(st.sampled_from(pair)) for pair in zip(first, segments(), strict=True)]
        for _ in range(draw(st.integers(1, 2)))
    ]
    return [(f"system {number}", lines) for number, lines in enumerate([first, *others])], references


def assert_same_results(mine: dict[str, list[Any]], theirs: dict[str, list[Any]]) -> None:
    assert list(mine) == list(theirs)
    assert mine.pop("System") == theirs.pop("System")
    for name, results in theirs.items():
        assert [vars(result) for result in mine[name]] == [vars(result) for result in results], name
        assert [repr(result) for result in mine[name]] == [repr(result) for result in results], name
        assert all(isinstance(result, Result) for result in mine[name])


@settings(max_examples=120)
@given(
    contest=contests(),
    metric=METRICS,
    kind=st.sampled_from(["bs", "ar"]),
    samples=st.integers(1, 90),
    confidence=st.sampled_from([-1, 3, 41]),
    seed=st.integers(1, 2**70),
)
def test_paired_tests_equal_sacrebleus(
    contest: Any, metric: Any, kind: str, samples: int, confidence: int, seed: int
) -> None:
    (name, options), (systems, references) = metric, contest
    arguments: Any = {"test_type": kind, "n_samples": samples, "n_ar_confidence": confidence}
    answers = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", str(seed))
        for package, module in ((ours, significance), (real, real_significance)):
            scorer = getattr(package, name)(**options)
            test = module.PairedTest(systems, {name: scorer}, references, **arguments)
            signatures, columns = test()
            answers.append(({key: str(value) for key, value in signatures.items()}, columns))
            assert test.n_samples == samples
    (mine, columns), (theirs, real_columns) = answers
    assert mine == theirs
    assert_same_results(columns, real_columns)


@settings(max_examples=120)
@given(contest=contests(), metric=METRICS, samples=st.integers(2, 90), seed=st.integers(0, 2**70))
def test_confidence_equals_sacrebleus(contest: Any, metric: Any, samples: int, seed: int) -> None:
    (name, options), ([(_, hypotheses), *_], references) = metric, contest
    mine, theirs = getattr(ours, name)(**options), getattr(real, name)(**options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", str(seed))
        score = mine.corpus_score(hypotheses, references, n_bootstrap=samples)
        tested = real_significance.PairedTest([("", hypotheses)], {"": theirs}, references, "bs", samples)
        [title] = tested.metrics
        [baseline] = tested()[1][title]
        expected = None
        with suppress(TypeError):  # which comes of numpy's numbers and Python's 0.0 in one mean
            expected = theirs.corpus_score(hypotheses, references, n_bootstrap=samples)
    # The paired test has the same draws and takes both kinds of numbers, but rounds the mean of float32 many times.
    assert score._ci == baseline.ci
    assert score._mean == pytest.approx(baseline.mean, rel=1e-12 if baseline.mean.dtype == "f8" else 1e-6)
    signature = theirs.get_signature()
    for short in (False, True):
        assert mine.get_signature().format(short) == signature.format(short)
    assert mine.get_signature().info == signature.info
    if expected is not None:
        assert (score._mean, score._ci) == (expected._mean, expected._ci)
        assert str(score) == str(expected)
        assert score.format(4, False, str(signature), True) == expected.format(4, False, str(signature), True)


def test_several_metrics_and_the_log(caplog: pytest.LogCaptureFixture) -> None:
    references = [(EXAMPLES / name).read_text().splitlines() for name in ("reference.en", "reference-b.en")]
    systems = examples("experiment.run1", "experiment.run2", "experiment.run3")
    answers, logs = [], []
    for package, module in ((ours, significance), (real, real_significance)):
        metrics = {"B": package.BLEU(lowercase=True), "C": package.CHRF(word_order=2)}
        caplog.clear()
        with caplog.at_level(logging.INFO, "sacrebleu"):
            test = module.PairedTest(systems, metrics, references, n_samples=90, n_ar_confidence=80)
            answers.append(test()[1])
        logs.append(caplog.messages)
    assert_same_results(*answers)
    assert logs[0] == logs[1]
    assert len(logs[0]) == 2 + 2 * 2 * 3


def golden_names() -> list[str]:
    names = ["bleu.1000.1ref", "chrf.1000.1ref", "chrfpp.1000.1ref"]
    names = [f"{test}.{name}" for test in ("ar", "bs") for name in names]
    return [*names, "ar.bleu.10000.1ref", "bs.bleu.1000.2ref", "bs.chrf.1000.2ref", "bs.ter.1000.1ref"]


@pytest.mark.parametrize("name", golden_names())
def test_golden(name: str, shared: Shared) -> None:
    golden = shared.json(f"significance/{name}.json")
    make = {"bleu": ours.BLEU, "chrf": ours.CHRF, "chrfpp": lambda: ours.CHRF(word_order=2), "ter": ours.TER}
    references = [shared.lines(f"w2.zh-en.ref{letter}.en") for letter in "AB"[: golden["nrefs"]]]
    systems = [(system, shared.lines(system)) for system in golden["systems"]]
    metrics: Any = {"metric": make[name.split(".")[1]]()}
    signatures, columns = PairedTest(systems, metrics, references, golden["test"], golden["n"])()
    assert {title: str(signature) for title, signature in signatures.items()} == golden["signature"]
    [title] = signatures
    assert [vars(result) for result in columns[title]] == golden[title]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pbs.bleu", "--paired-bs"),
        ("pbs2ref.bleu", "--paired-bs"),
        ("par.bleu", "--paired-ar"),
        ("par1k.bleu", "--paired-ar --paired-ar-n 1000"),
        ("par.chrf", "--paired-ar"),
        ("par1k.chrf", "--paired-ar --paired-ar-n 1000"),
    ],
)
def test_golden_command_lines(
    name: str,
    arguments: str,
    shared: Shared,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(shared.golden.parent)
    golden = shared.json(f"significance/{name}.json")
    systems = [row["system"].removeprefix("Baseline: ") for row in golden]
    references = [f"golden/data/w2.zh-en.ref{letter}.en" for letter in ("AB" if "2ref" in name else "A")]
    metric = name.partition(".")[2]
    assert main(["sacrebleu", *references, "-i", *systems, "-q", "-m", metric, *arguments.split()]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed == golden


def test_every_golden_file_is_compared(shared: Shared) -> None:
    files = {path.name.removesuffix(".json") for path in (shared.golden / "significance").iterdir()}
    lines = {"pbs.bleu", "pbs2ref.bleu", "par.bleu", "par1k.bleu", "par.chrf", "par1k.chrf"}
    assert files == {*golden_names(), *lines}


def test_identical_systems() -> None:
    hypotheses = ["the cat sat on the mat", "a dog"]
    for kind in ("ar", "bs"):
        mine, theirs = (
            module.PairedTest(
                [("one", hypotheses), ("two", hypotheses)],
                {"BLEU": package.BLEU()},
                [["the cat sat on a mat", "a dog"]],
                kind,
                99,
            )()[1]
            for package, module in ((ours, significance), (real, real_significance))
        )
        assert_same_results(mine, theirs)


@given(st.lists(st.floats(0, 100, width=32), min_size=1, max_size=200), st.sampled_from(["f4", "f8"]))
def test_estimate_ci(scores: list[float], kind: str) -> None:
    mine, theirs = (
        module.estimate_ci(np.array(scores, kind)) for module in (significance, real_significance)
    )
    assert mine == theirs
    assert [type(value) for value in mine] == [type(value) for value in theirs]


def test_a_list_of_scores_will_do() -> None:
    assert estimate_ci([3.0, 1.0, 2.0]) == (2.0, 1.0)


def test_wrong_arguments_are_named() -> None:
    systems, metrics = [("one", ["a"])], {"BLEU": ours.BLEU()}
    with pytest.raises(UsageError, match="must be ar or bs"):
        PairedTest(systems, metrics, [["a"]], "t")
    with pytest.raises(UsageError, match="n_jobs=-1"):
        PairedTest(systems, metrics, [["a"]], n_jobs=-1)
    with pytest.raises(DataError, match="2 hypotheses, but 1 segments"):
        PairedTest([*systems, ("two", ["a", "b"])], metrics, [["a"]])()
    with pytest.raises(RuntimeError, match="No references"):
        PairedTest(systems, metrics, None)


@pytest.mark.parametrize("kind", ["ar", "bs"])
@pytest.mark.parametrize("seed", ["12345", "0"])
def test_a_baseline_alone(kind: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    systems = examples("experiment.run1")
    references = [(EXAMPLES / "reference.en").read_text().splitlines()]
    mine, theirs = (
        module.PairedTest(systems, {"": package.BLEU()}, references, kind, 50, n_ar_confidence=20)()[1]
        for package, module in ((ours, significance), (real, real_significance))
    )
    assert_same_results(mine, theirs)
