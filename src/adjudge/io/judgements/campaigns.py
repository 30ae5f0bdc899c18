"""Campaigns of other tools: what is to be judged, by whom, in which order; files in, `Tasks` out, and back.

`campaigns/exchange.py` makes a campaign of ours from tasks, and tasks from a campaign.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data.tasks import Tasks
from adjudge.errors import DataError, unknown_name
from adjudge.io.files import read_bytes, shown
from adjudge.io.jsontext import value_of
from adjudge.io.judgements.formats import CAMPAIGNS


def read(paths: str | Sequence[str]) -> Tasks:
    """The campaign of one file, or of several that belong together, whichever comes first."""
    files = {path: read_bytes(path)[0] for path in ([paths] if isinstance(paths, str) else paths)}
    held = [value_of(path, data) for path, data in files.items()]
    for campaign in CAMPAIGNS.values():
        if all(map(campaign.is_part, held)) and (tasks := campaign.read(files)) is not None:
            return tasks
    expected = [campaign.expected for campaign in CAMPAIGNS.values()]
    raise DataError(
        f"{', '.join(map(shown, files))}: no campaign; {expected[0]} was expected, or {', or '.join(expected[1:])}"
    )


def is_campaign(path: str) -> bool:
    """Whether a file is of another tool's campaign, whole or a part of it."""
    if not path.endswith(".json"):
        return False
    try:
        held = value_of(path, read_bytes(path)[0])
    except DataError:
        return False
    return any(campaign.is_part(held) for campaign in CAMPAIGNS.values())


def write(tasks: Tasks, output_format: str) -> dict[str, bytes]:
    """Files by their names."""
    if output_format not in CAMPAIGNS:
        raise unknown_name("format of campaigns", output_format, CAMPAIGNS)
    if not tasks.batches:
        raise DataError("there is nothing to judge in this campaign")
    return CAMPAIGNS[output_format].write(tasks)
