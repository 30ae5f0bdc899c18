"""WMT's direct assessment: names of columns parted by blanks, and below them rows parted by tabs."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT, TUTORIAL
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, number, tab_separated
from adjudge.wording import counted

COLUMNS = (
    *("HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "hit", "sys_id", "rid", "type", "sid"),
    *("score", "time"),
)
_TYPES = {ORDINARY: "SYSTEM", REPEAT: "REPEAT", BAD_REFERENCE: "BAD_REF", REFERENCE: "REF"}
_ASKED = {"fluency": "fl"}
_HIT_SECONDS = "hit_seconds"


def direct_assessment(request: WriteRequest) -> JudgementFile:
    """A row a judgement, with its HIT and what it was shown for; times are those of HITs, or of judgements."""
    judgements, warnings = request.judgements, []
    if judgements.is_ranking:
        raise DataError("these are rankings, not direct assessment (write rankings)")
    left = int((judgements.kind == TUTORIAL).sum())
    if left:
        judgements = judgements[judgements.kind != TUTORIAL]
        warnings.append(f"WMT's files have no tutorials: {counted(left, 'judgement')} left out here")
    if np.isnan(judgements.score).any():
        raise DataError(f"{judgements.place(int(np.argmax(np.isnan(judgements.score))))}: there is no score")
    losses = Losses("WMT's direct assessment")
    losses.labels(judgements, ("HITId", "hit", "languages", "Input.item", "rid"))
    timed = _HIT_SECONDS in judgements.measures
    losses.measures(judgements, (_HIT_SECONDS,))
    losses.add("when judgements were begun", judgements.start is not None)
    losses.add("seconds of judgements beside those of HITs", timed and judgements.seconds is not None)
    losses.add("errors", judgements.spans is not None)
    times = judgements.measures[_HIT_SECONDS] if timed else judgements.seconds

    def label(name: str, otherwise: list[str]) -> list[str]:
        column = judgements.labels.get(name)
        return otherwise if column is None else column.values()

    nothing = [""] * len(judgements)
    hits = label("hit", nothing)
    pairs = [
        pair.partition("-") for pair in label("languages", ["-".join(request.languages)] * len(judgements))
    ]
    items = judgements.item.values()
    columns = [
        label("HITId", hits),
        judgements.annotator.values(),
        [source for source, _, _ in pairs],
        [target for _, _, target in pairs],
        label("Input.item", [_ASKED.get(judgements.protocol, "ad")] * len(judgements)),
        hits,
        judgements.system.values(),
        label("rid", nothing),
        [_TYPES[int(kind)] for kind in judgements.kind],
        items,
        [number(score) for score in judgements.score],
        nothing if times is None else ["" if np.isnan(time) else repr(float(time)) for time in times],
    ]
    rows = list(map(list, zip(*columns, strict=True)))
    body = tab_separated(rows, guard=request.for_spreadsheet, bom=False)
    head = ("\ufeff" if request.for_spreadsheet else "") + " ".join(COLUMNS) + "\n"
    return JudgementFile(head.encode() + body.data, body.warnings).warned(*warnings, losses.warning())
