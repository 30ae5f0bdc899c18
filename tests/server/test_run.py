"""Several server processes and the signals that end them."""

import signal

import pytest

pytest.importorskip("uvicorn")

from uvicorn.supervisors.multiprocess import SIGNALS

from adjudge.server import run
from adjudge.server.settings import ServerSettings


@pytest.fixture
def handlers():
    """Signals are handled afterwards as they were before."""
    before = {entry: signal.getsignal(entry) for entry in SIGNALS}
    yield
    for first, handler in before.items():
        signal.signal(first, handler)


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_ignored_at_the_start_ends_nobody(handlers, ignored):
    (ending,) = {signal.SIGINT, signal.SIGTERM} - {ignored}
    signal.signal(ignored, signal.SIG_IGN)
    signal.signal(ending, signal.SIG_DFL)  # whoever runs these tests in the background has SIGINT ignored
    config = run.configuration(None, ServerSettings(base_url="http://127.0.0.1:1"), workers=2)
    servers = run._Servers(config, [])
    signal.raise_signal(ignored)
    servers.handle_signals()
    assert not servers.should_exit.is_set()
    signal.raise_signal(ending)
    servers.handle_signals()
    assert servers.should_exit.is_set()
