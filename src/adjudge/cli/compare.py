"""Test which system is better, and say what may be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _record, _rows, _show, _workspace
from adjudge.cli._options import FIELDS, plan_options, study_of
from adjudge.cli._vocabulary import Name
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.comparison import Comparison, Plan
    from adjudge.comparison.comparison_display import ExtraSections
    from adjudge.comparison.documents import Arguments
    from adjudge.data.difference_tables import DifferenceTables
    from adjudge.history.records import Evaluation
    from adjudge.io import Input, Loaded
    from adjudge.io.streams import FileStream

OF_ONE_SET = ("table", "differences", "decimals", "lower_is_better", "common", "engine", "stream")
"""Options that mean nothing for a study."""
TABLES = ("results", "pairs")


@click.command(
    "compare",
    cls=_record.RecordingCommand,
    short_help="Test which system is better, and say what may be claimed.",
)
@_options.file_options
@_options.level_option
@_options.options("realign")
@_options.structure_options
@_options.option("metrics", "May be repeated. Default: bleu, chrf and ter, or those of the runs.")
@_options.option("scores", "Or *.seg.score; instead of outputs. May be repeated.", repeated=True)
@_options.option("lower_is_better", "Of --scores.")
@_options.options("common")
@plan_options()
@_options.format_option(_options.PAGES)
@_options.option("table", "results or pairs.", default="results", type=Name("table", TABLES))
@_options.results_option
@_options.save_option
@_record.record_options
@_options.options("differences", "decimals", lint=True)
@_options.keywords()
@allow_programs_option
@model_options
@_options.options("quiet")
def command(
    *, threads: int = 0, engine: str = "local", stream: bool = False, cache: bool = True, **options: Any
) -> None:
    """Test which system is better, and say what may be claimed.

    Scores with intervals, clusters and ranks, every pair of systems with a p-value, and in plain words what
    the test set shows and what it does not. Files are given as to `adjudge score`; a RUN.json that --save wrote
    stands for its systems.

    \b
    adjudge compare -r reference.en systems/*.en
    adjudge compare -r reference.en --baseline old old.en new.en newer.en
    adjudge compare -r reference.en -L labels.tsv --unit document --by domain systems/*.en
    adjudge compare -r reference.en -L labels.tsv --level window:3 systems/*.en
    adjudge compare old.json new.json
    adjudge compare --scores comet.tsv --unit document
    adjudge compare --stream --engine tcp://scheduler:8786 -r reference.en.zst old.en.zst new.en.zst
    adjudge compare study.toml
    """
    from adjudge.cli._workspace import progress
    from adjudge.comparison import Plan

    display = _options.group_of(_Display, options)
    if display.differences not in (None, "none"):
        _curves(display.differences)  # a file that is none is refused before anything is read
    if display.table != "results" and display.form != "tsv":
        raise UsageError(f"--table {display.table} is for -f tsv; the other formats show both tables")
    testing = {name: value for name, value in options.items() if name in FIELDS}
    plan = Plan(**testing)  # what cannot be done is refused before anything is read
    study = study_of(options["systems"], options)
    if study is not None:
        from adjudge.cli._studies import Destination, given_options, show_study  # late: few name a study

        shown = Destination(display.form, display.output, display.save, display.quiet, display.recording)
        specs = _options.metric_specs(options["metrics"])
        typed = {name: testing[name] for name in given_options(tuple(testing))}
        show_study(study, specs, typed, shown, threads=threads, cache=cache, refused=OF_ONE_SET)
        return
    material = _Material.of(options)
    opened = material.opened() if stream else None
    with progress(quiet=display.quiet) as report_progress:
        rows = _rows.RowSource(threads, _workspace.row_cache(cache), report_progress, engine)
        compared = (
            material.compared(plan, rows)
            if opened is None
            else _streamed(opened, material, plan, rows, keep=display.keeps)
        )
    chosen = {name: value for name, value in testing.items() if value not in (None, ())}
    arguments = material.arguments(compared, chosen)
    with _record.kept(display.recording, lambda: _evaluation(compared, arguments)):
        _show_compared(compared, plan, display, arguments)


def _evaluation(compared: _Compared, arguments: Arguments) -> Evaluation:
    from adjudge.history.evaluations import of_comparison

    return of_comparison(compared.comparison, inputs=compared.inputs, arguments=arguments)


@dataclass(frozen=True)
class _Display:
    """How a comparison is shown, and where it is kept."""

    form: str
    table: str
    output: str | None
    save: str | None
    recording: _record.Recording | None
    differences: str | None
    decimals: int | None
    lint: bool
    quiet: bool

    @property
    def keeps(self) -> bool:
        """Whether the result is kept, with all labels."""
        return bool(self.save or self.recording)


@dataclass(frozen=True)
class _Material:
    """What is compared, as it was named: outputs, stored runs, or scores that were made elsewhere."""

    outputs: list[str]
    runs: list[str]
    specs: list[str]
    files: Mapping[str, Any]
    scores: tuple[str, ...]
    lower_is_better: bool
    common: bool

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> _Material:
        """From the options; what does not go together is refused."""
        scores, lower, common = options["scores"], options["lower_is_better"], options["common"]
        specs = _options.metric_specs(options["metrics"])
        files: dict[str, Any] = {name: options[name] for name in _options.FILES}
        files |= {name: options[name] for name in ("level", "realign", *_options.STRUCTURE)}
        if scores:
            _check_scores(options["systems"], specs, {**files, "labels": None})
        elif lower or common:
            raise UsageError("--lower-is-better and --common are for --scores; metrics know their direction")
        runs = [text for text in options["systems"] if _rows.is_run(text)]
        outputs = [text for text in options["systems"] if text not in runs]
        return cls(outputs, runs, specs, files, scores, lower, common)

    def opened(self) -> FileStream:
        """The files, to be read in chunks."""
        _options.check_files(self.outputs, doing="compare", **self.files)
        return _rows.opened_stream(self.outputs, {**self.files, "scores": self.scores, "runs": self.runs})

    def compared(self, plan: Plan, row_source: _rows.RowSource) -> _Compared:
        """The comparison: of outputs by the library, else of rows that are there already."""
        import adjudge

        language = self.files["language"]
        if self.scores:
            labels = self.files["labels"]
            rows = row_source.from_scores(self.scores, labels, lower=self.lower_is_better, common=self.common)
            return _of_rows(rows, plan, row_source, language)
        if self.runs:
            rows = row_source.from_runs(self.runs, self.outputs, self.specs, self.files)
            return _of_rows(rows, plan, row_source, language)
        metrics, loaded = _rows.outputs_to_compare(self.outputs, self.specs, self.files)
        _outputs.check_not_read(loaded.inputs)
        comparison = adjudge.compare(
            loaded.test_set,
            loaded.outputs,
            metrics,
            plan,
            threads=row_source.threads,
            cache=row_source.cache,
            progress=row_source.progress,
            engine=row_source.engine,
        ).with_warnings(loaded.notes)
        return _Compared(comparison, loaded.inputs, self.files, loaded, _language(loaded, language))

    def arguments(self, compared: _Compared, testing: Mapping[str, Any]) -> Arguments:
        """How all of it was named, for a result that is to be computed again."""
        if self.scores:
            labels = self.files["labels"]
            return _options.score_arguments(
                self.scores, testing, labels, lower_is_better=self.lower_is_better, common=self.common
            )
        chosen = [measured.metric for measured in compared.comparison.measured]
        return _options.arguments(self.outputs, chosen, testing, self.runs, **compared.files)


def _show_compared(
    compared: _Compared,
    plan: Plan,
    display: _Display,
    arguments: Arguments,
) -> None:
    """Warnings on stderr, the result on stdout or in files."""
    from adjudge.report.extra_sections import both_halves, extra_sections_of

    comparison, loaded = compared.comparison, compared.loaded
    test_set = loaded.test_set if loaded is not None else None
    halves, unclear = both_halves(comparison, plan.by, compared.language, test_set)
    of_segments = not comparison.test_set.level  # whole documents look odd as segments
    looked_at = display.lint and not display.quiet and of_segments
    faults = _lint(loaded) if looked_at and loaded is not None else []
    claimed = comparison.claims if display.form in ("text", "markdown", "html") else ()
    unsaid = [warning for warning in comparison.warnings if warning not in claimed]
    _show.warn((*unsaid, *unclear, *faults), quiet=display.quiet)
    if display.save is not None:
        _record.save_comparison(display.save, comparison, inputs=compared.inputs, arguments=arguments)
    extra = extra_sections_of(
        comparison, halves, _curves(display.differences), compared.language or compared.told
    )
    _report(comparison, extra, compared.inputs, arguments, display)


def _streamed(
    stream: FileStream, material: _Material, plan: Plan, row_source: _rows.RowSource, *, keep: bool
) -> _Compared:
    """The comparison of files that are read in chunks."""
    from adjudge import metrics
    from adjudge.comparison import DEFAULT_METRICS
    from adjudge.comparison.streaming import compare_stream

    chosen = list(map(metrics.metric, material.specs or DEFAULT_METRICS))
    comparison = compare_stream(
        stream,
        chosen,
        plan,
        keep=keep,
        threads=row_source.threads,
        engine=row_source.engine,
        progress=row_source.progress,
    ).with_warnings(stream.head.notes)
    language = _language(stream.head, material.files["language"])
    return _Compared(comparison, stream.inputs, material.files, None, language)


@dataclass(frozen=True)
class _Compared:
    """A comparison, and what was read for it."""

    comparison: Comparison
    inputs: Sequence[Input]
    files: Mapping[str, Any]
    loaded: Loaded | None
    language: str
    told: str = ""
    """The language that a stored run tells, where nothing was read."""


def _of_rows(
    rows: _rows.RowsToCompare, plan: Plan, row_source: _rows.RowSource, language: str | None
) -> _Compared:
    """Rows that are there already: of stored runs, of scores that were made elsewhere."""
    from adjudge.comparison import compare_measured

    _outputs.check_not_read(rows.inputs)
    pair = _language(rows.loaded, language)
    comparison = compare_measured(
        rows.measured,
        rows.test_set,
        rows.labels,
        plan,
        language=pair,
        threads=row_source.threads,
        progress=row_source.progress,
    )
    comparison = comparison.with_warnings(rows.warnings)
    return _Compared(comparison, rows.inputs, rows.files, rows.loaded, pair, rows.language)


def _check_scores(systems: Sequence[str], specs: Sequence[str], files: Mapping[str, Any]) -> None:
    """Scores that are there already need neither outputs nor metrics."""
    options = {"trees": "--trees"}
    given = [
        options.get(name, f"--{name.replace('_', '-').removesuffix('s')}")
        for name, value in files.items()
        if value
    ]
    superfluous = [*systems, *(["-m"] if specs else []), *given]
    if superfluous:
        raise UsageError(
            f"--scores holds all systems' scores already: leave out {superfluous[0]} (labels may come from -L)"
        )


def _lint(loaded: Loaded) -> list[str]:
    """A line about the worst that is wrong with new outputs, if anything is."""
    from adjudge import checks

    report = checks.examine(loaded.test_set, loaded.outputs, inputs=loaded.inputs, command="adjudge lint")
    return [line] if (line := checks.summary_line(report)) else []


def _language(loaded: Loaded | None, given: str | None) -> str:
    return given or (loaded.test_set.language if loaded is not None else "")


def _curves(path: str | None) -> DifferenceTables | None:
    """What differences are worth: the table that was named, WMT's, or none."""
    from adjudge.io.difference_tables import read_tables, shipped_tables

    if path == "none":
        return None
    return shipped_tables() if path is None else read_tables(path)


def _report(
    comparison: Comparison,
    extra: ExtraSections,
    inputs: Sequence[Input],
    arguments: Arguments,
    display: _Display,
) -> None:
    from adjudge import __version__
    from adjudge.comparison.comparison_display import ComparisonDisplay
    from adjudge.report.render.formats import renderer_of

    declared = ComparisonDisplay(comparison, display.decimals, display.table, extra)
    shown = renderer_of(declared, version=__version__, inputs=inputs, arguments=arguments)
    _show.show(shown, display.form, display.output)
