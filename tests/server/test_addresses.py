"""For whom a request is, and where it comes from."""

import pytest
from starlette.testclient import TestClient

from adjudge.server.addresses import KnownHosts, is_local, site
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("https://judge.example.org/", "https://judge.example.org"),
        ("HTTPS://Judge.Example.org:443", "https://judge.example.org"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:80", "http://[::1]"),
        ("https://büro.example", "https://xn--bro-hoa.example"),
    ],
)
def test_a_site_has_one_form(given, plain):
    assert site(given) == plain
    assert site(plain) == plain


@pytest.mark.parametrize(
    "given",
    [
        "nonsense",
        "",
        "ftp://example.org",
        "https://",
        "https://example.org/adjudge",
        "https://example.org?x=1",
        "https://example.org#x",
        "https://user@example.org",
        "https://exa mple.org",
        "https://example.org\nX: y",
        "https://example.org:99999",
        "https://example.org:port",
        "https://*.example.org",
        "https://example.org;script-src *",
        "http://[nonsense]",
        "http://1.2.3.4.5",
        "https://-a.org",
        f"https://{'ä' * 80}.org",
    ],
)
def test_what_is_no_site_is_refused(given):
    with pytest.raises(ValueError):  # noqa: PT011  (any of many sentences)
        site(given)


@pytest.mark.parametrize(
    ("base", "host", "known"),
    [
        ("https://judge.example.org", "judge.example.org", True),
        ("https://judge.example.org", "JUDGE.example.org:443", True),
        ("https://judge.example.org", "127.0.0.1:8080", True),  # a proxy that passes no name on
        ("https://judge.example.org", "localhost", True),
        ("https://judge.example.org", "evil.example", False),
        ("https://judge.example.org", "judge.example.org.evil.example", False),
        ("https://judge.example.org", "192.0.2.1", False),
        ("https://judge.example.org", "judge.example.org@evil.example", False),
        ("https://judge.example.org", "", False),
        ("http://127.0.0.1:8080", "rebound.example:8080", False),
        ("http://127.0.0.1:8080", "[::1]:8080", True),
        ("http://0.0.0.0:8080", "192.0.2.1:8080", True),
        ("http://0.0.0.0:8080", "rebound.example:8080", False),
    ],
)
def test_hosts(base, host, known):
    assert KnownHosts(base).has_host(host) is known


@pytest.mark.parametrize(
    ("origin", "host", "known"),
    [
        ("https://judge.example.org", "judge.example.org", True),
        ("https://judge.example.org", "127.0.0.1:8080", True),
        ("http://judge.example.org", "judge.example.org", False),
        ("https://evil.example", "judge.example.org", False),
        ("http://localhost:3000", "localhost:8080", False),
        ("null", "judge.example.org", False),
        ("", "judge.example.org", False),
    ],
)
def test_origins(origin, host, known):
    assert KnownHosts("https://judge.example.org").has_origin(origin, host) is known


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("127.0.1.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False)],
)
def test_what_only_this_machine_reaches(host, local):
    assert is_local(host) is local


def test_a_request_for_another_host_is_refused(store, made):
    stranger = TestClient(create_app(store, ServerSettings()), base_url="http://rebound.example:8080")
    for path in ("/", "/health", "/static/base.css", f"/a/{made.tokens['anna']}"):
        reply = stranger.get(path, follow_redirects=False)
        assert (reply.status_code, reply.json()["error"]["code"]) == (421, "unknown host"), path
        assert "set-cookie" not in reply.headers
        assert reply.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8081"])
def test_a_page_of_another_site_is_refused_wherever_it_says_so(anna, origin):
    sent = {"task": anna.get("/api/work").json()["tasks"][0]["id"], "key": "k" * 8, "answer": {"score": 1}}
    headers = {"x-csrf-token": anna.token, "origin": origin}
    assert anna.post("/api/answers", json=sent, headers=headers).json()["error"]["code"] == "foreign site"
    assert anna.get("/api/work", headers={"origin": origin}).status_code == 403
    headers["origin"] = "http://127.0.0.1:8080"
    assert anna.post("/api/answers", json=sent, headers=headers).status_code == 200
