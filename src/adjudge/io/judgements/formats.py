"""The formats of judgements, and how the format of a file is recognised: one module per tool, one line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

from adjudge.errors import DataError
from adjudge.io.files import path_text
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.tool import CampaignFormat, Reader, Tool, Writer

TOOLS = (
    "adjudge_export",
    "table",
    "pearmut",
    "wmt",
    "qe",
    "mqm",
    "appraise",
    "mturk",
    "mtme",
)
"""The modules, in the order in which they try to recognise a file."""
_OWN, _TABLE, _JSON_TABLE = "adjudge", "table", "jsonl"


def tool(name: str) -> Tool:
    """The formats of a tool; its module is imported now."""
    return cast(Tool, importlib.import_module(f"{__package__}.{name}").TOOL)


READERS: Mapping[str, Reader] = {key: reader for name in TOOLS for key, reader in tool(name).readers.items()}
WRITERS: Mapping[str, Writer] = {key: writer for name in TOOLS for key, writer in tool(name).writers.items()}
CAMPAIGNS: Mapping[str, CampaignFormat] = {
    name: campaign for name in TOOLS if (campaign := tool(name).campaign) is not None
}
FORMATS = {name: reader.about for name, reader in READERS.items()}
"""Formats that can be read, with descriptions."""
OUTPUT_FORMATS = {name: writer.about for name, writer in WRITERS.items()}
"""Formats that can be written, with descriptions."""
CAMPAIGN_FORMATS = {name: campaign.about for name, campaign in CAMPAIGNS.items()}
"""Tools whose campaigns can be read and written, with descriptions."""
SHAPES = (_TABLE, "tsv", "csv", _JSON_TABLE)
"""Formats that say how columns are separated, but nothing about their content."""


def recognise_format(file: InputFile, named: str | None = None) -> str:
    """The format of a file: the one that was named, unless it is only a shape, or else by the file's content."""
    if named is not None and named not in SHAPES:
        return named
    for name, reader in READERS.items():
        if (named is None or name == _OWN) and reader.is_file is not None and reader.is_file(file):
            return name
    if named is None and file.is_json:
        refuse_campaign(file)
    for name, reader in READERS.items():
        if reader.is_table is not None and reader.is_table(file):
            return name
    return named or (_JSON_TABLE if file.is_json else _TABLE)


def refuse_campaign(file: InputFile) -> None:
    """Refuse files of another tool's campaign, which hold no judgements yet."""
    for campaign in CAMPAIGNS.values():
        if what := campaign.not_judged(file):
            raise DataError(f"{path_text(file.path)} holds {what}")
    if file.value is not None:
        raise DataError(f"{path_text(file.path)} is one piece of JSON; one object a line was expected")
