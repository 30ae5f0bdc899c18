"""Score systems with one or more metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _record, _rows, _show, _workspace
from adjudge.cli._options import study_of
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.comparison import Scores
    from adjudge.comparison.documents import Arguments
    from adjudge.history.records import Evaluation
    from adjudge.io import Input, Loaded
    from adjudge.io.streams import FileStream
    from adjudge.meta.level_display import ScoreLevels
    from adjudge.meta.levels import LevelTables
    from adjudge.metrics.base import Metric
    from adjudge.report.render.formats import Renderer

OF_ONE_SET = ("segments", "levels", "sort", "decimals", "engine", "stream", "rows")
"""Options that mean nothing for a study."""


@click.command("score", cls=_record.RecordingCommand, short_help="Score systems with one or more metrics.")
@_options.file_options
@_options.level_option
@_options.keywords(
    metrics="May be repeated. Default: bleu, chrf and ter.",
    listing="All metrics and their options, or those of -m.",
)
@_options.options("realign")
@_options.structure_options
@_options.options("segments", "levels", "sort")
@_options.format_option(_options.PAGES)
@_options.results_option
@_options.save_option
@_options.options("decimals")
@_rows.rows_option
@_record.record_options
@allow_programs_option
@model_options
@_options.options("quiet")
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    cache: bool = True,
    listing: bool = False,
    threads: int = 0,
    engine: str = "local",
    stream: bool = False,
    **options: Any,
) -> None:
    """Score systems with one or more metrics.

    Every SYS is a file with a system's output, one segment a line, or NAME=FILE to name the system; - is
    stdin. FILE.run1.en, FILE.run2.en, ... are training runs of one system.

    \b
    adjudge score -r reference.en neural.en rulebased.en
    adjudge score -r reference.en -m bleu -m 'chrf(word_order=2)' systems/*.en
    adjudge score -r reference.en --segments -f tsv neural.en > segments.tsv
    adjudge score -r reference.en -L labels.tsv --level document neural.en
    adjudge score --stream --engine tcp://scheduler:8786 -r s3://texts/reference.en.zst s3://texts/neural.en.zst
    adjudge score study.toml
    """
    from adjudge import metrics as registry

    wanted, specs = _options.group_of(_Wanted, options), _options.metric_specs(metrics)
    files = {name: value for name, value in options.items() if not hasattr(wanted, name)}
    if listing:
        _list(specs, wanted.form, wanted.output)
        return
    if (study := study_of(systems, files)) is not None:
        from adjudge.cli._studies import Destination, show_study  # late: few name a study

        where = Destination(wanted.form, wanted.output, wanted.save, wanted.quiet, wanted.recording)
        show_study(study, specs, {}, where, threads=threads, cache=cache, refused=OF_ONE_SET)
        return
    from adjudge import comparison
    from adjudge.cli._workspace import progress

    chosen = list(map(registry.metric, specs or comparison.DEFAULT_METRICS))
    tables = _level_tables(wanted.levels)
    sorter = comparison.sort_metric(wanted.sort, chosen) if wanted.sort is not None else None
    _options.check_files(systems, doing="score", **files)
    arguments = _options.arguments(systems, [metric.spec for metric in chosen], **files)
    opened = _opened(systems, files, wanted) if stream else None
    with progress(quiet=wanted.quiet) as report_progress:
        if opened is not None:
            source = _rows.RowSource(threads, None, report_progress, engine)
            scores, loaded = _streamed(opened, chosen, sorter, source, wanted), None
        else:
            loaded = _options.load_files(systems, doing="score", **files)
            _outputs.check_not_read(loaded.inputs)
            source = _rows.RowSource(threads, _workspace.row_cache(cache), report_progress, engine)
            by_segment, keep = wanted.segments or tables is not None, wanted.keeps_rows
            scores = _scored(loaded, chosen, sorter, source, segments=by_segment, rows=keep)
    inputs = opened.inputs if opened is not None else loaded.inputs if loaded is not None else ()
    _show_scores(scores, loaded, inputs, arguments, wanted, tables)


@dataclass(frozen=True)
class _Wanted:
    """What of the scores is shown, and where it is kept."""

    form: str
    output: str | None
    save: str | None
    decimals: int | None
    quiet: bool
    segments: bool
    levels: str | None
    sort: str | None
    rows: str | None
    recording: _record.Recording | None

    @property
    def keeps_rows(self) -> bool:
        """Whether rows are kept anywhere."""
        return bool(self.save or self.rows or self.recording)


def _opened(systems: Sequence[str], files: Mapping[str, Any], wanted: _Wanted) -> FileStream:
    """The files, to be read in chunks."""
    if wanted.segments and wanted.form != "tsv":
        raise UsageError(
            f"--segments as {wanted.form} is one table of all segments, which --stream never has at once: -f tsv has a "
            "line a segment, --rows FILE.parquet their rows as well"
        )
    if wanted.segments and (wanted.save or wanted.recording):
        raise UsageError(
            "--segments beside --save or --record puts all of them into the result, and --stream never has them at "
            "once: the rows that are kept hold them already; leave one out"
        )
    return _rows.opened_stream(systems, {**files, "levels": wanted.levels})


def _show_scores(
    scores: Scores,
    loaded: Loaded | None,
    inputs: Sequence[Input],
    arguments: Arguments,
    wanted: _Wanted,
    tables: LevelTables | None,
) -> None:
    """Warnings on stderr, the scores on stdout or in files; rows of files that were read in chunks are written."""
    _show.warn(scores.warnings, quiet=wanted.quiet)
    beside = None
    if loaded is not None:
        if wanted.rows is not None:
            _write_rows(wanted.rows, scores, loaded)
        if tables is not None:
            from adjudge.meta.level_display import beside_scores

            beside = beside_scores(scores, tables, loaded.test_set.language)
    if wanted.save is not None:
        _record.save_scores(wanted.save, scores, inputs=inputs, arguments=arguments)
    shown = _renderer(scores, inputs, arguments, wanted.decimals, beside, segments=wanted.segments)
    if loaded is None and wanted.segments:
        from adjudge.comparison.score_display import ScoreDisplay
        from adjudge.report.render.tsv import tsv_lines

        rows = ScoreDisplay(scores, wanted.decimals)
        _show.show_pieces(lambda: tsv_lines(rows.segment_head, rows.segment_rows()), wanted.output)
        return
    with _record.kept(wanted.recording, lambda: _evaluation(scores, inputs, arguments)):
        _show.show(shown, wanted.form, wanted.output)


def _evaluation(scores: Scores, inputs: Sequence[Input], arguments: Arguments) -> Evaluation:
    from adjudge.history.evaluations import of_scores

    return of_scores(scores, inputs=inputs, arguments=arguments)


def _level_tables(name: str | None) -> LevelTables | None:
    """What people gave outputs with some score, where that is asked for."""
    if name is None:
        return None
    from adjudge.meta.level_file import read_levels, shipped_levels

    return shipped_levels() if name == "wmt" else read_levels(name)


def _scored(
    loaded: Loaded,
    chosen: Sequence[Metric],
    sorter: Metric | None,
    source: _rows.RowSource,
    *,
    segments: bool,
    rows: bool,
) -> Scores:
    """The scores of all outputs, the best system first where they are sorted, with what was noted while reading."""
    from adjudge import comparison

    _, test_set = comparison.resolved(chosen, loaded.test_set)
    scores = comparison.score(
        test_set,
        loaded.outputs,
        chosen,
        segments=segments,
        rows=rows,
        threads=source.threads,
        cache=source.cache,
        progress=source.progress,
        engine=source.engine,
    )
    scores = replace(scores, warnings=(*loaded.notes, *scores.warnings))
    return scores if sorter is None else scores.sorted_by(sorter.for_test_set(test_set).spec)


def _streamed(
    stream: FileStream,
    chosen: Sequence[Metric],
    sorter: Metric | None,
    source: _rows.RowSource,
    wanted: _Wanted,
) -> Scores:
    """The scores of files that are read in chunks."""
    from adjudge.comparison.streaming import score_stream

    scores = score_stream(
        stream,
        chosen,
        segments=wanted.segments,
        rows=wanted.rows,
        keep=bool(wanted.save or wanted.recording),
        threads=source.threads,
        engine=source.engine,
        progress=source.progress,
    )
    scores = replace(scores, warnings=(*stream.head.notes, *scores.warnings))
    return scores if sorter is None else scores.sorted_by(sorter.for_test_set(stream.head.test_set).spec)


def _write_rows(path: str, scores: Scores, loaded: Loaded) -> None:
    """The rows of all segments in a Parquet file, system by system."""
    from adjudge import metrics
    from adjudge.engine.spilling import RowFile

    specs = list(dict.fromkeys(result.metric for result in scores.results))
    with RowFile(path, [metrics.metric(spec) for spec in specs], loaded.outputs) as file:
        for o, output in enumerate(loaded.outputs):
            own = [r for r in scores.results if (r.system, r.run) == (output.system, output.run)]
            file.write_rows(
                [r.rows for s in specs for r in own if r.metric == s and r.rows is not None], o, 0
            )


def _renderer(
    scores: Scores,
    inputs: Sequence[Input],
    arguments: Arguments,
    decimals: int | None,
    beside: ScoreLevels | None,
    *,
    segments: bool,
) -> Renderer:
    """Scores in every format; segments only where they were asked for."""
    from adjudge import __version__
    from adjudge.comparison.score_display import ScoreDisplay
    from adjudge.report.render.formats import renderer_of

    if not segments:
        scores = replace(scores, results=tuple(replace(own, segments=None) for own in scores.results))
    shown = ScoreDisplay(scores, decimals)
    if beside is not None:
        shown = replace(shown, extra=(beside.section,), extra_document={"levels": beside.document})
    return renderer_of(shown, version=__version__, inputs=inputs, arguments=arguments)


def _list(specs: list[str], form: str, output: str | None) -> None:
    if form == "html":
        raise UsageError("the list of metrics is no page: text, json, tsv, markdown or latex")
    from adjudge import __version__, metrics
    from adjudge.metrics.catalogue import describe
    from adjudge.metrics.catalogue_display import CatalogueDisplay
    from adjudge.report.render.formats import renderer_of
    from adjudge.text import tokenizers

    everything = [kind for _, kind in sorted(metrics.registry().items())]
    kinds = list(dict.fromkeys(type(metrics.metric(spec)) for spec in specs)) or everything
    described = [describe(kind) for kind in kinds]
    tokens = (*tokenizers.CORE, *tokenizers.PYTHON)
    declared = CatalogueDisplay(described, tokens)
    _show.show(renderer_of(declared, version=__version__), form, output)
