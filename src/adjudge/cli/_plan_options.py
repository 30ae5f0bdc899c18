"""Options that are fields of a `Plan`: how differences are tested."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli._options import Decorator, FieldOption, fields_of
from adjudge.errors import UsageError

PLAN = "adjudge.comparison.plan:Plan"
SPELLED = {"method": "test"}
"""The field that has another name than its option."""
FIELDS = (
    *(
        "baseline",
        "method",
        "trials",
        "resamples",
        "sampling",
        "interval",
        "confidence",
        "seed",
        "unit",
        "strata",
    ),
    *("correction", "family", "alpha", "margin", "by"),
)
"""The fields that have an option; those that commands have no use for are left to Python."""
REMARKS = {
    "method": "randomisation (paired, approximate) or bootstrap; of metrics that are means of segment scores also "
    "signed-rank (paired) or rank-sum, and clustered-t for units of two kinds (--unit document,domain).",
    "trials": "Default: 10000, or more where the correction needs them.",
    "resamples": "Default: 1000.",
    "interval": "Of differences: test (what the test would not reject), percentile or basic.",
    "unit": "segment, document or the groups of a label; auto: documents where they are labelled.",
    "margin": "For several metrics, repeat it as NAME=X: bleu=1.",
    "by": "document, domain, origin (origlang), length or another one; repeated: crossed.",
}


class TestOption(FieldOption):
    """`--test`, whose help also names the tests that its sentence does not know."""

    __test__ = False

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        from adjudge.stats.tests import all_of  # late: few ask for help
        from adjudge.stats.tests.systems.base import SystemTest

        record = super().get_help_record(ctx)
        more = [name for name in all_of(SystemTest) if name not in str(self.help)]
        return record if record is None or not more else (record[0], f"{record[1]} Also {', '.join(more)}.")


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


def plan_options(*names: str) -> Decorator:
    """Options of these fields of a plan, or of all, with the plan's own defaults."""
    facts: dict[str, dict[str, Any]] = {
        "margin": {"callback": _margins, "multiple": True, "show_default": False},
        "by": {"multiple": True},
        "method": {"cls": TestOption},
    }
    return fields_of(PLAN, *(names or FIELDS), remarks=REMARKS, spelled=SPELLED, show=True, facts=facts)
