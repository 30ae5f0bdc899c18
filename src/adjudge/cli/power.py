"""Say how many judgements or segments are enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _material, _options, _outputs, _pilot, _show, _testing
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.report.power_words import Result


def _numbers(kind: type[int] | type[float], what: str) -> Callable[..., tuple[float, ...] | None]:
    """A callback for one number or several, with commas between them."""

    def convert(
        context: click.Context, parameter: click.Parameter, value: str | None
    ) -> tuple[float, ...] | None:
        if value is None:
            return None
        try:
            numbers = tuple(kind(part) for part in value.split(","))
            if not all(1e-9 <= abs(number) <= 1e9 or number == 0 for number in numbers):  # nor nan
                raise ValueError
            return numbers
        except ValueError:
            raise UsageError(
                f"{parameter.opts[0]} {value}: is not {what}, nor several with commas between them"
            ) from None

    return convert


@click.command("power", short_help="Say how many judgements or segments are enough.")
@click.option(
    "--n", "n", metavar="N", callback=_numbers(int, "a whole number"), help="Distinct translations a system."
)
@click.option(
    "--effect",
    metavar="P",
    callback=_numbers(float, "a number"),
    help="P(A < B): how often, of two translations, the second system's is better; 0.5 is no difference.",
)
@click.option("--power", metavar="X", type=_options.Real(), help="The power that is wanted. Default: 0.8.")
@click.option("--map", "mapped", is_flag=True, help="A table of many n and effects.")
@click.option(
    "--test",
    metavar="NAME",
    help="rank-sum (default), signed-rank or sign; of a pilot also randomisation and bootstrap.",
)
@click.option(
    "--method", metavar="NAME", help="shieh (default), noether, simulation; the sign test is exact."
)
@_testing.options("alpha")
@click.option("--one-sided", is_flag=True, help="Test in one direction only.")
@click.option(
    "--systems",
    "count",
    metavar="K",
    type=_options.Whole(2),
    default=2,
    show_default=True,
    help="Systems judged.",
)
@click.option(
    "--comparisons", metavar="M", type=_options.Whole(1), help="Pairs tested. Default: all of them."
)
@click.option(
    "--correction", metavar="NAME", default="holm", show_default=True, help="For many pairs: holm or none."
)
@click.option(
    "--ratio",
    metavar="R",
    type=_options.Real(),
    default=1.0,
    help="Translations of B for each of A (rank-sum).",
)
@click.option(
    "--correlation",
    metavar="R",
    type=_options.Real(),
    default=0.0,
    help="Of both systems' scores of a segment (paired tests).",
)
@click.option(
    "--ties",
    metavar="SHARE",
    type=_options.Real(),
    default=0.0,
    help="Segments without a winner (sign test).",
)
@click.option(
    "--budget", metavar="N", type=_options.Whole(1), help="Judgements that can be paid for, in place of --n."
)
@click.option(
    "--annotators-per-item",
    "annotators",
    metavar="K",
    type=_options.Whole(1),
    default=1,
    show_default=True,
    help="Judgements of each translation.",
)
@click.option(
    "--icc", metavar="X", type=_options.Real(), help="Share of the variance that lies between translations."
)
@click.option(
    "--document-icc",
    metavar="X",
    type=_options.Real(),
    default=0.0,
    help="How much segments of one document correlate; with --document-size.",
)
@click.option(
    "--document-size",
    metavar="M",
    type=_options.Real(),
    default=1.0,
    help="Segments of a document that are judged.",
)
@click.option(
    "--annotator-icc",
    metavar="X",
    type=_options.Real(),
    default=0.0,
    help="How much translations judged by one annotator correlate; with --annotator-load.",
)
@click.option(
    "--annotator-load",
    metavar="M",
    type=_options.Real(),
    default=1.0,
    help="Translations of a system that one annotator judges.",
)
@click.option(
    "--controls",
    metavar="SHARE",
    type=_options.Real(),
    default=0.0,
    help="Judgements spent on control items.",
)
@click.option("--looks", metavar="K", help="Looks on the way: how many, or after which shares: 0.5,0.75,1.")
@click.option(
    "--spending", metavar="NAME", default="obrien-fleming", help="obrien-fleming (default) or pocock."
)
@click.option(
    "--look", metavar="K", type=_options.Whole(1), help="What to do after this look, with --p or --z."
)
@click.option(
    "--p", "p_value", metavar="P", type=_options.Real(1e-300), help="The p-value of that look's test."
)
@click.option(
    "--z",
    "z_value",
    metavar="Z",
    type=_options.Real(),
    help="Its z in place of p; negative: against the plan.",
)
@_options.file_options
@_options.metric_option("bleu (of a pilot)")
@click.option(
    "-j", "--judgements", metavar="FILE", multiple=True, help="What people said in a pilot; may be repeated."
)
@click.option("--score", metavar="NAME", help="Of judgements: z (by annotator) or raw.")
@click.option("--pair", metavar="A B", nargs=2, help="The two systems of a pilot that has more.")
@click.option(
    "--scale", metavar="X", type=_options.Real(1e-9), help="Plan for so many times the pilot's difference."
)
@click.option(
    "--difference",
    metavar="X",
    type=_options.Real(),
    help="Plan for this difference, in points of the score.",
)
@click.option("--unit", metavar="LABEL", default="segment", help="What is drawn from the pilot.")
@click.option(
    "--trials",
    metavar="N",
    type=_options.Whole(1, _options.MOST_DRAWS),
    help="Test each drawn campaign by so many trials; takes long.",
)
@click.option(
    "--simulations",
    metavar="N",
    type=_options.Whole(100, _options.MOST_DRAWS),
    help="Campaigns that are simulated.",
)
@_testing.options("seed")
@_options.format_option((*_options.FORMATS, "html", "svg"))
@_outputs.output_option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to a file; FILE.html is a page, FILE.svg a picture of a map.",
)
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    n: tuple[int, ...] | None,
    effect: tuple[float, ...] | None,
    power: float | None,
    mapped: bool,
    count: int,
    look: int | None,
    p_value: float | None,
    z_value: float | None,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    judgements: tuple[str, ...],
    score: str | None,
    pair: tuple[str, ...] | None,
    scale: float | None,
    difference: float | None,
    unit: str,
    trials: int | None,
    budget: int | None,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
    references: tuple[str, ...],
    source: str | None,
    test_set: str | None,
    labels: str | None,
    language: str | None,
    input_format: str | None,
    **design: Any,
) -> None:
    """Say how many judgements or segments are enough, before a campaign.

    Of --n, --effect and --power two give the third; without any, a table of many. Outputs and a reference,
    a stored run, or judgements (-j) are a pilot from which campaigns are drawn.

    \b
    adjudge power --n 55 --effect 0.44
    adjudge power --power 0.8 --effect 0.45 --systems 10
    adjudge power --budget 3000 --annotators-per-item 2 --systems 5 --effect 0.44
    adjudge power --effect 0.44 --looks 4
    adjudge power --effect 0.44 --looks 4 --look 2 --p 0.003
    adjudge power -r reference.en -m chrf old.en new.en
    adjudge power -j judgements.tsv --pair old new
    """
    design["systems"] = count
    picture = form == "svg"
    files = {
        "references": references,
        "source": source,
        "test_set": test_set,
        "labels": labels,
        "language": language,
        "input_format": input_format,
    }
    inputs: Sequence[Input] = ()
    result: Result
    if systems or test_set is not None or judgements:
        from adjudge.cli._progress import progress

        _pilot.refuse_with_pilot(design | {"effect": effect, "look": look, "p": p_value, "z": z_value})
        with progress(quiet=quiet) as report_progress:
            if judgements:
                _pilot.refuse_with_judgements(
                    files | {"SYS": systems, "metric": metrics, "trials": trials, "unit": unit}
                )
                pilot, inputs, warnings = _pilot.pilot_of_judgements(
                    judgements, pair, score, input_format, design["seed"]
                )
            else:
                gathering = _material.Gathering(threads, _cache.row_cache(caching), report_progress)
                pilot, inputs, warnings = _pilot.pilot_of(
                    gathering, systems, metrics, pair, unit, trials, files, design["seed"]
                )
            _outputs.check_not_read(inputs)
            result = _pilot.answered(
                pilot,
                design,
                mapped=mapped or picture,
                n=n,
                power=power,
                budget=budget,
                scale=scale,
                difference=difference,
                trials=trials,
                progress=report_progress,
            )
        _show.warn(warnings, quiet=quiet)
    else:
        _pilot.refuse_without_pilot(
            files
            | {"metric": metrics, "score": score, "pair": pair}
            | {"scale": scale, "difference": difference, "trials": trials}
        )
        result = _calculated(
            design,
            mapped=mapped or picture,
            n=n,
            effect=effect,
            power=power,
            budget=budget,
            look=look,
            p=p_value,
            z=z_value,
        )
    _report(result, inputs, form, output)


def _calculated(
    options: dict[str, Any],
    *,
    mapped: bool,
    n: tuple[int, ...] | None,
    effect: tuple[float, ...] | None,
    power: float | None,
    budget: int | None,
    look: int | None,
    p: float | None,
    z: float | None,
) -> Result:
    from adjudge.planning import power as asking
    from adjudge.planning.design import SIMULATIONS, Design
    from adjudge.planning.interim import interim_result
    from adjudge.stats.power import POWER

    looks, looked = _looks(options.pop("looks"))
    if looked is not None:
        if n is not None and n != (looked,):
            raise UsageError(f"--n {n[0]}: the last look is after {looked}; leave --n away")
        n = (looked,)
    test, method = options.pop("test"), options.pop("method")
    simulations = options.pop("simulations") or SIMULATIONS
    design = Design(
        **options, test=test or "rank-sum", method=method or "", looks=looks, simulations=simulations
    )
    wanted = POWER if power is None else power
    nothing = n is None and effect is None and power is None and budget is None and look is None
    if mapped or nothing or len(n or ()) > 1 or len(effect or ()) > 1:
        if budget is not None or look is not None:
            raise UsageError("a table of many n and effects has no budget and no looks to ask about")
        return asking.map_power(design, n or asking.MAP_N, effect or asking.MAP_EFFECTS, wanted)
    one_n, one_effect = (n[0] if n else None), (effect[0] if effect else None)
    if look is None:
        if p is not None or z is not None:
            raise UsageError("--p and --z are of a look: --looks 4 --look 2")
        return asking.power_for(design, n=one_n, effect=one_effect, power=power, budget=budget)
    if not design.several_looks:
        raise UsageError(f"--look {look}: of how many? --looks 4")
    if budget is not None:
        one_n = design.n_for_budget(budget)
    if one_n is None:
        if one_effect is None:
            raise UsageError("--look asks about a plan: give its --n, or the --effect it was made for")
        one_n = design.n(wanted, one_effect)
    if one_effect is not None:
        design.check_effect(one_effect)
    return interim_result(design, one_n, look, z=z, p=p, effect=one_effect, wanted=wanted)


def _looks(text: str | None) -> tuple[tuple[float, ...], int | None]:
    """Shares of all judgements, and the n of the last look where looks were given as numbers of translations."""
    if text is None:
        return (1.0,), None
    try:
        numbers = [float(part) for part in text.split(",")]
        if not all(abs(number) <= 1e9 and not 0 < abs(number) < 1e-9 for number in numbers):  # nor nan
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--looks {text}: must be their number (4), or when they are: 0.5,0.75,1 or 100,200,400"
        ) from None
    if len(numbers) == 1:
        count = numbers[0]
        if count != int(count) or not 1 <= count <= 100:
            raise UsageError(
                f"--looks {text}: must be a whole number from 1 to 100, or 0.5,1 for two at these shares"
            )
        return tuple((k + 1) / count for k in range(int(count))), None
    if max(numbers) > 1:
        return tuple(number / numbers[-1] for number in numbers), round(numbers[-1])
    return tuple(numbers), None


def _report(result: Result, inputs: Sequence[Input], form: str, output: str | None) -> None:
    from adjudge import __version__
    from adjudge.report.power import forms

    _show.show(forms(result, version=__version__, inputs=inputs), form, output)
