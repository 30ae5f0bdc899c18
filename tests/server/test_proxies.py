"""Who is believed when they say for whom they ask."""

import pytest
from starlette.testclient import TestClient

from adjudge.server.app import create_app
from adjudge.server.run import configuration
from adjudge.server.settings import ServerSettings


def codes(store, proxies, came_from, forwarded):
    """What sixteen bad links from one address get, each said to be for somebody else."""
    settings = ServerSettings(proxies=proxies)
    config = configuration(create_app(store, settings), settings)
    config.load()
    browser = TestClient(config.loaded_app, base_url="http://127.0.0.1:8080", client=(came_from, 50000))
    return [
        browser.get(f"/a/guess-{n}", headers={"x-forwarded-for": forwarded.format(n)}).status_code
        for n in range(16)
    ]


@pytest.mark.parametrize(
    ("proxies", "came_from"),
    [((), "127.0.0.1"), ((), "192.0.2.1"), (("10.0.0.0/8",), "127.0.0.1"), (("127.0.0.1",), "192.0.2.1")],
)
def test_nobody_is_believed_but_the_proxies_that_were_named(store, monkeypatch, proxies, came_from):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert codes(store, proxies, came_from, "203.0.113.{}") == [404] * 10 + [429] * 6


def test_a_proxy_that_was_named_tells_people_apart(store):
    assert codes(store, ("127.0.0.1",), "127.0.0.1", "203.0.113.{}") == [404] * 16
    assert codes(store, ("10.0.0.0/8",), "10.2.3.4", "203.0.113.1{}, 10.9.9.9") == [404] * 16


def test_what_somebody_says_before_the_proxy_does_is_not_believed(store):
    assert codes(store, ("127.0.0.1",), "127.0.0.1", "203.0.113.{}, 198.51.100.7") == [404] * 10 + [429] * 6
