"""What sacreBLEU prints, as strings: lines of scores, JSON, and tables as its table package draws them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "^": r"\^{}",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
)
CYAN, PLAIN = "\x1b[36m", "\x1b[0m"


def single_system(results: Sequence[str], format: str) -> str:
    """One system's scores, already written out one by one; text is aligned at the equals sign."""
    if len(results) == 1:
        return results[0]
    if format == "json":
        return "[\n" + ",\n".join(results) + "\n]"
    lefts = [result.partition(" =")[0] for result in results]
    if lefts == list(results):  # bare numbers have nothing to align
        return "\n".join(results)
    width = max(map(len, lefts))
    return "\n".join(
        f"{left:>{width}}{result[len(left) :]}" for left, result in zip(lefts, results, strict=True)
    )


def many_systems(
    systems: Sequence[str],
    scores: Mapping[str, Sequence[str]],
    signatures: Mapping[str, str],
    format: str,
    *,
    colour: bool = False,
) -> str:
    """A table of systems by metrics with the signatures below it, or a JSON list without them."""
    if format == "json":
        rows = [
            {"system": system} | {metric: column[row] for metric, column in scores.items()}
            for row, system in enumerate(systems)
        ]
        return json.dumps(rows, indent=4)
    columns = {"System": systems, **scores}
    table = _latex(columns, colour=colour) if format == "latex" else _grid(columns, colour=colour)
    title = "Metric signatures"
    lines = [f" - {metric:<10} {signature}" for metric, signature in signatures.items()]
    return "\n".join([*table, "", "-" * len(title), title, "-" * len(title), *lines])


def _grid(columns: Mapping[str, Sequence[str]], *, colour: bool) -> list[str]:
    header, body, widths = _cells(columns, colour=colour)

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * (width + 2) for width in widths) + right

    rows = ["│" + "│".join(f" {cell} " for cell in row) + "│" for row in body]
    lines = [rule("╒", "═", "╤", "╕"), "│" + "│".join(f" {cell} " for cell in header) + "│"]
    lines += [rule("╞", "═", "╪", "╡"), rows[0]]
    for row in rows[1:]:
        lines += [rule("├", "─", "┼", "┤"), row]
    return [*lines, rule("╘", "═", "╧", "╛")]


def _latex(columns: Mapping[str, Sequence[str]], *, colour: bool) -> list[str]:
    header, body, _ = _cells(columns, colour=colour)
    rows = ["&".join(f" {cell} ".translate(LATEX) for cell in row) + r"\\" for row in (header, *body)]
    alignment = "r" + "c" * (len(columns) - 1)
    return [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        rows[0],
        r"\midrule",
        *rows[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _cells(
    columns: Mapping[str, Sequence[str]], *, colour: bool
) -> tuple[list[str], list[tuple[str, ...]], list[int]]:
    """Header and rows padded to the columns' widths: the first column to the right, the others centred."""
    header, padded, widths = [], [], []
    for index, (name, values) in enumerate(columns.items()):
        # A heading has room for two more characters, as in the tables people know.
        width = max(len(name) + 2, *(len(value.strip()) for value in values))
        side = ">" if index == 0 else "^"
        heading = f"{name:{side}{width}}"
        header.append(heading.replace(name, CYAN + name + PLAIN) if colour else heading)
        padded.append([f"{value.strip():{side}{width}}" for value in values])
        widths.append(width)
    return header, list(zip(*padded, strict=True)), widths
