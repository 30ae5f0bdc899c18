"""Say how many judgements or segments are enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _pilot, _show, _testing
from adjudge.cli._pilot import PowerQuestion
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.planning.campaign_plan import CampaignPlan
    from adjudge.report.results.power_words import Result


SHARED = {"document_size": "document_icc", "annotator_load": "annotator_icc"}
"""What a campaign's file says of documents and annotators, and the options that ask for it."""


@click.command("power", short_help="Say how many judgements or segments are enough.")
@click.option(
    "--n",
    "n",
    metavar="N",
    callback=_options.number_list(int, "a whole number"),
    help="Distinct translations a system.",
)
@click.option(
    "--effect",
    metavar="P",
    callback=_options.number_list(float, "a number"),
    help="P(A < B): how often, of two translations, the second system's is better; 0.5 is no difference.",
)
@click.option("--power", metavar="X", type=_options.Real(), help="The power that is wanted. Default: 0.8.")
@click.option(
    "--campaign",
    metavar="FILE",
    help="A campaign's file: its systems, its test and how much is judged, unless options say otherwise.",
)
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
@click.option("--p", "p", metavar="P", type=_options.Real(1e-300), help="The p-value of that look's test.")
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
@click.option(
    "--unit",
    metavar="LABEL",
    default="auto",
    help="What is drawn from the pilot: auto (default), segment, a label.",
)
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
def command(*, form: str, output: str | None, quiet: bool, **options: Any) -> None:
    """Say how many judgements or segments are enough, before a campaign.

    Of --n, --effect and --power two give the third; without any, a table of many. Outputs and a reference,
    a stored run, or judgements (-j) are a pilot from which campaigns are drawn.

    \b
    adjudge power --n 55 --effect 0.44
    adjudge power --power 0.8 --effect 0.45 --systems 10
    adjudge power --budget 3000 --annotators-per-item 2 --systems 5 --effect 0.44
    adjudge power --campaign campaign.toml
    adjudge power --effect 0.44 --looks 4
    adjudge power --effect 0.44 --looks 4 --look 2 --p 0.003
    adjudge power -r reference.en -m chrf old.en new.en
    adjudge power -j judgements.tsv --pair old new
    """
    question = PowerQuestion.of(options, picture=form == "svg")
    result: Result
    inputs: Sequence[Input]
    if options["systems"] or options["test_set"] is not None or options["judgements"]:
        if options["campaign"] is not None:
            raise UsageError("--campaign and files of a pilot: give one of them")
        result, inputs = _pilot.power_of_files(question, options, quiet=quiet)
    else:
        _pilot.refuse_without_pilot(options)
        result, inputs = _calculated(question, options), ()
    _report(result, inputs, form, output)


def _calculated(question: PowerQuestion, options: Mapping[str, Any]) -> Result:
    """The answer of formulas, where nothing was drawn from a pilot."""
    from adjudge.planning.power import MAP_EFFECTS, MAP_N, map_power, power_for

    options = dict(options)
    if options["campaign"] is not None:
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

    campaign, material, plan = plan_campaign(options["campaign"], None, quiet=True)
    size = campaign_size(campaign, material.systems, plan)
    if size is None:
        raise UsageError(f"{options['campaign']} has one system: there is nothing to compare")
    own = {"count": size.design.systems, "test": size.design.test, "annotators": size.design.annotators}
    shared = shared_sizes(campaign, material, plan)
    own |= {name: shared[name] for name, icc in SHARED.items() if options[icc]}
    options |= own | given_options(tuple(own))
    if question.n is None and question.budget is None and (question.effect is None or question.power is None):
        question = replace(question, n=(size.n,))
    return question if question.effect is not None else replace(question, effect=(size.effect,))


def _design(options: Mapping[str, Any], looks: tuple[float, ...]) -> CampaignPlan:
    from adjudge.planning.campaign_plan import SIMULATIONS, CampaignPlan

    names = (
        *("alpha", "one_sided", "comparisons", "correction", "annotators", "controls", "seed", "ratio"),
        *("correlation", "ties", "icc", "document_icc", "document_size", "annotator_icc", "annotator_load"),
    )
    return CampaignPlan(
        **{name: options[name] for name in names},
        systems=options["count"],
        test=options["test"] or "rank-sum",
        method=options["method"] or "",
        looks=looks,
        spending=options["spending"],
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
    from adjudge.report.results.power import forms

    _show.show(forms(result, version=__version__, inputs=inputs), form, output)
