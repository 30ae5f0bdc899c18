"""Options of the tests that commands share, each spelled once."""

from __future__ import annotations

from collections.abc import Callable

import click

from adjudge.cli._options import LARGEST_SEED, MOST_DRAWS, Command, Real, Whole
from adjudge.errors import UsageError


def _margins(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> float | dict[str, float] | None:
    """One number, or one for each metric that is named."""
    margins: dict[str, float] = {}
    for text in values:
        name, _, amount = text.rpartition("=")
        try:
            value = float(amount)
        except ValueError:
            raise UsageError(f"--margin {text}: a number was expected, or METRIC=NUMBER (bleu=1)") from None
        from adjudge.stats.equivalence import check_margin  # late: it loads numpy

        check_margin(value)
        if name in margins:
            raise UsageError(
                f"--margin {text}: there is one{f' of {name}' if name else ''} already"
                + ("" if name else "; with several metrics say of which (bleu=1)")
            )
        margins[name] = value
    if "" not in margins:
        return margins or None
    if len(margins) > 1:
        raise UsageError("--margin with a metric and without one: give each its metric (bleu=1)")
    return margins[""]


class TestOption(click.Option):
    """`--test`, whose help also names the tests that its sentence does not know."""

    __test__ = False

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        from adjudge.stats.tests import all_of  # late: few ask for help
        from adjudge.stats.tests.systems.base import SystemTest

        record = super().get_help_record(ctx)
        more = [name for name in all_of(SystemTest) if name not in str(self.help)]
        return record if record is None or not more else (record[0], f"{record[1]} Also {', '.join(more)}.")


_OPTIONS = {
    "baseline": click.option(
        "--baseline", metavar="SYSTEM", help="Test the others against this system only."
    ),
    "method": click.option(
        "--test",
        "method",
        cls=TestOption,
        metavar="NAME",
        default="randomisation",
        show_default=True,
        help="randomisation (paired, approximate) or bootstrap; of metrics that are means of segment scores also "
        "signed-rank (paired) or rank-sum, and clustered-t for units of two kinds (--unit document,domain).",
    ),
    "trials": click.option(
        "--trials",
        metavar="N",
        type=Whole(1, MOST_DRAWS),
        help="Trials behind each p. Default: 10000, or more where the correction needs them.",
    ),
    "resamples": click.option(
        "--resamples",
        metavar="N",
        type=Whole(1, MOST_DRAWS),
        help="Resamples behind intervals and ranks. Default: 1000.",
    ),
    "sampling": click.option(
        "--sampling",
        metavar="NAME",
        default="bootstrap",
        show_default=True,
        help="bootstrap (n of n with replacement) or half (half of them without).",
    ),
    "interval": click.option(
        "--interval",
        metavar="NAME",
        default="test",
        show_default=True,
        help="Of differences: test (what the test would not reject), percentile or basic.",
    ),
    "confidence": click.option(
        "--confidence",
        metavar="X",
        type=Real(1e-9),
        default=0.95,
        show_default=True,
        help="Confidence of intervals.",
    ),
    "seed": click.option(
        "--seed",
        metavar="N",
        type=Whole(0, LARGEST_SEED),
        default=12345,
        show_default=True,
        help="Seed of the random numbers.",
    ),
    "unit": click.option(
        "--unit",
        metavar="LABEL",
        default="auto",
        show_default=True,
        help="What is drawn: segment, document or the groups of a label; auto: documents where they are labelled.",
    ),
    "strata": click.option("--strata", metavar="LABEL", help="Draw within the groups of this label."),
    "correction": click.option(
        "--correction",
        metavar="NAME",
        default="holm",
        show_default=True,
        help="For many comparisons: holm, bh (Benjamini-Hochberg) or none.",
    ),
    "family": click.option(
        "--family",
        metavar="NAME",
        default="metric",
        show_default=True,
        help="Corrected together: metric (the pairs of each metric) or all (those of all metrics).",
    ),
    "alpha": click.option(
        "--alpha",
        metavar="X",
        type=Real(1e-9),
        default=0.05,
        show_default=True,
        help="Level of significance.",
    ),
    "margin": click.option(
        "--margin",
        metavar="X",
        type=float,
        help="A difference that would not matter: test whether systems are the same within it.",
    ),
    "margins": click.option(
        "--margin",
        metavar="MARGIN",
        multiple=True,
        callback=_margins,
        help="A difference that would not matter: test whether systems are the same within it. For several "
        "metrics, repeat it as NAME=X: bleu=1.",
    ),
    "by": click.option(
        "--by",
        metavar="LABEL",
        multiple=True,
        help="The same for each document, domain, origin (origlang), length or other label; repeated: crossed.",
    ),
}


NAMES = tuple(_OPTIONS)


def options(*names: str) -> Callable[[Command], Command]:
    """How differences are tested, all of it or some; each is a field of a `Plan`."""

    def add(command: Command) -> Command:
        for name in reversed(names or tuple(name for name in _OPTIONS if name != "margin")):
            command = _OPTIONS[name](command)
        return command

    return add
