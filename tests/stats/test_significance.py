"""One rule decides what is significant, in one place."""

import ast
import math
from pathlib import Path

import numpy as np

import adjudge
from adjudge.stats.significance import significant

LEVELS = ("alpha", "ALPHA", "alpha_each")
NO_P = {"check_wanted", "p_number", "_side", "_error_rate"}
"""Functions that decide something else: whether a power is worth planning for, how many decimals a p is shown with,
whether a test errs more often than asked for."""


def test_alpha_itself_is_significant_and_an_unknown_p_is_not():
    for p, expected in ((0.05, True), (np.nextafter(0.05, 1), False), (0.0, True), (math.nan, False)):
        assert significant(float(p), 0.05) is expected
        assert significant(np.array([p]), 0.05).tolist() == [expected]


def test_nobody_else_holds_a_p_against_alpha():
    """Elsewhere alpha is compared with numbers only, by those who check that it is a share."""
    root, found = Path(adjudge.__file__).parent, []
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for function in ast.walk(ast.parse(text)) if "alpha" in text.lower() else ():
            if isinstance(function, ast.FunctionDef) and function.name not in NO_P:
                found += [
                    f"{path.relative_to(root)}:{node.lineno}" for node in ast.walk(function) if _decides(node)
                ]
    assert found == _lines_of_the_rule(root)


def _lines_of_the_rule(root: Path) -> list[str]:
    lines = (root / "stats/significance.py").read_text(encoding="utf-8").splitlines()
    return [f"stats/significance.py:{n}" for n, line in enumerate(lines, 1) if "p <= alpha" in line]


def _decides(node: ast.AST) -> bool:
    """Whether something that is no number is compared with alpha."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    sides = [node.left, *node.comparators]
    orders = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    named = [isinstance(side, ast.Name | ast.Attribute) and _name(side) in LEVELS for side in sides]
    return orders and any(named) and not any(isinstance(side, ast.Constant) for side in sides)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
