"""MQM as Google publishes it."""

from adjudge.io.judgements.mqm import read, write
from adjudge.io.judgements.tool import Reader, Tool, Writer

TOOL = Tool(
    readers={
        "mqm": Reader(
            "MQM as Google publishes it: a row an error", read.read, is_table=read.is_mqm, texts=read.texts
        ),
    },
    writers={
        "mqm": Writer("Google's MQM, a row an error, marked in the text (TSV)", write.errors),
        "mqm-scores": Writer(
            "the mean scores that Google has beside it", write.scores, only_scores=True, says_direction=False
        ),
    },
)
