"""Bearer tokens of the service: who may ask, whom a request counts for, and that nothing about them gets out."""

from __future__ import annotations

import hmac
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from adjudge.cli import main
from adjudge.errors import UsageError
from adjudge.server import lanes, service
from adjudge.server.service import Tokens, checked_token, create_service, read_tokens
from adjudge.server.settings import ServerSettings

ADDRESS = "http://127.0.0.1:8082"
FIRST, SECOND = "first-token-of-the-service", "second.token~of+the/service=="
SMALL = {"references": [["a b"]], "systems": {"x": ["a b"]}, "metrics": ["wer"]}


@pytest.fixture(scope="module")
def asked():
    app = create_service(ServerSettings(base_url=ADDRESS), 60, Tokens([FIRST, SECOND]))
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as browser:
        yield browser


@pytest.mark.parametrize("token", [FIRST, SECOND])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_who_has_a_token_is_answered(asked: TestClient, token: str, scheme: str) -> None:
    reply = asked.post("/score", json=SMALL, headers={"authorization": f"{scheme} {token}"})
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Basic {FIRST}",
        FIRST,
        f"Bearer {FIRST}x",
        f"Bearer {FIRST[:-1]}",
        f"Bearer {FIRST} {SECOND}",
        f"Bearer {FIRST.upper()}",
        b"Bearer \xff\xfe",
    ],
)
@pytest.mark.parametrize("route", ["/score", "/compare"])
def test_nobody_else_is(asked: TestClient, route: str, header: str | bytes | None) -> None:
    """In the one shape of errors, before anything of the body is read."""
    headers = {} if header is None else {"authorization": header}
    reply = asked.post(route, content="not even JSON", headers=headers)
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == "unauthorised"
    assert reply.headers["www-authenticate"] == "Bearer"
    assert FIRST not in reply.text


def test_what_tells_nothing_needs_no_token(asked: TestClient) -> None:
    assert asked.get("/health").json() == {"status": "ok"}
    document = asked.get("/openapi.json").json()
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    assert document["paths"]["/score"]["post"]["security"] == [{"token": []}]
    assert "401" in document["paths"]["/compare"]["post"]["responses"]
    assert document["paths"]["/health"]["get"]["security"] == []


def test_a_request_counts_for_its_token_and_not_for_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """All who come through one proxy have one address."""
    seen: list[str] = []
    monkeypatch.setattr(lanes.LaneUse, "request", lambda self, client: seen.append(client) or 1 / 0)
    app = create_service(ServerSettings(base_url=ADDRESS), 60, Tokens([FIRST, SECOND]))
    browser = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
    for token in (FIRST, SECOND, FIRST):
        browser.post("/score", json=SMALL, headers={"authorization": f"Bearer {token}"})
    assert seen == ["token 0", "token 1", "token 0"]


def test_tokens_are_compared_in_constant_time_and_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    whole = hmac.compare_digest
    monkeypatch.setattr(service.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or whole(a, b))
    app = create_service(ServerSettings(base_url=ADDRESS), 60, Tokens([FIRST, SECOND]))
    browser = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
    for token in (FIRST, SECOND, "x"):
        compared.clear()
        browser.post("/score", headers={"authorization": f"Bearer {token}"})
        assert len(compared) == 2
        assert {len(part) for pair in compared for part in pair} == {32}, "hashes, of equal length"


def test_a_file_has_a_token_per_line(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# of the build\n{FIRST}\n\n  {SECOND}  \r\n")
    assert read_tokens(str(path)) == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# nothing\n\n", "holds no token; write one per line"),
        ("short\n", "line 1: a token of 5 characters can be guessed"),
        (f"{FIRST}\ntwo words of a token\n", "line 2: a token has letters, digits"),
        ("pässwörter-mit-umlauten\n", "line 1: a token has letters, digits"),
    ],
)
def test_files_that_hold_no_tokens(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as caught:
        read_tokens(str(path))
    assert not any(line in str(caught.value) for line in content.splitlines() if line and line[0] != "#")


def test_a_token_is_not_shown_where_it_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        checked_token("secret word", "$X")
    assert "secret" not in str(caught.value)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Everything but the serving itself: the exit code, the tokens, and what was said."""
    made: list[Tokens] = []
    monkeypatch.setattr("adjudge.server.run.serve", lambda *_: None)
    monkeypatch.setattr(
        "adjudge.server.service.create_service", lambda settings, seconds, given: made.append(given)
    )

    def call(*options: str):
        made.clear()
        code = main(["serve", "--port", "0", *options])
        return code, made[0] if made else None, capsys.readouterr().err

    return call


def test_the_command_takes_a_file_or_the_environment(
    serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"{FIRST}\n")
    path.chmod(0o600)
    code, given, said = serve("--token-file", str(path))
    assert (code, len(given._hashes)) == (0, 1)
    assert "warning" not in said
    path.chmod(0o644)
    assert "other users may read the tokens" in serve("--token-file", str(path))[2]
    assert not serve()[1]
    monkeypatch.setenv("ADJUDGE_SERVE_TOKEN", SECOND)
    assert len(serve()[1]._hashes) == 1
    code, _, said = serve("--token-file", str(path))
    assert code == 2
    assert "give one of them" in said
    monkeypatch.setenv("ADJUDGE_SERVE_TOKEN", "")
    code, given, said = serve()
    assert (code, given) == (2, None), "a variable that is empty by mistake must not open the service"
    assert SECOND not in said


def test_a_service_for_everybody_says_so(serve) -> None:
    assert "whoever reaches it is answered" in serve("--host", "0.0.0.0")[2]
    assert "whoever reaches it is answered" not in serve()[2]


def test_a_file_that_is_not_there(serve, tmp_path: Path) -> None:
    code, given, said = serve("--token-file", str(tmp_path / "none"))
    assert (code, given) == (1, None)
    assert "does not exist" in said
    assert len(said.splitlines()) == 1
