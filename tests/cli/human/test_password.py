"""`adjudge human password`."""

from adjudge.campaigns.store import CampaignStore, people


def test_a_password(run, own_database, made):
    assert run("human", "password", "--database", own_database, "--password", "short").code == 1
    assert run("human", "password", "--database", own_database, "--password", "long enough now").code == 0
    store = CampaignStore.open(f"sqlite:///{own_database}")
    assert people.check_password(store, "long enough now")
    store.close()
