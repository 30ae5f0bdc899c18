"""Kernels against KeLP's own values (float32) and float64 values beside them, on every golden file."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.data.trees import read_tree
from adjudge.kernels import CSPTK, PTK, SK, SPTK, SSTK, STK, Kernel
from conftest import Shared
from helpers.trees import kelp_rows, kelp_vectors, kelp_words

KELP = 1e-5  # relative: KeLP computes in float32
PRINTED = 6e-12  # files of float64 values have twelve digits
OVERFLOW = ("W03", "lambda=1;mu=1e-12;tf=10000000000000.0;threshold=0.01;maxSubseqLeng=25")
"""The one row whose normalised value is 0 in KeLP: the product of the self-kernels is infinite in float32."""


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared.golden / "kelp"


def kernel_of(name: str, given: dict[str, Any], vectors: Any) -> Kernel:
    """The kernel that KeLP's parameters ask for."""
    number = {
        key: float(value) for key, value in given.items() if key in ("lambda", "mu", "tf", "threshold", "n")
    }
    true = {key: value == "true" for key, value in given.items()}
    if name == "sk":
        return SK(int(number["n"]), number["lambda"])
    if name == "sstk":
        return SSTK(number["lambda"], true["includeLeaves"])
    if name == "stk":
        return STK(number["lambda"], true["includeLeaves"], kelp=True)
    common = {"decay": number["lambda"], "vertical": number["mu"], "terminal": number["tf"]}
    if name == "ptk":
        return PTK(**common)
    common["max_length"] = int(float(given["maxSubseqLeng"]))
    if given["sim"] == "exact":  # which looks at labels only, not at kinds
        return PTK(**common)
    common |= {"threshold": number["threshold"], "vectors": vectors}
    if name == "sptk":
        return SPTK(
            **common,
            same_class=not true["allowDifferentPOS"],
            equal_words_match=true["ignorePosInLemmaMatches"],
        )
    return CSPTK(
        **common,
        same_class=true["posRestriction"],
        same_relation=true["syntacticRestriction"],
        composition=given["sim"],
        kelp=True,
    )


def four_values(kernel: Kernel, a: Sequence[Any], b: Sequence[Any]) -> np.ndarray:
    """K(a, b), K(a, a), K(b, b) and the normalised value, as KeLP's files have them."""
    ours = kernel.prepare(a)
    theirs = kernel.prepare(b, others=ours)
    columns = [
        kernel.pairs(ours, theirs),
        ours.selves(),
        theirs.selves(),
        kernel.pairs(ours, theirs, normalise=True),
    ]
    return np.stack(columns, axis=1)


def largest_difference(ours: np.ndarray, golden: Any) -> float:
    golden = np.array(golden, np.float64)
    assert ours.shape == golden.shape
    return float(np.max(np.abs(ours - golden) / np.where(golden == 0, 1, np.abs(golden))))


def test_the_300_pairs_under_all_settings(folder):
    settings = json.loads((folder / "kelp_sptk_csptk.json").read_text(encoding="utf-8"))["settings300"]
    values = defaultdict(list)
    for row in kelp_rows(folder, "kernels300.values.tsv"):
        values[row[1]].append(row)
    assert len(values) == 16
    vectors = kelp_vectors(folder, "glove50.lct300.vec")
    readers = {"seq300.tsv": kelp_words, "lct300.trees.tsv": read_tree, "clct300.trees.tsv": read_tree}
    items = {
        name: [[pair[0], *map(reader, pair[1:])] for pair in kelp_rows(folder, name)]
        for name, reader in readers.items()
    }
    for name, rows in values.items():
        setting = settings[name]
        kernel = kernel_of(setting["kernel"], setting["parameters"], vectors)
        numbers, a, b = zip(*items[setting["trees"]], strict=True)
        assert [row[0] for row in rows] == list(numbers)
        ours = four_values(kernel, a, b)
        assert largest_difference(ours, [row[2:6] for row in rows]) < KELP, name
        assert largest_difference(ours, [row[6:10] for row in rows]) < PRINTED, name
        if isinstance(kernel, STK):
            textbook = four_values(STK(kernel.decay, kernel.leaves), a, b)
            assert largest_difference(textbook, [row[10:14] for row in rows]) < PRINTED, name


