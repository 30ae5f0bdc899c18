"""Appraise: its exports, its campaigns."""

from adjudge.io.judgements.appraise import campaign, read, write
from adjudge.io.judgements.tool import CampaignFormat, Reader, Tool, Writer

TOOL = Tool(
    readers={
        "appraise": Reader(
            "exports of Appraise, with and without a header",
            read.read,
            is_file=read.is_rows,
            is_table=read.is_export,
        ),
    },
    writers={
        "appraise": Writer(
            "Appraise's export, rows without a header (CSV)", write.rows, says_direction=False
        ),
        "appraise-short": Writer(
            "Appraise: UserID, SystemID, SegmentID, Type, Score, StartTime, EndTime (CSV)",
            write.short,
            says_direction=False,
        ),
        "appraise-jsonl": Writer(
            "Appraise's export as JSON lines, with the texts", write.json_lines, says_direction=False
        ),
    },
    campaign=CampaignFormat(
        "Appraise: manifest.json and batches.json",
        "batches.json of Appraise with its manifest.json",
        campaign.is_part,
        campaign.read_files,
        campaign.write,
        campaign.not_judged,
    ),
)
