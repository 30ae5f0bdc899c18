"""Which tool a campaign is of."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from adjudge.errors import DataError, unknown_name
from adjudge.io.campaigns import appraise, pearmut
from adjudge.io.campaigns.tasks import Tasks
from adjudge.io.files import read_bytes, shown

FORMATS = {
    "appraise": "Appraise: manifest.json and batches.json",
    "pearmut": "pearmut: one JSON file",
}
_WRITERS: dict[str, Callable[[Tasks], dict[str, bytes]]] = {
    "appraise": appraise.write,
    "pearmut": pearmut.write,
}


def read(paths: str | Sequence[str]) -> Tasks:
    """The campaign of one file, or of Appraise's two, whichever comes first."""
    files = [paths] if isinstance(paths, str) else list(paths)
    found = {path: read_bytes(path)[0] for path in files}
    held = {path: _json(path, data) for path, data in found.items()}
    batches = [path for path in files if appraise.is_batches(held[path])]
    manifests = [path for path in files if appraise.is_manifest(held[path])]
    campaigns = [path for path in files if pearmut.is_campaign(held[path])]
    if len(files) == 1 and campaigns:
        return pearmut.read(files[0], found[files[0]])
    if len(batches) == 1 and len(batches) + len(manifests) == len(files) <= 2:
        manifest = manifests[0] if manifests else ""
        return appraise.read(batches[0], found[batches[0]], manifest, found.get(manifest, b""))
    if manifests and not batches:
        raise DataError(
            f"{shown(manifests[0])} says how a campaign is run; what is judged is in its batches.json"
        )
    raise DataError(
        f"{', '.join(map(shown, files))}: no campaign; one file of pearmut's was expected, or batches.json of Appraise "
        "with its manifest.json"
    )


def is_campaign(path: str) -> bool:
    """Whether a file is of another tool's campaign, whole or a part of it."""
    if not path.endswith(".json"):
        return False
    try:
        held = _json(path, read_bytes(path)[0])
    except DataError:
        return False
    return any(one(held) for one in (appraise.is_batches, appraise.is_manifest, pearmut.is_campaign))


def _json(path: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{shown(path)}: not JSON: {error}") from None


def write(tasks: Tasks, output_format: str) -> dict[str, bytes]:
    """Files by their names."""
    if output_format not in FORMATS:
        raise unknown_name("format of campaigns", output_format, FORMATS)
    if not tasks.batches:
        raise DataError("there is nothing to judge in this campaign")
    return _WRITERS[output_format](tasks)