def test_the_tiny_pairs_under_all_parameters(folder):
    trees = {row[0]: row[2:4] for row in kelp_rows(folder, "tiny.trees.tsv")}
    vectors = kelp_vectors(folder, "tiny.vec")
    runs = defaultdict(list)
    for row in kelp_rows(folder, "tiny.values.tsv"):
        runs[row[1], row[2]].append(row)
    assert sum(map(len, runs.values())) == 1275
    for (name, parameters), rows in runs.items():
        kernel = kernel_of(name, dict(part.split("=") for part in parameters.split(";")), vectors)
        a, b = ([trees[row[0]][side] for row in rows] for side in (0, 1))
        ours = four_values(kernel, a, b)
        assert largest_difference(ours, [row[7:11] for row in rows]) < PRINTED, (name, parameters)
        kelps = np.array([row[3:7] for row in rows], np.float64)
        for i, row in enumerate(rows):
            if row[0] == OVERFLOW[0] and parameters.startswith(OVERFLOW[1]):
                assert kelps[i, 3] == 0
                kelps[i, 3] = ours[i, 3]
        assert largest_difference(ours, kelps) < KELP, (name, parameters)
        if name == "stk":
            textbook = STK(kernel.decay, kernel.leaves).pairs(a, b)
            assert largest_difference(textbook, [row[11] for row in rows]) < PRINTED, parameters


def test_the_pairs_with_brute_force_beside_them(folder):
    runs = json.loads((folder / "kelp_ptk_sk.json").read_text(encoding="utf-8"))
    kernels = {
        "ptk": lambda p: PTK(
            float(p["lambda"]), float(p["mu"]), float(p["terminalFactor"]), _whole(p["maxSubseqLeng"])
        ),
        "sk": lambda p: SK(int(p["maxSubseqLeng"]), float(p["lambda"])),
        "sptk": lambda p: SPTK(float(p["lambda"]), float(p["mu"]), float(p["tf"])),
        "sstk": lambda p: SSTK(float(p["lambda"])),
        "stk": lambda p: STK(float(p["lambda"]), kelp=True),
    }
    checked = 0
    for title, cases in runs.items():
        name, *parameters = title.split()
        if name not in kernels:
            continue
        kernel = kernels[name](dict(part.split("=") for part in parameters if "=" in part))
        a, b = ([kelp_words(c[side]) if name == "sk" else c[side] for c in cases] for side in "ab")
        ours = four_values(kernel, a, b)
        assert largest_difference(ours, [case["kelp"] for case in cases]) < KELP, title
        brute = [i for i, case in enumerate(cases) if "bruteforce_f64" in case]
        if brute:
            assert largest_difference(ours[brute], [cases[i]["bruteforce_f64"] for i in brute]) < 1e-12, title
        checked += len(cases)
    assert checked == 134


def _whole(text: str) -> int | None:
    return None if text == "None" else int(text)


@pytest.mark.parametrize(
    ("kernel", "values"),
    [
        (PTK(), "trees500.ptk.l0.4.m0.4.tf1.tsv"),
        (SSTK(), "trees500.sstk.l0.4.tsv"),
        (STK(kelp=True), "trees500.stk.l0.4.tsv"),
        (SK(), "seqs500.sk.n4.l0.75.tsv"),
    ],
    ids=["ptk", "sstk", "stk", "sk"],
)
def test_500_pairs_in_bulk(folder, kernel, values):
    texts = kelp_rows(folder, "seqs500.tsv" if kernel == SK() else "trees500.tsv", header=False)
    a, b = ([kelp_words(row[i]) if kernel == SK() else row[i] for row in texts] for i in (0, 1))
    golden = np.array(kelp_rows(folder, values, header=False), np.float64)
    ours = four_values(kernel, a, b)
    assert largest_difference(ours[:, 3:], golden[:, 3:]) < KELP
    # KeLP adds thousands of float32 numbers here: on the largest of these trees it is off by a little more.
    assert largest_difference(ours, golden) < 1.2e-5
    assert np.sum(np.abs(ours - golden) > KELP * np.abs(golden)) <= 3


def test_trec_10_as_kelp_publishes_it(folder):
    trees = dict(kelp_rows(folder, "trec10.grct.trees.tsv"))
    kernels = {"ptk tf5": PTK(terminal=5), "sstk": SSTK(), "stk": STK(kelp=True)}
    rows = kelp_rows(folder, "trec10.grct.values.tsv")
    for name, kernel in kernels.items():
        chosen = [row for row in rows if row[2] == name]
        assert len(chosen) == 499
        ours = four_values(kernel, [trees[row[0]] for row in chosen], [trees[row[1]] for row in chosen])
        golden = [row[3:8] for row in chosen]
        assert largest_difference(np.column_stack([ours, ours[:, 3]]), golden) < KELP
