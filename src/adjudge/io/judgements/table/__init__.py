"""Tables that nobody's tool writes: a row a judgement, in columns with names."""

from adjudge.io.judgements.table import read
from adjudge.io.judgements.tool import Reader, Tool

TOOL = Tool(
    readers={
        "table": Reader(
            "named columns: a row a judgement (TSV, CSV, JSON lines, columns parted by spaces)", read.read
        ),
        "tsv": Reader("the same, parted by tabs", read.read),
        "csv": Reader("the same, parted by commas", read.read),
        "jsonl": Reader("the same, a JSON object a line", read.read),
    },
)
