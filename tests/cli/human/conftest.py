"""What the tests of `adjudge human` begin with: a campaign file, and a campaign."""

import json

import pytest

from helpers.human_commands import EXAMPLES


@pytest.fixture
def own_database(tmp_path):
    return str(tmp_path / "campaigns.db")


@pytest.fixture
def made(run, own_database):
    """The example's campaign, and the links that were printed."""
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", own_database, "-f", "json")
    assert result.code == 0, result.err
    return {link["annotator"]: link["link"] for link in json.loads(result.out)["links"]}
