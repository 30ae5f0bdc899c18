"""Which formats of judgements there are, and how that of a file is told: one module per tool, one line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

from adjudge.errors import DataError
from adjudge.io.files import shown
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
"""The modules, in the order in which they are asked whether a file is theirs."""
_OWN, _TABLE, _JSON_TABLE = "adjudge", "table", "jsonl"


def tool(name: str) -> Tool:
    """What a tool's module offers, loaded now."""
    return cast(Tool, importlib.import_module(f"{__package__}.{name}").TOOL)


READERS: Mapping[str, Reader] = {key: reader for name in TOOLS for key, reader in tool(name).readers.items()}
WRITERS: Mapping[str, Writer] = {key: writer for name in TOOLS for key, writer in tool(name).writers.items()}
CAMPAIGNS: Mapping[str, CampaignFormat] = {
    name: campaign for name in TOOLS if (campaign := tool(name).campaign) is not None
}
FORMATS = {name: reader.about for name, reader in READERS.items()}
"""What is read, for people."""
OUTPUT_FORMATS = {name: writer.about for name, writer in WRITERS.items()}
"""What is written, for people."""
CAMPAIGN_FORMATS = {name: campaign.about for name, campaign in CAMPAIGNS.items()}
"""Whose campaigns are read and written, for people."""
SHAPES = (_TABLE, "tsv", "csv", _JSON_TABLE)
"""Formats that say how columns are parted, and nothing of what is in them."""


def recognise_format(file: InputFile, named: str | None = None) -> str:
    """The format of a file: the one that was named, unless that is but its shape, or by what the file holds."""
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
    """Say of files that go into a campaign of another tool that nobody has judged them yet."""
    for campaign in CAMPAIGNS.values():
        if what := campaign.not_judged(file):
            raise DataError(f"{shown(file.path)} holds {what}")
    if file.value is not None:
        raise DataError(f"{shown(file.path)} is one piece of JSON; one object a line was expected")
