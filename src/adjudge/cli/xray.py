"""Draw which words of the outputs match the reference, and how."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace
from adjudge.errors import UsageError, unknown_name

FORMATS = ("text", "json", "html", "svg")


@click.command("xray", short_help="Draw which words of the outputs match the reference, and how.")
@_options.file_options
@_options.keywords(
    metric="Its alignments are drawn. Default: ter, which needs no language data; meteor "
    "also matches stems, synonyms and paraphrases.",
    top="Segments.",
)
@_options.format_option(FORMATS)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metric: str | None = None,
    segment: tuple[int, ...] = (),
    top: int = 5,
    show: str | None = None,
    rank: str | None = None,
    form: str,
    output: str | None,
    decimals: int | None = None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
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
    from adjudge.cli._workspace import progress
    from adjudge.report.pages.xray.xray import renderer

    _check_choice(segment, show, rank)
    chosen = metrics.metric(metric or DEFAULT_METRIC)
    _options.check_files(systems, doing="xray", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="xray", **files)
        _outputs.check_not_read(loaded.inputs)
        result = xray(
            loaded.test_set,
            loaded.outputs,
            chosen,
            segments=segment,
            show=show,
            rank=rank or RANKS[0],
            top=top,
            threads=threads,
            cache=_workspace.row_cache(cache),
            progress=report_progress,
        )
    _show.warn([*loaded.notes, *result.warnings], quiet=quiet)
    arguments = _options.arguments(systems, [chosen.spec], **files)
    shown = renderer(
        result, version=__version__, decimals=decimals, inputs=loaded.inputs, arguments=arguments
    )
    _show.show(shown, form, output)


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
