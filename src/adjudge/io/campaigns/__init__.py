"""Campaigns of other tools: what is to be judged, by whom, in which order; files in, `Tasks` out, and back.

One file a tool. `campaigns/exchange.py` makes a campaign of ours from tasks, and tasks from a campaign.
"""

from adjudge.io.campaigns.files import FORMATS, is_campaign, read, write
from adjudge.io.campaigns.tasks import Batch, Shown, Tasks, Translation

__all__ = ["FORMATS", "Batch", "Shown", "Tasks", "Translation", "is_campaign", "read", "write"]
