"""TSKM (Duma & Menzel 2017): tree and sequence kernels, with a reference, a pseudo-reference or a back-translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data import ReferenceSet, TestSet
from adjudge.errors import UsageError
from adjudge.kernels import PTK, SK, Kernel
from adjudge.metrics.base import Rows, require, shortest
from adjudge.metrics.structure import (
    Item,
    ParsedMetric,
    References,
    best,
    side,
    side_fields,
    target_side,
    target_texts,
)
from adjudge.text.trees import Shape, sequence, tree

PAIRS = {
    "rc": "the output with the reference",
    "cs": "the output with a machine translation of the source",
    "sc": "the output, translated back, with the source",
}
KERNELS = ("sk", "ptk")
SHAPES = ("lct", "grct", "pct")

Values = Mapping[tuple[str, str], Rows]
"""Normalised kernels by pair and kernel: reference sets × segments."""


@dataclass(frozen=True, eq=False)
class PreparedPairs:
    """The texts that outputs are held against, by pair and kernel."""

    references: Mapping[tuple[str, str], References]
    back_translations: Mapping[str, str]


@dataclass(frozen=True)
class Tskm(ParsedMetric):
    """The mean over pairs of texts of the mean of their normalised kernels, in percent; the mean of segments.

    Of several references, and of several pseudo-references, the best one of each segment counts.
    """

    name = "tskm"
    title = "TSKM"
    summary = (
        "tree and sequence kernels of the output with reference (rc), translated source (cs), or back (sc)"
    )
    needs = frozenset({"trees"})

    pairs: str = "rc"
    kernels: str = "sk+ptk"
    tree: Shape = "lct"
    n: int = 4
    gap: float = 0.75
    decay: float = 0.4
    vertical: float = 0.4
    terminal: float = 1.0
    source_parser: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check("pairs", self.pairs, PAIRS)
        _check("kernels", self.kernels, KERNELS)
        require(self.tree in SHAPES, f"tskm(tree={self.tree}): must be one of {', '.join(SHAPES)}")
        for name in KERNELS:
            self._kernel(name)  # which refuses parameters out of range

    @property
    def uses(self) -> frozenset[str]:
        """Trees, and references where outputs are compared with them."""
        return self.needs | {"references"} if "rc" in self.pairs.split("+") else self.needs

    def _kernel(self, name: str) -> Kernel[Any]:
        return SK(self.n, self.gap) if name == "sk" else PTK(self.decay, self.vertical, self.terminal)

    def _item(self, name: str) -> Item:
        if name == "sk":
            return sequence
        return lambda parse, reading: tree(parse, reading, self.tree)

    def prepare(self, test_set: TestSet) -> PreparedPairs:
        """Each pair's texts parsed, and as each kernel reads them."""
        references = {}
        for pair in self.pairs.split("+"):
            columns = _columns(pair, test_set)
            if pair == "sc":
                language = side(self, test_set, self.source_parser, columns[0], source=True)
            else:
                language = target_side(self, test_set)
            for name in self.kernels.split("+"):
                references[pair, name] = References.prepare(
                    self._kernel(name), self._item(name), language, columns
                )
        return PreparedPairs(references, test_set.back_translations)

    def segments(self, prepared: PreparedPairs, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The mean over the pairs asked for, in percent."""
        return self.combined(self.values(prepared, outputs, threads=threads))

    def values(self, prepared: PreparedPairs, outputs: Sequence[str], *, threads: int = 0) -> Values:
        """The normalised kernels that scores are means of, each by itself."""
        back = _back(prepared.back_translations, outputs) if "sc" in self.pairs.split("+") else []
        return {
            (pair, name): known.values(back if pair == "sc" else outputs, threads)
            for (pair, name), known in prepared.references.items()
        }

    def combined(self, values: Values) -> Rows:
        """Scores from kernels, of which there may be more than this metric asks for."""
        means = [
            best(np.mean([values[pair, name] for name in self.kernels.split("+")], axis=0))
            for pair in self.pairs.split("+")
        ]
        return np.asarray(100.0 * np.mean(means, axis=0))

    def signature_fields(self) -> dict[str, str]:
        """Pairs, kernels, case, words, the shape of trees and the kernels' parameters."""
        fields = {"pairs": self.pairs, "kernels": self.kernels} | super().signature_fields()
        return fields | {
            "tree": self.tree,
            "n": str(self.n),
            "gap": shortest(self.gap, "g"),
            "decay": shortest(self.decay, "g"),
            "vertical": shortest(self.vertical, "g"),
            "terminal": shortest(self.terminal, "g"),
        }

    def test_set_fields(self, test_set: TestSet) -> dict[str, str]:
        """How many references of either kind are read, and whose trees and lemmas these are."""
        pairs = self.pairs.split("+")
        fields = {}
        if "rc" in pairs:
            count = len(test_set.human_references)
            plain = all(None not in column for column in test_set.human_references)
            fields["nrefs"] = str(count) if plain else _present(test_set.human_references)
        if "cs" in pairs:
            fields["pseudo"] = str(test_set.pseudo)
        if {"rc", "cs"} & set(pairs):
            fields |= side_fields(self, test_set, self.parser, target_texts(test_set), source=False)
        if "sc" in pairs:
            sources = test_set.sources or ()
            other = side_fields(self, test_set, self.source_parser, sources, source=True)
            fields |= {f"source-{key}": value for key, value in other.items()}
        return fields


def _check(option: str, text: str, known: Sequence[str] | Mapping[str, str]) -> None:
    names = text.split("+")
    wrong = [name for name in names if name not in known]
    require(not wrong, f"tskm({option}={text}): one or more of {', '.join(known)} with + between them")
    require(len(set(names)) == len(names), f"tskm({option}={text}): each may be named once")


def _present(columns: Sequence[ReferenceSet]) -> str:
    """How many references each segment has, `var` where that differs."""
    counts = {sum(text is not None for text in segment) for segment in zip(*columns, strict=True)}
    return str(counts.pop()) if len(counts) == 1 else "var"


def _columns(pair: str, test_set: TestSet) -> tuple[ReferenceSet, ...]:
    """What the outputs are held against in a pair, or an error that says how to give it."""
    if pair == "rc":
        if not test_set.human_references:
            raise UsageError(
                "TSKM (rc) needs a reference (-r); without one: tskm(pairs=cs), tskm(pairs=sc) or tskm(pairs=cs+sc)"
            )
        return test_set.human_references
    if pair == "cs":
        if not test_set.pseudo_references:
            raise UsageError(
                "TSKM (cs) needs a machine translation of the source: --pseudo-reference FILE, or a program that makes "
                "one from -s: --translator COMMAND"
            )
        return test_set.pseudo_references
    if test_set.sources is None:
        raise UsageError("TSKM (sc) needs the source (-s)")
    return (test_set.sources,)


def _back(known: Mapping[str, str], outputs: Sequence[str]) -> list[str]:
    """The outputs translated back; a blank one need not be."""
    missing = [text for text in outputs if text.strip() and text not in known]
    if missing:
        raise UsageError(
            f"TSKM (sc) needs outputs translated back, and {len(missing)} of {len(outputs)} are not, as "
            f"{missing[0][:40]!r}: --back-translation SYS=FILE, or --back-translator COMMAND"
        )
    return [known.get(text, "") for text in outputs]
