"""An open database of either kind, and a small campaign in it."""

import pytest

from adjudge.campaigns.store import (
    CampaignStore,
    campaigns,
    people,
)
from helpers import stored


@pytest.fixture
def store(database):
    opened = CampaignStore.open(database)
    yield opened
    opened.close()


@pytest.fixture
def kept(store):
    return campaigns.add(store, *stored.made())


@pytest.fixture
def anna(store, kept):
    return people.find(store, kept, "anna")


@pytest.fixture
def ben(store, kept):
    return people.find(store, kept, "ben")


@pytest.fixture
def stores(database):
    """As many servers as there are processes."""
    opened = [CampaignStore.open(database) for _ in range(4)]
    yield opened
    for store in opened:
        store.close()
