"""Say how many judgements or segments are enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _pilot, _show
from adjudge.cli._pilot import PowerQuestion
from adjudge.cli._vocabulary import Numbers
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.planning.campaign_plan import CampaignPlan
    from adjudge.planning.power_words import Result


PLAN = "adjudge.planning.campaign_plan:CampaignPlan"
OPTIONS = (
    *(
        "alpha",
        "one_sided",
        "system_count",
        "comparisons",
        "correction",
        "ratio",
        "paired_correlation",
        "tie_share",
    ),
    *(
        "annotators_per_item",
        "icc",
        "document_icc",
        "document_size",
        "annotator_icc",
        "annotator_load",
        "controls",
    ),
    *("spending", "seed"),
)
"""Options that are fields of the plan, with its defaults."""
FIELDS = {"system_count": "systems"}
"""The one that the plan has another name for: SYS are systems here."""
SHARED = {"document_size": "document_icc", "annotator_load": "annotator_icc"}
"""What a campaign's file says of documents and annotators, and the options that ask for it."""


@click.command("power", short_help="Say how many judgements or segments are enough.")
@_options.option("n")
@_options.option("effect", type=Numbers())
@_options.options("power", "budget", "mapped", "campaign_file", "look", "p", "z", "looks")
@_options.option(
    "test", "rank-sum (default), signed-rank or sign; of a pilot also randomisation and bootstrap."
)
@_options.options("method", "simulations")
@_options.fields_of(PLAN, *OPTIONS, fields=FIELDS)
@_options.file_options
@_options.option("metrics", "Of a pilot. Default: bleu.")
@_options.option("judgements", "Of a pilot; may be repeated.", repeated=True)
@_options.option("score", "Of a pilot.")
@_options.options("pair", "scale", "difference")
@_options.option("unit", "From the pilot: auto, segment, a label.", default="auto")
@_options.option("trials", "Each drawn campaign is tested by so many; takes long.")
@_options.format_option((*_options.PAGES, "svg"))
@_options.output_option("output", "FILE.html is a page, FILE.svg a picture of a map.")
@_options.options(threads=0, cache=True)
@_options.keywords()
def command(*, form: str, output: str | None, quiet: bool = False, **options: Any) -> None:
    """Say how many judgements or segments are enough, before a campaign.

    Of --n, --effect and --power two give the third; without any, a table of many. Outputs and a reference,
    a stored run, or judgements (-j) are a pilot from which campaigns are drawn.

    \b
    adjudge power --n 55 --effect 0.44
    adjudge power --power 0.8 --effect 0.45 --systems 10
    adjudge power --budget 3000 --annotators-per-item 2 --systems 5 --effect 0.44
    adjudge power --campaign-file campaign.toml
    adjudge power --effect 0.44 --looks 4
    adjudge power --effect 0.44 --looks 4 --look 2 --p 0.003
    adjudge power -r reference.en -m chrf old.en new.en
    adjudge power -j judgements.tsv --pair old new
    """
    question = PowerQuestion.of(options, picture=form == "svg")
    result: Result
    inputs: Sequence[Input]
    if options["systems"] or options["test_set"] is not None or options["judgements"]:
        if options["campaign_file"] is not None:
            raise UsageError("--campaign-file and files of a pilot: give one of them")
        result, inputs = _pilot.power_of_files(question, options, quiet=quiet)
    else:
        _pilot.refuse_without_pilot(options)
        result, inputs = _calculated(question, options), ()
    _report(result, inputs, form, output)


def _calculated(question: PowerQuestion, options: Mapping[str, Any]) -> Result:
    """The answer of formulas, where nothing was drawn from a pilot."""
    from adjudge.planning.power import MAP_EFFECTS, MAP_N, map_power, power_for

    options = dict(options)
    if options["campaign_file"] is not None:
        question = _of_campaign(question, options)
    looks, last = _looks(options["looks"])
    if last is not None:
        if question.n is not None and question.n != (last,):
            raise UsageError(f"--n {question.n[0]}: the last look is after {last}; leave --n away")
        question = replace(question, n=(last,))
    design = _design(options, looks)
    if question.is_map:
        if question.budget is not None or question.look is not None:
            raise UsageError("a table of many n and effects has no budget and no looks to ask about")
        return map_power(design, question.n or MAP_N, question.effect or MAP_EFFECTS, question.wanted)
    if question.look is not None:
        return _after_a_look(question, question.look, design)
    if question.p is not None or question.z is not None:
        raise UsageError("--p and --z are of a look: --looks 4 --look 2")
    return power_for(
        design, n=question.one_n, effect=question.one_effect, power=question.power, budget=question.budget
    )


def _of_campaign(question: PowerQuestion, options: dict[str, Any]) -> PowerQuestion:
    """The question about a campaign: what was not typed is as its file says."""
    from adjudge.cli._studies import given_options
    from adjudge.cli.human.new import plan_campaign
    from adjudge.planning.campaigns import campaign_size, shared_sizes

    campaign, material, plan = plan_campaign(options["campaign_file"], None, quiet=True)
    size = campaign_size(campaign, material.systems, plan)
    if size is None:
        raise UsageError(f"{options['campaign']} has one system: there is nothing to compare")
    own = {
        "system_count": size.design.systems,
        "test": size.design.test,
        "annotators_per_item": size.design.annotators_per_item,
    }
    shared = shared_sizes(campaign, material, plan)
    own |= {name: shared[name] for name, icc in SHARED.items() if options[icc]}
    options |= own | given_options(tuple(own))
    if question.n is None and question.budget is None and (question.effect is None or question.power is None):
        question = replace(question, n=(size.n,))
    return question if question.effect is not None else replace(question, effect=(size.effect,))


def _design(options: Mapping[str, Any], looks: tuple[float, ...]) -> CampaignPlan:
    from adjudge.planning.campaign_plan import SIMULATIONS, CampaignPlan

    return CampaignPlan(
        **{FIELDS.get(name, name): options[name] for name in OPTIONS},
        test=options["test"] or "rank-sum",
        method=options["method"] or "",
        looks=looks,
        simulations=options["simulations"] or SIMULATIONS,
    )


def _after_a_look(question: PowerQuestion, look: int, design: CampaignPlan) -> Result:
    """What to do after a look at a campaign that is under way."""
    from adjudge.planning.interim import interim_result

    if not design.several_looks:
        raise UsageError(f"--look {look}: of how many? --looks 4")
    n, effect = question.one_n, question.one_effect
    if question.budget is not None:
        n = design.n_for_budget(question.budget)
    if n is None:
        if effect is None:
            raise UsageError("--look asks about a plan: give its --n, or the --effect it was made for")
        n = design.n(question.wanted, effect)
    if effect is not None:
        design.check_effect(effect)
    return interim_result(design, n, look, z=question.z, p=question.p, effect=effect, wanted=question.wanted)


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
    from adjudge.planning.power_display import PowerDisplay
    from adjudge.report.render.formats import renderer_of

    declared = PowerDisplay(result, tuple(inputs))
    _show.show(renderer_of(declared, version=__version__, inputs=inputs or None), form, output)
