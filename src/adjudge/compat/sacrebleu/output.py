"""What sacreBLEU prints, as strings: lines of scores, JSON, and tables as its table package draws them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.compat.sacrebleu.significance import Result

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
COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
CONFIDENCE = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")
NOT_SIGNIFICANT = re.compile(r"\(p = [0-9.]+\)(?!\*)")


def single_system(results: Sequence[str], format: str, *, colour: bool = False) -> str:
    """One system's scores, already written out one by one; text is aligned at the equals sign."""
    if colour and format != "json":
        results = [CONFIDENCE.sub(lambda match: _paint(match[0], "cyan"), result) for result in results]
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


def subset_lines(
    results: Mapping[str, Sequence[tuple[int, Any]]], width: int, *, colour: bool = False
) -> list[str]:
    """Scores of parts of a test set, each with its number of sentences."""
    if not results:
        return ["No subset information found. Consider using --origlang argument."]
    left = max(map(len, results)) + 1
    name_width = max(len(score.name) for _, score in next(iter(results.values())))
    return [
        f"{_paint(f'{name:<{left}}', 'yellow') if colour else f'{name:<{left}}'}: "
        f"sentences={sentences:<6} {score.name:<{name_width}} = {score.score:.{width}f}"
        for name, scores in results.items()
        for sentences, score in scores
    ]


def many_systems(
    systems: Sequence[str],
    scores: Mapping[str, Sequence[Any]],
    signatures: Mapping[str, str],
    format: str,
    *,
    note: str = "",
    colour: bool = False,
) -> str:
    """A table of systems by metrics, a note and the signatures below it, or a JSON list without those."""
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
    return "\n".join([*table, "", *([note, ""] if note else []), *_underline(title), *lines])


def paired_cells(columns: Mapping[str, Sequence[Result]], format: str, width: int) -> dict[str, list[Any]]:
    """What `many_systems` takes, from the columns of a paired test."""
    if format == "json":
        return {
            metric: [{name: _number(value) for name, value in vars(result).items()} for result in results]
            for metric, results in columns.items()
        }
    resampled = any(result.mean is not None for results in columns.values() for result in results)
    heading = " (μ ± 95% CI)" if resampled else ""
    separator = " " if format == "latex" else "\n"
    return {
        metric + heading: [_cell(result, width, separator) for result in results]
        for metric, results in columns.items()
    }


def _cell(result: Result, width: int, separator: str) -> str:
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        text += f"{separator}(p = {result.p_value:.4f})" + ("" if result.p_value > 0.05 else "*")
    return text


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)  # JSON knows no float32


def paired_note(test: str, samples: int, baseline: str, *, colour: bool = False) -> str:
    """What sacreBLEU says about a paired test under its table."""

    def paint(text: str, name: str) -> str:
        return _paint(text, name) if colour else text

    bootstrap = test == "bs"
    title = (
        f"Paired bootstrap resampling test with {samples} resampling trials"
        if bootstrap
        else f"Paired approximate randomization test with {samples} trials"
    )
    shown = "score / bootstrap estimated true mean / 95% CI are" if bootstrap else "score is"
    # Systems from stdin have no names to mention.
    named = paint(baseline if baseline.startswith("Baseline:") else "", "yellow")
    base, null, small = paint("baseline", "yellow"), paint("Null hypothesis", "green"), "null hypothesis"
    small = paint(small, "green")
    return "\n".join(
        [
            *_underline(title),
            f" - Each system is pairwise compared to {named}.",
            f"   Actual system {shown} provided for each metric.",
            "",
            f" - {null}: the system and the {base} translations are essentially",
            f"   generated by the same underlying process. For a given system and the {base},",
            "   the p-value is roughly the probability of the absolute score difference (delta)",
            f"   or higher occurring due to chance, under the assumption that the {small} is correct.",
            "",
            f" - Assuming a significance threshold of 0.05, the {small} can be rejected",
            '   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed',
            f'   to chance, hence the system is significantly "different" than the {base}.',
            f"   Otherwise, the p-values are {paint('highlighted in red', 'red')}.",
            "",
            f' - NOTE: Significance does not tell whether a system is "better" than the {base} but rather',
            '   emphasizes the "difference" of the systems in terms of the replicability of the delta.',
        ]
    )


def _underline(title: str) -> list[str]:
    return ["-" * len(title), title, "-" * len(title)]


def _paint(text: str, colour: str) -> str:
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def _grid(columns: Mapping[str, Sequence[str]], *, colour: bool) -> list[str]:
    header, body, widths = _cells(columns, colour=colour)
    texts = [[_row(line) for line in lines] for lines in body]

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * (width + 2) for width in widths) + right

    lines = [rule("╒", "═", "╤", "╕"), _row(header), rule("╞", "═", "╪", "╡"), *texts[0]]
    for text in texts[1:]:
        lines += [rule("├", "─", "┼", "┤"), *text]
    return [*lines, rule("╘", "═", "╧", "╛")]


def _row(cells: Sequence[str]) -> str:
    return "│" + "│".join(f" {cell} " for cell in cells) + "│"


def _latex(columns: Mapping[str, Sequence[str]], *, colour: bool) -> list[str]:
    header, body, _ = _cells(columns, colour=colour)
    rows = [
        "&".join(f" {cell} ".translate(LATEX) for cell in row) + r"\\"
        for row in (header, *(line for lines in body for line in lines))
    ]
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
) -> tuple[list[str], list[list[list[str]]], list[int]]:
    """Header and rows padded to the columns' widths: the first column to the right, the others centred.

    A row is a list of lines, since a cell may have more than one.
    """
    names = list(columns)
    texts = [[value.strip().split("\n") for value in values] for values in columns.values()]
    # A heading has room for two more characters, as in the tables people know.
    widths = [
        max(len(name) + 2, *(len(line) for lines in column for line in lines))
        for name, column in zip(names, texts, strict=True)
    ]
    sides = [">", *"^" * (len(names) - 1)]
    header = [f"{name:{side}{width}}" for name, side, width in zip(names, sides, widths, strict=True)]
    body = []
    for row in zip(*texts, strict=True):
        height = max(map(len, row))
        body.append(
            [
                [
                    f"{lines[number] if number < len(lines) else '':{side}{width}}"
                    for lines, side, width in zip(row, sides, widths, strict=True)
                ]
                for number in range(height)
            ]
        )
    if colour:
        header = [_colour_cell(cell, "cyan") for cell in header]
        if texts[0][0][0].startswith("Baseline:"):
            body[0] = [[_colour_cell(cell, "yellow") for cell in line] for line in body[0]]
        body = [
            [
                [NOT_SIGNIFICANT.sub(lambda match: _paint(match[0], "red"), cell) for cell in line]
                for line in row
            ]
            for row in body
        ]
    return header, body, widths


def _colour_cell(cell: str, colour: str) -> str:
    """Colour the text of a padded cell and not its padding."""
    text = cell.strip()
    return cell.replace(text, _paint(text, colour)) if text else cell
