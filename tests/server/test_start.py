"""How much a server loads before it can answer."""

import subprocess
import sys

import pytest

pytest.importorskip("fastapi")

LATE = (
    "scipy",
    "rich",
    "alembic",
    "adjudge.comparison",
    "adjudge.report",
    "adjudge.io.judgements",
    "adjudge.metrics",
)


def test_a_server_starts_without_what_only_analyses_need(sqlite):
    """Imports are nearly all of the time that a start takes: on a busy machine scipy alone took a second."""
    code = (
        "import sys; from adjudge.campaigns.store import CampaignStore; from adjudge.server.app import create_app; "
        f"create_app(CampaignStore.open({sqlite!r})); print(*sys.modules)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert [name for name in LATE if name in loaded] == []
