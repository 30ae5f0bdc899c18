"""WMT's task of quality estimation."""

from adjudge.io.judgements.qe import read
from adjudge.io.judgements.tool import Reader, Tool

TOOL = Tool(
    readers={
        "numbers": Reader("one number a line (HTER)", read.read_numbers, is_file=read.is_numbers),
        "lists": Reader("MLQE: a list of scores a segment", read.read_lists, is_table=read.is_lists),
    },
)
