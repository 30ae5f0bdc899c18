"""Sections and tables in LaTeX, with the rules of the booktabs package."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adjudge.display import DOWN, UP, Cell, Column, Section, Table, note_text, visible
from adjudge.wording import MISSING

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "'": r"\char39{}",
    "`": r"{}\char96{}",  # braced on both sides, because ?` and !` are Spanish
    # A hyphen after a hyphen would print as a dash.
    "-": "-{}",
    UP: r"$\uparrow$",
    DOWN: r"$\downarrow$",
    MISSING: "--",
    "−": "$-$",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "α": r"$\alpha$",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "…": r"\ldots{}",
}
PATTERN = re.compile("|".join(re.escape(c) if c != "-" else "-(?=-)" for c in SPECIAL))


def latex_of(sections: Sequence[Section]) -> str:
    """Tables for a paper; what is said of them stands in comments, for a person to choose from."""
    text = ""
    for section in sections:
        title = escape(visible(section.title))
        tables = [*section.tables, *([section.printed] if section.printed else [])]
        head = f"\\par\\medskip\\noindent\\textit{{{title}}}\\par\\noindent\n" if title and tables else ""
        # No empty line below a title, for that ends the paragraph that must not be indented.
        text += ("\n" if text and (head or tables) else "") + head + "\n".join(map(latex_table, tables))
        if section.legend:
            text += f"\\par\\smallskip\\noindent\n{{\\footnotesize {escape(section.legend)}}}\n"
        sentences = [*([section.lead] if section.lead else []), *section.printed_sentences]
        text += "".join(f"% {note_text(note)}\n" for note in sentences)
    return text


def latex_table(table: Table) -> str:
    """A tabular with the best of each column bold."""
    layout = "".join(map(_layout, table.columns))
    lines = [
        r"% \usepackage{booktabs}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        _line([escape(column.heading) for column in table.columns]),
        r"\midrule",
    ]
    for row in table.rows:
        if row.rule:
            lines.append(r"\midrule")
        cells = [_cell(cell) for cell in row.cells]
        if row.detail:
            cells[table.keys - 1] = rf"\quad {cells[table.keys - 1]}"
        lines.append(_line(cells))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _layout(column: Column) -> str:
    if column.wide:
        return rf"p{{{column.wide:g}\linewidth}}"
    return "r" if column.numeric else "l"


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    return PATTERN.sub(lambda match: SPECIAL[match[0]], text)


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    return text + (rf"\textsuperscript{{{escape(cell.marks)}}}" if cell.marks else "")


def _line(cells: list[str]) -> str:
    # A bracket or star after the \\ of the line before would be read as an option of it.
    return " & ".join(f"{{{cell}}}" if cell.startswith(("[", "*")) else cell for cell in cells) + r" \\"
