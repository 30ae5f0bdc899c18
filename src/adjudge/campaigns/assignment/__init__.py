"""Who judges what, and in which order: from a campaign and its texts to hits.

Pure functions: the same campaign, texts and seed give the same hits. `pool.py` says what there is to judge,
`comparing.py` what stands side by side, `dealing.py` who gets it, `ordering.py` in which order; `sittings.py` and
`documents.py` make hits of it with the control items of `making.py`; `extending.py` adds to what was
given out, `second_stage.py` has edited texts judged.
"""

from adjudge.campaigns.assignment.extending import extended
from adjudge.campaigns.assignment.planning import Plan, plan
from adjudge.campaigns.assignment.second_stage import Edited, judges_wanted, key_of, next_items, second_stage

__all__ = ["Edited", "Plan", "extended", "judges_wanted", "key_of", "next_items", "plan", "second_stage"]
