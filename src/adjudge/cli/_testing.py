"""Options of the tests that commands share, each spelled once."""

from __future__ import annotations

from collections.abc import Callable

import click

from adjudge.cli._options import LARGEST_SEED, MOST_DRAWS, Command, Real, Whole

_OPTIONS = {
    "baseline": click.option(
        "--baseline", metavar="SYSTEM", help="Test the others against this system only."
    ),
    "method": click.option(
        "--test",
        "method",
        metavar="NAME",
        default="randomisation",
        show_default=True,
        help="randomisation (paired, approximate) or bootstrap.",
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
    "level": click.option(
        "--level", metavar="X", type=Real(1e-9), default=0.95, show_default=True, help="Level of intervals."
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
        default="segment",
        show_default=True,
        help="What is drawn: segment, document or any label's groups.",
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
    "by": click.option(
        "--by",
        metavar="LABEL",
        multiple=True,
        help="The same for each document, domain, origin (origlang), length or other label; repeated: crossed.",
    ),
}


def options(*names: str) -> Callable[[Command], Command]:
    """How differences are tested, all of it or some; each is a keyword of `adjudge.compare`."""

    def add(command: Command) -> Command:
        for name in reversed(names or tuple(_OPTIONS)):
            command = _OPTIONS[name](command)
        return command

    return add
