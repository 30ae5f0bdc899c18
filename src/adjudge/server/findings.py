"""Findings for an organiser's page, computed in this process, or in a separate one if that takes long.

A server's threads take turns, so annotators would wait while one of them reads a hundred thousand answers. A process
of its own runs beside them, and lets them go first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from adjudge.campaigns.store import CampaignStore, answers, campaigns
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.progress import campaign_progress

Finding = Callable[[CampaignStore, StoredCampaign], dict[str, Any]]
AN_ANSWER = 40e-6
"""Seconds that an answer takes to read and count."""
POLITE = 10
"""Niceness of the separate process."""


def progress(store: CampaignStore, stored: StoredCampaign) -> dict[str, Any]:
    """Return how far each annotator and each system has come, as JSON."""
    from adjudge.campaigns.campaign_display import (
        status_document,  # late, as below: a server starts without it
    )

    return status_document(campaign_progress(store, stored))


def quality(store: CampaignStore, stored: StoredCampaign) -> dict[str, Any]:
    """Return what control items and repeats say of the annotators, and how far people agree so far, as JSON."""
    from adjudge.campaigns.campaign_display import watched_document
    from adjudge.campaigns.judgements import judgements_by_criterion
    from adjudge.campaigns.live_quality import live_quality

    given = answers.counted_answers(store, stored)
    judged = judgements_by_criterion(stored.campaign, campaigns.material(store, stored), given)
    return {"criteria": [watched_document(criterion) for criterion in live_quality(judged)]}


FINDINGS: Mapping[str, Finding] = {"progress": progress, "quality": quality}


def expected_seconds(store: CampaignStore, stored: StoredCampaign) -> float:
    """Return about how many seconds a finding takes, before one was computed."""
    return answers.event_count(store, stored) * AN_ANSWER


def compute_here(store: CampaignStore, stored: StoredCampaign, what: str) -> tuple[dict[str, Any], float]:
    """Return the finding, and the CPU seconds that it took."""
    begun = time.thread_time()
    return FINDINGS[what](store, stored), time.thread_time() - begun


def compute_in_process(
    store: CampaignStore, stored: StoredCampaign, what: str
) -> tuple[dict[str, Any], float]:
    """Return the finding of a separate process; if that fails, compute it here, where errors are known.

    The process is begun anew: a fork would believe to hold the locks of this one (`database/file_locks.py`).
    """
    question = json.dumps({"database": store.address, "campaign": stored.name, "what": what})
    command = [sys.executable, "-m", "adjudge.server.findings"]
    try:
        done = subprocess.run(command, input=question, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return compute_here(store, stored, what)
    reply = json.loads(done.stdout)
    return reply["found"], reply["seconds"]


def main() -> None:
    """Compute the finding that stdin names, and write it to stdout."""
    os.nice(POLITE)
    question = json.load(sys.stdin)
    store = CampaignStore.open(question["database"], create=False)
    try:
        finding = FINDINGS[question["what"]](store, campaigns.find(store, question["campaign"]))
    finally:
        store.close()
    json.dump({"found": finding, "seconds": time.process_time()}, sys.stdout)


if __name__ == "__main__":
    main()
