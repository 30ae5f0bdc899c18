"""Mechanical Turk."""

from adjudge.io.judgements.mturk import read
from adjudge.io.judgements.tool import Reader, Tool

TOOL = Tool(
    readers={
        "mturk": Reader(
            "results of a Mechanical Turk batch of direct assessment", read.read, is_file=read.is_batch
        ),
    },
)
