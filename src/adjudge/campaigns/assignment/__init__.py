"""Assignment: from a campaign and its texts to hits, with their order and their annotators.

Pure functions: the same campaign, texts and seed give the same hits. `pool.py` says what there is to judge,
`comparisons.py` what stands side by side, `workloads.py` who gets it, `order.py` in which order; `segment_hits.py` and
`document_hits.py` make hits of it with the items of `control_items.py`; `plan.py` does all of it for a new campaign,
`extension.py` adds to what was given out, `second_stage.py` has edited texts judged. `plan_advice.py` holds what the
organiser should know before.
"""

from adjudge.campaigns.assignment.extension import extend_plan
from adjudge.campaigns.assignment.plan import AssignmentPlan, plan_hits
from adjudge.campaigns.assignment.second_stage import (
    EditedText,
    edited_item_key,
    judges_needed,
    next_items,
    second_stage,
)

__all__ = [
    "AssignmentPlan",
    "EditedText",
    "edited_item_key",
    "extend_plan",
    "judges_needed",
    "next_items",
    "plan_hits",
    "second_stage",
]
