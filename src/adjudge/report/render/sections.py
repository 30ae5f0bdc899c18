"""A report in sections, each a heading, tables and sentences: for screens, Markdown and LaTeX alike."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.display import (
    LISTED,
    Layout,
    Line,
    Scatter,
    Section,
    Signature,
    StyledText,
    cell_width,
    visible,
    wrapped,
)
from adjudge.report.render.latex import escape as latex_escape
from adjudge.report.render.latex import latex_table
from adjudge.report.render.markdown import escape as markdown_escape
from adjudge.report.render.markdown import markdown_table
from adjudge.report.render.text import scatter_lines, table_lines

WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""

MARKED = {"✓": "win", "✗": "loss", "?": "warning"}
"""Styles of what stands before the colon of a point that begins so."""
BOLD = ("heading", "loss")
"""Styles of a lead that is bold in Markdown."""


def text_of(sections: Sequence[Section], *, width: int | None = None, rule: bool = False) -> list[Line]:
    """For a screen, or a file of plain text."""
    lines: list[Line] = []
    for section in sections:
        own = _section_lines(section, width, rule)
        lines += [[]] if lines and lines[-1] and own else []
        lines += own
    return lines


def _section_lines(section: Section, width: int | None, rule: bool) -> list[Line]:
    fill = min((w for w in (width, section.layout.widest) if w is not None), default=None)
    lines = _styled(wrapped(visible(section.title).split(), width=width, indent=""), "heading")
    lines = lines if section.title else []
    if section.lead:
        lines += _styled(wrapped(visible(section.lead).split(), width=fill, indent=""), section.style)
    body: list[Line] = []
    if section.drawn is not None:
        body += section.drawn(width, rule)
    for number, table in enumerate(() if section.drawn else section.tables):
        body += [[]] if number else []
        body += table_lines(table, width=width, rule=rule)
    for chart in section.charts:
        if isinstance(chart, Scatter) and chart.on_screen:
            body += [[], *scatter_lines(chart)]
    body += [[]] if section.tables and section.sentences else []
    for sentence in section.sentences:
        body += sentence_lines(sentence, fill, section.layout)
    for warning in section.warnings:
        body += [
            [StyledText(span.text, "loud") for span in line]
            for line in sentence_lines(warning, fill, section.layout)
        ]
    return [*lines, *body, *([[]] if body and section.notes else []), *_note_lines(section.notes, fill)]


def sentence_lines(sentence: str, width: int | None, layout: Layout = LISTED) -> list[Line]:
    """One point of a list; capitals at its start are meant to be seen."""
    first = sentence.split(":")[0]
    shouted = first.isupper() and len(first.split()) > 1
    loud = "loud" if shouted or sentence.startswith("METRICS CONTRADICT") else ""
    lines: list[Line] = []
    for index, (span,) in enumerate(wrapped(visible(sentence).split(), width=width, indent=layout.others)):
        text = span.text if index else f"{layout.first}{span.text.lstrip()}"
        head, colon, rest = text.partition(":")
        marked = MARKED.get(sentence[:1]) if not index and colon else None
        lines.append(
            [StyledText(head, marked), StyledText(colon + rest)] if marked else [StyledText(text, loud)]
        )
    return lines


def _note_lines(notes: Sequence[str | Signature], width: int | None) -> list[Line]:
    room = max((cell_width(note.metric) for note in notes if isinstance(note, Signature)), default=0)
    lines: list[Line] = []
    for note in notes:
        if isinstance(note, Signature):
            lines.append([StyledText(f"{note.metric}{' ' * (room - cell_width(note.metric))}  {note.text}")])
        else:
            lines += wrapped(visible(note).split(), width=width, indent="")
    return _styled(lines, "note")


def _styled(lines: Sequence[Line], style: str) -> list[Line]:
    return [[StyledText(span.text, style) for span in line] for line in lines]


def markdown_of(sections: Sequence[Section]) -> str:
    """For a README, an issue or a paper's appendix."""
    parts = []
    for section in sections:
        parts += [f"**{markdown_escape(section.title)}**\n"] if section.title else []
        if section.lead:
            lead = markdown_escape(section.lead)
            parts.append(f"**{lead}**\n" if section.style in BOLD else f"{lead}\n")
        parts += [markdown_table(table) for table in section.tables]
        parts += [markdown_table(section.printed)] if section.printed else []
        sentences = "".join(f"- {_markdown_note(note)}\n" for note in _printed_sentences(section))
        parts += [sentences] if sentences else []
    return "\n".join(parts)


def _markdown_note(note: str | Signature) -> str:
    if isinstance(note, Signature):
        return f"{markdown_escape(note.metric)}: `{note.text}`"
    return markdown_escape(note)


def latex_of(sections: Sequence[Section]) -> str:
    """Tables for a paper; what is said of them stands in comments, for a person to choose from."""
    text = ""
    for section in sections:
        title = latex_escape(visible(section.title))
        tables = [*section.tables, *([section.printed] if section.printed else [])]
        head = f"\\par\\medskip\\noindent\\textit{{{title}}}\\par\\noindent\n" if title and tables else ""
        # No empty line below a title, for that ends the paragraph that must not be indented.
        text += ("\n" if text and (head or tables) else "") + head + "\n".join(map(latex_table, tables))
        if section.legend:
            text += f"\\par\\smallskip\\noindent\n{{\\footnotesize {latex_escape(section.legend)}}}\n"
        sentences = [*([section.lead] if section.lead else []), *_printed_sentences(section)]
        text += "".join(f"% {note_text(note)}\n" for note in sentences)
    return text


def note_text(note: str | Signature) -> str:
    """A note in a line."""
    return f"{note.metric}: {note.text}" if isinstance(note, Signature) else visible(note)


def _printed_sentences(section: Section) -> list[str | Signature]:
    """What is said in print: all sentences, but those that a table there stands for."""
    return [*(() if section.printed else section.sentences), *section.warnings, *section.notes]
