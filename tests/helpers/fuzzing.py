"""Routes under whatever can be sent to them: what every such test has in common."""

from collections import Counter
from contextlib import contextmanager

from hypothesis import HealthCheck, settings


def with_examples(count):
    """So many cases a route, always the same ones, however long they take."""
    return settings(
        max_examples=count, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True
    )


@contextmanager
def answered():
    """What a route answered. That it let nobody in would show nothing: each must say yes at least once."""
    seen = Counter()
    yield seen
    print(dict(sorted(seen.items())))
    assert any(code < 400 for code in seen), f"never let in: {dict(seen)}"


def sent(case, browser, address, *, check=lambda reply: None, **options):
    """The status of the answer to a case, which is no fault and passes a check; a refusal says why."""
    asked = case.as_transport_kwargs(base_url=address)
    headers = {
        name: value for name, value in (asked.pop("headers") or {}).items() if name.lower() != "cookie"
    }
    headers |= options.pop("headers", {})
    body = asked.pop("data", None)
    asked.pop("cookies", None)
    method, url = asked.pop("method"), asked.pop("url")
    reply = browser.request(method, url, content=body, headers=headers, **asked, **options)
    assert reply.status_code < 500, reply.text
    check(reply)
    if reply.status_code >= 400:
        assert "Traceback" not in reply.text
        assert reply.json()["error"]["message"]
    return reply.status_code
