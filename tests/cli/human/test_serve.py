"""What a server is told, and what it refuses to be told."""

import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("fastapi")

from adjudge.campaigns.store import Store


@pytest.fixture
def database(tmp_path):
    path = str(tmp_path / "campaigns.db")
    Store.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def serve(run, database, monkeypatch):
    """Everything but the serving itself; the settings that a server would get."""
    told = []
    monkeypatch.setattr("adjudge.server.run.run", lambda *given, **named: told.append((given, named)))

    def call(*arguments):
        told.clear()
        result = run("human", "serve", "-d", database, "--port", "0", *arguments)
        values = [
            entry for given, named in told for entry in (*given, *named.values()) if hasattr(entry, "demo")
        ]
        return result, values[0] if values else None

    return call


@pytest.mark.parametrize(
    ("arguments", "demo"),
    [
        ((), True),
        (("--base-url", "https://judge.example.org"), False),
        (("--base-url", "http://127.0.0.1:8080"), False),
        (("--host", "0.0.0.0"), False),
        (("--base-url", "https://judge.example.org", "--demo"), True),
        (("--no-demo",), False),
    ],
)
def test_the_demo_is_public_only_where_it_is_asked_for(serve, arguments, demo):
    result, settings = serve(*arguments)
    assert result.code == 0, result.err
    assert settings.demo is demo


@pytest.mark.parametrize("host", ["", " ", "[]"])
def test_an_empty_host_is_not_every_host(serve, host):
    result, settings = serve("--host", host)
    assert (result.code, settings) == (2, None)
    assert "--host: an address was expected" in result.err
    assert "0.0.0.0 listens everywhere" in result.err


@pytest.mark.parametrize("option", ["--base-url", "--embed-in"])
@pytest.mark.parametrize(
    "value", ["nonsense", "", "https://", "https://a.org/path", "https://a.org; script-src *"]
)
def test_what_is_no_address_of_a_site_is_refused(serve, option, value):
    result, settings = serve(option, value)
    assert (result.code, settings) == (2, None)
    assert f"{option} {value!r}: " in result.err
    assert "https://HOST" in result.err


@pytest.mark.parametrize("value", ["nonsense", "", "*", "10.0.0.1/8"])
def test_a_proxy_has_an_address(serve, value):
    result, settings = serve("--trust-proxy", value)
    assert (result.code, settings) == (2, None)
    assert f"--trust-proxy {value!r}" in result.err


def test_what_a_server_is_told(serve):
    result, settings = serve(
        "--host",
        "[::1]",
        "--trust-proxy",
        "127.0.0.1",
        "--trust-proxy",
        "10.0.0.0/8",
        "--embed-in",
        "https://a.org/",
    )
    assert result.code == 0, result.err
    assert settings.base_url.startswith("http://[::1]:")
    assert settings.proxies == ("127.0.0.1", "10.0.0.0/8")
    assert settings.embed_in == ("https://a.org",)


def test_behind_a_proxy_that_is_not_named_a_word_is_said(serve):
    result, _ = serve("--base-url", "https://judge.example.org")
    assert "--trust-proxy" in result.err
    result, _ = serve("--base-url", "https://judge.example.org", "--trust-proxy", "127.0.0.1")
    assert "--trust-proxy" not in result.err


def test_a_link_for_the_organiser(run, database):
    from adjudge.campaigns.store import people

    result = run("human", "sign-in", "-d", database, "--base-url", "https://judge.example.org/")
    assert result.code == 0, result.err
    start, _, token = result.out.strip().rpartition("/")
    assert start == "https://judge.example.org/organiser/link"
    store = Store.open(f"sqlite:///{database}")
    assert people.use_one_time_link(store, token)
    store.close()
