"""pearmut (once pearnament): its log of annotations, its progress, its campaigns."""

from adjudge.io.judgements.pearmut import campaign, read, write
from adjudge.io.judgements.tool import CampaignFormat, Reader, Tool, Writer

TOOL = Tool(
    readers={
        "pearmut": Reader("pearmut's log of annotations", read.read, is_file=read.is_log, texts=read.texts),
    },
    writers={
        "pearmut": Writer("pearmut's log of annotations (JSON lines)", write.log),
        "pearmut-progress": Writer(
            "how far everyone has come, as pearmut keeps it beside the log", write.progress
        ),
    },
    campaign=CampaignFormat(
        "pearmut: one JSON file",
        "one file of pearmut's",
        read.is_campaign,
        campaign.read_files,
        campaign.write,
        read.not_judged,
    ),
)
