"""Score and compare all systems of a study on all its test sets."""

from __future__ import annotations

import click

from adjudge.cli import _cache, _options, _outputs, _show


@click.command("run", short_help="Score and compare all systems of a study on all its test sets.")
@click.argument("file", metavar="STUDY.toml")
@_options.metric_option("those of the study")
@click.option(
    "--baseline", metavar="SYSTEM", help="Hold every system against this one; by default every two."
)
@click.option(
    "--resamples",
    metavar="N",
    type=_options.Whole(1, 1_000_000),
    default=1000,
    help="For the intervals; 1000 by default.",
)
@click.option(
    "--trials",
    metavar="N",
    type=_options.Whole(1, 10_000_000),
    default=10_000,
    help="Of each randomisation; 10000 by default.",
)
@click.option(
    "--seed",
    metavar="N",
    type=_options.Whole(0, _options.LARGEST_SEED),
    default=12345,
    help="Of what is drawn; 12345 by default.",
)
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    file: str,
    metrics: tuple[str, ...],
    baseline: str | None,
    resamples: int,
    trials: int,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
) -> None:
    """Score and compare all systems of a study on all its test sets.

    A table of test sets and systems, the mean over sets with an interval, and who is better in it; by language pair
    and domain where there are several.

    \b
    adjudge study run study.toml
    adjudge study run study.toml -m chrf --baseline production -o study.html
    """
    from adjudge import __version__
    from adjudge.cli._progress import progress
    from adjudge.evaluate.studies import StudyMaterial, StudyPlan, run_study
    from adjudge.io.study_file import read_study
    from adjudge.report.study import forms

    study = read_study(file)
    specs = _options.metric_specs(metrics) or list(study.metrics)
    plan = StudyPlan(resamples, trials, seed, baseline=baseline or study.baseline, threads=threads)
    inputs, notes, material = [study.input] if study.input else [], [], []
    with progress(quiet=quiet) as report_progress:
        for place, own in enumerate(study.sets):
            if report_progress:
                report_progress(f"reading {own.name}", place, len(study.sets))
            loaded = own.load()
            inputs += loaded.inputs
            notes += [f"{own.name}: {note}" for note in loaded.notes]
            material.append(
                StudyMaterial(
                    own.name,
                    loaded.test_set,
                    loaded.outputs,
                    own.language or loaded.test_set.language,
                    own.domain,
                )
            )
        _outputs.check_not_read(inputs)
        result = run_study(material, specs, plan, cache=_cache.row_cache(caching), progress=report_progress)
    _show.warn(notes, quiet=quiet)
    _show.show(forms(result, name=study.name, version=__version__, inputs=inputs), form, output)
