"""Judgements of a campaign, from its database."""

import hashlib

import pytest

from adjudge.campaigns.export import (
    ExportOptions,
    criterion_judgements,
    read_campaign_judgements,
    written_judgements,
)
from adjudge.campaigns.store import CampaignStore, answers, events, people, work
from adjudge.errors import DataError
from helpers import served


def test_a_campaign_is_an_input_with_the_hash_of_its_export(sqlite):
    """Whoever has the file that was exported can say whether it is what was analysed."""
    store = CampaignStore.open(sqlite)
    made = served.make(store)
    with pytest.raises(DataError):
        read_campaign_judgements(store, "small")
    anna = people.find(store, made.kept, "anna")
    for task in work.tasks(store, anna):
        events.record_answer(store, anna, task.id, key=f"{task.id:08}", answer={"score": 50}, seconds=9.0)
    loaded = read_campaign_judgements(store, "small")
    counted = answers.counted_answers(store, made.kept)
    campaign, material = made.kept.campaign, served.material()
    exported = written_judgements(
        campaign, material, criterion_judgements(campaign, material, counted, "", {}), ExportOptions()
    )
    (file,) = loaded.inputs
    assert (file.role, file.path, file.sha256) == (
        "campaign",
        "small",
        hashlib.sha256(exported.data).hexdigest(),
    )
    assert len(loaded.judgements) == len(work.tasks(store, anna))
    store.close()
