"""Score systems with one or more metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._files import arguments, check_files, load_files, metric_specs, opened_stream, study_of
from adjudge.cli._options import PAGES, TESTED_FILES, format_option, option
from adjudge.cli._run import CommandRun, Workers
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.comparison import Scores
    from adjudge.comparison.documents import Arguments
    from adjudge.data import TestSet
    from adjudge.history.records import Evaluation
    from adjudge.io import Input, Loaded
    from adjudge.io.streams import FileStream
    from adjudge.meta.levels import LevelTables
    from adjudge.metrics.base import Metric

OF_ONE_SET = ("segments", "levels", "sort", "decimals", "engine", "stream", "rows")
"""Options that mean nothing for a study."""


@subcommand(
    "score",
    "Score systems with one or more metrics.",
    "files level",
    option("metrics", "May be repeated. Default: bleu, chrf and ter."),
    "cache",
    option("listing", "All metrics and their options, or those of -m."),
    "threads engine stream realign structure segments levels sort",
    format_option(PAGES),
    "output save decimals rows recording allow_programs models quiet",
)
def command(run: CommandRun, *, systems: tuple[str, ...], **options: Any) -> None:
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
    from adjudge import comparison
    from adjudge.metrics import metric

    if options["listing"]:
        _list(run, metric_specs(options["metrics"]))
        return
    files = {name: options[name] for name in TESTED_FILES}
    study = study_of(systems, files)
    specs = metric_specs(options["metrics"])
    if study is not None:
        from adjudge.cli._studies import show_study  # late: few name a study

        show_study(run, study, specs, {}, refused=OF_ONE_SET)
        return
    chosen = list(map(metric, specs or comparison.DEFAULT_METRICS))
    tables = _level_tables(options["levels"])
    sorter = comparison.sort_metric(options["sort"], chosen) if options["sort"] is not None else None
    check_files(systems, doing="score", **files)
    named = arguments(systems, [metric.spec for metric in chosen], **files)
    loaded: Loaded | None = None
    stream: FileStream | None = None
    if options["stream"]:
        _check_stream(run, segments=options["segments"])
        stream = opened_stream(systems, {**files, "levels": options["levels"]}, doing="score")
    with run.working() as work:
        if stream is not None:
            scores, test_set = _score_stream(run, work, stream, chosen, options), stream.head.test_set
        else:
            loaded = load_files(systems, doing="score", **files)
            by_segment = options["segments"] or tables is not None
            keeps_rows = bool(run.save or options["rows"] or run.recording)
            scores, test_set = _score_outputs(work, loaded, chosen, segments=by_segment, rows=keeps_rows)
        if sorter is not None:
            scores = scores.sorted_by(sorter.for_test_set(test_set).spec)
    inputs = stream.inputs if stream is not None else loaded.inputs if loaded is not None else ()
    _show_scores(run, scores, loaded, inputs, named, tables, options)


def _check_stream(run: CommandRun, *, segments: bool) -> None:
    """Refuse what holds all segments at once."""
    if segments and run.form != "tsv":
        raise UsageError(
            f"--segments as {run.form} is one table of all segments, which --stream never has at once: -f tsv has a "
            "line a segment, --rows FILE.parquet their rows as well"
        )
    if segments and (run.save or run.recording):
        raise UsageError(
            "--segments beside --save or --record puts all of them into the result, and --stream never has them at "
            "once: the rows that are kept hold them already; leave one out"
        )


def _show_scores(
    run: CommandRun,
    scores: Scores,
    loaded: Loaded | None,
    inputs: Sequence[Input],
    named: Arguments,
    tables: LevelTables | None,
    options: Mapping[str, Any],
) -> None:
    """Warnings on stderr, the scores on stdout or in files; rows of files that were read in chunks are written."""
    from adjudge import __version__
    from adjudge.comparison.score_display import ScoreDisplay
    from adjudge.report.render.formats import renderer_of

    run.warn(scores.warnings)
    beside = None
    if loaded is not None:
        if options["rows"] is not None:
            _write_rows(options["rows"], scores, loaded)
        if tables is not None:
            from adjudge.meta.level_display import beside_scores

            beside = beside_scores(scores, tables, loaded.test_set.language)
    if run.save is not None:
        from adjudge.cli._record import save_scores

        save_scores(run.save, scores, inputs=inputs, arguments=named)
    if loaded is None and options["segments"]:
        from adjudge.report.render.tsv import tsv_lines

        rows = ScoreDisplay(scores, options["decimals"])
        _show.show_pieces(lambda: tsv_lines(rows.segment_head, rows.segment_rows()), run.output)
        return

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_scores

        return of_scores(scores, inputs=inputs, arguments=named)

    with run.recorded(evaluation):
        displayed = scores if options["segments"] else scores.without_segments()
        declared = ScoreDisplay(displayed, options["decimals"])
        if beside is not None:
            declared = replace(declared, extra=(beside.section,), extra_document={"levels": beside.document})
        run.show(renderer_of(declared, version=__version__, inputs=inputs, arguments=named))


def _level_tables(name: str | None) -> LevelTables | None:
    """What people gave outputs with some score, where that is asked for."""
    if name is None:
        return None
    from adjudge.meta.level_file import read_levels, shipped_levels

    return shipped_levels() if name == "wmt" else read_levels(name)


def _score_outputs(
    work: Workers, loaded: Loaded, chosen: Sequence[Metric], *, segments: bool, rows: bool
) -> tuple[Scores, TestSet]:
    """The scores of all outputs, with what was noted while reading, and the test set as metrics read it."""
    from adjudge import comparison

    _, test_set = comparison.resolve_metrics(chosen, loaded.test_set)
    scores = comparison.score(
        test_set, loaded.outputs, chosen, segments=segments, rows=rows, **work.options, engine=work.engine
    )
    return replace(scores, warnings=(*loaded.notes, *scores.warnings)), test_set


def _score_stream(
    run: CommandRun, work: Workers, stream: FileStream, chosen: Sequence[Metric], options: Mapping[str, Any]
) -> Scores:
    """The scores of files that are read in chunks."""
    from adjudge.comparison.streaming import score_stream

    scores = score_stream(
        stream,
        chosen,
        segments=options["segments"],
        rows=options["rows"],
        keep=bool(run.save or run.recording),
        threads=work.threads,
        engine=work.engine,
        progress=work.progress,
    )
    return replace(scores, warnings=(*stream.head.notes, *scores.warnings))


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


def _list(run: CommandRun, specs: list[str]) -> None:
    if run.form == "html":
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
    run.show(renderer_of(CatalogueDisplay(described, tokens), version=__version__))
