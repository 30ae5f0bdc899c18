"""A report in sections, each a heading, tables and sentences: for screens, Markdown and LaTeX alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.report.latex import escape as latex_escape
from adjudge.report.latex import latex_table
from adjudge.report.markdown import escape as markdown_escape
from adjudge.report.markdown import markdown_table
from adjudge.report.table import Table, visible
from adjudge.report.text import Line, Span, table_lines, wrapped

WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""

MARKED = {"✓": "win", "✗": "loss", "?": "warning"}
"""Styles of what stands before the colon of a point that begins so."""


@dataclass(frozen=True)
class Section:
    """What belongs together."""

    title: str = ""
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
    """Said one by one, as a list."""
    notes: tuple[str, ...] = ()
    """How it was done and what columns mean; less loud."""
    printed: Table | None = None
    """In Markdown, LaTeX and on pages, in place of the sentences."""
    key: str = ""
    """What it is about, for pages that have a drawing of it."""


def text_of(sections: Sequence[Section], *, width: int | None = None, rule: bool = False) -> list[Line]:
    """For a screen, or a file of plain text."""
    fill = min(width or WIDTH_OF_TEXT, WIDTH_OF_TEXT)
    lines: list[Line] = []
    for section in sections:
        if lines and lines[-1]:
            lines.append([])
        if section.title:
            for (span,) in wrapped(visible(section.title).split(), width=width, indent=""):
                lines.append([Span(span.text, "heading")])
        for number, table in enumerate(section.tables):
            lines += [[]] if number else []
            lines += table_lines(table, width=width, rule=rule)
        lines += [[]] if section.tables and section.sentences else []
        for sentence in section.sentences:
            lines += sentence_lines(sentence, fill)
        lines += [[]] if section.notes and (section.tables or section.sentences) else []
        for note in section.notes:
            filled = wrapped(visible(note).split(), width=fill, indent="")
            lines += [[Span(span.text, "note") for span in line] for line in filled]
    return lines


def sentence_lines(sentence: str, width: int) -> list[Line]:
    """One point of a list; capitals at its start are meant to be seen."""
    first = sentence.split(":")[0]
    shouted = first.isupper() and len(first.split()) > 1
    loud = "loud" if shouted or sentence.startswith("METRICS CONTRADICT") else ""
    lines: list[Line] = []
    for index, (span,) in enumerate(wrapped(visible(sentence).split(), width=width, indent="  ")):
        text = span.text if index else f"- {span.text.lstrip()}"
        head, colon, rest = text.partition(":")
        marked = MARKED.get(sentence[:1]) if not index and colon else None
        lines.append([Span(head, marked), Span(colon + rest)] if marked else [Span(text, loud)])
    return lines


def markdown_of(sections: Sequence[Section]) -> str:
    """For a README, an issue or a paper's appendix."""
    parts = []
    for section in sections:
        parts += [f"**{markdown_escape(visible(section.title))}**\n"] if section.title else []
        parts += [markdown_table(table) for table in section.tables]
        parts += [markdown_table(section.printed)] if section.printed else []
        said = [*(() if section.printed else section.sentences), *section.notes]
        parts += ["".join(f"- {markdown_escape(visible(s))}\n" for s in said)] if said else []
    return "\n".join(parts)


def latex_of(sections: Sequence[Section]) -> str:
    """Tables for a paper; what is said of them stands in comments, for a person to choose from."""
    parts = []
    for section in sections:
        if section.title:
            parts.append(
                f"\\par\\medskip\\noindent\\textit{{{latex_escape(visible(section.title))}}}\\par\\noindent\n"
            )
        parts += [latex_table(table, []) for table in section.tables]
        parts += [latex_table(section.printed, [])] if section.printed else []
        said = [*(() if section.printed else section.sentences), *section.notes]
        parts += ["".join(f"% {visible(s)}\n" for s in said)]
    return "\n".join(part for part in parts if part)
