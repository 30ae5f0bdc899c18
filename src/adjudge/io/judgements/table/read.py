"""Ratings in columns with names, whoever wrote them."""

from __future__ import annotations

from adjudge.io.judgements.content import FileContent
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.ratings import ratings


def read(file: InputFile) -> FileContent:
    """A judgement a row."""
    return ratings(file.sheet, protocol=file.protocol, column=file.column)
