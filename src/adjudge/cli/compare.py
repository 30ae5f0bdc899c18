"""Test which system is better, and say what may be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import (
    arguments,
    is_run,
    load_files,
    metric_specs,
    opened_stream,
    score_arguments,
    study_of,
)
from adjudge.cli._options import FIELDS, PAGES, TESTED_FILES, format_option, option, plan_options
from adjudge.cli._run import CommandRun, Workers
from adjudge.cli._vocabulary import Name
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.comparison import Comparison, Plan
    from adjudge.comparison.documents import Arguments
    from adjudge.data.difference_tables import DifferenceTables
    from adjudge.history.records import Evaluation
    from adjudge.history.rows_to_compare import RowsToCompare
    from adjudge.io import Input, Loaded

OF_ONE_SET = ("table", "differences", "decimals", "lower_is_better", "common", "engine", "stream")
"""Options that mean nothing for a study."""
TABLES = ("results", "pairs")


@subcommand(
    "compare",
    "Test which system is better, and say what may be claimed.",
    "files level realign structure",
    option("metrics", "May be repeated. Default: bleu, chrf and ter, or those of the runs."),
    option("scores", "Or *.seg.score; instead of outputs. May be repeated.", repeated=True),
    option("lower_is_better", "Of --scores."),
    "common",
    *plan_options(),
    format_option(PAGES),
    option("table", "results or pairs.", default="results", type=Name("table", TABLES)),
    "output save recording differences decimals",
    option("lint", default=True),
    "threads engine stream cache allow_programs models quiet",
)
def command(run: CommandRun, **options: Any) -> None:
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
    from adjudge.comparison import Plan

    differences = options["differences"]
    if differences not in (None, "none"):
        _tables(differences)  # a file that is none is refused before anything is read
    if options["table"] != "results" and run.form != "tsv":
        raise UsageError(f"--table {options['table']} is for -f tsv; the other formats show both tables")
    testing = {name: options[name] for name in FIELDS}
    plan = Plan(**testing)  # what cannot be done is refused before anything is read
    study = study_of(options["systems"], options)
    if study is not None:
        from adjudge.cli._studies import given_options, show_study  # late: few name a study

        typed = given_options(FIELDS)
        show_study(run, study, metric_specs(options["metrics"]), typed, refused=OF_ONE_SET)
        return
    material = _Material.of(options)
    with run.working() as work:
        compared = material.compared(plan, run, work)
    chosen = {name: value for name, value in testing.items() if value not in (None, ())}
    named = material.arguments(compared, chosen)

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_comparison

        return of_comparison(compared.comparison, inputs=compared.inputs, arguments=named)

    with run.recorded(evaluation):
        _show(run, compared, plan, options, named)


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
    stream: bool

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> _Material:
        """From the options; what does not go together is refused."""
        scores, lower, common = options["scores"], options["lower_is_better"], options["common"]
        specs = metric_specs(options["metrics"])
        files = {name: options[name] for name in TESTED_FILES}
        if scores:
            _check_scores(options["systems"], specs, {**files, "labels": None})
        elif lower or common:
            raise UsageError("--lower-is-better and --common are for --scores; metrics know their direction")
        runs = [text for text in options["systems"] if is_run(text)]
        outputs = [text for text in options["systems"] if text not in runs]
        return cls(outputs, runs, specs, files, scores, lower, common, options["stream"])

    def compared(self, plan: Plan, run: CommandRun, work: Workers) -> _Compared:
        """The comparison: of outputs by the library, else of rows that are there already."""
        if self.stream:
            return self._compare_stream(plan, work, keep=bool(run.save or run.recording))
        if self.scores:
            from adjudge.history.rows_to_compare import rows_of_scores

            how = {"lower_is_better": self.lower_is_better, "common": self.common}
            return self._of_rows(rows_of_scores(self.scores, self.files["labels"], **how), plan, work)
        if self.runs:
            from adjudge.history.rows_to_compare import rows_of_runs

            load = partial(load_files, self.outputs, doing="compare") if self.outputs else None
            computing = {**work.options, "engine": work.engine}
            rows = rows_of_runs(self.runs, self.specs, files=self.files, load=load, **computing)
            return self._of_rows(rows, plan, work)
        import adjudge

        metrics = list(map(adjudge.metrics.metric, self.specs or adjudge.comparison.DEFAULT_METRICS))
        loaded = load_files(self.outputs, doing="compare", **self.files)
        comparison = adjudge.compare(
            loaded.test_set, loaded.outputs, metrics, plan, **work.options, engine=work.engine
        ).with_warnings(loaded.notes)
        return _Compared(comparison, loaded.inputs, self.files, loaded, self._language(loaded))

    def _of_rows(self, rows: RowsToCompare, plan: Plan, work: Workers) -> _Compared:
        """Rows that are there already: of stored runs, of scores that were made elsewhere."""
        from adjudge.comparison import compare_measured

        _outputs.check_not_read(rows.inputs)
        pair = self._language(rows.loaded)
        comparison = compare_measured(
            rows.measured,
            rows.test_set,
            rows.labels,
            plan,
            language=pair,
            threads=work.threads,
            progress=work.progress,
        )
        comparison = comparison.with_warnings(rows.warnings)
        return _Compared(comparison, rows.inputs, rows.files, rows.loaded, pair, rows.language)

    def _compare_stream(self, plan: Plan, work: Workers, *, keep: bool) -> _Compared:
        """Files that are read in chunks."""
        from adjudge import metrics
        from adjudge.comparison import DEFAULT_METRICS
        from adjudge.comparison.streaming import compare_stream

        given = {**self.files, "scores": self.scores, "runs": self.runs}
        stream = opened_stream(self.outputs, given, doing="compare")
        comparison = compare_stream(
            stream,
            list(map(metrics.metric, self.specs or DEFAULT_METRICS)),
            plan,
            keep=keep,
            threads=work.threads,
            engine=work.engine,
            progress=work.progress,
        ).with_warnings(stream.head.notes)
        return _Compared(comparison, stream.inputs, self.files, None, self._language(stream.head))

    def _language(self, loaded: Loaded | None) -> str:
        return self.files["language"] or (loaded.test_set.language if loaded is not None else "")

    def arguments(self, compared: _Compared, testing: Mapping[str, Any]) -> Arguments:
        """How all of it was named, for a result that is to be computed again."""
        if self.scores:
            labels = self.files["labels"]
            return score_arguments(
                self.scores, testing, labels, lower_is_better=self.lower_is_better, common=self.common
            )
        chosen = [measured.metric for measured in compared.comparison.measured]
        return arguments(self.outputs, chosen, testing, self.runs, **compared.files)


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


def _show(
    run: CommandRun, compared: _Compared, plan: Plan, options: Mapping[str, Any], named: Arguments
) -> None:
    """Warnings on stderr, the result on stdout or in files."""
    from adjudge import __version__
    from adjudge.comparison.comparison_display import ComparisonDisplay
    from adjudge.report.extra_sections import both_halves, extra_sections_of
    from adjudge.report.render.formats import renderer_of

    comparison, loaded = compared.comparison, compared.loaded
    test_set = loaded.test_set if loaded is not None else None
    halves, unclear = both_halves(comparison, plan.by, compared.language, test_set)
    of_segments = not comparison.test_set.level  # whole documents look odd as segments
    looked_at = options["lint"] and not run.quiet and of_segments
    faults = _lint(loaded) if looked_at and loaded is not None else []
    claimed = comparison.claims if run.form in ("text", "markdown", "html") else ()
    unsaid = [warning for warning in comparison.warnings if warning not in claimed]
    run.warn((*unsaid, *unclear, *faults))
    if run.save is not None:
        from adjudge.cli._record import save_comparison

        save_comparison(run.save, comparison, inputs=compared.inputs, arguments=named)
    extra = extra_sections_of(
        comparison, halves, _tables(options["differences"]), compared.language or compared.told
    )
    declared = ComparisonDisplay(comparison, options["decimals"], options["table"], extra)
    run.show(renderer_of(declared, version=__version__, inputs=compared.inputs, arguments=named))


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


def _tables(path: str | None) -> DifferenceTables | None:
    """What differences are worth: the table that was named, WMT's, or none."""
    from adjudge.io.difference_tables import read_tables, shipped_tables

    if path == "none":
        return None
    return shipped_tables() if path is None else read_tables(path)
