"""adjudge's own export."""

from adjudge.io.judgements.own import read, write
from adjudge.io.judgements.tool import Reader, Tool, Writer

TOOL = Tool(
    readers={
        "adjudge": Reader(
            "adjudge's own export, JSON lines or CSV, taken as it is",
            read.read,
            is_file=read.is_own,
            texts=read.texts,
        ),
    },
    writers={
        "jsonl": Writer("adjudge's own, a JSON object a judgement: nothing is lost", write.json_lines),
        "csv": Writer("the same in columns, safe in spreadsheets: nothing is lost", write.csv),
    },
)
