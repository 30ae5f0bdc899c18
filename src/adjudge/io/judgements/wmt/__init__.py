"""WMT: rankings of systems, choices between two, direct assessment with its HITs."""

from adjudge.io.judgements.tool import Reader, Tool, Writer
from adjudge.io.judgements.wmt import direct_assessment, read, write

TOOL = Tool(
    readers={
        "rankings": Reader(
            "WMT's rankings: systems beside each other, or one a row with its rank",
            read.read_rankings,
            is_table=read.is_ranking,
        ),
        "choices": Reader("which of two systems is better", read.read_choices, is_table=read.is_choices),
    },
    writers={
        "wmt-da": Writer(
            "WMT's direct assessment, with HITs and kinds of items",
            direct_assessment.direct_assessment,
            says_direction=False,
        ),
        "rankings": Writer("WMT's rankings, a row a pair (CSV)", write.pairs),
        "rankings-wide": Writer("WMT's rankings, a row a ranking (CSV)", write.wide),
        "choices": Writer("two systems, and the one that was preferred (CSV)", write.choices),
    },
)
