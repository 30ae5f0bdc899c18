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
    """A format that is read: what it is, who reads it, and how a file of it is told."""

    about: str
    """For people, in a line."""
    read: Callable[[InputFile], FileContent]
    is_file: Callable[[InputFile], bool] | None = None
    """Whether a file is of this format, by how it begins; asked first."""
    is_table: Callable[[InputFile], bool] | None = None
    """Whether a file is of this format, by the names of its columns; asked of what no `is_file` knows."""
    texts: Callable[[Judgements, InputFile], Texts] | None = None
    """The texts in it, where they are not simply in columns."""


@dataclass(frozen=True)
class Writer:
    """A format that is written: what it is, and who writes it."""

    about: str
    write: Callable[[WriteRequest], JudgementFile]
    only_scores: bool = False
    """Whether it holds nothing but scores: errors are weighed before they are written."""
    says_direction: bool = True
    """Whether whoever reads it can tell that lower is better."""


@dataclass(frozen=True)
class CampaignFormat:
    """The files in which a tool keeps what is to be judged."""

    about: str
    expected: str
    """Its files, as one asks for them."""
    is_part: Callable[[Any], bool]
    """Whether the JSON of a file is one of them."""
    read: Callable[[Mapping[str, bytes]], Tasks | None]
    """The campaign of files by their paths; None where these are too few or too many."""
    write: Callable[[Tasks], dict[str, bytes]]
    """Files by their names."""
    not_judged: Callable[[InputFile], str]
    """What a file holds that belongs to a campaign and has no judgements, and where those are; '' for other files."""


@dataclass(frozen=True)
class Tool:
    """All formats of a tool by their names."""

    readers: Mapping[str, Reader] = field(default_factory=dict)
    writers: Mapping[str, Writer] = field(default_factory=dict)
    campaign: CampaignFormat | None = None
