"""Draw which words of the outputs match the reference, and how."""

from __future__ import annotations

from typing import Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import arguments, load_files
from adjudge.cli._options import format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError, unknown_name

FORMATS = ("text", "json", "html", "svg")


@subcommand(
    "xray",
    "Draw which words of the outputs match the reference, and how.",
    "files",
    keywords(
        metric="Its alignments are drawn. Default: ter, which needs no language data; meteor "
        "also matches stems, synonyms and paraphrases.",
        top="Segments.",
    ),
    "threads cache quiet",
    format_option(FORMATS),
    "output",
)
def command(
    run: CommandRun,
    *,
    systems: tuple[str, ...],
    metric: str | None = None,
    segment: tuple[int, ...] = (),
    top: int = 5,
    show: str | None = None,
    rank: str | None = None,
    decimals: int | None = None,
    **files: Any,
) -> None:
    """Draw which words of one or two outputs match the reference, and how.

    Exact matches, stems, synonyms and paraphrases, words moved and replaced, chunks and crossings; and how precision,
    recall, fragmentation and score are spread over all segments. -o PAGE.html writes a page to look at in a browser,
    -o FIGURE.svg a picture for a paper.

    \b
    adjudge xray -r reference.en --segment 12 neural.en
    adjudge xray -r reference.en --top 3 rulebased.en neural.en
    adjudge xray -r reference.en -o xray.html rulebased.en neural.en
    adjudge xray -r reference.en --segment 12 -o figure.svg rulebased.en neural.en
    """
    from adjudge import __version__, metrics
    from adjudge.analysis.alignments import RANKS
    from adjudge.analysis.xray import DEFAULT_METRIC, xray
    from adjudge.report.pages.xray.xray import renderer

    _check_choice(segment, show, rank)
    chosen = metrics.metric(metric or DEFAULT_METRIC)
    with run.working() as work:
        loaded = load_files(systems, doing="xray", **files)
        result = xray(
            loaded.test_set,
            loaded.outputs,
            chosen,
            segments=segment,
            show=show,
            rank=rank or RANKS[0],
            top=top,
            **work.options,
        )
    run.warn([*loaded.notes, *result.warnings])
    named = arguments(systems, [chosen.spec], **files)
    run.show(renderer(result, version=__version__, decimals=decimals, inputs=loaded.inputs, arguments=named))


def _check_choice(segments: tuple[int, ...], show: str | None, rank: str | None) -> None:
    """Refuse ways of choosing segments that are unknown, or not needed."""
    from adjudge.analysis.alignments import CHOICES, RANKS

    if show is not None and show not in CHOICES:
        raise unknown_name("choice of segments", show, CHOICES)
    if rank is not None and rank not in RANKS:
        raise unknown_name("rank", rank, RANKS)
    for option, value in (("--show", show), ("--rank", rank)):
        if value is not None and segments:
            raise UsageError(f"--segment names the segments; leave {option} away")
