"""From the command line of `human analyse` to the options of an analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli._rates import rates_of
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers import AnalysisOptions

SAME = (
    *(
        "by",
        "unit",
        "preset",
        "language",
        "score",
        "drop_failed",
        "quality_test",
        "most_errors",
        "one_sided",
        "test",
    ),
    *("baseline", "trials", "mixed_model", "ranking", "regularisation", "curves", "effect", "claim", "human"),
    *("correction", "alpha", "resamples", "confidence", "seed", "margin", "pool_languages", "repeats"),
)
"""Options of the command that are fields of the plan."""
NAMES = {"rescale": "scales_of", "wage": "rates", "scratch_speed": "rates", "engine_cost": "rates"}
"""And those that a field is made of."""


def analysis_options(
    judgements: Judgements, everything: Judgements | None, options: Mapping[str, Any], planned: str = ""
) -> AnalysisOptions:
    """What was asked for; an error for the first option that these judgements have no use for.

    `everything` is all that annotators judged, where only some of it is analysed; `planned` is what the record of a
    campaign says of it, unless something else is declared.
    """
    from adjudge.dossiers.options import AnalysisOptions, refuse_options
    from adjudge.human.mqm import read_weights, severities

    refuse_options(judgements, _typed(), options["preset"], "--preset")
    if isinstance(options["margin"], Mapping):
        raise UsageError("--margin: a number was expected, for judgements have one score")
    is_rating = not judgements.is_ranking
    return AnalysisOptions(
        **{name: options[name] for name in SAME},
        sources=_lines(options["source"]),
        scales_of=everything if is_rating and not options["rescale"] else None,
        error_weights=read_weights(options["error_weights"], severities(judgements)) if is_rating else None,
        expected=_systems(options["expected"]),
        rates=rates_of(options),
        declared=({"planned": planned} if planned else {}) | _declared(options["declare"]),
    )


def _typed() -> dict[str, str]:
    """The options that stand on the command line, by the library's names, each as it is spelled."""
    context = click.get_current_context()
    typed: dict[str, str] = {}
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            typed.setdefault(NAMES.get(name, name), parameter.opts[0])
    return typed


def _lines(path: str | None) -> Sequence[str]:
    from adjudge.io.files import lines, read_bytes

    return lines(path, read_bytes(path)[0]) if path else ()


def _systems(text: str | None) -> tuple[str, ...]:
    """Systems in a row; names may have commas where > parts them."""
    if text is None:
        return ()
    return tuple(name.strip() for name in text.split(">" if ">" in text else ","))


def _declared(pairs: Sequence[str]) -> dict[str, str]:
    facts = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not value.strip():
            raise UsageError(f"--declare {pair}: write FACT=VALUE, as in context=document")
        facts[name.strip()] = value.strip()
    return facts
