"""Kernels on trees and sequences: how much of their structure two of them share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from adjudge.data.trees import NodeKind, Tree, read_tree, write_tree
from adjudge.kernels.base import Kernel, PreparedStructures
from adjudge.kernels.sequences import SK
from adjudge.kernels.trees import CSPTK, PTK, SPTK, SSTK, STK
from adjudge.kernels.vectors import WordVectors

__all__ = [
    "CSPTK",
    "PTK",
    "SK",
    "SPTK",
    "SSTK",
    "STK",
    "Kernel",
    "NodeKind",
    "PreparedStructures",
    "Tree",
    "WordVectors",
    "csptk",
    "ptk",
    "read_tree",
    "sk",
    "sptk",
    "sstk",
    "stk",
    "write_tree",
]


def sk(a: Sequence[Hashable], b: Sequence[Hashable], *, normalise: bool = False, **parameters: Any) -> float:
    """The sequence kernel of two sequences, with the parameters of `SK`."""
    return SK(**parameters)(a, b, normalise=normalise)


def ptk(a: Tree | str, b: Tree | str, *, normalise: bool = False, **parameters: Any) -> float:
    """The partial tree kernel of two trees, with the parameters of `PTK`."""
    return PTK(**parameters)(a, b, normalise=normalise)


def sptk(a: Tree | str, b: Tree | str, *, normalise: bool = False, **parameters: Any) -> float:
    """The smoothed partial tree kernel of two trees, with the parameters of `SPTK`."""
    return SPTK(**parameters)(a, b, normalise=normalise)


def csptk(a: Tree | str, b: Tree | str, *, normalise: bool = False, **parameters: Any) -> float:
    """The compositional smoothed partial tree kernel of two trees, with the parameters of `CSPTK`."""
    return CSPTK(**parameters)(a, b, normalise=normalise)


def sstk(a: Tree | str, b: Tree | str, *, normalise: bool = False, **parameters: Any) -> float:
    """The subset tree kernel of two trees, with the parameters of `SSTK`."""
    return SSTK(**parameters)(a, b, normalise=normalise)


def stk(a: Tree | str, b: Tree | str, *, normalise: bool = False, **parameters: Any) -> float:
    """The subtree kernel of two trees, with the parameters of `STK`."""
    return STK(**parameters)(a, b, normalise=normalise)
