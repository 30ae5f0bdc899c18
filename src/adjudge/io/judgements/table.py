"""Ratings in named columns, one row per judgement, whichever tool wrote them."""

from __future__ import annotations

from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.ratings import ratings
from adjudge.io.judgements.tool import Reader, Tool


def read(file: InputFile) -> FileContent:
    """One judgement per row."""
    return ratings(file.sheet, protocol=file.protocol, column=file.column)


TOOL = Tool(
    readers={
        "table": Reader(
            "named columns: a row a judgement (TSV, CSV, JSON lines, columns parted by spaces)", read
        ),
        "tsv": Reader("the same, parted by tabs", read),
        "csv": Reader("the same, parted by commas", read),
        "jsonl": Reader("the same, a JSON object a line", read),
    },
)
