"""What a tool's module offers: formats that it reads, formats that it writes, its campaigns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge.data.judgements import Judgements
from adjudge.data.tasks import Tasks
from adjudge.data.texts import Texts
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import JudgementFile, WriteRequest


@dataclass(frozen=True)
class Reader:
    """A format that can be read: its description, its reader, and how files of it are recognised."""

    about: str
    """A description in one line."""
    read: Callable[[InputFile], FileContent]
    is_file: Callable[[InputFile], bool] | None = None
    """Whether a file is of this format, by its beginning; tried first."""
    is_table: Callable[[InputFile], bool] | None = None
    """Whether a file is of this format, by its column names; tried if no `is_file` recognises it."""
    texts: Callable[[Judgements, InputFile], Texts] | None = None
    """Reads the texts, where these are not simply in columns."""


@dataclass(frozen=True)
class Writer:
    """A format that can be written: its description and its writer."""

    about: str
    write: Callable[[WriteRequest], JudgementFile]
    only_scores: bool = False
    """Whether it holds only scores, so that errors are weighted before they are written."""
    says_direction: bool = True
    """Whether a reader can tell from the file that lower is better."""


@dataclass(frozen=True)
class CampaignFormat:
    """The files in which a tool stores campaigns."""

    about: str
    expected: str
    """The expected files, for messages."""
    is_part: Callable[[Any], bool]
    """Whether the JSON of a file is one of them."""
    read: Callable[[Mapping[str, bytes]], Tasks | None]
    """The campaign of files by their paths; None where these are too few or too many."""
    write: Callable[[Tasks], dict[str, bytes]]
    """The content of files, by name."""
    not_judged: Callable[[InputFile], str]
    """What a file of a campaign without judgements holds, and where judgements are; '' for other files."""


@dataclass(frozen=True)
class Tool:
    """All formats of a tool by their names."""

    readers: Mapping[str, Reader] = field(default_factory=dict)
    writers: Mapping[str, Writer] = field(default_factory=dict)
    campaign: CampaignFormat | None = None
