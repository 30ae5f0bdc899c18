"""What engines cost: bills where people's time was measured, else words to change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from adjudge.comparison.verdict import Verdict
from adjudge.display import Cell, Column, Row, Table, visible
from adjudge.dossiers.costs import EditingCost
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.human.postediting import Bill
from adjudge.human.postediting_display import SAME_CURRENCY, unsure_costs
from adjudge.report.pages.exhibits import table_block
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html
from adjudge.wording import are, number, of_currency, pluralise

Cost = TypeVar("Cost", EditingCost, Bill)
MOST_COSTS = 6
"""Engines whose costs a page has room for."""


def bills_part(dossier: Dossier) -> Html:
    """What people's measured time comes to; nothing where none was measured."""
    edits = dossier.people.post_edits if dossier.people else None
    if edits is not None and edits.bills:
        bills = edits.bills
        head = (
            Column("Engine"),
            Column("words an hour", True),
            Column(of_currency("cost of 1,000 words", dossier.currency), True),
            Column(of_currency("saved", dossier.currency), True),
        )
        rows = tuple(
            Row(
                (
                    Cell(visible(bill.system)),
                    Cell(number(bill.words_an_hour, 0)),
                    Cell(_range(bill.cost, bill.cost_low, bill.cost_high)),
                    Cell(_range(bill.saved, bill.saved_low, bill.saved_high)),
                )
            )
            for bill in shown_costs(sorted(bills, key=lambda bill: bill.cost), dossier.verdict)
        )
        words = (
            "From the time that people took to correct these translations, engine included, with the likely range in "
            "brackets. Saved: against translating from scratch."
        )
        told = [
            words,
            *filter(None, [unsure_costs(edits)]),
            *_left(len(bills) - MOST_COSTS),
            *([] if dossier.currency else [SAME_CURRENCY]),
        ]
        return table_block(Table(head, rows), "costs", "Costs") + html_list(told)
    return NOTHING


def shown_costs(costs: Sequence[Cost], verdict: Verdict) -> list[Cost]:
    """The costs that a page has room for, in their order: of the engines that it compares, then of the cheapest."""
    first = [*verdict.pair, *verdict.systems, *(cost.system for cost in costs)]
    by_name = {cost.system: cost for cost in costs}
    shown: list[str] = [name for name in dict.fromkeys(first) if name in by_name][:MOST_COSTS]
    return [cost for cost in costs if cost.system in shown]


def estimates_part(
    costs: Sequence[EditingCost], verdict: Verdict, currency: str = "", more: str = ""
) -> Html:
    """Words to change, and what that is; `more` says what the numbers are of."""
    if not costs:
        words = "Not known: no corrections were measured, and no words to change were counted (-m ter counts them)."
        return html_list([words])
    priced = not math.isnan(costs[0].price)
    columns = [Column("Engine"), Column("words to change, of 100", True)]
    columns += [Column(of_currency("editing 1,000 words", currency), True)] if priced else []
    rows = tuple(
        Row(
            (
                Cell(visible(cost.system)),
                Cell(_range(cost.edits, cost.edits_low, cost.edits_high, 0)),
                *((Cell(_range(cost.price, cost.price_low, cost.price_high)),) if priced else ()),
            )
        )
        for cost in shown_costs(costs, verdict)
    )
    told = [
        *_left(len(costs) - MOST_COSTS),
        *_cost_words(costs, priced),
        *([SAME_CURRENCY] if priced and not currency else []),
    ]
    told += [more] if more else []
    return table_block(Table(tuple(columns), rows), "costs", "Costs") + html_list(told)


def _left(count: int) -> list[str]:
    """How many engines are not shown, for want of room."""
    left = f"{pluralise(count, 'more engine')} {are(count)} left out"
    return (
        [f"The table shows the engines compared above and the cheapest of the others; {left}."]
        if count > 0
        else []
    )


def _cost_words(costs: Sequence[EditingCost], priced: bool) -> list[str]:
    reference = costs[0].measure == "ter"
    words = ["An estimate, not a bill: words to change, with the likely range in brackets."]
    if reference:
        words.append(
            "The count is against a translation made independently of the engine. People who correct accept other "
            "right wordings and change less: trust the order of engines more than the numbers."
        )
    if priced:
        words.append(
            "Each changed word costs the price that was given; reading what is right is not counted."
        )
    return words


def _range(value: float, low: float, high: float, decimals: int = 2) -> str:
    text = number(value, decimals)
    if not (math.isfinite(low) and math.isfinite(high)):
        return text
    return f"{text} ({number(low, decimals)} to {number(high, decimals)})"
