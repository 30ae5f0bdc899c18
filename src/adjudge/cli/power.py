"""Say how many judgements or segments are enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _pilot
from adjudge.cli._command import subcommand
from adjudge.cli._options import PAGES, fields_of, format_option, option, output_option
from adjudge.cli._pilot import PowerQuestion
from adjudge.cli._run import CommandRun
from adjudge.cli._vocabulary import Numbers
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.planning.campaign_plan import CampaignPlan
    from adjudge.planning.power_words import Result


PLAN = "adjudge.planning.campaign_plan:CampaignPlan"
OPTIONS = (
    "alpha one_sided system_count comparisons correction ratio paired_correlation tie_share "
    "annotators_per_item icc document_icc document_size annotator_icc annotator_load controls "
    "spending seed"
)
"""Options that are fields of the plan, with its defaults."""
FIELDS = {"system_count": "systems"}
"""The one that the plan has another name for: SYS are systems here."""
SHARED = {"document_size": "document_icc", "annotator_load": "annotator_icc"}
"""What a campaign's file says of documents and annotators, and the options that ask for it."""


@subcommand(
    "power",
    "Say how many judgements or segments are enough.",
    option("n"),
    option("effect", type=Numbers()),
    "power budget mapped campaign_file look p z looks",
    option("test", "rank-sum (default), signed-rank or sign; of a pilot also randomisation and bootstrap."),
    "method simulations",
    *fields_of(PLAN, OPTIONS, fields=FIELDS),
    "files",
    option("metrics", "Of a pilot. Default: bleu."),
    option("judgements", "Of a pilot; may be repeated.", repeated=True),
    option("score", "Of a pilot."),
    "pair scale difference",
    option("unit", "From the pilot: auto, segment, a label.", default="auto"),
    option("trials", "Each drawn campaign is tested by so many; takes long."),
    format_option((*PAGES, "svg")),
    output_option("output", "FILE.html is a page, FILE.svg a picture of a map."),
    option("threads", default=0),
    option("cache", default=True),
    "quiet",
)
def command(run: CommandRun, **options: Any) -> None:
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
    from adjudge import __version__
    from adjudge.planning.power_display import PowerDisplay
    from adjudge.report.render.formats import renderer_of

    question = PowerQuestion.of(options, picture=run.form == "svg")
    result: Result
    inputs: Sequence[Input]
    if options["systems"] or options["test_set"] is not None or options["judgements"]:
        if options["campaign_file"] is not None:
            raise UsageError("--campaign-file and files of a pilot: give one of them")
        result, inputs = _pilot.power_of_files(run, question, options)
    else:
        _pilot.refuse_without_pilot(options)
        result, inputs = _calculate(run, question, options), ()
    declared = PowerDisplay(result, tuple(inputs))
    run.show(renderer_of(declared, version=__version__, inputs=inputs or None))


def _calculate(run: CommandRun, question: PowerQuestion, options: Mapping[str, Any]) -> Result:
    """The answer of formulas, where nothing was drawn from a pilot."""
    from adjudge.planning.campaign_plan import read_looks
    from adjudge.planning.power import MAP_EFFECTS, MAP_N, map_power, power_for

    options = dict(options)
    if options["campaign_file"] is not None:
        question = _of_campaign(run, question, options)
    looks, last = read_looks(options["looks"])
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


def _of_campaign(run: CommandRun, question: PowerQuestion, options: dict[str, Any]) -> PowerQuestion:
    """The question about a campaign: what was not typed is as its file says."""
    from adjudge.campaigns.campaign_files import campaign_of_file
    from adjudge.cli._studies import given_options
    from adjudge.planning.campaign_plan import campaign_size, shared_sizes

    with replace(run, quiet=True).working():
        campaign, material, plan = campaign_of_file(options["campaign_file"])
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
        **{FIELDS.get(name, name): options[name] for name in OPTIONS.split()},
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
