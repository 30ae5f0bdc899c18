"""Faults that need no judge: numbers lost, words untranslated, text in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.analysis.fault_kinds import FaultKind
    from adjudge.data import TestSet


@click.command(
    "faults", short_help="Faults that need no judge: numbers lost, words untranslated, text in circles."
)
@_options.file_options
@_options.keywords()
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    entities: str | None = None,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Count faults that can be seen beside the source.

    Numbers, dates, units, addresses, tags, placeholders and names that are lost, numbers that are new, words left
    untranslated, phrases again and again, the same text for different sources; and what the reference has of each.

    \b
    adjudge analyse faults -s source.pt -r reference.en rulebased.en neural.en
    adjudge analyse faults -s source.pt -r reference.en --entities en_core_web_sm neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.fault_kinds import KINDS
    from adjudge.analysis.faults import faults
    from adjudge.report.analyses.faults import forms

    _options.check_files(systems, doing="analyse faults", **files)
    loaded = _options.load_files(systems, doing="analyse faults", **files)
    _outputs.check_not_read(loaded.inputs)
    kinds = [*KINDS, *([_names(entities, loaded.test_set)] if entities else [])]
    result = faults(loaded.test_set, loaded.outputs, kinds=kinds, resamples=resamples, seed=seed, unit=unit)
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)


def _names(pipeline: str, test_set: TestSet) -> FaultKind:
    """The kind of fault that a pipeline sees: names of the first reference that an output has not."""
    from adjudge.analysis.fault_kinds import named_entities
    from adjudge.text.parsers import named_entities_of

    if not test_set.references:
        raise UsageError("names are those of the reference, and there is none: -r FILE")
    names = named_entities_of(pipeline, [text or "" for text in test_set.references[0]])
    return named_entities(names, "reference")
