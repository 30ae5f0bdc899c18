"""mt-metrics-eval: scores and ratings without a header."""

from adjudge.io.judgements.mtme import read, write
from adjudge.io.judgements.tool import Reader, Tool, Writer

TOOL = Tool(
    readers={
        "scores": Reader(
            "mt-metrics-eval: system and score without a header", read.read, is_file=read.is_scores
        ),
    },
    writers={
        "mtme-seg": Writer(
            "mt-metrics-eval, scores of segments (*.seg.score)",
            write.segments,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-sys": Writer(
            "mt-metrics-eval, scores of systems (*.sys.score)",
            write.systems,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-domain": Writer(
            "mt-metrics-eval, scores of domains (*.domain.score)",
            write.domains,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-rating": Writer(
            "mt-metrics-eval, the errors that one rater marked (*.seg.rating)", write.ratings
        ),
    },
)
